"""The best answers that a query allows, to find criteria that no answer can satisfy: a mistake of the scenario.

Best answers hold expected memories only, each once, and as many as can be asked for. The better grades come first, or
all in the order of time that the query asks for. Two things may pull apart: where a lower grade is newer than the
highest, an answer in order does not begin with the highest (`ordering` against `Hit@1`); where fewer can be asked for
than are expected, the smallest kernel leaves no room for better grades (`set_success` against `relevance_score`). Then
there are several best answers, and a query can pass where one of them satisfies all criteria. Gains are those of the
scenario; a judge may give more.

So `recall > 0.9` is beyond reach where six memories are expected and five asked for, and `relevance_score >= 0.85`
where half of what is expected is partly relevant.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.metrics.memory.measures import MEASURES, kernels_of
from goldproof.metrics.memory.outcome import ReturnedItem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.metrics.criterion import Criterion
    from goldproof.metrics.memory.outcome import Outcome


def best_answers(outcome: Outcome, *, k: int) -> tuple[Outcome, ...]:
    """Return the same query with each of its best answers of at most k items; there is at least one.

    The first holds the smallest kernel, and is in the order that is asked for.
    """
    chosen = dict.fromkeys((_with_kernel(outcome)[:k], _by_grade(outcome, outcome.expected)[:k]))
    arranged = dict.fromkeys(answer for memories in chosen for answer in _arranged(outcome, memories))
    return tuple(
        replace(outcome, returned=tuple(ReturnedItem((memory,), outcome.expected[memory]) for memory in answer))
        for answer in arranged
    )


def beyond_reach(outcome: Outcome, criteria: Iterable[Criterion], *, k: int) -> tuple[Criterion, ...]:
    """Return the criteria that even the best answer misses; those without a value are left out."""
    wanted = tuple(criteria)
    return min((_missed(answer, wanted) for answer in best_answers(outcome, k=k)), key=len)


def _with_kernel(outcome: Outcome) -> tuple[str, ...]:
    """Return the expected memories, the smallest kernel first; of several, the one of the best grades."""
    grades = outcome.expected
    kernels = sorted(
        kernels_of(outcome), key=lambda kernel: (len(kernel), -sum(grades.get(m, 0.0) for m in kernel), sorted(kernel))
    )
    needed = kernels[0] if kernels else frozenset()
    return tuple(sorted(_by_grade(outcome, grades), key=lambda memory: memory not in needed))


def _by_grade(outcome: Outcome, memories: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(memories, key=lambda memory: -outcome.expected[memory]))


def _arranged(outcome: Outcome, memories: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    """Yield the memories in the asked order, and in that order but for one of the highest grade, which goes first."""
    by_grade = _by_grade(outcome, memories)
    if outcome.order is None or not memories:
        yield by_grade
        return
    is_newest = outcome.order == "newest"
    in_order = sorted(by_grade, key=lambda memory: outcome.moments.get(memory, 0.0), reverse=is_newest)
    yield tuple(in_order)
    first = max(in_order, key=lambda memory: outcome.expected[memory])
    yield (first, *(memory for memory in in_order if memory != first))


def _missed(answer: Outcome, criteria: tuple[Criterion, ...]) -> tuple[Criterion, ...]:
    values = ((criterion, MEASURES[criterion.measure].of(answer).value) for criterion in criteria)
    return tuple(criterion for criterion, value in values if value is not None and not criterion.holds(value))
