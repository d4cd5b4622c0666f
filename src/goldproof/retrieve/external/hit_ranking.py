"""Turn returned documents into ranking rows, and count what was changed.

A document that was returned twice keeps its best place. Where scores are missing, rise with the rank (distances do), or
are all the same, they say nothing about the order: place i of n then scores n - i + 1. Scores that fall with the rank
are kept; ties among them are broken by the one rule of ties.
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
    from goldproof.retrieve.external.hits import ReturnedDocument
    from goldproof.retrieve.stage import Request
    from goldproof.user_code.calls import Answer

Count = Literal["asked", "answers", "by place", "repeats", "repeated", "short", "dropped", "hits", "unknown", "missing"]

_WHY_PLACES = "the returned scores were all equal, partly missing, or did not fall with the rank."
_BEST = "the best rank was kept."
_ELSEWHERE = "if the ids of the corpus are in another field, name it with id_field."


@dataclass(slots=True)
class AnswerCounts:
    """Counts of what one stage got and changed, for its remarks; several threads may add to them."""

    name: str
    _counts: Counter[Count] = field(default_factory=Counter)
    _lock: Lock = field(default_factory=Lock)

    def add(self, counts: dict[Count, int]) -> None:
        """Add to the counts."""
        with self._lock:
            self._counts.update(counts)

    @property
    def dropped(self) -> int:
        """How many results did not match the filters."""
        return self._counts["dropped"]

    def remarks(self, *, more: str = "") -> tuple[str, ...]:
        """Return notes for the report; more: how to get k results where fewer were returned."""
        c, answers = self._counts, self._counts["answers"]
        sentences: list[tuple[object, str]] = [
            (c["by place"], f"{c['by place']} of {answers} queries are scored by rank: {_WHY_PLACES}"),
            (
                c["repeats"],
                f"{c['repeats']} results repeated a document ({c['repeated']} of {answers} queries); {_BEST}",
            ),
            (c["short"] and more, f"{c['short']} of {answers} queries got fewer documents than asked for; {more}"),
            (c["dropped"], f"{c['dropped']} results did not match the filters and were dropped."),
            (c["unknown"] == c["hits"] > 0, f"none of the {c['hits']} results is in the corpus; {_ELSEWHERE}"),
            (c["missing"], f"{c['missing']} of {c['asked']} queries are not in the file and have no results."),
        ]
        return tuple(f"{self.name}: {sentence}" for applies, sentence in sentences if applies)


class OrderedHits(NamedTuple):
    """The ranking of one query; by_place: scores were returned and replaced by places."""

    hits: tuple[ReturnedDocument, ...]
    repeats: int
    by_place: bool


def ordered_hits(returned: Sequence[ReturnedDocument]) -> OrderedHits:
    """Return each document once, with scores that fall with the rank."""
    best: dict[str, ReturnedDocument] = {}
    for hit in returned:
        best.setdefault(hit.id, hit)
    hits = list(best.values())
    by_place = not _scores_tell_order(hits)
    if by_place:
        hits = [hit._replace(score=float(len(hits) - i)) for i, hit in enumerate(hits)]
    # Without any scores the places are what is meant; only scores that were replaced are worth a remark.
    scored = any(hit.score is not None for hit in best.values())
    return OrderedHits(tuple(hits), len(returned) - len(hits), by_place and scored)


def already_ordered(returned: Sequence[ReturnedDocument]) -> OrderedHits:
    """Return a ranking that is in order already, such as that of a file."""
    return OrderedHits(tuple(returned), 0, by_place=False)


def _scores_tell_order(hits: Sequence[ReturnedDocument]) -> bool:
    scores = [hit.score for hit in hits if hit.score is not None]
    if len(scores) < len(hits):
        return False
    falls = all(first >= second for first, second in pairwise(scores))
    return falls and (len(scores) < 2 or scores[0] > scores[-1])


def gather(
    answers: Sequence[Answer[list[ReturnedDocument]]],
    request: Request,
    *,
    documents: DocumentIndex,
    counts: AnswerCounts,
    order: Callable[[Sequence[ReturnedDocument]], OrderedHits] = ordered_hits,
) -> RankingBatch:
    """Return the rows of a request, and count what was changed.

    order: how the documents of one answer become a ranking.
    """
    allowed = allowed_documents(request, documents)
    failed = {i: answer.failure for i, answer in enumerate(answers) if answer.failure is not None}
    rankings = [order(answer.value or []) for answer in answers]
    rows = [_rows(ranking, documents=documents, allowed=allowed) for ranking in rankings]
    kept = [ranked[: request.k] for ranked in rows]
    positions = [position for ranked in kept for position, _ in ranked]
    counts.add(
        {
            "asked": len(rankings),
            "answers": len(rankings) - len(failed),
            "by place": sum(ranking.by_place for ranking in rankings),
            "repeats": sum(ranking.repeats for ranking in rankings),
            "repeated": sum(ranking.repeats > 0 for ranking in rankings),
            "short": sum(len(ranked) < request.k for ranked in kept) - len(failed),
            "dropped": sum(len(ranking.hits) - len(ranked) for ranking, ranked in zip(rankings, rows, strict=True)),
            "hits": len(positions),
            "unknown": sum(position >= documents.size for position in positions) if documents.size else 0,
        }
    )
    return RankingBatch.of_lists(kept, documents, failed=failed)


def allowed_documents(request: Request, documents: DocumentIndex) -> BoolArray | None:
    """Return the mask of the request; where only filters were given, make it."""
    if request.allowed is not None or not request.filters:
        return request.allowed
    from goldproof.retrieve.stages.filters import filter_mask  # noqa: PLC0415 - only where a stage is asked without a pipeline

    return filter_mask(documents, request.filters)


def _rows(ranking: OrderedHits, *, documents: DocumentIndex, allowed: BoolArray | None) -> list[tuple[int, float]]:
    rows = [(documents.position(hit.id, hit.text), hit.score or 0.0) for hit in ranking.hits]
    if allowed is None:
        return rows
    # A document that is not in the corpus has no metadata, so it matches no filter.
    return [(position, score) for position, score in rows if position < documents.size and allowed[position]]
