"""`discoveries.jsonl`: what an agent did for each question, where one was sent.

Every line: `query_id, ended, steps, inspected, candidates, cited, used, unread, answer, reason`. `ended` is `answered`,
`out of steps` or `failed`. `candidates` are the documents that the agent inspected and then `cited`, or
whose names stand in the code of its answer (`used`); `unread` are names that it cited and never looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from goldproof.io.json_files import json_line
from goldproof.jobs.mine.discovery.discovering import Ended
from goldproof.report import Heading, Table
from goldproof.report.numbers import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.jobs.mine.discovery import Discovery
    from goldproof.jobs.mine.mined import Mined

DISCOVERIES = "discoveries.jsonl"


def discovery_lines(mined: Mined) -> Iterator[bytes]:
    """Yield a line for each question for which an agent was sent; none where there was no agent."""
    for one in mined.questions:
        if one.discovery is not None:
            record = {"query_id": one.question.id, **_record(one.discovery)}
            yield json_line(record, where=f"discovery for question {one.question.id!r}")


def _record(found: Discovery) -> dict[str, object]:
    lists = {name: list(getattr(found, name)) for name in ("inspected", "candidates", "cited", "used", "unread")}
    return {"ended": found.ended, "steps": found.steps, **lists, "answer": found.answer, "reason": found.reason}


def discovery_counts(mined: Mined) -> dict[str, int]:
    """Return how many questions ended each way, and how many names were cited and never read; empty without agent."""
    found = [one.discovery for one in mined.questions if one.discovery is not None]
    if not found:
        return {}
    ends = {ended: sum(one.ended == ended for one in found) for ended in get_args(Ended)}
    return {
        **ends,
        "answered from nothing read": sum(one.ended == "answered" and not one.candidates for one in found),
        "cited but never read": sum(len(one.unread) for one in found),
    }


def discovery_table(mined: Mined) -> Table:
    """Return the counts; without rows where no agent was sent."""
    counts = discovery_counts(mined)
    rows = tuple((what, count(counts[what])) for what in get_args(Ended) if what in counts)
    note = (
        f"Of the answers {count(counts['answered from nothing read'])} rest on nothing that was read; "
        f"{count(counts['cited but never read'])} names were cited but never read. Neither makes a candidate."
        if counts
        else ""
    )
    return Table(
        (Heading("the agent", "left"), Heading("questions")),
        rows,
        title="Discovery by an agent",
        notes=(note,) if note else (),
    )
