"""Tables of a mined dataset, and `report.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from goldproof.jobs.mine.counts import (
    STANDINGS,
    discovery_counts,
    mining_counts,
    random_relevant,
    targets_alone,
    targets_confirmed,
    unseen,
    vote_agreement,
)
from goldproof.llm import AgentEnd
from goldproof.report import Heading, Table, render
from goldproof.report.numbers import NOTHING, bracket, count, number, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.jobs.mine.counts import MiningCounts, Share
    from goldproof.jobs.mine.records import Mined, Status
    from goldproof.judge.consistency import Agreement

REPORT = "report.md"
# As docs/concepts/mining-quality.md measures it; a test holds the two together.
FALSELY = 12
CHECK = (
    "The judge said no to all that was looked at; the reason says how much that is. The dataset marks them as "
    f"unanswerable. With the gold judge {FALSELY}% of MuSiQue's questions, which all can be answered, ended so."
)
_MOST_REASONS = 20


def report_tables(mined: Mined) -> tuple[Table, ...]:
    """Return the tables of the report, empty ones left out."""
    counted = mining_counts(mined)
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
        (source, count(sum(standings.values())), *(count(standings[standing]) for standing in STANDINGS))
        for source, standings in counted.by_source.items()
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


def _share_cells(part: Share) -> tuple[str, str, str, str]:
    ends = NOTHING if part.low is None or part.high is None else f"{share(part.low)} to {share(part.high)}"
    return count(part.hits), count(part.n), share(part.value), ends


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
    reasons = list(counted.unjudged.items())
    rows = [(label, reason or NOTHING, count(n)) for (label, reason), n in reasons[:_MOST_REASONS]]
    rest = reasons[_MOST_REASONS:]
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
    """Yield a table with a row for each model, one for the models with each other, and one for all votes."""
    consistency = vote_agreement(mined)
    if consistency is None:
        return
    own = [(f"{name} with itself", agreement) for name, agreement in consistency.models.items() if agreement.n]
    across = [("models with each other", consistency.across)] if consistency.across.n else []
    names = ("rulings", "pairwise agreement", "unanimous", "alpha", "95% interval")
    lost = f"{count(consistency.failed)} of {count(consistency.votes)} votes failed and are left out."
    yield Table(
        (Heading("votes", "left"), *(Heading(name) for name in names)),
        tuple(_agreement_row(*row) for row in (*own, *across, ("all votes", consistency.overall))),
        title="Agreement of the votes",
        notes=(
            "Rulings with two votes or more. alpha is Krippendorff's; undefined where nothing varies.",
            *((lost,) if consistency.failed else ()),
        ),
    )


def _agreement_row(name: str, agreement: Agreement) -> tuple[str, ...]:
    alpha = agreement.alpha
    shares = (number(agreement.pairwise), share(agreement.unanimous))
    return name, count(agreement.n), *shares, number(alpha.value), bracket(alpha.low, alpha.high)


def discovery_table(mined: Mined) -> Table:
    """Return how the agent's searches ended; without rows where no agent was sent."""
    counts = discovery_counts(mined)
    rows = tuple((ended, count(counts[ended])) for ended in get_args(AgentEnd) if ended in counts)
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


def spent_table(mined: Mined) -> Table:
    """Return calls, tokens and cost, without zeros; not in the report, since a run from the cache costs nothing."""
    known = {**mined.spent, **({"cost": _cost(mined.spent)} if "cost" in mined.spent else {})}
    rows = tuple((str(name).replace("_", " "), _cell(value)) for name, value in known.items() if value)
    return Table((Heading("spent", "left"), Heading("number")), rows, title="Spent")


def _cost(spent: Mapping[str, object]) -> object:
    """Return the cost; in words where some or all of it is unknown."""
    cost = spent["cost"]
    if cost is None:
        return "unknown"
    return f"at least {_cell(cost)}" if spent.get("cost_unknown_calls") else cost


def _cell(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return count(value) if isinstance(value, int) else f"{value:.4f}"


def report_text(mined: Mined) -> str:
    """Return `report.md`."""
    head = (
        f"# Mined retrieval dataset\n\n{count(len(mined.questions))} questions, {count(len(mined.corpus))} documents; "
        f"judge `{mined.judge}`; seed {mined.seed}. What it cost and how long it took is in `run.json`.\n"
    )
    return "\n".join([head, *(render(table, "markdown") for table in report_tables(mined)), *_lists(mined)])


def _lists(mined: Mined) -> Iterator[str]:
    counted = mining_counts(mined)
    yield from _list(
        "Answered without context",
        [f"`{name}`" for name in counted.without_context],
        about="A model answered these rightly with no document at all: they measure nothing about retrieval.",
    )
    yield from _list("Unanswerable here: check these", _with_status(mined, "unanswerable here"), about=CHECK)
    yield from _list(
        "Undecided", _with_status(mined, "undecided"), about="Nothing sufficient was found, and no more is said."
    )
    yield from _list("Problems", mined.problems)
    yield from _list("Remarks", mined.remarks)


def _with_status(mined: Mined, status: Status) -> list[str]:
    """Return the questions of a status, each with its reason."""
    return [
        f"`{mined_question.question.id}`" + (f": {mined_question.reason}" if mined_question.reason else "")
        for mined_question in mined.questions
        if mined_question.status == status
    ]


def _list(title: str, items: Sequence[str], *, about: str = "") -> Iterator[str]:
    if items:
        yield f"## {title}\n\n" + (f"{about}\n\n" if about else "") + "".join(f"- {item}\n" for item in items)
