"""Panels for tests, from plain lists: None is undefined, "crash" is failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.records.entities import Score
from goldproof.records.tables import ScoreTable
from goldproof.study import Panel, panel_from_scores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Value = float | None | str


def panel(metrics: Mapping[str, Mapping[str, Sequence[Value]]], *, clusters: Sequence[str] | None = None) -> Panel:
    """metric -> run -> a value per question."""
    return panel_from_scores(ScoreTable.from_records(scores(metrics, clusters=clusters)))


def scores(
    metrics: Mapping[str, Mapping[str, Sequence[Value]]], *, clusters: Sequence[str] | None = None
) -> list[Score]:
    return [
        _score(run, i, metric, value, None if clusters is None else clusters[i])
        for metric, runs in metrics.items()
        for run, values in runs.items()
        for i, value in enumerate(values)
    ]


def _score(run: str, i: int, metric: str, value: Value, cluster: str | None) -> Score:
    if isinstance(value, str):
        return Score(run, f"q{i}", metric, None, "failed", value, cluster)
    if value is None:
        return Score(run, f"q{i}", metric, None, "undefined", "no relevant document", cluster)
    return Score(run, f"q{i}", metric, value, cluster=cluster)
