"""Tables of a mined dataset: those of the first screen, and all of them in `report.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from goldproof.errors import counted, shortened
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
from goldproof.jobs.mine.records import GRADES
from goldproof.judge import judge_name
from goldproof.llm import AgentEnd
from goldproof.llm.budget import spent_text
from goldproof.report import Heading, Table, render
from goldproof.report.numbers import NOTHING, bracket, count, number, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
# As a reader sees them: "undecided" is what the files say, but a verdict of `goldproof eval` has that name too.
STATUS_NAMES = {
    "answerable": "answerable",
    "unanswerable here": "unanswerable here",
    "undecided": "no answer found",
}


def conclusion_of(mined: Mined) -> str:
    """Say how many questions have a document that answers them, by which judge, and what is known of the others."""
    total = len(mined.questions)
    answered = [each for each in mined.questions if each.status == "answerable"]
    unknown = set(mining_counts(mined).nothing_judged)
    if not total:
        return "No question is done."
    judge = f"the judge `{judge_name(mined.judge)}`"
    if total == len(unknown):
        none = "The question is not" if total == 1 else f"None of the {count(total)} questions is"
        return f"{none} labelled: no ruling of {judge} counts."
    others = [each for each in mined.questions if each.status != "answerable" and each.question.id not in unknown]
    judged = sum(document.standing in GRADES for each in others for document in each.documents)
    # Without a document that suffices alone it takes several together.
    several = any(all(document.standing != "positive" for document in each.documents) for each in answered)
    found = f"a document{', or several together,' if several else ''} that"
    share_of = f"all {count(total)}" if len(answered) == total > 1 else f"{count(len(answered))} of {count(total)}"
    verb = "has" if len(answered) == 1 else "have"
    answers = f"{'answer' if several else 'answers'} {'it' if verb == 'has' else 'them'}"
    parts = [f"By {judge}, {share_of} questions {verb} {found} {answers}"]
    if others:
        none = "has" if len(others) == 1 else "have"
        parts.append(f"{count(len(others))} {none} none among {counted(judged, 'judged document')}")
    if unknown:
        parts.append(f"{count(len(unknown))} could not be judged")
    return "; ".join(parts) + "."


def first_tables(mined: Mined) -> tuple[Table, ...]:
    """Return the tables of the first screen: questions by status, candidates by source. The rest is said in notes."""
    counts = mining_counts(mined)
    statuses = tuple((STATUS_NAMES[status], count(n)) for status, n in counts.statuses.items() if n)
    questions = Table(
        (Heading("status", "left"), Heading("questions")),
        statuses,
        title="Questions",
        notes=tuple(_first_notes(mined, counts)),
    )
    return tuple(table for table in (questions, _sources(counts)) if table.rows)


def _first_notes(mined: Mined, counts: MiningCounts) -> Iterator[str]:
    """Yield what the tables of the report say, in a line each."""
    for (label, reason), n in list(counts.unjudged.items())[:1]:
        why = label if not reason else f"{label}, {shortened(reason, longest=160)}"
        more = sum(counts.unjudged.values())
        rest = "" if n == more else f" ({count(n)} of them)"
        yield f"{counted(more, 'candidate has', 'candidates have')} no ruling that counts{rest}: {why.rstrip('.')}."
    confirmed = targets_confirmed(mined)
    if confirmed.n:
        yield f"{count(confirmed.hits)} of {count(confirmed.n)} documents that the cases name as gold were confirmed."
    if mined.judged_kernels:
        yield _kernel_note(counts)
    if counts.asked_without_context:
        yield _blind_note(counts)
    if discoveries := discovery_counts(mined):
        asked = sum(discoveries[ended] for ended in get_args(AgentEnd))
        yield f"The agent answered {count(discoveries['answered'])} of {counted(asked, 'question')}."
    yield from _unseen_notes(mined)
    if spent := spent_note(mined):
        yield spent


def spent_note(mined: Mined) -> str:
    """Say what models were asked and what it cost; empty where none was asked.

    It is not in the report, whose bytes do not depend on what a cache holds.
    """
    facts = {"calls": 0, "cached": 0, "cost": None, "cost_unknown_calls": 0, **mined.spent}
    if not facts["calls"] and not facts["cached"]:
        return ""
    kept = f"; {facts['cached']:,} answers were kept already" if facts["cached"] else ""
    return f"Models: {spent_text(facts)}{kept}."


def report_tables(mined: Mined) -> tuple[Table, ...]:
    """Return all tables of the report, empty ones left out."""
    counts = mining_counts(mined)
    tables = [
        _questions(counts),
        _sources(counts),
        _shares(mined),
        _unjudged(counts),
        *_kernels(mined, counts),
        *_agreement(mined),
        discovery_table(mined),
    ]
    return tuple(table for table in tables if table.rows)


def _questions(counts: MiningCounts) -> Table:
    rows = [(STATUS_NAMES[status], count(n)) for status, n in counts.statuses.items()]
    notes = [_blind_note(counts)]
    if counts.nothing_judged:
        notes.append(f"Nothing is known of {count(len(counts.nothing_judged))}: no document has a ruling that counts.")
    total = sum(counts.statuses.values())
    return Table(
        (Heading("status", "left"), Heading("questions")),
        (*rows, ("all", count(total))),
        title="Questions",
        notes=tuple(notes),
    )


def _blind_note(counts: MiningCounts) -> str:
    asked, right = counts.asked_without_context, len(counts.without_context)
    if not asked:
        return "Not checked: can a model answer without any document?"
    return f"{right} of {asked} questions were answered without any document; they measure nothing about retrieval."


def _sources(counts: MiningCounts) -> Table:
    rows = tuple(
        (source, count(sum(standings.values())), *(count(standings[standing]) for standing in STANDINGS))
        for source, standings in counts.by_source.items()
    )
    headings = (Heading("source", "left"), Heading("documents"), *(Heading(name) for name in STANDINGS))
    return Table(
        headings,
        rows if sum(counts.standings.values()) else (),
        title="Candidates by source",
        notes=("A candidate that several sources found counts for each of them, and once in all.",),
    )


def _shares(mined: Mined) -> Table:
    chance = random_relevant(mined)
    shares = {
        "targets confirmed": targets_confirmed(mined),
        "targets that suffice alone": targets_alone(mined),
        "random documents relevant": chance,
    }
    rows = tuple((name, *_share_cells(part)) for name, part in shares.items() if part.n)
    names = ("found", "n", "share", "95% interval")
    headings = (Heading("share of", "left"), *(Heading(name) for name in names))
    return Table(headings, rows, title="Shares", notes=_share_notes(mined, chance))


def _share_cells(part: Share) -> tuple[str, str, str, str]:
    ends = NOTHING if part.low is None or part.high is None else f"{share(part.low)} to {share(part.high)}"
    return count(part.hits), count(part.n), share(part.value), ends


def _share_notes(mined: Mined, chance: Share) -> tuple[str, ...]:
    targets = "A target is confirmed when it answers alone or is needed in a kernel. "
    read = (
        f"{targets if targets_confirmed(mined).n else ''}Random documents are those that no other source found. "
        "Documents without a ruling that counts are not in n."
    )
    if chance.value is None:
        return read, "No random document was judged, so what no source found cannot be estimated."
    return (read, *_unseen_notes(mined))


def _unseen_notes(mined: Mined) -> tuple[str, ...]:
    """Say how many relevant documents are expected among those that were never judged."""
    rest = unseen(mined)
    if rest.documents is None or rest.relevant is None:
        return ()
    if rest.documents == 0:
        return ("Every document of the corpus was a candidate of every question.",)
    most = "" if rest.at_most is None else f" (at most {_about(rest.at_most)})"
    few = f"about {_about(rest.relevant)}{most} of them are expected to be relevant"
    return (f"About {_about(rest.documents)} documents per question were never judged; {few}.",)


def _about(value: float) -> str:
    """Write a number of documents: whole, or with a decimal where it is small and not whole."""
    return f"{value:,.0f}" if value >= 10 or value == round(value) else f"{value:.1f}"


def _unjudged(counts: MiningCounts) -> Table:
    reasons = list(counts.unjudged.items())
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


def _kernels(mined: Mined, counts: MiningCounts) -> Iterator[Table]:
    if not mined.judged_kernels:
        return
    n = sum(counts.kernels.values())
    yield Table(
        (Heading("documents in the kernel"), Heading("kernels")),
        (*((count(size), count(many)) for size, many in counts.kernels.items()), ("all", count(n))),
        title="Kernels",
        notes=(_kernel_note(counts),),
    )


def _kernel_note(counts: MiningCounts) -> str:
    several = count(counts.with_alternatives)
    return (
        f"{counted(counts.with_kernels, 'question has', 'questions have')} a kernel, {several} of them more than one."
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
            *_paradox(consistency.overall),
            *((lost,) if consistency.failed else ()),
        ),
    )


def _paradox(overall: Agreement) -> Iterator[str]:
    """Yield a note where alpha is low although the votes agree: nearly all of them are the same."""
    alpha, ac1 = overall.alpha.value, overall.ac1.value
    if alpha is not None and ac1 is not None and ac1 - alpha >= 0.2:
        yield f"Gwet's AC1 of all votes is {number(ac1)}: alpha is low where nearly all votes are the same."


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


def report_text(mined: Mined) -> str:
    """Return `report.md`."""
    counts = f"{count(len(mined.questions))} questions, {count(len(mined.corpus))} documents"
    head = (
        f"# Mined retrieval dataset\n\n{conclusion_of(mined)}\n\n{counts}; judge `{mined.judge}`; seed {mined.seed}. "
        "What it cost and how long it took is in `run.json`.\n"
    )
    return "\n".join([head, *(render(table, "markdown") for table in report_tables(mined)), *_lists(mined)])


def _lists(mined: Mined) -> Iterator[str]:
    counts = mining_counts(mined)
    yield from _list(
        "Answered without context",
        [f"`{name}`" for name in counts.without_context],
        about="A model answered these rightly with no document at all: they measure nothing about retrieval.",
    )
    yield from _list("Unanswerable here: check these", _with_status(mined, "unanswerable here"), about=CHECK)
    yield from _list(
        "No answer found",
        _with_status(mined, "undecided"),
        about="Nothing sufficient was found, which does not say that there is none (`undecided` in the files).",
    )
    yield from _list("What limits these labels", mined.limits)
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
