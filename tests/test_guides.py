"""The tutorial and the guides run as they stand: every file they show is written, every command marked `run` ends well.

A block is marked in its info string: ```console run is run, ```text file=NAME is written, ```python is executed.
"""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from goldproof.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

BLOCK = re.compile(r"^```(?P<info>[^\n`]+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
GUIDES = (
    "tutorial.md",
    "how-to/compare-retrievers.md",
    "how-to/rag-without-labels.md",
    "how-to/check-a-quiz.md",
    "how-to/measure-an-agent.md",
    "how-to/test-a-memory.md",
)


def commands(text: str) -> list[list[str]]:
    """Return the commands of a console block, as words; a backslash at the end of a line goes on."""
    lines = text.replace("\\\n", " ").splitlines()
    return [shlex.split(line[2:], comments=True) for line in lines if line.startswith("$ ")]


def goldproof(*words: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(list(words))
    return int(left.value.code or 0)


def follow(page: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Do what a page says, in a folder; return what each command printed."""
    printed = list[str]()
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        kind, *words = block["info"].split()
        if words and words[0].startswith("file="):
            path = folder / words[0].removeprefix("file=")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block["text"], encoding="utf-8")
        elif kind == "python":
            exec(compile(block["text"], str(page), "exec", dont_inherit=True), {"__name__": "__main__"})  # noqa: S102
        elif block["info"] == "console run":
            for command in commands(block["text"]):
                assert command[0] == "goldproof"
                code = goldproof(*command[1:])
                captured = capsys.readouterr()
                assert code == 0, (command, captured.err)
                printed.append(captured.out)
    return printed


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, from which modules can be imported."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("guide", GUIDES)
def test_every_command_of_a_guide_ends_well(
    repo: Path, folder: Path, capsys: pytest.CaptureFixture[str], guide: str
) -> None:
    assert len(follow(repo / "docs" / guide, folder, capsys)) >= 2


@pytest.mark.slow
def test_the_tutorial_quotes_what_its_commands_give(
    repo: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = repo / "docs" / "tutorial.md"
    text = " ".join(page.read_text(encoding="utf-8").split())
    printed = follow(page, folder, capsys)
    counts = [json.loads((folder / name / "card.json").read_text())["counts"] for name in ("mined", "mined-all")]
    assert f"{counts[0]['answerable']} of {counts[0]['questions']} questions are answerable" in text
    assert f"{counts[0]['undecided']} are *undecided*" in text
    assert f"all {counts[1]['answerable']} questions are answerable" in text
    found = json.loads((folder / "results" / "summary.json").read_text())["metrics"]["nDCG@10"]
    means = [found["runs"][name]["mean"] for name in ("dense", "bm25")]
    compared = found["comparisons"]["dense_vs_bm25"]
    low, high = compared["ci_95"]
    assert f"`dense` has an nDCG@10 of {means[0]:.2f} against {means[1]:.2f}" in text
    assert f"a difference of {compared['difference']:.2f}. And yet the verdict is *{compared['verdict']}*" in text
    assert f"from {low:.2f} to {high:+.2f}" in text
    assert f"It was {compared['effect_size']:.2f} above" in text
    assert any("52 questions" in each for each in printed)
    assert "52 questions find an effect of that size with 80% power" in text


def test_every_command_and_option_in_the_docs_exists(repo: Path, options: dict[str, set[str]]) -> None:
    """In console blocks of all pages; the options of a command are those that its help names."""
    wrong = list[str]()
    pages = [repo / "README.md", *sorted((repo / "docs").rglob("*.md"))]
    for page in pages:
        for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
            if block["info"].split()[0] not in ("console", "bash"):
                continue
            for command in commands(block["text"]):
                wrong += [f"{page.relative_to(repo)}: {each}" for each in unknown(command, options)]
    assert not wrong, "\n".join(wrong)


def unknown(command: list[str], options: dict[str, set[str]]) -> list[str]:
    """Return what a command names that does not exist."""
    if command[0] != "goldproof":
        return []
    two = " ".join(command[1:3])
    name = two if two in options else command[1]
    if name not in options:
        return [f"goldproof {name}"]
    given = {word.partition("=")[0] for word in command if word.startswith("--")}
    return [f"goldproof {name} {option}" for option in sorted(given - options[name])]


@pytest.fixture(scope="module")
def options() -> dict[str, set[str]]:
    """Return command -> the options of it."""
    import typer

    from goldproof.cli.main import app

    found: dict[str, set[str]] = {}

    def collect(command: Any, path: str) -> None:  # noqa: ANN401 - click is private to typer
        found[path] = {"--help"} | {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
        for name, child in getattr(command, "commands", {}).items():
            collect(child, f"{path} {name}".strip())

    collect(typer.main.get_command(app), "")
    assert "--retriever" in found["eval"]
    return found
