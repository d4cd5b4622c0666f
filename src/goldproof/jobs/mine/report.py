"""Mining as tables and report.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.mine.counts import (
    STANDINGS,
    agreement_table,
    random_relevant,
    tally,
    targets_alone,
    targets_confirmed,
    unseen,
    vote_agreement,
)
from goldproof.jobs.mine.files import discovery_table
from goldproof.report import Heading, Table, render
from goldproof.report.numbers import NOTHING, count, number, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.jobs.mine.counts import MiningCounts, Share
    from goldproof.jobs.mine.records import Mined, Status

_MOST_REASONS = 20


def report_tables(mined: Mined) -> tuple[Table, ...]:
    """Return all tables that have something to say."""
    counted = tally(mined)
    tables = [
        _questions(counted),
        _sources(counted),
        _shares(mined),
        _unjudged(counted),
        *_kernels(mined, counted),
        *_agreement(mined),
        discovery_table(mined),
    ]
    return tuple(table for table in tables if table.rows)


def _questions(counted: MiningCounts) -> Table:
    rows = [(status, count(n)) for status, n in counted.statuses.items()]
    asked, right = counted.asked_without_context, len(counted.without_context)
    notes = [
        f"Answered rightly with no context: {right} of {asked} asked; such questions measure nothing."
        if asked
        else "Whether a question is answered with no context at all was not asked, or cannot be told."
    ]
    if counted.nothing_judged:
        notes.append(f"Of {count(len(counted.nothing_judged))} nothing is known: no document has a ruling that counts.")
    total = sum(counted.statuses.values())
    return Table(
        (Heading("question", "left"), Heading("number")),
        (*rows, ("all", count(total))),
        title="Questions",
        notes=tuple(notes),
    )


def _sources(counted: MiningCounts) -> Table:
    rows = tuple(
        (source, count(sum(found.values())), *(count(found[standing]) for standing in STANDINGS))
        for source, found in counted.by_source.items()
    )
    headings = (Heading("source", "left"), Heading("documents"), *(Heading(name) for name in STANDINGS))
    return Table(
        headings,
        rows if sum(counted.standings.values()) else (),
        title="Candidates by source",
        notes=("A candidate with several sources counts for each of them, and once in all.",),
    )


def _shares(mined: Mined) -> Table:
    chance = random_relevant(mined)
    rows = (
        ("targets confirmed", *_share_cells(targets_confirmed(mined))),
        ("targets that suffice alone", *_share_cells(targets_alone(mined))),
        ("random documents relevant", *_share_cells(chance)),
    )
    names = ("found", "n", "share", "95% interval")
    headings = (Heading("share of", "left"), *(Heading(name) for name in names))
    return Table(headings, rows, title="Shares", notes=_share_notes(mined, chance))


def _share_cells(found: Share) -> tuple[str, str, str, str]:
    ends = NOTHING if found.low is None or found.high is None else f"{share(found.low)} to {share(found.high)}"
    return count(found.hits), count(found.n), share(found.value), ends


def _share_notes(mined: Mined, chance: Share) -> tuple[str, ...]:
    confirmed = (
        "A target is confirmed when it suffices alone or is needed in a kernel. Random documents are those that chance "
        "alone brought in. "
        "Documents without a ruling that counts are not in n."
    )
    rest = unseen(mined)
    if chance.value is None or rest.documents is None or rest.relevant is None:
        return (
            confirmed,
            "No document was judged that only chance brought in: nothing is said of what nobody looked for.",
        )
    if rest.documents == 0:
        return confirmed, "Every document of the corpus was looked at."
    most = "" if rest.at_most is None else f", at the upper end of the interval {number(rest.at_most, digits=1)}"
    return confirmed, (
        f"A question has {number(rest.documents, digits=1)} documents that nobody looked at; at the share of the "
        f"random ones about {number(rest.relevant, digits=1)} of them are relevant{most}."
    )


def _unjudged(counted: MiningCounts) -> Table:
    found = list(counted.unjudged.items())
    rows = [(label, reason or NOTHING, count(n)) for (label, reason), n in found[:_MOST_REASONS]]
    rest = found[_MOST_REASONS:]
    if rest:
        rows.append((f"{len(rest)} further reasons", NOTHING, count(sum(n for _, n in rest))))
    return Table(
        (Heading("ruling", "left"), Heading("reason", "left"), Heading("documents")),
        tuple(rows),
        title="No ruling that counts",
        notes=("These documents are not in the qrels.",),
    )


def _kernels(mined: Mined, counted: MiningCounts) -> Iterator[Table]:
    if not mined.judged_kernels:
        return
    n, several = sum(counted.kernels.values()), counted.with_alternatives
    yield Table(
        (Heading("documents in the kernel"), Heading("kernels")),
        (*((count(size), count(many)) for size, many in counted.kernels.items()), ("all", count(n))),
        title="Kernels",
        notes=(f"{count(counted.with_kernels)} questions have a kernel, {count(several)} of them more than one.",),
    )


def _agreement(mined: Mined) -> Iterator[Table]:
    found = vote_agreement(mined)
    if found is not None:
        yield agreement_table(found)


def spent_table(mined: Mined) -> Table:
    """Return what it cost, without zeros; not in the report, since the same mining from a cache costs nothing."""
    known = {**mined.spent, **({"cost": _cost(mined.spent)} if "cost" in mined.spent else {})}
    rows = tuple((str(name).replace("_", " "), _said(value)) for name, value in known.items() if value)
    return Table((Heading("spent", "left"), Heading("number")), rows, title="Spent")


def _cost(spent: Mapping[str, object]) -> object:
    """Return the cost; in words where some of it, or all, is not known."""
    cost = spent["cost"]
    if cost is None:
        return "unknown"
    return f"at least {_said(cost)}" if spent.get("cost_unknown_calls") else cost


def _said(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return count(value) if isinstance(value, int) else f"{value:.4f}"


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
