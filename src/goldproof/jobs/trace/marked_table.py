"""A table of conversations, labelled, marked and counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goldproof.metrics.gain.iterations import count_conflicts, count_labels, group_labels
from goldproof.records.traces import UNLABELLED

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.dedup import Marks
    from goldproof.io.datasets.labels import Labels
    from goldproof.jobs.trace.judged_labels import JudgedLabels
    from goldproof.jobs.trace.scoring import Scoring
    from goldproof.metrics.gain.iterations import LabelCounts
    from goldproof.records.arrays import BoolArray, IntArray
    from goldproof.records.traces import TraceTable


@dataclass(frozen=True, slots=True, eq=False)
class MarkedTable:
    """A table of traces with its duplicates marked and its groups labelled.

    gains: each result's own label. labels: the same, but at the first occurrence of a group stands the group's.
    matched: results that have a label beside the trace. overruled: those of them whose label inside differs. conflicts:
    per conversation, duplicates whose label differs from their group's. judged: per conversation, whether the labels
    beside the trace judge its question.
    """

    table: TraceTable
    marks: Marks
    gains: npt.NDArray[np.int8]
    labels: npt.NDArray[np.int8]
    counts: LabelCounts
    conflicts: IntArray
    judged: BoolArray
    matched: int
    overruled: int

    def good_rows(self, threshold: int) -> IntArray:
        """Return the rows of the good first occurrences."""
        good = self.labels >= threshold
        good[self.marks.repeats.rows] = False
        return np.flatnonzero(good)


def mark_table(
    table: TraceTable, *, scoring: Scoring, labels: Labels | None, judged: JudgedLabels | None = None
) -> MarkedTable:
    """Label, mark and count.

    labels: those beside the trace, which win over labels inside. judged: those of a judge, where there is no other.
    """
    gains, matched, overruled = labelled_gains(table, labels)
    asked = np.zeros(len(table.questions), dtype=np.bool_) if labels is None else labels.judges(table)
    gains = gains if judged is None else judged.fill(table, gains, judged=asked)
    starts = table.results_by_conversation
    marks = scoring.mark(table.results, starts)
    rows, firsts = marks.repeats
    by_group = group_labels(gains, rows=rows, firsts=firsts)
    return MarkedTable(
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
        judged=asked,
        matched=matched,
        overruled=overruled,
    )


class LabelledGains(NamedTuple):
    """The label of each result; how many have one beside the trace, and of how many the one inside differs."""

    gains: npt.NDArray[np.int8]
    matched: int
    overruled: int


def labelled_gains(table: TraceTable, labels: Labels | None) -> LabelledGains:
    """Put labels beside the trace over those inside."""
    inside = table.results.gains
    if labels is None:
        return LabelledGains(inside, 0, 0)
    beside = labels.gains_for(table)
    known = beside != UNLABELLED
    overruled = int(np.count_nonzero(known & (inside != UNLABELLED) & (inside != beside)))
    return LabelledGains(np.where(known, beside, inside), int(np.count_nonzero(known)), overruled)
