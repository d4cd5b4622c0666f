"""The picture of a study of traces: gain and redundancy over the iterations, a line per system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.metrics import Metric
from goldproof.report import Chart, Line, Panel

if TYPE_CHECKING:
    from goldproof.jobs.trace.scored_traces import ScoredTraces
    from goldproof.study import Study

_PANELS = (("CG", "mean CG@i", None), ("SRR", "mean SRR@i", (0.0, 1.0)))


def iteration_chart(traces: ScoredTraces, study: Study) -> Chart | None:
    """Draw the families that the study has; None where it has neither, or nothing was searched."""
    iterations = range(1, min(traces.longest, traces.shown) + 1)
    families = [panel for panel in _PANELS if all(str(Metric(panel[0], i)) in study.panel.metrics for i in iterations)]
    if not iterations or not families:
        return None
    panels = tuple(
        Panel(title, tuple(_line(study, name, family, iterations) for name in traces.systems), bounds=bounds)
        for family, title, bounds in families
    )
    return Chart(
        title="Good gain and redundancy over search iterations",
        x_title="iteration i",
        panels=panels,
        notes=("Means over the conversations that have a value at iteration i, with 95% intervals.",),
        n_title="conversations",
    )


def _line(study: Study, name: str, family: str, iterations: range) -> Line:
    summaries = [study.summary(name, str(Metric(family, i))) for i in iterations]
    return Line(
        name=name,
        x=tuple(iterations),
        y=tuple(one.mean for one in summaries),
        low=tuple(one.interval.low for one in summaries),
        high=tuple(one.interval.high for one in summaries),
        n=tuple(one.n for one in summaries),
    )
