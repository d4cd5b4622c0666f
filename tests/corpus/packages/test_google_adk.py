"""The real google-adk, as it is installed: names, re-exports, fields, places."""

from __future__ import annotations

import json
import subprocess
import sys
import tokenize
from importlib.metadata import version

import pytest

from goldproof.corpus.gold_spans import GoldSpan, gold_for
from goldproof.corpus.packages import Package, open_package
from goldproof.errors import UnknownNameError

AGENT = "google.adk.agents.llm_agent.LlmAgent"


def imported() -> set[str]:
    return {name for name in sys.modules if name == "google.adk" or name.startswith("google.adk.")}


@pytest.fixture(scope="module")
def adk() -> Package:
    pytest.importorskip("griffe")
    before = imported()  # by another test, perhaps
    package = open_package("google-adk")
    assert package.documents()
    assert imported() == before
    return package


def test_only_its_own_part_of_the_namespace_is_read(adk: Package) -> None:
    assert adk.version == version("google-adk")
    assert adk.distribution.import_names == ("google.adk",)
    ids = [document.id for document in adk.documents()]
    assert len(ids) == len(set(ids)) > 2000
    assert all(name == "google.adk" or name.startswith("google.adk.") for name in ids)


def test_re_exports_lead_to_the_definition(adk: Package) -> None:
    assert adk.names.resolve("google.adk.agents.LlmAgent") == AGENT
    assert adk.names.resolve("google.adk.Agent") == AGENT  # Agent: TypeAlias = LlmAgent, exported lazily
    assert {"google.adk.agents.LlmAgent", "google.adk.agents.Agent", "google.adk.Agent"} <= set(
        adk.names.exported_as(AGENT)
    )


def test_nearly_all_imports_within_the_package_are_resolved(adk: Package) -> None:
    own = [other for other in adk.names.others.values() if other.target.startswith("google.adk.")]
    resolved = sum(adk.names.resolve(other.path) is not None for other in own)
    assert len(own) > 3000
    assert resolved / len(own) > 0.95


@pytest.mark.slow
def test_what_the_package_lists_for_users_is_what_it_has_at_run_time(adk: Package) -> None:
    listed = [other for other in adk.names.others.values() if other.listed and other.path.count(".") <= 3]
    paths = [o.path for o in listed if o.path.startswith("google.adk.agents.") and adk.names.resolve(o.path)]
    program = """
import importlib, json, sys
found = {}
for path in json.loads(sys.argv[1]):
    module, _, name = path.rpartition(".")
    try:
        item = getattr(importlib.import_module(module), name)
    except ModuleNotFoundError:
        continue  # it needs an extra
    found[path] = getattr(item, "__module__", "") + "." + getattr(item, "__qualname__", "")
print("answer:" + json.dumps(found))
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, json.dumps(paths)], capture_output=True, text=True, check=True
    )
    answer = next(line for line in done.stdout.splitlines() if line.startswith("answer:"))
    real = json.loads(answer.removeprefix("answer:"))
    assert len(real) >= 15
    assert {path: adk.names.resolve(path) for path in real} == real


def test_fields_of_the_agent_are_those_of_a_separate_interpreter(adk: Package) -> None:
    exact = adk.inspect("google.adk.agents.LlmAgent")
    assert (exact.path, exact.record, exact.fields_from, exact.fields_note) == (AGENT, "pydantic", "runtime", "")
    static = adk.inspect(AGENT, fields="static")
    assert [(f.name, f.required, f.defined_in) for f in static.fields] == [
        (f.name, f.required, f.defined_in) for f in exact.fields
    ]
    names = [parameter.name for parameter in exact.parameters]
    assert {"name", "model", "instruction", "tools", "sub_agents"} <= set(names)
    assert [parameter.name for parameter in exact.parameters if parameter.required] == ["name"]


def test_the_document_of_the_agent_tells_a_judge_what_it_takes(adk: Package) -> None:
    document = next(d for d in adk.documents() if d.id == AGENT)
    head = document.text.partition("\n\n")[0]
    assert head.startswith(f"class {AGENT}(google.adk.agents.base_agent.BaseAgent")
    assert "google.adk.agents.LlmAgent" in head
    assert "LlmAgent(*, name: str" in head
    assert "tools: list[ToolUnion]" in head
    assert "# inherited from google.adk.agents.base_agent.BaseAgent: " in document.text
    assert len(document.text) < len(adk.inspect(AGENT, fields="static").source_text)


def test_every_place_is_exact(adk: Package) -> None:
    (root,) = adk.distribution.search_path
    texts: dict[str, str] = {}
    for document in adk.documents():
        if "source_start" not in document.metadata:
            continue
        source = str(document.metadata["source"])
        if source not in texts:
            with tokenize.open(root / source) as stream:
                texts[source] = stream.read()
        start, end = (int(str(document.metadata[name])) for name in ("source_start", "source_end"))
        piece = texts[source][start:end]
        assert piece.strip(), document.id
        if document.metadata["kind"] not in ("class", "module"):
            assert document.text.endswith(piece)
            assert document.title in piece


def test_a_span_of_a_definition_is_found_in_its_document(adk: Package) -> None:
    (root,) = adk.distribution.search_path
    texts: dict[str, str] = {}
    wanted: dict[str, str] = {}
    spans: list[GoldSpan] = []
    for document in adk.documents():
        source = str(document.metadata["source"])
        for start, end, at in document.metadata.get("source_pieces", ()):  # type: ignore[attr-defined]
            if source not in texts:
                with tokenize.open(root / source) as stream:
                    texts[source] = stream.read()
            assert document.text[at : at + end - start] == texts[source][start:end]
        if "source_start" in document.metadata:
            low, high = (int(str(document.metadata[name])) for name in ("source_start", "source_end"))
            for quote in (texts[source][low:high], None):
                wanted[f"{document.id} {len(spans)}"] = document.id
                spans.append(GoldSpan(f"{document.id} {len(spans)}", source, low, high, 3, quote))
    reading = gold_for(adk.corpus(), spans)
    assert (reading.remarks, len(reading.kernels)) == ((), len(spans))
    grades = reading.judgments.to_dict()
    assert all(grades[question].get(name) == 3 for question, name in wanted.items())
    # Two names that one statement assigns have one place; else a definition is its own document and no other.
    assert sum(len(found) > 1 for found in grades.values()) < 10


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("LlmAgent", AGENT),
        ("agents.LlmAgent", AGENT),
        ("google.adk.Agent", AGENT),
        ("LlmAgnt", AGENT),
        ("Runner.run_async", "google.adk.runners.Runner.run_async"),
        ("LlmAgent.run_async", "google.adk.agents.base_agent.BaseAgent.run_async"),
        ("function_tool", "google.adk.tools.function_tool"),
        ("FunctionTol", "google.adk.tools.function_tool.FunctionTool"),
    ],
)
def test_names_are_found(adk: Package, query: str, best: str) -> None:
    assert adk.search(query, 3)[0].path == best


@pytest.mark.parametrize(
    "written", ["google.adk.LlmAgentt", "LlmAgentt", "google.adk.agents.LlmAgnt", "google.adk.LlmAg"]
)
def test_a_misspelt_name_suggests_the_right_one_first(adk: Package, written: str) -> None:
    with pytest.raises(UnknownNameError) as raised:
        adk.inspect(written)
    assert "; did you mean 'google.adk.agents.LlmAgent' or " in str(raised.value)
    assert str(raised.value).endswith(f"\n  google.adk.agents.LlmAgent is {AGENT}.")
