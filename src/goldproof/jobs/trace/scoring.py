"""The rules by which traces are scored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, cast, get_args

from goldproof.dedup import DEFAULT_RULES, Rules, explain_by_id, explain_marks, mark_by_id, mark_duplicates
from goldproof.errors import InputError, UnknownNameError
from goldproof.jobs.trace.rules_file import read_rules
from goldproof.records.traces import HIGHEST_GAIN

if TYPE_CHECKING:
    from goldproof.dedup import Decision, Marks
    from goldproof.records.arrays import IntArray
    from goldproof.records.traces import ResultTable

Dedup = Literal["full", "id"]
GivenRules: TypeAlias = Rules | str | PathLike[str] | None
GOOD_GAIN = 2
SHOWN_ITERATIONS = 20


@dataclass(frozen=True, slots=True)
class Scoring:
    """How results become gains.

    threshold: the lowest gain that is good. dedup: `full` compares results in two phases by `rules`, `id` trusts ids.
    carry: beyond its last iteration a conversation keeps its last value, instead of being undefined there.
    """

    threshold: int = GOOD_GAIN
    dedup: Dedup = "full"
    rules: Rules = DEFAULT_RULES
    carry: bool = False

    @classmethod
    def named(
        cls,
        *,
        threshold: object,
        dedup: object,
        rules: GivenRules,
        near_duplicates: object = None,
        carry: object = False,
    ) -> Scoring:
        """Check what a user gave."""
        if not isinstance(threshold, int) or isinstance(threshold, bool) or not 1 <= threshold <= HIGHEST_GAIN:
            raise InputError(f"threshold {threshold!r} is not a whole number from 1 to {HIGHEST_GAIN}.")
        if dedup not in get_args(Dedup):
            raise UnknownNameError("value of dedup", str(dedup), get_args(Dedup))
        if not isinstance(carry, bool):
            raise InputError(f"carry is {carry!r}; expected True or False.")
        if dedup == "id" and (rules is not None or near_duplicates is not None):
            raise InputError("dedup 'id' looks at ids alone, so rules for anything else have no effect; leave one out.")
        return cls(threshold, cast("Dedup", dedup), _rules(rules, near_duplicates=near_duplicates), carry=carry)

    def mark(self, results: ResultTable, starts: IntArray) -> Marks:
        """Mark the duplicates among the results of each conversation."""
        if self.dedup == "id":
            return mark_by_id(results, starts)
        return mark_duplicates(results, starts, rules=self.rules)

    def explain(self, results: ResultTable, starts: IntArray) -> list[Decision]:
        """Say of every result why it was marked as it was."""
        return (
            explain_by_id(results, starts) if self.dedup == "id" else explain_marks(results, starts, rules=self.rules)
        )


def _rules(given: GivenRules, *, near_duplicates: object) -> Rules:
    if given is not None and not isinstance(given, Rules | str | PathLike):
        raise InputError(f"rules: found {type(given).__name__}; expected a file or goldproof.dedup.Rules.")
    if near_duplicates is not None and (
        isinstance(near_duplicates, bool) or not isinstance(near_duplicates, int | float)
    ):
        raise InputError(f"near_duplicates {near_duplicates!r} is not a number above 0 and at most 1.")
    rules = read_rules(Path(given)) if isinstance(given, str | PathLike) else given or DEFAULT_RULES
    return rules if near_duplicates is None else replace(rules, near_duplicates=near_duplicates)
