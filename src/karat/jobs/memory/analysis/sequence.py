"""The order of what came: what stood before the first expected memory, and what stands in the wrong order of time."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from karat.jobs.memory.analysis.floors import Verdict
from karat.jobs.memory.analysis.remedy import Advice
from karat.jobs.memory.timeline import moments_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from karat.jobs.memory.analysis.came import Item
    from karat.jobs.memory.analysis.floors import Similarities
    from karat.jobs.memory.answered import Answered
    from karat.metrics.memory.outcome import Order


def not_first(row: Answered, items: Sequence[Item], similarities: Similarities | None) -> str:
    """Say what stood before the first expected memory that came; nothing where none came, or it came first."""
    first = next((item for item in items if item.grade), None)
    if first is None or first.place == 1:
        return ""
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
    said = []
    if similarities:
        said.append(f"similarity {similarities.values[item.place - 1]:.3f}")
    mine = [moments[memory] for memory in item.match.memories if memory in moments]
    theirs = [moments[memory] for memory in first.match.memories if memory in moments]
    if mine and theirs and max(mine) != max(theirs):
        said.append("older" if max(mine) < max(theirs) else "newer")
    return f"{item.named} ({', '.join(said)})" if said else item.named
