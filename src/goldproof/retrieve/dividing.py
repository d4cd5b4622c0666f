"""Asking a source some queries of a request at a time, and putting the answers in their places again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goldproof.retrieve.found import Found, starts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.records.arrays import FloatArray
    from goldproof.retrieve.stage import Request


class Part(NamedTuple):
    """The answers to some queries; places: which of all queries they are."""

    places: Sequence[int]
    found: Found


def only(request: Request, places: Sequence[int]) -> Request:
    """Return a request for some of its queries."""
    if len(places) == len(request.queries):
        return request
    ids = tuple(request.ids[i] for i in places) if request.ids else ()
    return replace(request, queries=tuple(request.queries[i] for i in places), ids=ids)


def together(parts: Sequence[Part], queries: int) -> Found:
    """Return all answers in the order of the queries; every query is in exactly one part."""
    if len(parts) == 1:
        return parts[0].found
    if not parts:
        return Found.nothing(queries)
    lengths = np.zeros(queries, dtype=np.int64)
    failed: dict[int, str] = {}
    for places, found in parts:
        lengths[list(places)] = np.diff(found.starts)
        failed.update({places[i]: reason for i, reason in found.failed.items()})
    query_of_row = np.concatenate([np.asarray(places, dtype=np.int64)[found.query_of_row] for places, found in parts])
    order = np.argsort(query_of_row, kind="stable")
    return Found(
        starts_of(lengths),
        np.concatenate([found.documents for _, found in parts])[order],
        np.concatenate([found.scores for _, found in parts])[order],
        similarity=_similarities(parts, order),
        failed=dict(sorted(failed.items())),
    )


def _similarities(parts: Sequence[Part], order: np.ndarray[tuple[int], np.dtype[np.int64]]) -> FloatArray | None:
    """Return the similarities of all rows; a part without any has NaN, and where no part has any there are none."""
    if all(found.similarity is None for _, found in parts):
        return None
    known = [np.full(len(f.documents), np.nan) if f.similarity is None else f.similarity for _, f in parts]
    joined: FloatArray = np.concatenate(known)[order]
    return joined
