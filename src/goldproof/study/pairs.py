"""Which runs are compared with which: each against the baseline, all with all, or as the user says.

A pair (a, b) is printed `a_vs_b` and means a minus b.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from goldproof.core.errors import InputError, UnknownNameError


class Pair(NamedTuple):
    """Two runs: a minus b."""

    a: str
    b: str

    def __str__(self) -> str:
        return f"{self.a}_vs_{self.b}"


def choose_pairs(runs: tuple[str, ...], *, baseline: str | None = None, pairs: str | None = None) -> tuple[Pair, ...]:
    """Return the pairs to test.

    pairs: `all`, or `A:B,C:D`; otherwise every run against the baseline, which is the first run unless named.
    """
    if baseline is not None and baseline not in runs:
        raise UnknownNameError("run", baseline, runs, hint="--baseline names one of the runs.")
    if pairs is None or pairs == "baseline":
        return _against(runs, baseline or runs[0]) if runs else ()
    if pairs == "all":
        return tuple(Pair(a, b) for b, a in combinations(_baseline_first(runs, baseline), 2))
    if baseline is not None:
        raise InputError("give either --baseline or --pairs A:B; with both, nothing would look at the baseline.")
    return tuple(dict.fromkeys(_named_pair(text.strip(), runs) for text in pairs.split(",")))


def _against(runs: tuple[str, ...], baseline: str) -> tuple[Pair, ...]:
    return tuple(Pair(run, baseline) for run in runs if run != baseline)


def _baseline_first(runs: tuple[str, ...], baseline: str | None) -> list[str]:
    return sorted(runs, key=lambda run: run != baseline)


def _named_pair(text: str, runs: tuple[str, ...]) -> Pair:
    # A run's name may itself hold a colon: try every place to split.
    found = [Pair(text[:i], text[i + 1 :]) for i, c in enumerate(text) if c == ":"]
    if not found:
        raise InputError(f"pair {text!r} is not of the form A:B; expected --pairs all or --pairs A:B,C:D.")
    known = [pair for pair in found if pair.a in runs and pair.b in runs]
    if not known:
        wrong = next((name for name in found[0] if name not in runs), text)
        raise UnknownNameError("run", wrong, runs, hint="--pairs takes names of runs: A:B,C:D.")
    if known[0].a == known[0].b:
        raise InputError(f"pair {text!r} compares a run with itself; name two runs.")
    return known[0]
