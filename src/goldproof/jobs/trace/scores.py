"""Score the conversations of every system: a value, or why it is undefined or failed; systems side by side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.errors import InputError
from goldproof.jobs.trace.inputs import SHOWN_ITERATIONS
from goldproof.metrics import METRICS, Metric
from goldproof.metrics.gain.iterations import COMPLETION
from goldproof.metrics.gain.iterations_for_all_good_results import CAP
from goldproof.records.traces import HIGHEST_GAIN
from goldproof.stats import mean_interval
from goldproof.study import Column, Panel, encode_clusters
from goldproof.study.panel import ABSENT, FAILED, SCORED, UNDEFINED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy.typing as npt

    from goldproof.jobs.trace.inputs import Scoring
    from goldproof.jobs.trace.pool import Completion, Pooling
    from goldproof.jobs.trace.system_counts import System
    from goldproof.metrics.catalogue import Kind
    from goldproof.metrics.gain.iterations import Iterations
    from goldproof.records.arrays import BoolArray, FloatArray, IntArray
    from goldproof.stats import Interval

NO_SEARCH = "no search in the last turn"
NO_LABEL = "no result is labelled"
NO_GOOD = "no good result in the pool"


class _Status(NamedTuple):
    """Per conversation: scored, undefined or failed; and why, as an index into the reasons."""

    status: npt.NDArray[np.int8]
    reason: npt.NDArray[np.int32]
    reasons: tuple[str | None, ...]


class ScoredSystem:
    """One system's scores by any metric of traces.

    rows: the row of each of the study's conversations among the system's; -1 where the system lacks it.
    pool_given: whether the pool of good results was given: then it needs no labels. labelled_anywhere: whether any
    result of the study has a label; without one no gain is known, not even a 0, unless labels judge the question.
    Values are cached: the same serve columns, bounds and tables.
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
        """Number of distinct results without a label."""
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
        """Whether questions are judged but no result has a label that the metric needs: its names may be others."""
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
        """Return whether each conversation has a value, and else the first reason why not."""
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
        """Return the share of unlabelled results, and the bounds of the mean if they had no gain or the highest."""
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
        """Return the unlabelled share of the distinct results through the cutoff; None where there are none."""
        unlabelled, unique = self._totals(cutoff)
        total = unique[scored].sum()
        if not total:
            return None
        return float(unlabelled[scored].sum() / total) if self.unlabelled else 0.0

    @cached_property
    def pool_found_share(self) -> float | None:
        """The share of its pool that a conversation found, on average over those that have a pool."""
        scored = self.own_column(Metric(COMPLETION)).scored
        return _mean(self.completion.found[scored] / np.maximum(self.completion.pool[scored], 1))


@dataclass(frozen=True, slots=True, eq=False)
class ScoredTraces:
    """The scored systems side by side.

    ids: the conversations of any system, in the order in which they were first met. clusters: null where none is given.
    shown: how many iterations are summarised one by one. pool: own, systems or given.
    """

    ids: pl.Series
    clusters: pl.Series
    systems: Mapping[str, ScoredSystem]
    shown: int
    pool: str

    @property
    def longest(self) -> int:
        """The most iterations that any conversation has."""
        return max((int(scores.system.lengths.max(initial=0)) for scores in self.systems.values()), default=0)

    def over_iterations(self, metrics: Sequence[Metric]) -> list[Metric]:
        """Return the same families at the last iteration and at each iteration that is shown."""
        families = dict.fromkeys(m.family for m in metrics if METRICS.get(m.family).kind != "completion")
        at = [None, *range(1, min(self.longest, self.shown) + 1)]
        return [Metric(family, i) for family in families for i in at]

    def pool_share(self, name: str, *, seed: int) -> PoolShare | None:
        """Return in how many conversations a system completed its pool; None of its own pool, which it always does."""
        if self.pool == "own":
            return None
        scores = self.systems[name]
        scored = scores.column(Metric(COMPLETION)).scored
        completed = scores.completion.completed[scores.rows[scored]]
        known = self.clusters.null_count() < len(self.clusters)
        return PoolShare.of(completed, clusters=encode_clusters(self.clusters)[scored] if known else None, seed=seed)

    def both_completed(self, a: str, b: str) -> BothCompleted:
        """Return when two systems had completed the pools that both completed."""
        iterations = []
        for scores in (self.systems[a], self.systems[b]):
            scored = scores.column(Metric(COMPLETION)).scored
            iterations.append(np.where(scored, scores.completion.completed[scores.rows], 0))
        both = (iterations[0] > 0) & (iterations[1] > 0)
        return BothCompleted(int(both.sum()), *(_mean(completed[both]) for completed in iterations))

    def panel(self, metrics: Sequence[Metric]) -> Panel:
        """Return all scores as columns of a study."""
        columns = {(run, str(m)): scores.column(m) for run, scores in self.systems.items() for m in metrics}
        known = self.clusters.null_count() < len(self.clusters)
        return Panel(
            ids=self.ids,
            runs=tuple(self.systems),
            metrics=tuple(map(str, metrics)),
            columns=columns,
            clusters=encode_clusters(self.clusters) if known else None,
            cluster_names=self.clusters if known else None,
        )

    def texts(self) -> dict[str, str]:
        """Return the texts of the questions, by conversation."""
        known: dict[str, str] = {}
        for scores in reversed(list(self.systems.values())):
            asked = scores.system.texts
            if asked.null_count() < len(asked):
                known |= {i: t for i, t in zip(scores.system.conversations, asked, strict=True) if t is not None}
        return known


class PoolShare(NamedTuple):
    """In how many conversations the whole pool was found, and by which iteration on average in those.

    interval: of the share.
    """

    conversations: int
    completed: int
    interval: Interval
    iteration: float | None

    @property
    def share(self) -> float | None:
        """The share of conversations that completed their pool."""
        return self.completed / self.conversations if self.conversations else None

    @classmethod
    def of(cls, completed: IntArray, *, clusters: IntArray | None, seed: int) -> PoolShare:
        """Summarise. completed: the iteration by which each conversation had found its whole pool, 0 for never."""
        done = completed > 0
        interval = mean_interval(done.astype(np.float64), clusters=clusters, seed=seed)
        return cls(len(done), int(done.sum()), interval, _mean(completed[done]))

    def to_dict(self) -> dict[str, object]:
        """Return the entries of `summary.json`."""
        low, high = self.interval.low, self.interval.high
        return {
            "pool_completed": self.completed,
            "pool_completed_share": self.share,
            "pool_completed_share_ci_95": None if low is None or high is None else [low, high],
            "mean_when_completed": self.iteration,
            "capped_at": CAP,
        }


class BothCompleted(NamedTuple):
    """Conversations in which two systems both completed the pool, and by which iteration each had on average."""

    conversations: int
    a: float | None
    b: float | None


def score_systems(
    systems: Mapping[str, System],
    *,
    completions: Mapping[str, Completion],
    scoring: Scoring,
    pooling: Pooling,
    shown: int = SHOWN_ITERATIONS,
    clusters: Mapping[str, str] | None = None,
    labelled_anywhere: bool | None = None,
) -> ScoredTraces:
    """Score systems side by side.

    completions: of each system's pool. clusters: conversation -> cluster, instead of those in the traces.
    labelled_anywhere: whether any result has a label; None looks at the systems.
    """
    ids = pl.concat([system.conversations for system in systems.values()]).unique(maintain_order=True).alias("id")
    if labelled_anywhere is None:
        labelled_anywhere = any(system.counts.labelled for system in systems.values())
    scored = {
        name: ScoredSystem(
            system,
            rows=_rows(ids, system.conversations),
            scoring=scoring,
            completion=completions[name],
            pool_given=pooling.given is not None,
            labelled_anywhere=labelled_anywhere,
        )
        for name, system in systems.items()
    }
    names = _clusters(ids, systems) if clusters is None else _given_clusters(ids, clusters)
    return ScoredTraces(ids, names, scored, shown, pooling.name)


def _rows(ids: pl.Series, own: pl.Series) -> IntArray:
    places = own.to_frame("id").with_row_index("row")
    rows = ids.to_frame("id").join(places, on="id", how="left", maintain_order="left")["row"]
    return rows.cast(pl.Int64).fill_null(-1).to_numpy().astype(np.int64)


def _given_clusters(ids: pl.Series, clusters: Mapping[str, str]) -> pl.Series:
    names = pl.Series("cluster", [clusters.get(i) for i in ids], dtype=pl.String)
    if names.null_count() == len(names):
        raise InputError("none of the conversations has a cluster; are the ids the same?")
    return names


def _clusters(ids: pl.Series, systems: Mapping[str, System]) -> pl.Series:
    rows = pl.concat(
        [pl.DataFrame({"id": system.conversations, "cluster": system.clusters}) for system in systems.values()]
    ).drop_nulls()
    known = rows.unique(maintain_order=True)
    torn = known.filter(known["id"].is_duplicated())
    if len(torn):
        several = torn.filter(pl.col("id") == torn["id"][0])["cluster"].to_list()
        raise InputError(f"conversation {torn['id'][0]!r} is in the clusters {several}; expected one.")
    return ids.to_frame("id").join(known, on="id", how="left", maintain_order="left")["cluster"].alias("cluster")


def _mean(values: FloatArray | IntArray) -> float | None:
    return float(values.mean()) if len(values) else None
