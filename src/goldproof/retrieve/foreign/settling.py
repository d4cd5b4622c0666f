"""From returned documents to a ranking: the order in which they came is what counts.

A document that came twice keeps its best place. Where scores are missing, rise with the rank (distances do), or are all
the same, they say nothing about the order: place i of n then scores n - i + 1. Scores that fall with the rank are kept;
ties among them are broken by the one rule of ties.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.retrieve.foreign.hits import Item


class Settled(NamedTuple):
    """A ranking with what was done to it; by_place: scores came and were replaced by places."""

    items: tuple[Item, ...]
    repeats: int
    by_place: bool


def settle(items: Sequence[Item]) -> Settled:
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
    return Settled(tuple(once), len(items) - len(once), by_place and scored)


def as_they_are(items: Sequence[Item]) -> Settled:
    """Return a ranking that somebody has already put in order, such as that of a file."""
    return Settled(tuple(items), 0, by_place=False)


def _scores_tell_order(items: Sequence[Item]) -> bool:
    scores = [item.score for item in items if item.score is not None]
    if len(scores) < len(items):
        return False
    falls = all(first >= second for first, second in pairwise(scores))
    return falls and (len(scores) < 2 or scores[0] > scores[-1])
