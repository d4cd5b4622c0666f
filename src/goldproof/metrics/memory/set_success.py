"""set_success: did everything come that is needed together?

A kernel is a set of memories that answer only together; any one kernel, complete, suffices. Where the query names none,
its expected memories of the highest grade are the kernel: all of them where it has one grade only. Order, repetitions
and what else came play no part; an item that stands for several memories brings each of them. Nothing returned is 0.
Where nothing should come (a negative query) it is undefined.

    set_success = 1 if all memories of some kernel came, else 0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics.memory.definition import Measure
from goldproof.metrics.memory.outcome import Measured
from goldproof.metrics.memory.reasons import NOTHING_EXPECTED

if TYPE_CHECKING:
    from goldproof.metrics.memory.outcome import Outcome


def kernels_of(outcome: Outcome) -> tuple[frozenset[str], ...]:
    """Return the sets of which one must be complete: those of the query, else its best memories."""
    if outcome.kernels or outcome.is_negative:
        return outcome.kernels
    best = max(outcome.expected.values())
    return (frozenset(memory for memory, grade in outcome.expected.items() if grade == best),)


def set_success(outcome: Outcome) -> Measured:
    """Return 1 if all memories of some kernel came, else 0."""
    if outcome.is_negative:
        return Measured(None, NOTHING_EXPECTED)
    came = {memory for item in outcome.returned for memory in item.memories}
    return Measured(float(any(kernel <= came for kernel in kernels_of(outcome))))


DEFINITION = Measure(
    name="set_success",
    summary="1 if all memories of some kernel came, else 0.",
    formula="1 if all memories of some kernel came, else 0",
    of=set_success,
)
