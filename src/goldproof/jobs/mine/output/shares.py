"""Shares that say how good the metadata and the candidates are, each with Wilson's interval.

    targets confirmed   of the documents that the metadata call relevant and that were judged: those with a grade above
                        0, since they suffice alone or are needed in a kernel
    targets alone       those of them that suffice alone
    random relevant     of the documents that were looked at by chance only and judged: those with a grade above 0

The last estimates how much relevant material nobody looked for: a document that only chance brought in stands for
all those of the corpus that no source named. Several documents of one question are not independent, so the intervals
are those of clusters. No judged document of the kind: undefined, not 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.mine.mined import GRADES

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.jobs.mine.mined import Mined, MinedDocument


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
