"""The best answer that a query allows: a criterion that not even this satisfies is a mistake of the scenario.

It holds every expected memory once and nothing else, the better grades first, or in the order of time that the query
asks for. Where fewer can be asked for than are expected, the smallest kernel goes before the others. Gains are those of
the scenario; a judge may give more. Then `recall > 0.9` is beyond reach where six memories are expected and five asked
for, and `relevance_score >= 0.85` where half of what is expected is partly relevant.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from karat.metrics.memory.measuring import MEASURES
from karat.metrics.memory.outcome import Came
from karat.metrics.memory.set_success import kernels_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from karat.metrics.memory.criterion import Criterion
    from karat.metrics.memory.outcome import Outcome


def best_answer(outcome: Outcome, *, k: int) -> Outcome:
    """Return the same query with the best answer of at most k items, whatever came."""
    needed = min(kernels_of(outcome), key=lambda kernel: (len(kernel), sorted(kernel)), default=frozenset())
    best = sorted(outcome.expected, key=lambda memory: (memory not in needed, -outcome.expected[memory]))[:k]
    if outcome.order is not None:
        best.sort(key=lambda memory: outcome.moments.get(memory, 0.0), reverse=outcome.order == "newest")
    else:
        best.sort(key=lambda memory: -outcome.expected[memory])
    return replace(outcome, returned=tuple(Came((memory,), outcome.expected[memory]) for memory in best))


def beyond_reach(outcome: Outcome, criteria: Iterable[Criterion], *, k: int) -> tuple[Criterion, ...]:
    """Return the criteria that not even the best answer satisfies; a measure that it has no value in is left out."""
    best = best_answer(outcome, k=k)
    values = ((criterion, MEASURES[criterion.measure].of(best).value) for criterion in criteria)
    return tuple(criterion for criterion, value in values if value is not None and not criterion.holds(value))
