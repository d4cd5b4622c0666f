"""`report.md`: what a reader is told to check, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.jobs.mine.discovery import Discovery
from goldproof.jobs.mine.report import FALSELY, discovery_table, report_text
from tests.jobs.mine.mined_examples import example

if TYPE_CHECKING:
    from pathlib import Path


def test_the_share_that_is_called_unanswerable_wrongly_is_the_one_measured(repo: Path) -> None:
    page = (repo / "docs" / "concepts" / "mining-quality.md").read_text(encoding="utf-8")
    musique = page.partition("\n## MuSiQue\n")[2]
    claimed = musique.partition("### What is claimed")[2]
    row = next(line for line in claimed.splitlines() if line.startswith("| 4 best hits | yes |"))
    assert f"| {FALSELY} of 100: " in row
    assert f"With the gold judge {FALSELY}% of MuSiQue's questions" in report_text(example())


def test_questions_called_unanswerable_stand_under_their_own_heading_with_the_reason() -> None:
    section = report_text(example()).partition("## Unanswerable here: check these\n")[2].partition("\n## ")[0]
    assert "- `s:none`: all of the corpus was judged\n" in section
    assert "s:unknown" not in section


def test_what_agents_came_to_is_counted_over_the_questions_they_were_sent_for() -> None:
    mined = example()
    ends = (
        Discovery("answered", candidates=("pkg.Queue",), cited=("pkg.Queue",), unread=("a", "b")),
        Discovery("answered", unread=("c",), reason="the answer rests on nothing that was inspected"),
        Discovery("out of steps"),
        None,
    )
    sent = replace(mined, questions=tuple(replace(q, discovery=d) for q, d in zip(mined.questions, ends, strict=True)))
    table = discovery_table(sent)
    assert table.rows == (("answered", "2"), ("out of steps", "1"), ("failed", "0"))
    assert table.notes == (
        "Of the answers 1 rest on nothing that was read; 3 names were cited but never read. Neither makes a candidate.",
    )
    assert "### Discovery by an agent" in report_text(sent)
    assert "### Discovery by an agent" not in report_text(mined)
