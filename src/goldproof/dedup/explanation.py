"""Explain each mark: the keys of a result, the comparisons made, and the step that decided.

The explanation runs the marking itself, with a witness of every comparison, so the two cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goldproof.dedup.comparison import Verdict
from goldproof.dedup.keys import GENERIC_ID, SNIPPET, SPECIFIC_ID, TITLE, TYPE_RULE, URL
from goldproof.dedup.marks import SAME_ID, mark_by_id, mark_prepared, prepare, result_ids
from goldproof.dedup.rules import DEFAULT_RULES

if TYPE_CHECKING:
    from goldproof.dedup.groups import GroupComparison
    from goldproof.dedup.items import ComparedItem
    from goldproof.dedup.rules import Names, Rules
    from goldproof.records.arrays import IntArray
    from goldproof.records.traces import ResultTable


class NamedKey(NamedTuple):
    """A key in readable form: its kind and its value."""

    name: str
    value: str


class Trial(NamedTuple):
    """One comparison: the first occurrence it was with, the kind of key that proposed it, and the verdict."""

    candidate: int
    key: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Decision:
    """The mark of one result. origin: the row of its first occurrence, its own where it is the first."""

    row: int
    origin: int
    keys: tuple[NamedKey, ...]
    trials: tuple[Trial, ...]

    @property
    def duplicate(self) -> bool:
        """Whether the result was seen before."""
        return self.origin != self.row

    @property
    def step(self) -> str:
        """The step that decided; empty where nothing was compared."""
        return self.trials[-1].verdict.step if self.trials else ""

    @property
    def why(self) -> str:
        """The reason in words."""
        if self.trials:
            return self.trials[-1].verdict.why
        return "no earlier result shares a key" if self.keys else "it has no key"


def explain_marks(results: ResultTable, starts: IntArray, *, rules: Rules = DEFAULT_RULES) -> list[Decision]:
    """Return one decision per row; starts: conversation c has the rows `starts[c]:starts[c + 1]`."""
    prepared = prepare(results, starts, rules=rules)
    comparisons: list[GroupComparison] = []
    origin = mark_prepared(prepared, starts, rules=rules, witness=comparisons.append).origin.tolist()
    name_of = {
        code: prepared.keys[kind].name
        for code, kind in zip(prepared.shared.codes.tolist(), prepared.shared.kinds.tolist(), strict=True)
    }
    trials: dict[int, list[Trial]] = {}
    for compared in comparisons:
        trial = Trial(compared.candidate, name_of[compared.code], compared.verdict)
        trials.setdefault(compared.row, []).append(trial)
    items = prepared.items.make(np.arange(len(results)))
    return [
        Decision(row, origin[row], keys=readable_keys(item), trials=tuple(trials.get(row, ())))
        for row, item in enumerate(items)
    ]


def readable_keys(item: ComparedItem) -> tuple[NamedKey, ...]:
    """Return the keys of an item, the strongest first."""
    keys = _complete(item, SPECIFIC_ID, item.rules.ids)
    if not keys and item.id is not None:
        keys.append(NamedKey(GENERIC_ID, str(item.id)))
    if item.place is not None:
        keys.append(NamedKey(URL, item.place + (f"?{item.params}" if item.params else "")))
    keys += _complete(item, TYPE_RULE, item.rules.same_if)
    texts = ((SNIPPET, item.snippet), (TITLE, item.title))
    return (*keys, *(NamedKey(name, text) for name, text in texts if text is not None))


def _complete(item: ComparedItem, key: str, sets: tuple[Names, ...]) -> list[NamedKey]:
    """Return the sets of fields of which the item has all."""
    values = [{name: item.value(name) for name in names} for names in sets]
    return [
        NamedKey(key, ", ".join(f"{name}={value}" for name, value in fields.items()))
        for fields in values
        if None not in fields.values()
    ]


def explain_by_id(results: ResultTable, starts: IntArray) -> list[Decision]:
    """Return one decision per row of `mark_by_id`; starts as in `explain_marks`."""
    origins = mark_by_id(results, starts).origin.tolist()
    ids = result_ids(results).to_list() if "id" in results.columns.columns else [None] * len(results)
    return [_decision(row, origin, name) for row, (origin, name) in enumerate(zip(origins, ids, strict=True))]


def _decision(row: int, origin: int, name: object) -> Decision:
    keys = () if name is None else (NamedKey(GENERIC_ID, str(name)),)
    seen = (Trial(origin, GENERIC_ID, Verdict(same=True, step=SAME_ID, why="equal ids")),) if origin != row else ()
    return Decision(row, origin, keys=keys, trials=seen)
