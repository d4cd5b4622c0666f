"""Would a floor keep out what was not expected, and keep what was?

A floor keeps what is at least as similar. It separates where every expected item that came is more similar than every
unexpected one; then any floor above the highest of the unexpected, up to the lowest of the expected, does. Taken are
the system's own similarities where it tells all of them, else the cosines of the reference embedder. What is said holds
for this one query: the same floor may lose what other queries need.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from goldproof.jobs.memory.analysis.remedy import Advice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.memory.analysis.came import Item
    from goldproof.jobs.memory.analysis.reference import Ranks

_OWN = "the system's own similarities"
_REFERENCE = "similarities by minilm, since the system tells none"


class Similarities(NamedTuple):
    """The similarity of each item that came, and whose they are; empty where not all are known."""

    values: tuple[float, ...]
    whose: str


class Verdict(NamedTuple):
    """What a floor would do, in a sentence, and the advice that rests on it."""

    remark: str = ""
    advice: tuple[Advice, ...] = ()


def similarities_of(items: Sequence[Item], ranks: Mapping[str, Ranks]) -> Similarities | None:
    """Return the similarities of what came; None where neither the system nor the reference knows all of them."""
    own = [item.match.hit.similarity for item in items]
    if all(value is not None for value in own):
        return Similarities(tuple(value for value in own if value is not None), _OWN)
    reference = [reference_similarity(item, ranks) for item in items]
    if all(value is not None for value in reference):
        return Similarities(tuple(value for value in reference if value is not None), _REFERENCE)
    return None


def floor_verdict(items: Sequence[Item], similarities: Similarities | None) -> Verdict:
    """Say whether a floor separates what was expected from what was not."""
    unexpected = [place for place, item in enumerate(items) if not item.grade]
    if not unexpected:
        return Verdict()
    if similarities is None:
        return Verdict("Whether a floor would separate is not known: not all similarities are.")
    values, whose = similarities
    highest = max(values[place] for place in unexpected)
    kept = [value for place, value in enumerate(values) if place not in unexpected]
    if not kept:
        return Verdict()
    lowest = min(kept)
    if lowest > highest:
        said = f"any floor above {_between(highest, lowest)} separates what was expected from the rest ({whose})"
        return Verdict(advice=(Advice("E", said),))
    below = sum(values[place] < lowest for place in unexpected)
    return Verdict(
        f"No floor separates: an unexpected item has {highest:.3f}, an expected one {lowest:.3f}; a floor of "
        f"{lowest:.3f} would keep out {below} of {len(unexpected)} ({whose})."
    )


def silence_verdict(items: Sequence[Item], similarities: Similarities | None) -> Verdict:
    """Say which floor would have kept everything out, where nothing should come."""
    if not items:
        return Verdict()
    if similarities is None:
        return Verdict("Which floor would have kept all of it out is not known: not all similarities are.")
    highest = max(similarities.values)
    return Verdict(
        advice=(Advice("E", f"above a floor of {rounded_up(highest)} nothing would have come ({similarities.whose})"),)
    )


def rounded_up(value: float, *, digits: int = 3) -> str:
    """Write a number, rounded up: a floor above that keeps it out."""
    return f"{math.ceil(round(value * 10**digits, 6)) / 10**digits:.{digits}f}"


def rounded_down(value: float, *, digits: int = 3) -> str:
    """Write a number, rounded down: a floor of that much lets it pass."""
    return f"{math.floor(round(value * 10**digits, 6)) / 10**digits:.{digits}f}"


def _between(highest: float, lowest: float) -> str:
    """Write an interval with as many digits as it needs; it lies within the true one."""
    for digits in (3, 6):
        low, high = rounded_up(highest, digits=digits), rounded_down(lowest, digits=digits)
        if float(low) < float(high):
            return f"{low} up to {high}"
    return f"{highest!r} up to {lowest!r}"


def reference_similarity(item: Item, ranks: Mapping[str, Ranks]) -> float | None:
    """Return the highest similarity of the memories an item stands for, by the reference; None where it has none."""
    known = [ranks[memory].similarity for memory in item.match.memories if memory in ranks]
    return max((value for value in known if value is not None), default=None)
