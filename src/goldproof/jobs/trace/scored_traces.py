"""All systems side by side: one list of conversations, a column per system and metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.errors import InputError
from goldproof.jobs.trace.pool import shared_completion
from goldproof.jobs.trace.scored_system import ScoredSystem
from goldproof.jobs.trace.scoring import SHOWN_ITERATIONS
from goldproof.metrics import METRICS, Metric
from goldproof.metrics.gain.iterations import COMPLETION
from goldproof.metrics.gain.iterations_for_all_good_results import CAP
from goldproof.stats import mean_interval
from goldproof.study import Panel, encode_clusters

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.trace.pool import Completion, Pooling
    from goldproof.jobs.trace.scoring import Scoring
    from goldproof.jobs.trace.system import Gathered, System
    from goldproof.records.arrays import IntArray
    from goldproof.stats import Interval


@dataclass(frozen=True, slots=True, eq=False)
class ScoredTraces:
    """The compared systems.

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
        return max((int(one.system.lengths.max(initial=0)) for one in self.systems.values()), default=0)

    def over_iterations(self, metrics: Sequence[Metric]) -> list[Metric]:
        """Return the same families at the last iteration and at every single one that is shown."""
        families = dict.fromkeys(m.family for m in metrics if METRICS.get(m.family).kind != "completion")
        at = [None, *range(1, min(self.longest, self.shown) + 1)]
        return [Metric(family, i) for family in families for i in at]

    def pool_share(self, name: str, *, seed: int) -> PoolShare | None:
        """Return how much of its conversations' pools a system found; None of its own, which it always completes."""
        if self.pool == "own":
            return None
        one = self.systems[name]
        scored = one.column(Metric(COMPLETION)).scored
        completed = one.completion.completed[one.rows[scored]]
        known = self.clusters.null_count() < len(self.clusters)
        return PoolShare.of(completed, clusters=encode_clusters(self.clusters)[scored] if known else None, seed=seed)

    def both_completed(self, a: str, b: str) -> BothCompleted:
        """Return by which iteration two systems had completed the pools that both completed."""
        iterations = []
        for one in (self.systems[a], self.systems[b]):
            scored = one.column(Metric(COMPLETION)).scored
            iterations.append(np.where(scored, one.completion.completed[one.rows], 0))
        both = (iterations[0] > 0) & (iterations[1] > 0)
        return BothCompleted(int(both.sum()), *(_mean(found[both]) for found in iterations))

    def panel(self, metrics: Sequence[Metric]) -> Panel:
        """Lay all scores out."""
        columns = {(run, str(m)): one.column(m) for run, one in self.systems.items() for m in metrics}
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
        """Return the words of the questions, by conversation."""
        known: dict[str, str] = {}
        for one in reversed(list(self.systems.values())):
            asked = one.system.texts
            if asked.null_count() < len(asked):
                known |= {i: t for i, t in zip(one.system.conversations, asked, strict=True) if t is not None}
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


def _mean(values: IntArray) -> float | None:
    return float(values.mean()) if len(values) else None


def score_systems(
    gathered: Mapping[str, Gathered],
    *,
    scoring: Scoring,
    pooling: Pooling,
    shown: int = SHOWN_ITERATIONS,
    clusters: Mapping[str, str] | None = None,
    labelled_anywhere: bool | None = None,
) -> ScoredTraces:
    """Put systems side by side.

    clusters: conversation -> cluster, instead of those in the traces. labelled_anywhere: whether any result has a
    label; None looks at the systems.
    """
    systems = {name: one.system for name, one in gathered.items()}
    ids = pl.concat([one.conversations for one in systems.values()]).unique(maintain_order=True).alias("id")
    if labelled_anywhere is None:
        labelled_anywhere = any(one.counts.labelled for one in systems.values())
    completions = _completions(gathered, scoring=scoring, pooling=pooling)
    scored = {
        name: ScoredSystem(
            one,
            rows=_rows(ids, one.conversations),
            scoring=scoring,
            completion=completions[name],
            pool_given=pooling.given is not None,
            labelled_anywhere=labelled_anywhere,
        )
        for name, one in systems.items()
    }
    names = _clusters(ids, systems) if clusters is None else _given_clusters(ids, clusters)
    return ScoredTraces(ids, names, scored, shown, pooling.name)


def _completions(gathered: Mapping[str, Gathered], *, scoring: Scoring, pooling: Pooling) -> Mapping[str, Completion]:
    if not pooling.shared:
        return {name: one.system.completion for name, one in gathered.items()}
    return shared_completion(
        {name: one.good for name, one in gathered.items()},
        conversations={name: one.system.conversations for name, one in gathered.items()},
        scoring=scoring,
    )


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
        [pl.DataFrame({"id": one.conversations, "cluster": one.clusters}) for one in systems.values()]
    ).drop_nulls()
    known = rows.unique(maintain_order=True)
    torn = known.filter(known["id"].is_duplicated())
    if len(torn):
        several = torn.filter(pl.col("id") == torn["id"][0])["cluster"].to_list()
        raise InputError(f"conversation {torn['id'][0]!r} is in the clusters {several}; it belongs to one.")
    return ids.to_frame("id").join(known, on="id", how="left", maintain_order="left")["cluster"].alias("cluster")
