"""The answers of a retriever that is not ours, put on the shelf as rows: only allowed documents, at most k a query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.retrieve.foreign.settling import settle
from goldproof.retrieve.found import Found

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from goldproof.records.arrays import BoolArray
    from goldproof.retrieve.attempts import Answer
    from goldproof.retrieve.foreign.hits import Item
    from goldproof.retrieve.foreign.settling import Settled
    from goldproof.retrieve.foreign.tally import Tally
    from goldproof.retrieve.shelf import Shelf
    from goldproof.retrieve.stage import Request


def gather(
    answers: Sequence[Answer[list[Item]]],
    request: Request,
    *,
    shelf: Shelf,
    tally: Tally,
    arrange: Callable[[Sequence[Item]], Settled] = settle,
) -> Found:
    """Return the rows of a request, and count what was done to them.

    arrange: how the items of an answer become a ranking.
    """
    allowed = allowed_documents(request, shelf)
    failed = {i: answer.failure for i, answer in enumerate(answers) if answer.failure is not None}
    settled = [arrange(answer.value or []) for answer in answers]
    rows = [_rows(one, shelf=shelf, allowed=allowed) for one in settled]
    kept = [one[: request.k] for one in rows]
    _count(tally, settled, rows=rows, kept=kept, failed=len(failed), k=request.k, shelf=shelf)
    return Found.of_lists(kept, shelf, failed=failed)


def allowed_documents(request: Request, shelf: Shelf) -> BoolArray | None:
    """Return the mask of the request; where only filters were given, make it."""
    if request.allowed is not None or not request.filters:
        return request.allowed
    from goldproof.retrieve.filtering.filters import filter_mask  # noqa: PLC0415 - only where a stage is asked without a pipeline

    return filter_mask(shelf, request.filters)


def _rows(one: Settled, *, shelf: Shelf, allowed: BoolArray | None) -> list[tuple[int, float]]:
    placed = [(shelf.position(item.id, item.text), item.score or 0.0) for item in one.items]
    if allowed is None:
        return placed
    # A stranger has no metadata, so it matches no filter.
    return [(position, score) for position, score in placed if position < shelf.size and allowed[position]]


def _count(
    tally: Tally,
    settled: Sequence[Settled],
    *,
    rows: Sequence[Sequence[tuple[int, float]]],
    kept: Sequence[Sequence[tuple[int, float]]],
    failed: int,
    k: int,
    shelf: Shelf,
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
            "strangers": sum(position >= shelf.size for position in hits) if shelf.size else 0,
        }
    )
