"""Count one system's traces as a stream: label each table, mark duplicates, keep the counts, drop the table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.errors import InputError
from goldproof.jobs.trace.inputs import labelled_gains
from goldproof.jobs.trace.pool import Completion, completion_of, good_results
from goldproof.metrics.gain.iterations import LabelCounts, count_conflicts, count_labels, group_labels
from goldproof.progress import OnProgress, Progress, ignore
from goldproof.records.keys import content_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

    from goldproof.dedup import Marks
    from goldproof.io import Labels
    from goldproof.jobs.trace.inputs import Scoring
    from goldproof.jobs.trace.judge_labels import JudgedLabels
    from goldproof.jobs.trace.pool import GoodResults, Pooling
    from goldproof.records.arrays import BoolArray, IntArray
    from goldproof.records.traces import TraceTable


@dataclass(frozen=True, slots=True, eq=False)
class MarkedTable:
    """A table of traces with duplicates marked and groups labelled.

    gains: each result's own label. labels: the same, with the group's label at the first occurrence of each group.
    conflicts: per conversation, duplicates whose label differs from their group's. judged: per conversation, whether
    the labels beside the trace judge its question. matched: results that have a label beside the trace. overruled:
    those of them whose label inside differs. clashes: labelled results that the judge graded otherwise. unanswered:
    conversations still without a label although the judge labelled results of their question.
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
    clashes: int
    unanswered: int

    def good_rows(self, threshold: int) -> IntArray:
        """Return the rows of good results, the first of each group."""
        good = self.labels >= threshold
        good[self.marks.repeats.rows] = False
        return np.flatnonzero(good)


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """One system's traces as counts.

    counts: first occurrences per iteration and label. searches, failed_searches: per iteration. conflicts: per
    conversation, duplicates whose label differs from their group's. judged: per conversation, whether the labels beside
    the trace judge its question. completion: of the pool of good results.
    steps: how many duplicates each step of the marking decided. notices: further counts of the marking, by name.
    matched, overruled, clashes, unanswered: sums of those of the tables (`MarkedTable`).
    """

    conversations: pl.Series
    clusters: pl.Series
    texts: pl.Series
    failed: Mapping[str, str]
    counts: LabelCounts
    searches: IntArray
    failed_searches: IntArray
    conflicts: IntArray
    judged: BoolArray
    completion: Completion
    steps: Mapping[str, int]
    notices: Mapping[str, int]
    matched: int
    overruled: int
    clashes: int
    unanswered: int

    @property
    def lengths(self) -> IntArray:
        """Number of iterations of each conversation."""
        return np.diff(self.counts.starts)

    @property
    def crashed(self) -> BoolArray:
        """Which conversations the system failed on."""
        where: BoolArray = self.failure_codes > 0
        return where

    @property
    def failure_texts(self) -> tuple[str, ...]:
        """Why conversations failed, each reason once."""
        return tuple(dict.fromkeys(self.failed.values()))

    @property
    def failure_codes(self) -> IntArray:
        """Per conversation the number of its reason among `failure_texts`, from 1; 0 where it did not fail."""
        if not self.failed:
            return np.zeros(len(self.conversations), dtype=np.int64)
        number = {text: code for code, text in enumerate(self.failure_texts, start=1)}
        return np.array([number.get(self.failed.get(c, ""), 0) for c in self.conversations], dtype=np.int64)

    def content_key(self) -> str:
        """Return the sha256 of all counts that results are made of, but for a judge's."""
        columns = (self.conversations, self.clusters, self.texts)
        arrays = (self.counts.starts, self.counts.results, self.counts.firsts, self.searches, self.failed_searches)
        return content_key(
            *(column.to_list() for column in columns),
            *(array.tolist() for array in (*arrays, self.conflicts, self.judged, *self.completion)),
            dict(self.failed),
            dict(self.steps),
            dict(self.notices),
            self.matched,
            self.overruled,
        )

    def per_conversation(self, counts: IntArray) -> IntArray:
        """Sum counts of iterations over each conversation."""
        totals = np.concatenate([[0], np.cumsum(counts)])
        sums: IntArray = totals[self.counts.starts[1:]] - totals[self.counts.starts[:-1]]
        return sums


class CountedSystem(NamedTuple):
    """A system, and its good results where they are pooled with those of other systems."""

    system: System
    good: Sequence[GoodResults]


def count_system(
    tables: Iterable[TraceTable],
    *,
    name: str,
    scoring: Scoring,
    labels: Labels | None,
    pooling: Pooling,
    judged: JudgedLabels | None = None,
    on_progress: OnProgress = ignore,
) -> CountedSystem:
    """Count every table of a system; only counts are kept of a table, so at most two are in memory.

    labels: beside the trace; judged: of a judge. on_progress: called after each table.
    """
    parts: list[System] = []
    good: list[GoodResults] = []
    conversations = results = 0
    for table in tables:
        marked = mark_table(table, scoring=scoring, labels=labels, judged=judged)
        parts.append(_system(marked, completion_of(marked, pooling=pooling, threshold=scoring.threshold)))
        if pooling.shared:
            good.append(good_results(marked, threshold=scoring.threshold))
        conversations, results = conversations + len(table.conversations), results + len(table.results)
        on_progress(Progress(f"{name}: conversations read", conversations, note=f"{results:,} results"))
    if not parts:
        raise InputError(f"{name}: the traces hold no conversation; expected at least one.")
    on_progress(Progress(f"{name}: conversations read", conversations, conversations, note=f"{results:,} results"))
    return CountedSystem(_joined(parts), good)


def mark_table(
    table: TraceTable, *, scoring: Scoring, labels: Labels | None, judged: JudgedLabels | None = None
) -> MarkedTable:
    """Label the results of a table, mark duplicates and count.

    labels: beside the trace, which win over labels inside. judged: of a judge, for results without another label.
    """
    gains, matched, overruled = labelled_gains(table, labels)
    asked = np.zeros(len(table.questions), dtype=np.bool_) if labels is None else labels.judges(table)
    clashes = unanswered = 0
    if judged is not None:
        gains, clashes, unanswered = judged.fill(table, gains, judged=asked)
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
        clashes=clashes,
        unanswered=unanswered,
    )


def _system(marked: MarkedTable, completion: Completion) -> System:
    table = marked.table
    where = np.searchsorted(table.search_starts, table.failed_searches, side="right") - 1
    return System(
        conversations=table.conversations,
        clusters=table.clusters,
        texts=table.texts,
        failed=table.failed,
        counts=marked.counts,
        searches=np.diff(table.search_starts),
        failed_searches=np.bincount(where, minlength=len(table.search_starts) - 1),
        conflicts=marked.conflicts,
        judged=marked.judged,
        completion=completion,
        steps=marked.marks.steps,
        notices=marked.marks.notices,
        matched=marked.matched,
        overruled=marked.overruled,
        clashes=marked.clashes,
        unanswered=marked.unanswered,
    )


def _joined(parts: Sequence[System]) -> System:
    return System(
        conversations=pl.concat([part.conversations for part in parts]),
        clusters=pl.concat([part.clusters for part in parts]),
        texts=pl.concat([part.texts for part in parts]),
        failed={conversation: why for part in parts for conversation, why in part.failed.items()},
        counts=_joined_counts([part.counts for part in parts]),
        searches=np.concatenate([part.searches for part in parts]),
        failed_searches=np.concatenate([part.failed_searches for part in parts]),
        conflicts=np.concatenate([part.conflicts for part in parts]),
        judged=np.concatenate([part.judged for part in parts]),
        completion=Completion(*map(np.concatenate, zip(*(part.completion for part in parts), strict=True))),
        steps=_added(part.steps for part in parts),
        notices=_added(part.notices for part in parts),
        matched=sum(part.matched for part in parts),
        overruled=sum(part.overruled for part in parts),
        clashes=sum(part.clashes for part in parts),
        unanswered=sum(part.unanswered for part in parts),
    )


def _joined_counts(parts: Sequence[LabelCounts]) -> LabelCounts:
    lengths = np.concatenate([np.diff(part.starts) for part in parts])
    return LabelCounts(
        starts=np.concatenate([[0], np.cumsum(lengths)]),
        results=np.concatenate([part.results for part in parts]),
        firsts=np.concatenate([part.firsts for part in parts]),
    )


def _added(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for part in parts:
        total.update(part)
    return dict(sorted(total.items()))
