"""The agent is blind: nothing that gives the answer away reaches it, not through the prompt and not through a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.corpus.libraries import open_library
from goldproof.corpus.packages import Distribution
from goldproof.corpus.packages.module_files import ModuleFile
from goldproof.errors import InputError
from goldproof.jobs.verify.agent import open_research
from goldproof.jobs.verify.agent.exam import exam_of
from goldproof.jobs.verify.agent.readable import PAGE, ReadableFiles
from goldproof.llm.model import Ask, Reply
from tests.jobs.verify.agent.exams import PROOF_B, SECRETS, Script, act, finish, read, run, search, yaml_case

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.jobs.verify.agent import Research
    from goldproof.sandbox import Sandbox


class Spy:
    """A model that keeps every ask and does one thing after the other."""

    key = "spy"

    def __init__(self, *actions: dict[str, object]) -> None:
        self.actions = list(actions)
        self.asks: list[Ask] = []

    async def answer(self, ask: Ask) -> Reply:
        self.asks.append(ask)
        assert ask.output is not None
        return Reply("", value=ask.output.model_validate(self.actions.pop(0)))


LOOKING = """import glob, os, sys
print(os.environ)
for pattern in ("*", "/tmp/*", "/home/*", os.path.expanduser("~/*")):
    for name in glob.glob(pattern):
        try:
            print(name, open(name).read()[:2000])
        except OSError:
            pass
print(sys.argv, list(sys.modules))
"""


def test_no_secret_of_a_case_reaches_the_agent_in_any_way(
    sandbox: Sandbox, research: Research, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("cases.yaml", "quality_report.json"):
        (tmp_path / name).write_text(" ".join(SECRETS))
    spy = Spy(
        search("safe load secret"),
        {"action": "inspect_fqn", "argument": "yaml.safe_load"},
        read("yaml/__init__.py"),
        read("cases.yaml"),
        read("quality_report.json"),
        read(str(tmp_path / "cases.yaml")),
        run(LOOKING),
        PROOF_B,
        finish(),
        finish(),
    )
    found = act(spy, sandbox.run, research=research, refuted={"A": "observed: {'a': 1}"})  # type: ignore[arg-type]
    assert found.notes.ended == "finished"
    assert len(spy.asks) == 10
    told = "\n".join(f"{ask.instructions}\n{ask.prompt}" for ask in spy.asks)
    assert "def safe_load" in told
    assert [secret for secret in SECRETS if secret in told] == []


def test_the_agent_sees_the_question_all_options_and_what_is_refuted() -> None:
    exam = exam_of(yaml_case(text="Which?"), open_letters=["B", "Z", "D"], refuted={"A": "returned 8", "Z": "no"})
    assert (exam.text, tuple(exam.options), exam.open) == ("Which?", ("A", "B", "C", "D"), ("B", "D"))
    assert exam.refuted == {"A": "returned 8"}


def test_an_option_that_speaks_of_others_is_not_to_be_proven() -> None:
    case = yaml_case({"A": "one", "B": "two", "C": "All of the above", "D": "Both A and B"})
    assert exam_of(case, open_letters=["A", "B", "C", "D"], refuted={}).open == ("A", "B")


def test_the_first_prompt_as_a_whole(sandbox: Sandbox) -> None:
    script = Script({"action": "give_up"})
    act(script, sandbox.run, open_letters=["B"], refuted={"A": "returned 8"}, case=yaml_case({"A": "one", "B": "two"}))
    _, _, prompt = script.prompts[0].partition("the option is refuted.\n\n")
    shown, _, form = prompt.partition("\n\nAnswer with one JSON object")
    label, _, rest = shown.partition("\n")
    assert label.startswith("Library: PyYAML==")
    assert rest == (
        "\nQuestion:\nWhat is true of PyYAML?\n\nOptions:\nA. one\nB. two\n\nRefuted already:\nA: returned 8\n\n"
        "Open, to be proven: B.\n\nSteps left: 24. Runs left: 24. What do you do?"
    )
    assert "selected_answer" in form


def test_the_same_run_is_told_in_the_same_words(sandbox: Sandbox) -> None:
    text = "import yaml, time, os\nprint(object(), yaml.__file__)\nimport traceback\nyaml.safe_load('[')\n"
    prompts = []
    for _ in range(2):
        spy = Spy(run(text), {"action": "give_up"})
        act(spy, sandbox.run)  # type: ignore[arg-type]
        prompts.append(spy.asks[1].prompt)
    assert prompts[0] == prompts[1]
    assert "site-packages/yaml/__init__.py" in prompts[0]
    assert "/site-packages/" not in prompts[0], "a path of this machine"


def files(folder: Path, *names: str) -> ReadableFiles:
    listed = tuple(ModuleFile(name.replace("/", "."), folder / name, name) for name in names)
    return ReadableFiles([Distribution("x", "1", ("x",), listed)])


@pytest.mark.parametrize(
    "path",
    ["../secret.py", "/etc/passwd", "x/../../secret.py", "x/./a.py", "", ".", "~/x", "x\0/a.py", "X/A.PY", "x//a.py"],
)
def test_only_listed_paths_are_read(path: str, tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x/a.py").write_text("a = 1")
    (tmp_path / "secret.py").write_text("secret")
    with pytest.raises(InputError):
        files(tmp_path, "x/a.py").read(path)


def test_links_out_of_the_library_and_hidden_files_are_refused(tmp_path: Path) -> None:
    inside, outside = tmp_path / "site", tmp_path / "outside.py"
    (inside / "x").mkdir(parents=True)
    outside.write_text("secret")
    (inside / "x/a.py").write_text("a = 1")
    (inside / "x/.hidden.py").write_text("secret")
    (inside / "x/link.py").symlink_to(outside)
    (inside / "x/own.py").symlink_to(inside / "x/a.py")
    readable = files(inside, "x/a.py", "x/.hidden.py", "x/link.py", "x/own.py", "x/gone.py")
    for name in ("x/.hidden.py", "x/link.py", "x/gone.py"):
        with pytest.raises(InputError, match="cannot be read"):
            readable.read(name)
    assert readable.read("x/own.py").endswith("a = 1")
    with pytest.raises(InputError, match=r"^x is a folder: x/\.hidden"):
        readable.read("x")


def test_files_are_read_page_by_page(tmp_path: Path) -> None:
    # PAGE + 3 characters: a full page, then three.
    (tmp_path / "a.py").write_text("#" * PAGE + "end")
    readable = files(tmp_path, "a.py")
    assert readable.read("a.py").startswith(f"a.py, characters 0 to {PAGE} of {PAGE + 3}; go on with offset {PAGE}:")
    assert readable.read("a.py", offset=PAGE) == f"a.py, characters {PAGE} to {PAGE + 3} of {PAGE + 3}, its end:\nend"
    with pytest.raises(InputError, match="behind its end"):
        readable.read("a.py", offset=PAGE + 3)
    (tmp_path / "b.py").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read as text"):
        files(tmp_path, "b.py").read("b.py")


def test_the_files_of_other_distributions_are_not_reached() -> None:
    research = open_research(open_library("PyYAML"))
    assert "class SafeLoader" in research.read("yaml/loader.py")
    for path in ("pydantic/main.py", "goldproof/version.py", "PyYAML-6.0.3.dist-info/RECORD", "yaml/_yaml.so"):
        with pytest.raises(InputError, match="unknown file of the library"):
            research.read(path)


def test_a_name_is_inspected_by_its_sources_alone(research: Research) -> None:
    said = research.inspect("yaml.safe_load")
    assert said.startswith("yaml.safe_load (function)\nfile: yaml/__init__.py, lines ")
    assert "signature: safe_load(stream)" in said
    assert "Resolve only basic YAML tags" in said
    assert "yaml.safe_load" in research.search("safe load").splitlines()[0]


def test_a_path_of_a_traceback_is_understood(research: Research) -> None:
    assert research.read("/any/where/site-packages/yaml/loader.py").startswith("yaml/loader.py, characters 0 to")
