"""Why each result was marked as it was.

It walks the same way as the marking, with a witness, so the two cannot disagree.

A result without an id is never a duplicate, whatever else it shares. Nothing else of a result is looked at. Blanks at
the ends of an id are no part of it.
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
    """A key as a reader understands it."""

    name: str
    value: str


class Trial(NamedTuple):
    """One comparison: with which first occurrence, which kind of key proposed it, and what came out."""

    candidate: int
    key: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one result. origin: its own row where it is a first occurrence; why says which step decided."""

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
    for one in comparisons:
        trials.setdefault(one.row, []).append(Trial(one.candidate, name_of[one.code], one.verdict))
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
    """Return the sets of fields that the item has whole."""
    values = [{name: item.value(name) for name in names} for names in sets]
    return [
        NamedKey(key, ", ".join(f"{name}={value}" for name, value in found.items()))
        for found in values
        if None not in found.values()
    ]


def explain_by_id(results: ResultTable, starts: IntArray) -> list[Decision]:
    """Return one decision per row, as `explain_marks` does."""
    origins = mark_by_id(results, starts).origin.tolist()
    ids = result_ids(results).to_list() if "id" in results.columns.columns else [None] * len(results)
    return [_decision(row, origin, found) for row, (origin, found) in enumerate(zip(origins, ids, strict=True))]


def _decision(row: int, origin: int, found: object) -> Decision:
    keys = () if found is None else (NamedKey(GENERIC_ID, str(found)),)
    seen = (Trial(origin, GENERIC_ID, Verdict(same=True, step=SAME_ID, why="equal ids")),) if origin != row else ()
    return Decision(row, origin, keys=keys, trials=seen)
