"""`report.md`: what mining found, as markdown. What it cost is in `run.json`: from a cache the same mining is free."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.jobs.mine.output.report_tables import report_tables
from karat.jobs.mine.output.tally import tally
from karat.report import render
from karat.report.numbers import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from karat.jobs.mine.mined import Mined

REPORT = "report.md"


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
    unanswerable = [
        f"`{one.question.id}`" + (f": {one.reason}" if one.reason else "")
        for one in mined.questions
        if one.status == "unanswerable here"
    ]
    yield from _list("Unanswerable here", unanswerable, said="Nothing in the corpus answers these.")
    undecided = [
        f"`{one.question.id}`" + (f": {one.reason}" if one.reason else "")
        for one in mined.questions
        if one.status == "undecided"
    ]
    yield from _list("Undecided", undecided, said="Nothing sufficient was found, but not everything was looked at.")
    yield from _list("Problems", mined.problems)
    yield from _list("Remarks", mined.remarks)


def _list(title: str, items: Sequence[str], *, said: str = "") -> Iterator[str]:
    if items:
        yield f"## {title}\n\n" + (f"{said}\n\n" if said else "") + "".join(f"- {item}\n" for item in items)
