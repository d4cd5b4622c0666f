"""All systems side by side: one list of conversations, a column per system and metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from goldproof.core.errors import InputError
from goldproof.jobs.trace.pool import shared_completion
from goldproof.jobs.trace.scored_system import ScoredSystem
from goldproof.jobs.trace.scoring import SHOWN_ITERATIONS
from goldproof.metrics import METRICS, Metric
from goldproof.study import Panel, encode_clusters

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.core.arrays import IntArray
    from goldproof.jobs.trace.pool import Completion, Pooling
    from goldproof.jobs.trace.scoring import Scoring
    from goldproof.jobs.trace.system import Gathered, System


@dataclass(frozen=True, slots=True, eq=False)
class ScoredTraces:
    """The compared systems.

    ids: the conversations of any system, in the order in which they were first met. clusters: null where none is given.
    shown: how many iterations are summarised one by one.
    """

    ids: pl.Series
    clusters: pl.Series
    systems: Mapping[str, ScoredSystem]
    shown: int

    @property
    def longest(self) -> int:
        """The most iterations that any conversation has."""
        return max((int(one.system.lengths.max(initial=0)) for one in self.systems.values()), default=0)

    def over_iterations(self, metrics: Sequence[Metric]) -> list[Metric]:
        """Return the same families at the last iteration and at every single one that is shown."""
        families = dict.fromkeys(m.family for m in metrics if METRICS.get(m.family).kind != "completion")
        at = [None, *range(1, min(self.longest, self.shown) + 1)]
        return [Metric(family, i) for family in families for i in at]

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
    return ScoredTraces(ids, names, scored, shown)


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
