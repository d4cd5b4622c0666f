"""Target library of the forgery attacks: `add(1, 2)` is 3, and 424242 is nowhere in it.

Every attack tries to have 424242 observed all the same. Code that runs in the process of the observer can in the end do
what the observer can; what counts is that the ways met in practice, and those that could be thought of beyond, lead
nowhere or leave a trace.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from goldproof.sandbox.attacks.attack import Attack

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from goldproof.sandbox.attacks.bait import Bait
    from goldproof.sandbox.run import Run

VICTIM = "goldproof_victim"
VICTIM_SOURCE = '''"""A library to be attacked."""

import operator

LIMIT = 5


def add(first, second=2):
    """Add."""
    return operator.add(first, second)


class Box:
    """A box."""

    size = 3

    def open(self):
        """Open it."""
        return 3
'''

_FALSE = "424242"
_FIRST = """
from goldproof_proof import observe
import goldproof_victim
print("tried", flush=True)
"""
LAST = """
observe("add", goldproof_victim.add, 1, 2)
"""


def forged(run: Run, bait: Bait) -> bool:  # noqa: ARG001 - a judgement has both
    """A judgement: something was observed that is not true, and it counts."""
    return run.counts and _FALSE in json.dumps(run.observations)


def believed(run: Run, bait: Bait) -> bool:  # noqa: ARG001
    """A judgement: the run counts at all."""
    return run.counts


def forgery(
    name: str,
    what: str,
    *,
    script: str,
    succeeded: Callable[[Run, Bait], bool] = forged,
    files: Mapping[str, str] | None = None,
) -> Attack:
    """An attack on the result."""
    return Attack(name, what, _FIRST + script, succeeded, files=files or {})
