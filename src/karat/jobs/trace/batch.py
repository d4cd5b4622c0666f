"""One batch of conversations: labelled, marked and counted. Of its results only counts are kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from karat.core.traces import UNLABELLED
from karat.metrics.gain.counting import count_conflicts, count_labels, group_labels

if TYPE_CHECKING:
    import numpy.typing as npt

    from karat.core.arrays import IntArray
    from karat.core.traces import TraceTable
    from karat.dedup import Marks
    from karat.io.labels import Labels
    from karat.jobs.trace.scoring import Scoring
    from karat.metrics.gain.counting import LabelCounts


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """A table of traces with its duplicates marked and its groups labelled.

    gains: each result's own label. labels: the same, but at the first occurrence of a group stands the group's.
    overruled: labels inside the trace that differ from those beside it. conflicts: per conversation, duplicates whose
    label differs from their group's.
    """

    table: TraceTable
    marks: Marks
    gains: npt.NDArray[np.int8]
    labels: npt.NDArray[np.int8]
    counts: LabelCounts
    conflicts: IntArray
    overruled: int

    def good_rows(self, threshold: int) -> IntArray:
        """Return the rows of the good first occurrences."""
        good = self.labels >= threshold
        good[self.marks.repeats.rows] = False
        return np.flatnonzero(good)


def count_batch(table: TraceTable, *, scoring: Scoring, labels: Labels | None) -> Batch:
    """Label, mark and count. labels: those beside the trace, which win over labels inside."""
    gains, overruled = labelled_gains(table, labels)
    starts = table.results_by_conversation
    marks = scoring.mark(table.results, starts)
    rows, firsts = marks.repeats
    by_group = group_labels(gains, rows=rows, firsts=firsts)
    return Batch(
        table=table,
        marks=marks,
        gains=gains,
        labels=by_group,
        counts=count_labels(
            by_group,
            duplicates=rows,
            iteration_starts=table.iteration_starts,
            result_starts=table.results_by_iteration,
        ),
        conflicts=count_conflicts(gains, by_group, rows=rows, firsts=firsts, starts=starts),
        overruled=overruled,
    )


class LabelledGains(NamedTuple):
    """The label of each result, and how many of those inside the trace differ from those beside it."""

    gains: npt.NDArray[np.int8]
    overruled: int


def labelled_gains(table: TraceTable, labels: Labels | None) -> LabelledGains:
    """Put labels beside the trace over those inside."""
    inside = table.results.gains
    if labels is None:
        return LabelledGains(inside, 0)
    beside = labels.gains_for(table)
    known = beside != UNLABELLED
    overruled = int(np.count_nonzero(known & (inside != UNLABELLED) & (inside != beside)))
    return LabelledGains(np.where(known, beside, inside), overruled)
