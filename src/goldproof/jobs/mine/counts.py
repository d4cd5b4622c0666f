"""Counts by source, shares with intervals, agreement of votes.

A document with several sources counts once for each of them, and once in `all`. Shares:

    targets confirmed   of the documents that the metadata call relevant and that were judged: those with a grade above
                        0, since they suffice alone or are needed in a kernel
    targets alone       those of them that suffice alone
    random relevant     of the documents that were looked at by chance only and judged: those with a grade above 0

The last estimates how much relevant material was never looked at: a document that only chance brought in stands for
all those of the corpus that no source named. Several documents of one question are not independent, so the intervals
are those of clusters. No judged document of the kind: undefined, not 0.

Agreement of votes is defined in `goldproof.judge.consistency`; None where no ruling has two votes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from goldproof.jobs.mine.files import NEVER, NEVER_REASON
from goldproof.jobs.mine.records import GRADES
from goldproof.judge import self_consistency
from goldproof.llm import AgentEnd

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from goldproof.jobs.mine.records import Mined, MinedDocument, MinedQuestion
    from goldproof.judge import Consistency, Ruling
    from goldproof.judge.consistency import Agreement

STANDINGS = ("positive", "partial", "negative", "unjudged")
STATUSES = ("answerable", "unanswerable here", "undecided")
ALL = "all"
_ORDER = ("target", "import", "bm25", "dense", "random", "human", "expansion", "agent")


@dataclass(frozen=True, slots=True)
class MiningCounts:
    """Counts of documents, kernels, questions and rulings.

    unjudged: (label, reason) -> documents. kernels: size -> kernels. labels: of all rulings.
    """

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


def mining_counts(mined: Mined) -> MiningCounts:
    """Count documents, kernels and questions."""
    questions = mined.questions
    documents = [document for mined_question in questions for document in mined_question.documents]
    return MiningCounts(
        by_source=_by_source(documents),
        unjudged=_unjudged(documents),
        kernels=dict(sorted(Counter(len(kernel) for each in questions for kernel in each.kernels).items())),
        with_kernels=sum(bool(each.kernels) for each in questions),
        with_alternatives=sum(len(each.kernels) > 1 for each in questions),
        statuses={status: sum(each.status == status for each in questions) for status in STATUSES},
        without_context=tuple(each.question.id for each in questions if each.without_context),
        asked_without_context=sum(each.without_context is not None for each in questions),
        nothing_judged=tuple(each.question.id for each in questions if _is_unknown(each)),
        labels=dict(sorted(Counter(ruling.label for ruling in all_rulings(mined)).items())),
    )


def all_rulings(mined: Mined) -> Iterator[Ruling]:
    """Yield all rulings, on single documents and on sets."""
    for question in mined.questions:
        yield from (document.ruling for document in question.documents if document.ruling is not None)
        yield from (asked.ruling for asked in question.set_rulings)


def _by_source(documents: Iterable[MinedDocument]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {ALL: Counter()}
    for document in documents:
        for source in dict.fromkeys((*document.sources, ALL)):
            counts.setdefault(source, Counter())[document.standing] += 1
    return {source: {s: counts[source][s] for s in STANDINGS} for source in sorted(counts, key=_source_order)}


def _source_order(source: str) -> tuple[int, str]:
    """Order sources: those of the candidates first, then others by name, `all` last."""
    if source == ALL:
        return len(_ORDER) + 1, ""
    return (_ORDER.index(source) if source in _ORDER else len(_ORDER)), source


def _unjudged(documents: Iterable[MinedDocument]) -> dict[tuple[str, str], int]:
    counts = Counter(
        (NEVER, NEVER_REASON) if document.ruling is None else (document.ruling.label, document.ruling.reason)
        for document in documents
        if document.standing == "unjudged"
    )
    return dict(sorted(counts.items(), key=lambda item: (item[0][0], -item[1], item[0][1])))


def _is_unknown(question: MinedQuestion) -> bool:
    """Return whether nothing is known of a question: no document has a grade, and it is not unanswerable either."""
    judged = any(document.standing != "unjudged" for document in question.documents)
    return not judged and not question.kernels and question.status != "unanswerable here"


@dataclass(frozen=True, slots=True)
class Share:
    """A share, hits of n, with an interval; low and high are None where there is no interval."""

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
    """Documents per question that were never judged: how many, and how many of them may be relevant."""

    documents: float | None
    relevant: float | None
    at_most: float | None


def targets_confirmed(mined: Mined) -> Share:
    """Return the share of judged targets that are relevant: alone, or in a kernel."""
    return _share(mined, among=_is_target, hit=_is_relevant)


def targets_alone(mined: Mined) -> Share:
    """Return the share of judged targets that suffice alone."""
    return _share(mined, among=_is_target, hit=lambda document: document.standing == "positive")


def random_relevant(mined: Mined) -> Share:
    """Return the share of judged documents that only chance brought in and that are relevant."""
    return _share(mined, among=_by_chance, hit=_is_relevant)


def unseen(mined: Mined) -> Unseen:
    """Estimate how many relevant documents a question has among those that were never looked at."""
    if not mined.questions or not mined.corpus:
        return Unseen(None, None, None)
    rest = len(mined.corpus) - sum(len(question.documents) for question in mined.questions) / len(mined.questions)
    share = random_relevant(mined)
    times = [None if end is None else end * rest for end in (share.value, share.high)]
    return Unseen(rest, *times)


def _is_target(document: MinedDocument) -> bool:
    return "target" in document.sources


def _is_relevant(document: MinedDocument) -> bool:
    return GRADES.get(document.standing, 0) > 0


def _by_chance(document: MinedDocument) -> bool:
    return document.sources == ("random",)


def _share(mined: Mined, *, among: Callable[[MinedDocument], bool], hit: Callable[[MinedDocument], bool]) -> Share:
    from goldproof.stats import mean_interval  # noqa: PLC0415 - scipy is loaded when first needed

    judged = [
        (question.question.id, hit(document))
        for question in mined.questions
        for document in question.documents
        if document.standing in GRADES and among(document)
    ]
    if not judged:
        return Share(0, 0)
    names, hits = zip(*judged, strict=True)
    several = len(set(names)) < len(names)
    interval = mean_interval([float(hit) for hit in hits], clusters=list(names) if several else None)
    return Share(sum(hits), len(hits), interval.low, interval.high)


def vote_agreement(mined: Mined) -> Consistency | None:
    """Measure the agreement of the votes over all rulings; None where none has two votes."""
    voted = [ruling for ruling in all_rulings(mined) if len(ruling.votes) > 1]
    return self_consistency(voted) if voted else None


def agreement_dict(consistency: Consistency | None) -> dict[str, object] | None:
    """Return the agreement of votes as JSON."""
    if consistency is None:
        return None
    return {
        "models": {name: _plain(agreement) for name, agreement in consistency.models.items()},
        "across": _plain(consistency.across),
        "overall": _plain(consistency.overall),
        "votes": consistency.votes,
        "failed": consistency.failed,
    }


def _plain(agreement: Agreement) -> dict[str, object]:
    alpha = agreement.alpha
    return {
        "rulings": agreement.n,
        "pairwise": agreement.pairwise,
        "unanimous": agreement.unanimous,
        "alpha": {"value": alpha.value, "low": alpha.low, "high": alpha.high, "note": alpha.note},
        "fleiss_kappa": agreement.fleiss.value,
        "ac1": agreement.ac1.value,
    }


def discovery_counts(mined: Mined) -> dict[str, int]:
    """Return how many questions ended each way, and how many names were cited and never read; empty without agent."""
    discoveries = [question.discovery for question in mined.questions if question.discovery is not None]
    if not discoveries:
        return {}
    return {
        **{ended: sum(each.ended == ended for each in discoveries) for ended in get_args(AgentEnd)},
        "answered from nothing read": sum(each.ended == "answered" and not each.candidates for each in discoveries),
        "cited but never read": sum(len(each.unread) for each in discoveries),
    }
