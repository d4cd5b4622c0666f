"""Comparing score files from anywhere: the same questions, the same metric, two or more systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from goldproof.core.errors import InputError
from goldproof.core.tables import ScoreTable
from goldproof.study.panel import panel_from_scores

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.study.panel import Panel


class Aligned(NamedTuple):
    """Scores of several runs over the same questions, and what had to be left out to get there."""

    panel: Panel
    remarks: tuple[str, ...]


def align(tables: Mapping[str, ScoreTable], *, intersect: bool = False) -> Aligned:
    """Put runs side by side: run name -> its scores.

    Only metrics that every run has are compared. Questions that not every run has are refused, or, with
    `intersect`, left out and reported.
    """
    common, remarks = _common_metrics(tables)
    frames = {run: table.frame.filter(pl.col("metric").is_in(common)) for run, table in tables.items()}
    everywhere = None
    for metric in common:
        keys = {run: set(frame.filter(pl.col("metric") == metric)["id"]) for run, frame in frames.items()}
        shared = set.intersection(*keys.values())
        unmatched = {run: ids - shared for run, ids in keys.items() if ids - shared}
        if unmatched:
            sentence = f"{metric}: " + "; ".join(_unmatched(run, ids) for run, ids in unmatched.items())
            if not intersect:
                raise InputError(
                    f"{sentence}.\n  Score the same questions, or compare what is shared with --intersect."
                )
            if not shared:
                raise InputError(f"{sentence}; no question is left to compare.")
            remarks.append(f"{sentence}; left out (--intersect).")
            keep = pl.col("id").is_in(list(shared)) | (pl.col("metric") != metric)
            frames = {run: frame.filter(keep) for run, frame in frames.items()}
        everywhere = shared
    if not everywhere:
        raise InputError("the files hold no scores to compare.")
    named = [frame.with_columns(pl.lit(run).alias("run")) for run, frame in frames.items()]
    return Aligned(panel_from_scores(ScoreTable(pl.concat(named))), tuple(remarks))


def _common_metrics(tables: Mapping[str, ScoreTable]) -> tuple[list[str], list[str]]:
    metrics = {run: table.frame["metric"].unique(maintain_order=True).to_list() for run, table in tables.items()}
    first = next(iter(metrics.values()))
    common = [metric for metric in first if all(metric in names for names in metrics.values())]
    if not common:
        listed = "; ".join(f"{run} has {', '.join(names) or 'none'}" for run, names in metrics.items())
        raise InputError(f"no metric is in every file: {listed}.")
    remarks = [
        f"{metric} is only in {run}: not compared."
        for run, names in metrics.items()
        for metric in names
        if metric not in common
    ]
    return common, remarks


def _unmatched(run: str, ids: set[str]) -> str:
    shown = ", ".join(repr(i) for i in sorted(ids)[:3]) + (", ..." if len(ids) > 3 else "")
    return f"{len(ids)} question{'s' * (len(ids) != 1)} only in {run} ({shown})"
