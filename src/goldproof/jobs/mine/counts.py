"""Counts by source, shares with intervals, agreement of votes.

A document with several sources counts once for each of them, and once in `all`.

targets confirmed   of the documents that the metadata call relevant and that were judged: those with a grade above
                        0, since they suffice alone or are needed in a kernel
    targets alone       those of them that suffice alone
    random relevant     of the documents that were looked at by chance only and judged: those with a grade above 0

The last estimates how much relevant material nobody looked for: a document that only chance brought in stands for
all those of the corpus that no source named. Several documents of one question are not independent, so the intervals
are those of clusters. No judged document of the kind: undefined, not 0.

`goldproof.judge.consistency` defines the measures. Where no ruling has two votes there is nothing to measure: None.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.mine.files import NEVER, NEVER_REASON
from goldproof.jobs.mine.records import GRADES
from goldproof.judge.consistency import self_consistency
from goldproof.report import Heading, Table
from goldproof.report.numbers import bracket, count, number, share

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from goldproof.jobs.mine.records import Mined, MinedDocument, MinedQuestion
    from goldproof.judge.consistency import Agreement, Consistency
    from goldproof.judge.judge import Ruling

STANDINGS = ("positive", "partial", "negative", "unjudged")
STATUSES = ("answerable", "unanswerable here", "undecided")
ALL = "all"
_ORDER = ("target", "import", "bm25", "dense", "random", "expansion", "agent")


@dataclass(frozen=True, slots=True)
class MiningCounts:
    """The counts. unjudged: (label, reason) -> documents; kernels: size -> kernels; labels: of all rulings."""

    by_source: Mapping[str, Mapping[str, int]]
    unjudged: Mapping[tuple[str, str], int]
    kernels: Mapping[int, int]
    with_kernels: int
    with_alternatives: int
    statuses: Mapping[str, int]
    without_context: tuple[str, ...]
    asked_without_context: int
    nothing_judged: tuple[str, ...]
    labels: Mapping[str, int]

    @property
    def standings(self) -> Mapping[str, int]:
        """Documents by standing, each once."""
        return self.by_source[ALL]


def tally(mined: Mined) -> MiningCounts:
    """Count."""
    questions = mined.questions
    documents = [one for question in questions for one in question.documents]
    return MiningCounts(
        by_source=_by_source(documents),
        unjudged=_unjudged(documents),
        kernels=dict(sorted(Counter(len(kernel) for one in questions for kernel in one.kernels).items())),
        with_kernels=sum(bool(one.kernels) for one in questions),
        with_alternatives=sum(len(one.kernels) > 1 for one in questions),
        statuses={status: sum(one.status == status for one in questions) for status in STATUSES},
        without_context=tuple(one.question.id for one in questions if one.without_context),
        asked_without_context=sum(one.without_context is not None for one in questions),
        nothing_judged=tuple(one.question.id for one in questions if _is_unknown(one)),
        labels=dict(sorted(Counter(ruling.label for ruling in rulings(mined)).items())),
    )


def rulings(mined: Mined) -> Iterator[Ruling]:
    """Go through all rulings, on single documents and on sets."""
    for question in mined.questions:
        yield from (one.ruling for one in question.documents if one.ruling is not None)
        yield from (one.ruling for one in question.set_rulings)


def _by_source(documents: Iterable[MinedDocument]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {ALL: Counter()}
    for one in documents:
        for source in dict.fromkeys((*one.sources, ALL)):
            counts.setdefault(source, Counter())[one.standing] += 1
    return {source: {s: counts[source][s] for s in STANDINGS} for source in sorted(counts, key=_place)}


def _place(source: str) -> tuple[int, str]:
    """Order sources: those of the candidates first, then any others by name, and at last all of them."""
    if source == ALL:
        return len(_ORDER) + 1, ""
    return (_ORDER.index(source) if source in _ORDER else len(_ORDER)), source


def _unjudged(documents: Iterable[MinedDocument]) -> dict[tuple[str, str], int]:
    found = Counter(
        (NEVER, NEVER_REASON) if one.ruling is None else (one.ruling.label, one.ruling.reason)
        for one in documents
        if one.standing == "unjudged"
    )
    return dict(sorted(found.items(), key=lambda item: (item[0][0], -item[1], item[0][1])))


def _is_unknown(question: MinedQuestion) -> bool:
    """Say whether nothing is known of a question: no document has a grade, and it is not unanswerable either."""
    judged = any(one.standing != "unjudged" for one in question.documents)
    return not judged and not question.kernels and question.status != "unanswerable here"


@dataclass(frozen=True, slots=True)
class Share:
    """hits of n, with an interval; value, low and high are None where n is 0 or no interval exists."""

    hits: int
    n: int
    low: float | None = None
    high: float | None = None

    @property
    def value(self) -> float | None:
        """The share; None where there is nothing to take a share of."""
        return self.hits / self.n if self.n else None

    def to_dict(self) -> dict[str, object]:
        """Return the share as JSON."""
        return {"hits": self.hits, "n": self.n, "share": self.value, "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True)
class Unseen:
    """Documents that nobody judged and no source named, a question: how many, and how many of them may be relevant."""

    documents: float | None
    relevant: float | None
    at_most: float | None


def targets_confirmed(mined: Mined) -> Share:
    """Return the share of judged targets that are relevant: alone, or in a kernel."""
    return _share(mined, among=_is_target, hit=_is_relevant)


def targets_alone(mined: Mined) -> Share:
    """Return the share of judged targets that suffice alone."""
    return _share(mined, among=_is_target, hit=lambda one: one.standing == "positive")


def random_relevant(mined: Mined) -> Share:
    """Return the share of judged documents that only chance brought in and that are relevant."""
    return _share(mined, among=_by_chance, hit=_is_relevant)


def unseen(mined: Mined) -> Unseen:
    """Estimate how many relevant documents a question has among those that nobody looked at."""
    if not mined.questions or not mined.corpus:
        return Unseen(None, None, None)
    rest = len(mined.corpus) - sum(len(question.documents) for question in mined.questions) / len(mined.questions)
    share = random_relevant(mined)
    times = [None if end is None else end * rest for end in (share.value, share.high)]
    return Unseen(rest, *times)


def _is_target(one: MinedDocument) -> bool:
    return "target" in one.sources


def _is_relevant(one: MinedDocument) -> bool:
    return GRADES.get(one.standing, 0) > 0


def _by_chance(one: MinedDocument) -> bool:
    return one.sources == ("random",)


def _share(mined: Mined, *, among: Callable[[MinedDocument], bool], hit: Callable[[MinedDocument], bool]) -> Share:
    from goldproof.stats import mean_interval  # noqa: PLC0415 - scipy is loaded when first needed

    judged = [
        (question.question.id, hit(one))
        for question in mined.questions
        for one in question.documents
        if one.standing in GRADES and among(one)
    ]
    if not judged:
        return Share(0, 0)
    names, hits = zip(*judged, strict=True)
    several = len(set(names)) < len(names)
    found = mean_interval([float(one) for one in hits], clusters=list(names) if several else None)
    return Share(sum(hits), len(hits), found.low, found.high)


def vote_agreement(mined: Mined) -> Consistency | None:
    """Measure it over all rulings; None where none has two votes."""
    voted = [one for one in rulings(mined) if len(one.votes) > 1]
    return self_consistency(voted) if voted else None


def agreement_table(found: Consistency) -> Table:
    """Return a row for each model, one for the models with each other, and one for all votes."""
    own = [(f"{name} with itself", one) for name, one in found.models.items() if one.n]
    across = [("models with each other", found.across)] if found.across.n else []
    names = ("rulings", "pairwise agreement", "unanimous", "alpha", "95% interval")
    failed = (f"{count(found.failed)} of {count(found.votes)} votes failed and are left out.",) if found.failed else ()
    return Table(
        (Heading("votes", "left"), *(Heading(name) for name in names)),
        tuple(_row(name, one) for name, one in (*own, *across, ("all votes", found.overall))),
        title="Agreement of the votes",
        notes=("Rulings with two votes or more. alpha is Krippendorff's; undefined where nothing varies.", *failed),
    )


def _row(name: str, one: Agreement) -> tuple[str, ...]:
    alpha = one.alpha
    shown = (number(one.pairwise), share(one.unanimous), number(alpha.value), bracket(alpha.low, alpha.high))
    return name, count(one.n), *shown


def agreement_dict(found: Consistency | None) -> dict[str, object] | None:
    """Return the measures as JSON."""
    if found is None:
        return None
    return {
        "models": {name: _plain(one) for name, one in found.models.items()},
        "across": _plain(found.across),
        "overall": _plain(found.overall),
        "votes": found.votes,
        "failed": found.failed,
    }


def _plain(one: Agreement) -> dict[str, object]:
    alpha = {"value": one.alpha.value, "low": one.alpha.low, "high": one.alpha.high, "note": one.alpha.note}
    return {"rulings": one.n, "pairwise": one.pairwise, "unanimous": one.unanimous, "alpha": alpha}
