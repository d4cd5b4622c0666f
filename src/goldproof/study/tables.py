"""A study as tables that a person can read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from goldproof.report import Heading, Table
from goldproof.report.numbers import bracket, count, number, p_value, share, signed
from goldproof.study.notes import listed, notes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.study.comparison import Comparison
    from goldproof.study.study import Study
    from goldproof.study.summary import RunSummary

_RUN_HEADINGS = (
    Heading("metric", "left"),
    Heading("run", "left"),
    Heading("mean"),
    Heading("95% interval"),
    Heading("n"),
    Heading("undefined"),
    Heading("failed"),
    Heading("missing"),
    Heading("unjudged"),
)
_DIFFERENCE_HEADINGS = (
    Heading("difference"),
    Heading("95% interval"),
    Heading("p adj."),
    Heading("d_z"),
    Heading("verdict", "left"),
)


def study_tables(study: Study, *, narrow: bool = False) -> list[Table]:
    """All that is shown of a study: the runs, and the comparisons beside them or, where they do not fit, below."""
    if study.design.pairs and (narrow or not _only_comparison(study)):
        return [results_table(study, beside=False), replace(comparisons_table(study), notes=notes(study))]
    return [replace(results_table(study), notes=notes(study))]


def results_table(study: Study, *, beside: bool = True) -> Table:
    """One row per metric and run; beside it the comparison, where each run has just one."""
    by_run = _only_comparison(study) if beside else {}
    rows = []
    for metric in study.tested:
        for i, run in enumerate(study.panel.runs):
            cells = _run_cells(study.summary(run, metric), metric if i == 0 else "")
            rows.append(cells + (_comparison_cells(by_run.get((metric, run))) if by_run else ()))
    against = f"vs {study.design.pairs[0].b}" if by_run else ""
    headings = _RUN_HEADINGS + ((Heading(against), *_DIFFERENCE_HEADINGS[1:]) if by_run else ())
    return Table(headings, tuple(rows)).without_empty_columns()


def comparisons_table(study: Study) -> Table:
    """One row per metric and pair."""
    headings = (Heading("metric", "left"), Heading("pair", "left"), Heading("n"), *_DIFFERENCE_HEADINGS)
    rows = tuple(
        (c.metric, f"{c.pair.a} − {c.pair.b}", count(c.outcome.n), *_comparison_cells(c)) for c in study.comparisons
    )
    return Table(headings, rows)


def power_table(study: Study) -> Table:
    """What this many questions can and cannot show."""
    metrics: dict[tuple[str, ...], list[str]] = {}
    for metric in study.tested:
        analysis = study.power_analysis(metric)
        cells = [number(_float(analysis[key]), digits=2) for key in ("d=0.2", "d=0.3", "d=0.5")]
        row = (str(analysis["n"]), *cells, number(_float(analysis["mde"]), digits=3))
        metrics.setdefault(row, []).append(metric)
    rows = [(listed(same), *row) for row, same in metrics.items()]
    names = ("n", "power at d = 0.2", "0.3", "0.5", "smallest d found with power 0.8")
    return Table((Heading("metric", "left"), *(Heading(name) for name in names)), tuple(rows))


def extremes_table(study: Study, comparison: Comparison, *, most: int = 10, texts: Mapping[str, str]) -> Table:
    """The largest wins and losses of a pair, question by question."""
    pair, metric = comparison.pair, comparison.metric
    a, b = study.panel.column(pair.a, metric), study.panel.column(pair.b, metric)
    both = np.flatnonzero(a.scored & b.scored)
    gain = (a.value - b.value)[both] * (1 if study.facts(metric).higher_is_better else -1)
    order = np.argsort(-gain, kind="stable")
    wins = [i for i in order[:most] if gain[i] > 0]
    losses = [i for i in order[::-1][:most] if gain[i] < 0]
    ids = study.panel.ids
    rows = []
    for kind, chosen in (("win", wins), ("loss", losses)):
        for i in chosen:
            q = int(both[i])
            values = (number(float(a.value[q])), number(float(b.value[q])), signed(float(a.value[q] - b.value[q])))
            rows.append((kind, str(ids[q]), *values, _shortened(texts.get(str(ids[q]), ""))))
    names = (Heading("", "left"), Heading("question", "left"), Heading(pair.a), Heading(pair.b), Heading("difference"))
    return Table((*names, Heading("text", "left")), tuple(rows)).without_empty_columns()


def _only_comparison(study: Study) -> dict[tuple[str, str], Comparison]:
    """Comparisons by (metric, run), if all are against one baseline; else nothing."""
    pairs = study.design.pairs
    if len({pair.b for pair in pairs}) != 1 or len({pair.a for pair in pairs}) != len(pairs):
        return {}
    return {(c.metric, c.pair.a): c for c in study.comparisons}


def _run_cells(summary: RunSummary, metric: str) -> tuple[str, ...]:
    unjudged = summary.extra.get("unjudged_share")
    return (
        metric,
        summary.run,
        number(summary.mean),
        bracket(summary.interval.low, summary.interval.high),
        count(summary.n),
        count(summary.n_undefined),
        count(summary.n_failed),
        count(summary.n_missing) if summary.n_missing else "",
        share(_float(unjudged)) if unjudged is not None else "",
    )


def _comparison_cells(comparison: Comparison | None) -> tuple[str, ...]:
    if comparison is None:
        return ("",) * len(_DIFFERENCE_HEADINGS)
    outcome = comparison.outcome
    return (
        signed(outcome.difference),
        bracket(outcome.interval.low, outcome.interval.high, sign=True),
        p_value(comparison.p_adjusted),
        signed(outcome.effect.value, digits=2),
        comparison.verdict + (f" ({comparison.reason})" if comparison.reason else ""),
    )


def _float(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _shortened(text: str, *, most: int = 80) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
