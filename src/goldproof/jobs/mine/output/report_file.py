"""`report.md`: what mining found, as markdown. What it cost is in `run.json`: from a cache the same mining is free."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.mine.output.report_tables import report_tables
from goldproof.jobs.mine.output.tally import tally
from goldproof.report import render
from goldproof.report.numbers import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.jobs.mine.mined import Mined, Status

REPORT = "report.md"
# As docs/mining-quality.md measures it; a test holds the two together.
FALSELY = 12
CHECK = (
    "The judge said no to all that was looked at; the reason says how much that is. The dataset marks them as "
    f"unanswerable. With the gold judge {FALSELY}% of MuSiQue's questions, which all can be answered, ended so."
)


def report_text(mined: Mined) -> str:
    """Return the report."""
    head = (
        f"# Mined retrieval dataset\n\n{count(len(mined.questions))} questions, {count(len(mined.corpus))} documents; "
        f"judge `{mined.judge}`; seed {mined.seed}. What it cost and how long it took is in `run.json`.\n"
    )
    return "\n".join([head, *(render(table, "markdown") for table in report_tables(mined)), *_lists(mined)])


def _lists(mined: Mined) -> Iterator[str]:
    counted = tally(mined)
    yield from _list(
        "Answered without context",
        [f"`{name}`" for name in counted.without_context],
        said="A model answered these rightly with no document at all: they measure nothing about retrieval.",
    )
    yield from _list("Unanswerable here: check these", _called(mined, "unanswerable here"), said=CHECK)
    yield from _list(
        "Undecided", _called(mined, "undecided"), said="Nothing sufficient was found, and no more is said."
    )
    yield from _list("Problems", mined.problems)
    yield from _list("Remarks", mined.remarks)


def _called(mined: Mined, status: Status) -> list[str]:
    """Return the questions of a status, each with the reason for it."""
    return [
        f"`{one.question.id}`" + (f": {one.reason}" if one.reason else "")
        for one in mined.questions
        if one.status == status
    ]


def _list(title: str, items: Sequence[str], *, said: str = "") -> Iterator[str]:
    if items:
        yield f"## {title}\n\n" + (f"{said}\n\n" if said else "") + "".join(f"- {item}\n" for item in items)
