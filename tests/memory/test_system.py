"""What a user writes becomes a memory system, or one clear sentence."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import InputError, UnknownNameError
from goldproof.memory import DescribedMemory, Memory, open_memories, open_memory
from goldproof.memory.baselines import Everything, KeywordMatch, NewestK, Nothing
from goldproof.memory.http import HttpMemory
from goldproof.memory.system import MEMORIES
from goldproof.memory.user_memory import UserMemory
from goldproof.retrieve import bm25

if TYPE_CHECKING:
    from pathlib import Path

MODULE = """
from goldproof.memory import Memory
from goldproof.retrieve import bm25, top

class Thing:
    def clear(self): self.said = []
    def add(self, role, content, metadata): self.said.append(content)
    def search(self, query, k): return self.said[-k:]

class Needy(Thing):
    def __init__(self, path): self.path = path

class Broken(Thing):
    def __init__(self): raise OSError("no disk")

class Tuned(Memory):
    def __init__(self): super().__init__("bm25 | top(2)")

class Retriever:
    def search(self, query, k): return []

ready = Thing()
pipeline = bm25() | top(2)
number = 5

def make(): return Thing()
def make_ours(): return Memory("bm25 | top(1)")
def make_pipeline(): return pipeline
def make_nothing(): return None
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module of the user's, in the current folder; each test has its own name, since imports last."""
    name = f"memories_of_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return name


@pytest.mark.parametrize(
    ("spec", "kind"),
    [("everything", Everything), ("nothing", Nothing), ("newest", NewestK), (" keyword ", KeywordMatch)],
)
def test_trivial_systems_have_names(spec: str, kind: type) -> None:
    assert type(open_memory(spec)) is kind


@pytest.mark.parametrize("spec", ["bm25", "bm25(k1=2)", "dense", "hybrid(bm25, dense(minilm)) | floor(0.3) | top(5)"])
def test_a_pipeline_is_goldproofs_own_memory_over_it(spec: str) -> None:
    memory = open_memory(spec)
    assert isinstance(memory, Memory)
    assert memory.title == spec


def test_a_pipeline_in_a_file_is_named_after_the_hash(tmp_path: Path) -> None:
    path = tmp_path / "pipelines.yaml"
    path.write_text("retrievers:\n  words: bm25 | top(3)\n  few: bm25 | top(1)\n")
    assert open_memory(f"{path}#few").title == "bm25 | top(1)"
    with pytest.raises(UnknownNameError, match="did you mean 'words'"):
        open_memory(f"{path}#word")
    with pytest.raises(InputError, match="holds 2 pipelines"):
        open_memory(path)
    assert {name: one.title for name, one in open_memories([str(path)]).items()} == {
        "words": "bm25 | top(3)",
        "few": "bm25 | top(1)",
    }
    assert list(open_memories([f"{path}#few", f"other={path}#few"])) == ["few", "other"]


@pytest.mark.parametrize("name", ["Thing", "ready", "make"])
def test_a_module_and_object_is_a_memory_of_the_users_and_never_a_retriever(module: str, name: str) -> None:
    memory = open_memory(f"{module}:{name}")
    assert isinstance(memory, UserMemory)
    memory.clear()
    memory.add("user", "hello", {})
    assert [hit.text for hit in memory.search("q", 3)] == ["hello"]
    assert memory.title == f"{module}:{name}"
    assert len(str(memory.facts["source"])) == 64


@pytest.mark.parametrize(
    ("name", "title"), [("Tuned", "bm25 | top(2)"), ("make_ours", "bm25 | top(1)"), ("pipeline", "bm25 | top(2)"),
                        ("make_pipeline", "bm25 | top(2)")],
)  # fmt: skip
def test_a_memory_of_ours_or_a_pipeline_may_be_named_so_too(module: str, name: str, title: str) -> None:
    memory = open_memory(f"{module}:{name}")
    assert isinstance(memory, Memory)
    assert memory.title == title


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Thin", "did you mean 'Thing'"),
        ("Needy", "making it failed with TypeError: .*'path'; it is called without arguments"),
        ("Broken", "making it failed with OSError: no disk"),
        ("Retriever", r"searches but stores nothing .* own\(\.\.\.\)"),
        ("number", "is an int that neither stores nor searches"),
        ("make_nothing", "is None that neither stores nor searches"),
        ("Thing(k=5)", "takes no arguments here; give a factory that needs none"),
    ],
)
def test_what_cannot_be_a_memory_is_refused(module: str, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        open_memory(f"{module}:{name}")


def test_a_retriever_of_the_users_is_put_under_goldproofs_memory_by_own(module: str) -> None:
    memory = open_memory(f"own({module}:Retriever) | top(3)")
    assert isinstance(memory, Memory)
    assert isinstance(open_memory(f"{module}:Retriever | top(3)"), Memory)


def test_objects_classes_pipelines_and_our_own_are_taken_from_python() -> None:
    class Thing:
        def clear(self) -> None: ...

        def add(self, role: str, content: str, metadata: object) -> None: ...

        def search(self, query: str, k: int) -> list[str]:
            return [query][:k]

    ours = Memory("bm25")
    assert open_memory(ours) is ours
    assert isinstance(open_memory(bm25()), Memory)
    for one in (Thing(), Thing, lambda: Thing()):  # noqa: PLW0108 - a factory
        memory = open_memory(one)
        assert isinstance(memory, DescribedMemory)
        assert [hit.text for hit in memory.search("q", 1)] == ["q"]


@pytest.mark.parametrize(
    "spec",
    [
        "https://host.example/memory?key=s3cret-key",
        'http("https://host.example/memory?key=s3cret-key", timeout=5)',
        "https://host.example/memory(timeout=5, retries=0)",
    ],
)
def test_an_address_is_a_service_and_its_query_is_not_shown(spec: str) -> None:
    memory = open_memory(spec)
    assert isinstance(memory, HttpMemory)
    assert memory.title == "http(https://host.example/memory)"
    assert "s3cret" not in str(memory.facts)
    assert list(open_memories([spec])) == ["http(https://host.example/memory)"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("http(https://h/x, timeout=-1)", "expected a timeout above 0"),
        ("http(https://h/x, header_env=GOLDPROOF_TEST_UNSET)", "'GOLDPROOF_TEST_UNSET' of header_env is not set"),
        ("http(https://h/x, wait=1)", "unknown parameter of http 'wait'"),
        ("ftp://h/x", "a retriever of your own is written package.module:object"),
        ("newset", "unknown memory 'newset'; did you mean 'newest'"),
        ("bm52", "unknown memory 'bm52'; did you mean 'bm25'"),
        ("bm52 | top(5)", "unknown stage 'bm52'; did you mean 'bm25'"),
        ("dens(minilm)", "unknown stage 'dens'; did you mean 'dense'"),
        ("  ", "the text is empty"),
        ("no.such.module_of_mine:Thing", "no module named 'no'"),
        ("missing.yaml", "missing.yaml: no such file"),
        ("bm25 |", "nothing follows the bar"),
    ],
)
def test_a_wrong_spec_is_told_with_near_names(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        open_memory(spec)


def test_memories_are_named_by_the_user_or_by_their_titles() -> None:
    systems = open_memories(["mine = bm25 | top(3)", "keyword", "dense(minilm) | decay(exp, half_life=5)"])
    assert list(systems) == ["mine", "keyword", "dense(minilm) | decay(exp, half_life=5)"]
    assert systems["mine"].title == "bm25 | top(3)"


def test_two_memories_of_one_name_and_an_empty_spec_are_refused() -> None:
    with pytest.raises(InputError, match=r"two memories are called 'bm25'; tell them apart: --memory OTHER=bm25\."):
        open_memories(["bm25", "bm25"])
    with pytest.raises(InputError, match="--memory a=: nothing follows the '='; expected NAME=SPEC"):
        open_memories(["a="])


def test_the_names_are_a_registry_for_plug_ins() -> None:
    assert {"everything", "keyword", "newest", "nothing"} <= set(MEMORIES)


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import sys, goldproof.memory; print(*sorted({'numpy', 'polars', 'pydantic', 'yaml'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_every_name_that_is_exported_is_there() -> None:
    import goldproof.memory as package

    assert [name for name in package.__all__ if not hasattr(package, name)] == []
    assert package.__all__ == sorted(package.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = package.nonsense  # type: ignore[attr-defined]
