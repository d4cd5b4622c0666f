"""Outcomes, written short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.memory.measures import MEASURES
from goldproof.metrics.memory.outcome import Outcome, ReturnedItem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.metrics.memory.outcome import Order


def outcome(
    expected: str | Mapping[str, float],
    came: str,
    *,
    kernels: str = "",
    moments: Mapping[str, float] | None = None,
    order: Order | None = None,
) -> Outcome:
    """Memories are letters. `outcome("ab", "a x bc")`: a, nobody's, and one item for b and c; kernels `ab c`.

    An item's gain is the best grade of the memories that it stands for.
    """
    grades = dict.fromkeys(expected, 1.0) if isinstance(expected, str) else expected
    items = (tuple(memory for memory in item if memory != "x") for item in came.split())
    return Outcome(
        expected=grades,
        returned=tuple(ReturnedItem(item, max((grades.get(one, 0.0) for one in item), default=0.0)) for item in items),
        kernels=tuple(frozenset(kernel) for kernel in kernels.split()),
        moments=moments or {},
        order=order,
    )


def value(name: str, of: Outcome) -> float | None:
    """The value of one measure."""
    return MEASURES[name].of(of).value


def reason(name: str, of: Outcome) -> str:
    """Why one measure has no value."""
    found = MEASURES[name].of(of)
    assert found.value is None
    return found.reason
