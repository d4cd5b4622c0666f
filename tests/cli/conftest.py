"""Running the command line inside the test, and small files to run it on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from goldproof.cli.main import main
from tests.jobs.trace.conversations import talk, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """Everything that was printed, on one line: notes are wrapped."""
        return " ".join(f"{self.out} {self.err}".split())

    @property
    def json(self) -> Any:  # noqa: ANN401 - whatever the command printed
        return orjson.loads(self.out)


Goldproof = "Callable[..., Done]"


@pytest.fixture
def goldproof(capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Run `goldproof ARGS`; errors of the user's end in an exit code, never in an exception."""

    def run(*args: object) -> Done:
        with pytest.raises(SystemExit) as left:
            main([str(arg) for arg in args])
        captured = capsys.readouterr()
        return Done(int(left.value.code or 0), captured.out, captured.err)

    return run


@pytest.fixture
def qrels(tmp_path: Path) -> Path:
    path = tmp_path / "qrels.txt"
    lines = [f"q{i} 0 d{i} 1\nq{i} 0 e{i} 0" for i in range(12)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A run that finds every document at rank 1."""
    path = tmp_path / "good.trec"
    path.write_text("".join(f"q{i} Q0 d{i} 1 2.0 t\nq{i} Q0 x{i} 2 1.0 t\n" for i in range(12)))
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """A run that finds nothing but what is judged not relevant."""
    path = tmp_path / "bad.trec"
    path.write_text("".join(f"q{i} Q0 e{i} 1 2.0 t\n" for i in range(12)))
    return path


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """c1 repeats a; c2 has a result without a label; c3 finds nothing good."""
    return write(
        tmp_path / "old.jsonl",
        [
            talk("c1", [("a", 3), ("b", 0)], [("a", 3), ("d", 2)], question="Why?"),
            talk("c2", [("a", 2)], [("e", None)], [("f", 4)]),
            talk("c3", [("a", 0)]),
        ],
    )


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """c3 is not here, c4 is only here."""
    return write(
        tmp_path / "new.jsonl",
        [
            talk("c1", [("a", 3), ("d", 2)], [("g", 4)], question="Why?"),
            talk("c2", [("a", 2), ("f", 4)]),
            talk("c4", [("a", 3)]),
        ],
    )


@pytest.fixture
def better(tmp_path: Path) -> tuple[Path, Path]:
    """Twelve conversations; in all of them the second system finds more, and repeats itself less."""
    a = [talk(f"c{i}", [("x", 2), ("x", 2)], [("x", 2)]) for i in range(12)]
    b = [talk(f"c{i}", [("x", 2), ("y", 2 + i % 3)], [("z", 2)]) for i in range(12)]
    return write(tmp_path / "weak.jsonl", a), write(tmp_path / "strong.jsonl", b)
