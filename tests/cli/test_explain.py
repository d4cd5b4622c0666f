"""`goldproof explain`: one question, or the costliest ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.jobs.evaluate.test_losses import BASE, NEW, folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Done

__all__ = ["folder"]  # a fixture


def test_the_command_shows_one_question_or_the_costliest(
    goldproof: Callable[..., Done],
    folder: Path,
    tmp_path: Path,
) -> None:
    for name, run in {"base": BASE, "new": NEW}.items():
        lines = [f"{q} Q0 {d} 1 {score} t\n" for q, documents in run.items() for d, score in documents.items()]
        (tmp_path / f"{name}.trec").write_text("".join(lines))
    runs = ("--run", f"base={tmp_path / 'base.trec'}", "--run", f"new={tmp_path / 'new.trec'}")
    worst = goldproof("explain", "--dataset", folder, *runs, "--losses", 1, "--metric", "RR@10")
    assert worst.code == 0
    assert worst.out.startswith("new is below base on 2 of 3 questions")
    assert "1 -> not found" in worst.out
    content = goldproof("explain", "--dataset", folder, *runs, "--losses", 1, "--metric", "RR@10", "--json").json
    assert content["conclusion"] == " ".join(worst.out.partition("\n\n")[0].split())
    assert content["runs"]["new"]["losses"] == [
        {
            "id": "q1",
            "text": "What colour is the sail?",
            "score": 0.5,
            "baseline": 1.0,
            "difference": -0.5,
            "missed": {"document": "d1", "grade": 2, "rank": None, "baseline_rank": 1},
        }
    ]
    one = goldproof("explain", "--dataset", folder, *runs, "--query", "q1", "--metric", "RR@10")
    assert one.out.splitlines()[0] == "q1: What colour is the sail?"
    both = goldproof("explain", "--dataset", folder, *runs, "--query", "q1", "--losses", 3)
    assert (both.code, both.err) == (
        2,
        "goldproof: --query shows one question, --losses the costliest ones; leave one of them out.\n",
    )
    neither = goldproof("explain", "--dataset", folder, *runs)
    assert (neither.code, "--query ID, or --losses N" in neither.err) == (2, True)
    idle = goldproof("explain", "--dataset", folder, *runs, "--query", "q1", "--baseline", "base")
    assert (idle.code, idle.err.startswith("goldproof: --baseline has no effect with --query")) == (2, True)
