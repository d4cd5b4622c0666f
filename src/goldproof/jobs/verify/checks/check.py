"""The Check record: a function that compares one observation with one expectation, and the fields it needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.verify.checks.seen import seen_line, short
from goldproof.jobs.verify.proof import Compared

if TYPE_CHECKING:
    from goldproof.jobs.verify.checks.observation import Observation
    from goldproof.jobs.verify.proof import Expectation

Hold = Callable[["Expectation", "Observation"], Compared]


@dataclass(frozen=True, slots=True)
class Check:
    """A check. kinds: observations that it can be held against. needs, takes: fields of an expectation."""

    hold: Hold
    kinds: frozenset[str]
    needs: dict[str, type]
    takes: dict[str, type]


def check(
    hold: Hold, kinds: str, *, needs: dict[str, type] | None = None, takes: dict[str, type] | None = None
) -> Check:
    """Return a check. kinds: separated by blanks."""
    return Check(hold, frozenset(kinds.split()), needs or {}, takes or {})


def said(observation: Observation, *, holds: bool | None, exact: bool = True, why: str = "") -> Compared:
    """Return a comparison with the line of its observation. why: goes before it."""
    line = seen_line(observation)
    return Compared(holds, short(f"{why}; {line}") if why else line, exact)
