"""Scores as runs x metrics, each a column over the same questions in the same order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from goldproof.errors import InputError, UnknownNameError
from goldproof.records.tables import SCORE_SCHEMA, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from goldproof.records.arrays import BoolArray, FloatArray, IntArray

SCORED, UNDEFINED, FAILED, ABSENT = 0, 1, 2, 3
STATUS_NAMES = ("scored", "undefined", "failed")
MISSING = "missing from the run: counted 0"


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One metric of one run, a row per question.

    value: 0 where not scored. status: SCORED, UNDEFINED, FAILED, or ABSENT (no such row at all).
    reason: index into reasons, 0 for none. missing: questions that the run lacks: they
    score 0, or are absent.
    """

    value: FloatArray
    status: npt.NDArray[np.int8]
    reason: npt.NDArray[np.int32]
    reasons: tuple[str | None, ...]
    missing: BoolArray

    @property
    def scored(self) -> BoolArray:
        """Where there is a value."""
        where: BoolArray = self.status == SCORED
        return where

    @property
    def failed(self) -> BoolArray:
        """Where the system crashed."""
        where: BoolArray = self.status == FAILED
        return where

    def only(self, members: BoolArray) -> Column:
        """Return the same for some of the questions."""
        return Column(
            value=self.value[members],
            status=self.status[members],
            reason=self.reason[members],
            reasons=self.reasons,
            missing=self.missing[members],
        )

    def count(self, status: int) -> int:
        """Count the rows with a status."""
        return int(np.count_nonzero(self.status == status))

    def reason_counts(self) -> dict[str, int]:
        """Count the questions by reason."""
        counts = np.bincount(self.reason, minlength=len(self.reasons))
        return {text: int(n) for text, n in zip(self.reasons, counts, strict=True) if text is not None and n}


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """All scores of a study.

    clusters: a code per question, or None where questions are independent. A question without a cluster is its own.
    """

    ids: pl.Series
    runs: tuple[str, ...]
    metrics: tuple[str, ...]
    columns: Mapping[tuple[str, str], Column]
    clusters: IntArray | None = None
    cluster_names: pl.Series | None = None

    def column(self, run: str, metric: str) -> Column:
        """Return one run's values of one metric."""
        if run not in self.runs:
            raise UnknownNameError("run", run, self.runs)
        if metric not in self.metrics:
            raise UnknownNameError("metric", metric, self.metrics)
        return self.columns[run, metric]

    def only(self, members: BoolArray) -> Panel:
        """Return the same for some of the questions."""
        return Panel(
            ids=self.ids.filter(members),
            runs=self.runs,
            metrics=self.metrics,
            columns={key: column.only(members) for key, column in self.columns.items()},
            clusters=None if self.clusters is None else self.clusters[members],
            cluster_names=None if self.cluster_names is None else self.cluster_names.filter(members),
        )

    def to_scores(self, metrics: Sequence[str] | None = None) -> ScoreTable:
        """Return the rows of some metrics, or of all: run, id, metric, value, status, reason, cluster."""
        chosen = self.metrics if metrics is None else metrics
        frames = [self._frame(run, metric) for run in self.runs for metric in chosen]
        return ScoreTable(pl.concat(frames) if frames else pl.DataFrame(schema=SCORE_SCHEMA))

    def _frame(self, run: str, metric: str) -> pl.DataFrame:
        column = self.columns[run, metric]
        n = len(self.ids)
        names = self.cluster_names
        frame = pl.DataFrame(
            {
                "run": pl.repeat(run, n, dtype=pl.String, eager=True),
                "id": self.ids,
                "metric": pl.repeat(metric, n, dtype=pl.String, eager=True),
                "value": pl.Series(column.value, dtype=pl.Float64),
                "status": pl.Series([*STATUS_NAMES, None], dtype=pl.String).gather(column.status.astype(np.uint32)),
                "reason": pl.Series(list(column.reasons), dtype=pl.String).gather(column.reason.astype(np.uint32)),
                "cluster": pl.repeat(None, n, dtype=pl.String, eager=True) if names is None else names,
            },
            schema=SCORE_SCHEMA,
        )
        present = pl.Series(column.status != ABSENT)
        scored = pl.Series(column.scored)
        return frame.with_columns(pl.when(scored).then("value").alias("value")).filter(present)


def panel_from_scores(scores: ScoreTable) -> Panel:
    """Lay out a score table; ids, runs and metrics keep the order in which they first appear."""
    frame = scores.frame
    repeated = frame.filter(frame.select("run", "id", "metric").is_duplicated())
    if len(repeated):
        run, question, metric = repeated.row(0)[:3]
        raise InputError(f"run {run!r} has more than one {metric} for question {question!r}; keep one row of each.")
    ids = frame["id"].unique(maintain_order=True)
    runs = tuple(frame["run"].unique(maintain_order=True).to_list())
    metrics = tuple(frame["metric"].unique(maintain_order=True).to_list())
    parts = frame.partition_by(["run", "metric"], as_dict=True)
    empty = frame.clear()
    columns = {(r, m): _column_from_rows(parts.get((r, m), empty), ids) for r in runs for m in metrics}
    names, codes = _clusters_from_rows(frame, ids)
    return Panel(ids, runs, metrics, columns, clusters=codes, cluster_names=names)


def encode_clusters(names: pl.Series) -> IntArray:
    """Turn cluster names into codes; a question without one is a cluster of its own."""
    codes = (
        names.rank("dense").cast(pl.Int64).to_numpy().copy() if names.null_count() == 0 else _encode_with_gaps(names)
    )
    return np.asarray(codes, dtype=np.int64)


def _encode_with_gaps(names: pl.Series) -> IntArray:
    ranked = names.rank("dense").cast(pl.Int64)
    alone = np.arange(len(names), dtype=np.int64) + len(names) + 1
    known = ranked.is_not_null().to_numpy()
    return np.where(known, ranked.fill_null(0).to_numpy(), alone)


def _column_from_rows(rows: pl.DataFrame, ids: pl.Series) -> Column:
    aligned = ids.to_frame("id").join(rows, on="id", how="left", maintain_order="left")
    statuses = pl.Enum([*STATUS_NAMES])
    status = aligned["status"].cast(statuses).to_physical().cast(pl.Int8).fill_null(ABSENT).to_numpy()
    reasons: list[str | None] = [None, *aligned["reason"].drop_nulls().unique(maintain_order=True).to_list()]
    index = {text: code for code, text in enumerate(reasons)}
    return Column(
        value=aligned["value"].fill_null(0.0).to_numpy(),
        status=status,
        reason=np.fromiter((index[text] for text in aligned["reason"]), dtype=np.int32, count=len(ids)),
        reasons=tuple(reasons),
        missing=(aligned["reason"] == MISSING).fill_null(value=False).to_numpy(),
    )


def _clusters_from_rows(frame: pl.DataFrame, ids: pl.Series) -> tuple[pl.Series | None, IntArray | None]:
    known = frame.select("id", "cluster").drop_nulls().unique(maintain_order=True)
    if not len(known):
        return None, None
    torn = known.filter(known["id"].is_duplicated())
    if len(torn):
        question = torn["id"][0]
        several = torn.filter(pl.col("id") == question)["cluster"].to_list()
        raise InputError(f"question {question!r} is in the clusters {several}; a question belongs to one cluster.")
    names = ids.to_frame("id").join(known, on="id", how="left", maintain_order="left")["cluster"]
    return names, encode_clusters(names)
