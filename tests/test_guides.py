"""The tutorial and the guides run as they stand: every file they show is written, every command marked `run` ends well.

A block is marked in its info string: ```console run is run, ```text file=NAME is written, ```python is executed.
"""

from __future__ import annotations

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


@pytest.mark.slow
@pytest.mark.parametrize("guide", GUIDES)
def test_every_command_of_a_guide_ends_well(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], guide: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    ran = 0
    for block in BLOCK.finditer((repo / "docs" / guide).read_text(encoding="utf-8")):
        kind, *words = block["info"].split()
        if words and words[0].startswith("file="):
            path = tmp_path / words[0].removeprefix("file=")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block["text"], encoding="utf-8")
        elif kind == "python":
            exec(compile(block["text"], guide, "exec", dont_inherit=True), {"__name__": "__main__"})  # noqa: S102
        elif block["info"] == "console run":
            for command in commands(block["text"]):
                assert command[0] == "goldproof"
                assert goldproof(*command[1:]) == 0, (command, capsys.readouterr().err)
                ran += 1
    assert ran >= 2


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
        return [] if name in COMING else [f"goldproof {name}"]
    given = {word.partition("=")[0] for word in command if word.startswith("--")}
    return [f"goldproof {name} {option}" for option in sorted(given - options[name] - COMING)]


COMING = {"ask", "--sheet"}  # documented with the release that brings them


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
