"""What a judge said of results that nobody labelled, and how it becomes gains.

A label of the judge never replaces another one: it is looked up the way labels beside the trace are, and fills gaps.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from goldproof.io.datasets.labels import Labels
from goldproof.jobs.trace.unlabelled import TextColumns, Unlabelled
from goldproof.records.traces import UNLABELLED

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from goldproof.records.arrays import BoolArray
    from goldproof.records.traces import TraceTable

_CLASHES = "clashes"
_LEFT = "conversations left without a label"


@dataclass(frozen=True, eq=False)
class JudgedLabels:
    """Labels of a judge.

    grades: key of a text -> gain. failures: why texts have none, with how often; examples: the first reason given for
    each. met: what was come across while filling.
    """

    judge: str
    found: Unlabelled
    grades: Mapping[str, int]
    failures: Mapping[str, int] = field(default_factory=dict)
    examples: Mapping[str, str] = field(default_factory=dict)
    met: Counter[str] = field(default_factory=Counter)

    @cached_property
    def labels(self) -> Labels:
        """The labels of results that have a name."""
        rows = [
            (question, name, self.grades[key])
            for (question, name), key in self.found.named.items()
            if key in self.grades
        ]
        schema = {"question": pl.String, "document": pl.String, "gain": pl.Int8}
        return Labels(pl.DataFrame(rows, schema=schema, orient="row"))

    def fill(self, table: TraceTable, gains: npt.NDArray[np.int8], *, judged: BoolArray) -> npt.NDArray[np.int8]:
        """Return the gains with the judge's where there was none; judged: the conversations that labels judge."""
        blank, own = gains == UNLABELLED, self.labels.gains_for(table)
        self.met[_CLASHES] += int(np.count_nonzero(~blank & (own != UNLABELLED) & (own != gains)))
        filled = np.where(blank, own, gains)
        if self.found.nameless:
            rows = TextColumns(table)
            for row in np.flatnonzero(blank & rows.nameless & rows.has_text).tolist():
                text = rows.text(row)
                filled[row] = UNLABELLED if text is None else self.grades.get(text.key, UNLABELLED)
        self.met[_LEFT] += int(np.count_nonzero(~judged & self.labels.judges(table) & _unlabelled(table, filled)))
        return filled

    def remarks(self) -> list[str]:
        """Say what the judge did, and what it left."""
        known = (
            f"{self.found.groups:,} distinct results without a label, {len(self.found.items):,} different ones judged"
        )
        return [
            f"judge {self.judge}: {known}, {len(self.grades):,} labelled.",
            *self._nameless(),
            *(f"judge: {n:,} left unlabelled: {why}{self._example(why)}." for why, n in self._left().items()),
            *self._clashes(),
            *self._left_conversations(),
        ]

    def facts(self) -> dict[str, object]:
        """Return the same for `summary.json`."""
        return {
            "key": self.judge,
            "results_without_label": self.found.groups,
            "judged": len(self.found.items),
            "labelled": len(self.grades),
            "left_unlabelled": self._left(),
        }

    def _left(self) -> dict[str, int]:
        return {why: n for why, n in {**self.found.left, **self.failures}.items() if n}

    def _example(self, why: str) -> str:
        example = self.examples.get(why, "").rstrip(".")
        return f" (the first: {example})" if example else ""

    def _nameless(self) -> list[str]:
        n = sum(key in self.grades for key in self.found.nameless)
        if not n:
            return []
        again = "to repeat them ask the same judge again, whose answers are kept"
        return [f"judge: {n:,} labels are for results without id and URL, which labels.jsonl cannot name; {again}."]

    def _clashes(self) -> list[str]:
        n = self.met[_CLASHES]
        if not n:
            return []
        clash = f"judge: {n:,} labelled results were also met without their label, and judged otherwise"
        return [f"{clash}: their own label counts; with --qrels labels.jsonl the judge's would."]

    def _left_conversations(self) -> list[str]:
        n = self.met[_LEFT]
        if not n:
            return []
        left = f"judge: {n:,} conversation{'s' * (n != 1)} without any label, though others of the question have some"
        return [f"{left}: gains undefined; with --qrels labels.jsonl, which judges the question, they are 0."]


def _unlabelled(table: TraceTable, gains: npt.NDArray[np.int8]) -> BoolArray:
    """Return which conversations have results, but none with a label."""
    starts = table.results_by_conversation
    labelled = np.concatenate([[0], np.cumsum(gains != UNLABELLED)])
    blank: BoolArray = (np.diff(starts) > 0) & (np.diff(labelled[starts]) == 0)
    return blank
