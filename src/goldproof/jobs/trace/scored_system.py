"""One system as columns of a study: every conversation scored, undefined or failed, with its reason."""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goldproof.metrics import METRICS, Metric
from goldproof.metrics.gain.iterations import COMPLETION
from goldproof.records.traces import HIGHEST_GAIN
from goldproof.study.panel import ABSENT, FAILED, SCORED, UNDEFINED, Column

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from goldproof.jobs.trace.pool import Completion
    from goldproof.jobs.trace.scoring import Scoring
    from goldproof.jobs.trace.system import System
    from goldproof.metrics.catalogue import Kind
    from goldproof.metrics.gain.iterations import Iterations
    from goldproof.records.arrays import BoolArray, FloatArray, IntArray

NO_SEARCH = "no search in the last turn"
NO_LABEL = "no result is labelled"
NO_GOOD = "no good result in the pool"


class ScoredSystem:
    """A system, ready to be scored by any metric of traces.

    rows: where each of the study's conversations stands among the system's; -1 where the system lacks it.
    pool_given: whether the pool of good results came from outside: then it needs no labels. labelled_anywhere: whether
    any result of the study has a label; without one no gain is known, not even a 0, unless labels judge the question.
    What is computed is kept: the same values serve columns, bounds and tables.
    """

    def __init__(
        self,
        system: System,
        *,
        rows: IntArray,
        scoring: Scoring,
        completion: Completion,
        pool_given: bool,
        labelled_anywhere: bool,
    ) -> None:
        self.system = system
        self.rows = rows
        self.scoring = scoring
        self.completion = completion
        self.pool_given = pool_given
        self._labelled_anywhere = labelled_anywhere
        self.values = cache(self._values)
        self.own_column = cache(self._own_column)
        self._status = cache(self._make_status)
        self._totals = cache(self._make_totals)

    @cached_property
    def iterations(self) -> Iterations:
        """The counts per iteration; unlabelled results have no gain."""
        return self.system.counts.iterations(threshold=self.scoring.threshold)

    @cached_property
    def unlabelled(self) -> int:
        """How many distinct results have no label."""
        return int(self.system.counts.unlabelled.sum())

    @cached_property
    def undefined_gains(self) -> BoolArray:
        """Which conversations have results, but none with a label, for a question that no label judges."""
        blank = self._blank if self._labelled_anywhere else np.ones_like(self._blank)
        undefined: BoolArray = blank & ~self.system.judged
        return undefined

    @cached_property
    def missed(self) -> BoolArray:
        """Which conversations returned none of the documents that are judged for their question: their gains are 0."""
        missed: BoolArray = self._blank & self.system.judged
        return missed

    def is_foreign(self, metric: Metric) -> bool:
        """Whether the metric needs labels, questions are judged, and yet no result has a label: other names."""
        if METRICS.get(metric.family).kind == "search":
            return False
        return bool(self.missed.any()) and bool(self._blank[self.system.lengths > 0].all())

    @cached_property
    def _blank(self) -> BoolArray:
        """Which conversations have results, but none with a label."""
        system = self.system
        unlabelled = system.per_conversation(system.counts.unlabelled)
        unique = system.per_conversation(self.iterations.unique)
        blank: BoolArray = (unique > 0) & (unlabelled == unique)
        return blank

    def _values(self, family: str, *, best: bool = False) -> FloatArray:
        """Return a metric at every iteration of every conversation; best: if every unlabelled result had gain 4."""
        counts = self.iterations
        if best and self.unlabelled:
            counts = self.system.counts.iterations(threshold=self.scoring.threshold, unlabelled_gain=HIGHEST_GAIN)
        return METRICS.get(family).kernel(counts)

    def at(self, values: FloatArray, cutoff: int | None) -> FloatArray:
        """Return the value of each conversation at an iteration, or its last; 0 where it has none."""
        lengths = self.system.lengths
        through = lengths if cutoff is None else np.minimum(lengths, cutoff)
        if not len(values):
            return np.zeros(len(lengths))
        row = np.clip(self.system.counts.starts[:-1] + through - 1, 0, len(values) - 1)
        return np.where(through > 0, values[row], 0.0)

    def column(self, metric: Metric) -> Column:
        """Score one metric on every conversation of the study."""
        own = self.own_column(metric)
        if np.array_equal(self.rows, np.arange(len(own.value))):
            return own
        absent = self.rows < 0
        return Column(
            value=np.where(absent, 0.0, own.value[self.rows]),
            status=np.where(absent, ABSENT, own.status[self.rows]).astype(np.int8),
            reason=np.where(absent, 0, own.reason[self.rows]).astype(np.int32),
            reasons=own.reasons,
            missing=np.zeros(len(self.rows), dtype=np.bool_),
        )

    def _own_column(self, metric: Metric) -> Column:
        """Score one metric on the system's own conversations, in their own order."""
        definition = METRICS.get(metric.family)
        state = self._status(definition.kind, None if self.scoring.carry else metric.cutoff)
        if definition.kind == "completion":
            value = definition.kernel(self.completion.completed)
        else:
            value = self.at(self.values(metric.family), metric.cutoff)
        nothing_missing = np.zeros(len(value), dtype=np.bool_)
        return Column(np.where(state.status == SCORED, value, 0.0), *state, nothing_missing)

    def _make_status(self, kind: Kind, cutoff: int | None) -> _Status:
        """Say of every conversation whether it has a value, and why not; the first reason that holds is given."""
        system = self.system
        reason = system.failure_codes.astype(np.int32)
        status = np.where(reason > 0, FAILED, SCORED).astype(np.int8)
        reasons: list[str | None] = [None, *system.failure_texts]
        for where, text in self._undefined(kind, cutoff):
            fresh = where & (reason == 0)
            if fresh.any():
                reasons.append(text)
                reason[fresh] = len(reasons) - 1
                status[fresh] = UNDEFINED
        return _Status(status, reason, tuple(reasons))

    def _undefined(self, kind: Kind, cutoff: int | None) -> Iterator[tuple[BoolArray, str]]:
        yield self.system.lengths == 0, NO_SEARCH
        if kind == "gain" or (kind == "completion" and not self.pool_given):
            yield self.undefined_gains, NO_LABEL
        if kind == "completion":
            yield self.completion.pool == 0, NO_GOOD
        if cutoff is not None:
            yield self.system.lengths < cutoff, f"ended before iteration {cutoff}"

    def extras(self, metric: Metric) -> dict[str, object]:
        """What labels alone cannot tell: the share without one, and what the mean could be."""
        kind = METRICS.get(metric.family).kind
        if kind == "search":
            return {}
        column = self.own_column(metric)
        scored = column.scored
        facts: dict[str, object] = {"unjudged_share": self._unjudged_share(metric.cutoff, scored)}
        if kind == "completion":
            done = int(np.count_nonzero(self.completion.completed[scored]))
            return facts | {"pool_completed": done, "pool_found_share": self.pool_found_share}
        if scored.any():
            best = (
                column.value if not self.unlabelled else self.at(self.values(metric.family, best=True), metric.cutoff)
            )
            facts["bounds"] = {"none_relevant": _mean(column.value[scored]), "all_relevant": _mean(best[scored])}
        return facts

    def _make_totals(self, cutoff: int | None) -> tuple[FloatArray, FloatArray]:
        """Return unlabelled and all distinct results of each conversation through an iteration."""
        counts = self.iterations
        unlabelled = counts.counted(self.system.counts.unlabelled).astype(np.float64)
        unique = counts.counted(counts.unique).astype(np.float64)
        return self.at(unlabelled, cutoff), self.at(unique, cutoff)

    def _unjudged_share(self, cutoff: int | None, scored: BoolArray) -> float | None:
        """Return the unlabelled part of the distinct results through the cutoff; None where nothing was returned."""
        unlabelled, unique = self._totals(cutoff)
        total = unique[scored].sum()
        if not total:
            return None
        return float(unlabelled[scored].sum() / total) if self.unlabelled else 0.0

    @cached_property
    def pool_found_share(self) -> float | None:
        """The share of its pool that a conversation found, on average over those that have one."""
        scored = self.own_column(Metric(COMPLETION)).scored
        return _mean(self.completion.found[scored] / np.maximum(self.completion.pool[scored], 1))


class _Status(NamedTuple):
    """Per conversation: scored, undefined or failed; and why, as an index into the reasons."""

    status: npt.NDArray[np.int8]
    reason: npt.NDArray[np.int32]
    reasons: tuple[str | None, ...]


def _mean(values: FloatArray) -> float | None:
    return float(values.mean()) if len(values) else None
