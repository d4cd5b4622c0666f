"""The order of what came: what stood first although it should not, and what stands in the wrong order of time.

First should stand a memory of the highest grade that is expected. One of a lower grade, as an outdated fact may have
it, is wrong in that place although it is expected.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from goldproof.jobs.memory.analysis.floors import Verdict
from goldproof.jobs.memory.analysis.intruders import wants_recent
from goldproof.jobs.memory.analysis.remedy import Advice
from goldproof.jobs.memory.timeline import moments_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.memory.analysis.came import Item
    from goldproof.jobs.memory.analysis.floors import Similarities
    from goldproof.jobs.memory.answered import Answered
    from goldproof.metrics.memory.outcome import Order


def not_first(row: Answered, items: Sequence[Item], similarities: Similarities | None) -> Verdict:
    """Say what stood first instead of a memory of the highest expected grade, and what may mend it.

    Nothing is said where such a one came first, or where none came and the first item was not expected at all.
    """
    highest = max(row.query.expected.values(), default=0)
    first = next((item for item in items if item.grade == highest), None)
    if not items or items[0].grade == highest:
        return Verdict()
    lower, advice = _lower_first(row, items[0], highest=highest)
    if first is None:
        return Verdict(f"{lower} Nothing of grade {highest} came." if lower else "", advice)
    return Verdict(f"{lower} {_behind(row, items, first=first, similarities=similarities)}".strip(), advice)


def _lower_first(row: Answered, item: Item, *, highest: int) -> Verdict:
    """Say that the first item is expected, but with a lower grade; older than all of the highest, decay may mend it."""
    if not item.grade:
        return Verdict()
    said = f"{item.named} came first, which is wrong: it is expected with grade {item.grade}, not {highest}."
    moments = moments_of(row.pool)
    best = [moments[memory] for memory, grade in row.query.expected.items() if grade == highest]
    if not wants_recent(row) or _moment(item, moments, row) >= min(best):
        return Verdict(said)
    older = f"{item.name} came first, and is older than what is expected with grade {highest}"
    return Verdict(said, (Advice("F", older),))


def _behind(row: Answered, items: Sequence[Item], *, first: Item, similarities: Similarities | None) -> str:
    """Say what stood before the first item of the highest grade."""
    moments = moments_of(row.pool)
    before = ", ".join(
        _compared(item, first, moments=moments, similarities=similarities) for item in items[: first.place - 1]
    )
    own = f" (similarity {similarities.values[first.place - 1]:.3f})" if similarities else ""
    whose = f"; {similarities.whose}" if similarities else ""
    return f"{first.name}{own} came at {first.place}; before it stood {before}{whose}."


def out_of_order(row: Answered, items: Sequence[Item], *, order: Order | None) -> Verdict:
    """Say which expected memories came in the wrong order of time, and what may mend it."""
    if order is None:
        return Verdict()
    moments = moments_of(row.pool)
    dated = [(item, _moment(item, moments, row)) for item in items if item.grade]
    wrong = [
        f"{a.name} before {b.name}"
        for (a, first), (b, then) in pairwise(dated)
        if (first < then if order == "newest" else first > then)
    ]
    if not wrong:
        return Verdict()
    said = f"asked for {order} first, but {', '.join(wrong)}"
    advice = (Advice("F", said),) if order == "newest" else ()
    return Verdict(f"{said[0].upper()}{said[1:]}.", advice)


def _moment(item: Item, moments: Mapping[str, float], row: Answered) -> float:
    return max(moments[memory] for memory in item.match.memories if memory in row.query.expected)


def _compared(item: Item, first: Item, *, moments: Mapping[str, float], similarities: Similarities | None) -> str:
    said = [f"grade {item.grade}"] if item.grade else []
    if similarities:
        said.append(f"similarity {similarities.values[item.place - 1]:.3f}")
    mine = [moments[memory] for memory in item.match.memories if memory in moments]
    theirs = [moments[memory] for memory in first.match.memories if memory in moments]
    if mine and theirs and max(mine) != max(theirs):
        said.append("older" if max(mine) < max(theirs) else "newer")
    return f"{item.named} ({', '.join(said)})" if said else item.named
