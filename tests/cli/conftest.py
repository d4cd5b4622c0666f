"""Running the command line inside the test, and small files to run it on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from karat.cli.main import main

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
    def json(self) -> Any:  # noqa: ANN401 - whatever the command printed
        return orjson.loads(self.out)


Karat = "Callable[..., Done]"


@pytest.fixture
def karat(capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Run `karat ARGS`; errors of the user's end in an exit code, never in an exception."""

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
    """A run that finds nothing."""
    path = tmp_path / "bad.trec"
    path.write_text("".join(f"q{i} Q0 x{i} 1 2.0 t\n" for i in range(12)))
    return path
