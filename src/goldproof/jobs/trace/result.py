"""`TraceResult`: scores of search traces with their tables, chart and files."""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, NamedTuple, Self

from goldproof.errors import InputError
from goldproof.io import replace_file, write_parquet, write_text
from goldproof.jobs.trace.report import (
    conversations_frame,
    curve_tables,
    iteration_chart,
    iteration_tables,
    iterations_frame,
    pool_tables,
    redundancy_sentence,
)
from goldproof.jobs.trace.unlabelled import LABELS, label_lines
from goldproof.metrics import METRICS, parse_metric
from goldproof.metrics.gain.iterations import COMPLETION
from goldproof.report import Note, chart_svg, charts_available
from goldproof.report.result import in_order
from goldproof.study import Attachment, Result, Study, gate_texts, study_tables

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from goldproof.jobs.trace.judge_labels import JudgedLabels
    from goldproof.jobs.trace.scores import ScoredTraces
    from goldproof.llm import Access
    from goldproof.metrics import Metric
    from goldproof.report import Table
    from goldproof.study import Design, Provenance

TABLES = ("iterations.parquet", "conversations.parquet")
PLOT = "plot.svg"
FIRST_METRICS = ("CG", "SRE", "SRR")
NO_PLOT = "the plot is left out: it needs Altair and vl-convert (pip install 'goldproof[report]')."


class JudgedRun(NamedTuple):
    """The labels of a judge, and how its models were asked."""

    labels: JudgedLabels
    access: Access


class TraceResult(Result):
    """A result over search traces; `iterations` and `conversations` are its tables."""

    def __init__(
        self,
        traces: ScoredTraces,
        *,
        metrics: Sequence[Metric],
        design: Design,
        provenance: Provenance,
        remarks: Sequence[str],
        named: bool = True,
        judging: JudgedRun | None = None,
    ) -> None:
        """metrics: those that were asked for; their families are described at every single iteration.

        named: whether the user named them.
        """
        self._judging = judging
        self._named = named
        self._traces = traces
        self._metrics = tuple(metrics)
        self._design = design
        study = self._study(gated=())
        super().__init__(study, provenance=provenance, remarks=remarks, texts=traces.texts())

    def _study(self, *, gated: Sequence[Metric]) -> Study:
        """Return the study. gated: further metrics that gates name, such as at an iteration that none reached."""
        over_iterations = [*self._traces.over_iterations(self._metrics), *gated]
        everything = {str(metric): metric for metric in (*self._metrics, *over_iterations)}
        return Study(
            self._traces.panel(list(everything.values())),
            design=replace(self._design, background=frozenset(everything) - {str(m) for m in self._metrics}),
            extras=cache(lambda run, metric: self._extras(run, everything[metric])),
            unit="conversation",
            foreign=lambda run, metric: self._traces.systems[run].is_foreign(everything[metric]),
        )

    def _extras(self, run: str, metric: Metric) -> dict[str, object]:
        """Return the facts on a mean: bounds of unlabelled results, and the share of pools found."""
        extras = self._traces.systems[run].extras(metric)
        if metric.family != COMPLETION:
            return extras
        share = self._traces.pool_share(run, seed=self._design.test.seed)
        return extras if share is None else extras | share.to_dict()

    def gated(self, expressions: str | Sequence[str]) -> Self:
        """Return the same result with gates checked, also on iterations that no conversation reaches."""
        named = gate_metrics(gate_texts(expressions))
        if all(str(metric) in self.study.panel.metrics for metric in named):
            return super().gated(expressions)
        wider = copy.copy(self)
        wider.study = self._study(gated=named)
        return super(TraceResult, wider).gated(expressions)

    @cached_property
    def iterations(self) -> pl.DataFrame:
        """One row per system, conversation and iteration."""
        return iterations_frame(self._traces)

    @cached_property
    def conversations(self) -> pl.DataFrame:
        """One row per system and conversation."""
        return conversations_frame(self._traces)

    @property
    def conclusion(self) -> str:
        """Which system gains more, how much later searches add, and how many results had been seen before."""
        return f"{super().conclusion}{redundancy_sentence(self._traces)}"

    def tables(self, *, wide: bool = False) -> list[Table]:
        """Return the metrics that matter first and the curves of all systems; wide: all of them, each system alone."""
        if wide:
            return super().tables(wide=True)
        first, later = (self.lead, []) if COMPLETION in self.first_metrics else ([], self.lead)
        groups = self.groups_table()
        by = [] if groups is None else [groups]
        results = study_tables(self.study, metrics=self.first_metrics)
        return [*first, *results, *by, *curve_tables(self._traces, self.study), *later]

    @property
    def first_metrics(self) -> Sequence[str]:
        """The metrics that were asked for; of the default ten, gain, efficiency, redundancy and what is tested."""
        if self._named:
            return self.study.shown
        return [metric for metric in self.study.shown if metric in (*FIRST_METRICS, *self.study.tested)]

    @property
    def notes(self) -> Sequence[Note]:
        """Those of the study, and how to read the table over iterations."""
        curves = [note for table in curve_tables(self._traces, self.study) for note in table.notes]
        return in_order([*super().notes, *(Note(text, "method") for text in curves)])

    @property
    def lead(self) -> Sequence[Table]:
        """The share of conversations that found all good results; a mean that counts 100 for never does not show it."""
        return pool_tables(self._traces, self.study)

    @property
    def appendix(self) -> Sequence[Table]:
        """Each system over its iterations, and each pair."""
        return iteration_tables(self._traces, self.study)

    @cached_property
    def plot(self) -> str | None:
        """Gain and redundancy over iterations as SVG; None where there is nothing to draw."""
        chart = iteration_chart(self._traces, self.study)
        return None if chart is None else chart_svg(chart)

    @property
    def figures(self) -> Sequence[str]:
        """The plot, where it can be drawn."""
        return (PLOT,) if charts_available() and self.plot is not None else ()

    @property
    def own_artefacts(self) -> Sequence[str]:
        """All files a result may have: the plot of an earlier one must not stay beside a result that has none."""
        return (*TABLES, PLOT, LABELS)

    @property
    def run_facts(self) -> Mapping[str, object]:
        """The cost of the judge's models."""
        return {} if self._judging is None else {"models": self._judging.access.budget.facts()}

    @property
    def attachments(self) -> Sequence[Attachment]:
        """Both tables, the plot, and the labels where a judge was asked."""
        tables = zip(TABLES, (self.iterations, self.conversations), strict=True)
        files = [Attachment(name, partial(write_parquet, frame=frame)) for name, frame in tables]
        if self.figures and self.plot is not None:
            files.append(Attachment(PLOT, partial(write_text, text=self.plot)))
        if self._judging is not None:
            lines = list(label_lines(self._judging.labels))
            files.append(Attachment(LABELS, partial(replace_file, content=lines)))
        return files


def gate_metrics(gates: Sequence[str]) -> list[Metric]:
    """Return the metrics of traces that gates begin with."""
    return [metric for text in gates if (metric := _gate_metric(text)) is not None]


def _gate_metric(text: str) -> Metric | None:
    try:
        metric = parse_metric(text.split(maxsplit=1)[0] if text.split() else "")
    except InputError:
        return None
    return metric if METRICS.get(metric.family).subject == "trace" else None
