"""Returned documents to ranking rows; what was changed, counted.

A document that came twice keeps its best place. Where scores are missing, rise with the rank (distances do), or are all
the same, they say nothing about the order: place i of n then scores n - i + 1. Scores that fall with the rank are kept;
ties among them are broken by the one rule of ties.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING, Literal, NamedTuple

from goldproof.retrieve.ranking import RankingBatch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from goldproof.records.arrays import BoolArray
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.external.hits import Item
    from goldproof.retrieve.parallel import Answer
    from goldproof.retrieve.stage import Request


class OrderedHits(NamedTuple):
    """A ranking with what was done to it; by_place: scores came and were replaced by places."""

    items: tuple[Item, ...]
    repeats: int
    by_place: bool


def settle(items: Sequence[Item]) -> OrderedHits:
    """Return each document once, with scores that fall with the rank."""
    first: dict[str, Item] = {}
    for item in items:
        first.setdefault(item.id, item)
    once = list(first.values())
    by_place = not _scores_tell_order(once)
    if by_place:
        once = [item._replace(score=float(len(once) - i)) for i, item in enumerate(once)]
    # Who gives no scores means the places; only scores that were given and not taken are worth a remark.
    scored = any(item.score is not None for item in first.values())
    return OrderedHits(tuple(once), len(items) - len(once), by_place and scored)


def as_they_are(items: Sequence[Item]) -> OrderedHits:
    """Return a ranking that somebody has already put in order, such as that of a file."""
    return OrderedHits(tuple(items), 0, by_place=False)


def _scores_tell_order(items: Sequence[Item]) -> bool:
    scores = [item.score for item in items if item.score is not None]
    if len(scores) < len(items):
        return False
    falls = all(first >= second for first, second in pairwise(scores))
    return falls and (len(scores) < 2 or scores[0] > scores[-1])


def gather(
    answers: Sequence[Answer[list[Item]]],
    request: Request,
    *,
    documents: DocumentIndex,
    tally: AnswerCounts,
    arrange: Callable[[Sequence[Item]], OrderedHits] = settle,
) -> RankingBatch:
    """Return the rows of a request, and count what was done to them.

    arrange: how the items of an answer become a ranking.
    """
    allowed = allowed_documents(request, documents)
    failed = {i: answer.failure for i, answer in enumerate(answers) if answer.failure is not None}
    settled = [arrange(answer.value or []) for answer in answers]
    rows = [_rows(one, documents=documents, allowed=allowed) for one in settled]
    kept = [one[: request.k] for one in rows]
    _count(tally, settled, rows=rows, kept=kept, failed=len(failed), k=request.k, documents=documents)
    return RankingBatch.of_lists(kept, documents, failed=failed)


def allowed_documents(request: Request, documents: DocumentIndex) -> BoolArray | None:
    """Return the mask of the request; where only filters were given, make it."""
    if request.allowed is not None or not request.filters:
        return request.allowed
    from goldproof.retrieve.stages.filters import filter_mask  # noqa: PLC0415 - only where a stage is asked without a pipeline

    return filter_mask(documents, request.filters)


def _rows(one: OrderedHits, *, documents: DocumentIndex, allowed: BoolArray | None) -> list[tuple[int, float]]:
    placed = [(documents.position(item.id, item.text), item.score or 0.0) for item in one.items]
    if allowed is None:
        return placed
    # A stranger has no metadata, so it matches no filter.
    return [(position, score) for position, score in placed if position < documents.size and allowed[position]]


def _count(
    tally: AnswerCounts,
    settled: Sequence[OrderedHits],
    *,
    rows: Sequence[Sequence[tuple[int, float]]],
    kept: Sequence[Sequence[tuple[int, float]]],
    failed: int,
    k: int,
    documents: DocumentIndex,
) -> None:
    hits = [position for ranking in kept for position, _ in ranking]
    tally.add(
        {
            "asked": len(settled),
            "answers": len(settled) - failed,
            "by place": sum(one.by_place for one in settled),
            "repeats": sum(one.repeats for one in settled),
            "repeated": sum(one.repeats > 0 for one in settled),
            "short": sum(len(ranking) < k for ranking in kept) - failed,
            "dropped": sum(len(one.items) - len(ranking) for one, ranking in zip(settled, rows, strict=True)),
            "hits": len(hits),
            "strangers": sum(position >= documents.size for position in hits) if documents.size else 0,
        }
    )


Count = Literal[
    "asked", "answers", "by place", "repeats", "repeated", "cut", "short", "dropped", "hits", "strangers", "missing"
]

_WHY_PLACES = "those that came were all the same, missing in part, or did not fall with the rank."
_BEST = "the best place was kept."
_ELSEWHERE = "are the ids of the corpus in another field? id_field names it."


@dataclass(slots=True)
class AnswerCounts:
    """Counts of one stage; several threads may add to it."""

    name: str
    counts: Counter[Count] = field(default_factory=Counter)
    _lock: Lock = field(default_factory=Lock)

    def add(self, counts: dict[Count, int]) -> None:
        """Add to the counts."""
        with self._lock:
            self.counts.update(counts)

    def remarks(self, *, more: str = "") -> tuple[str, ...]:
        """Return what the reader of a report should know; more: how to get k results where fewer came."""
        c, answers = self.counts, self.counts["answers"]
        said: list[tuple[object, str]] = [
            (c["by place"], f"for {c['by place']} of {answers} queries the scores are places: {_WHY_PLACES}"),
            (
                c["repeats"],
                f"{c['repeats']} results ({c['repeated']} of {answers} queries) repeated a document; {_BEST}",
            ),
            (c["short"] and more, f"for {c['short']} of {answers} queries fewer documents came than asked for; {more}"),
            (c["dropped"], f"{c['dropped']} results did not match the filters and were dropped."),
            (c["strangers"] == c["hits"] > 0, f"none of {c['hits']} results is in the corpus; {_ELSEWHERE}"),
            (c["missing"], f"{c['missing']} of {c['asked']} queries are not in the file: nothing is found for them."),
        ]
        return tuple(f"{self.name}: {sentence}" for count, sentence in said if count)
