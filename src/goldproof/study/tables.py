"""A study as tables for people, and as one flat table for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.report import Heading, Table
from goldproof.report.numbers import bracket, count, number, p_value, share, signed
from goldproof.report.result import WIDTH
from goldproof.report.tables import text_width
from goldproof.study.comparison import Pair
from goldproof.study.notes import listed
from goldproof.study.summary import is_tested

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.report.tables import Align
    from goldproof.study.comparison import Comparison, Description, PairedOutcome
    from goldproof.study.study import Study
    from goldproof.study.summary import RunSummary


NOT_TESTED = "not tested"
LOWER = "↓"


def study_tables(study: Study, *, wide: bool = False, metrics: Sequence[str] | None = None) -> list[Table]:
    """Return the tables of a study: the runs with the comparisons beside them or, where they do not fit, below.

    wide: with every count and effect size. metrics: some of those shown.
    """
    if not study.design.pairs:
        return [results_table(study, wide=wide, metrics=metrics)]
    if _only_baseline(study):
        together = results_table(study, beside=True, wide=wide, metrics=metrics)
        if wide or text_width(together) <= WIDTH:
            return [together]
    return [results_table(study, wide=wide, metrics=metrics), comparisons_table(study, wide=wide, metrics=metrics)]


def results_table(
    study: Study, *, beside: bool = False, wide: bool = False, metrics: Sequence[str] | None = None
) -> Table:
    """Return a row per metric and run; beside it the comparison with the one baseline."""
    baseline = study.design.pairs[0].b if beside else ""
    rows = []
    for metric in study.shown if metrics is None else metrics:
        for i, run in enumerate(study.panel.runs):
            cells = _run_cells(study.summary(run, metric), _titled(study, metric) if i == 0 else "", wide=wide)
            rows.append(
                {**cells, **(_difference_cells(study, metric, Pair(run, baseline), wide=wide) if beside else {})}
            )
    names = {name: None for row in rows for name in row}
    titles = {"difference": f"vs {baseline}", "difference interval": "95% interval"} if beside else {}
    headings = tuple(Heading(titles.get(name, name), _ALIGNED.get(name, "right")) for name in names)
    return Table(headings, tuple(tuple(row.get(name, "") for name in names) for row in rows)).without_empty_columns()


def comparisons_table(study: Study, *, wide: bool = False, metrics: Sequence[str] | None = None) -> Table:
    """Return a row per metric and pair."""
    rows = []
    for metric in study.shown if metrics is None else metrics:
        for i, pair in enumerate(study.design.pairs):
            cells = {"metric": _titled(study, metric) if i == 0 else "", "pair": f"{pair.a} − {pair.b}"}
            n = {"n": count(_paired(study, metric, pair).n)}
            rows.append({**cells, **n, **_difference_cells(study, metric, pair, wide=wide)})
    names = list(rows[0]) if rows else []
    titles = {"difference interval": "95% interval"}
    headings = tuple(Heading(titles.get(name, name), _ALIGNED.get(name, "right")) for name in names)
    return Table(headings, tuple(tuple(row.values()) for row in rows))


_ALIGNED: Mapping[str, Align] = {"metric": "left", "run": "left", "pair": "left", "verdict": "left"}


def power_table(study: Study) -> Table:
    """Return the power of this many questions at usual effects, and the smallest effect they find."""
    metrics: dict[tuple[str, ...], list[str]] = {}
    for metric in filter(is_tested, study.shown):
        analysis = study.power_analysis(metric)
        cells = [number(_float(analysis[key]), digits=2) for key in ("d=0.2", "d=0.3", "d=0.5")]
        row = (str(analysis["n"]), *cells, number(_float(analysis["mde"]), digits=3))
        metrics.setdefault(row, []).append(metric)
    rows = [(listed(same), *row) for row, same in metrics.items()]
    names = ("n", "power at d = 0.2", "0.3", "0.5", "smallest d found with power 0.8")
    return Table((Heading("metric", "left"), *(Heading(name) for name in names)), tuple(rows))


def extremes_table(study: Study, comparison: Comparison, *, most: int = 10, texts: Mapping[str, str]) -> Table:
    """Return the largest wins and losses of a pair, question by question."""
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


def _titled(study: Study, metric: str) -> str:
    """Return the name of a metric; with an arrow where lower is better."""
    return metric if study.facts(metric).higher_is_better else f"{metric} {LOWER}"


def _only_baseline(study: Study) -> bool:
    """Return whether each run has at most one comparison, all with one baseline."""
    pairs = study.design.pairs
    return len({pair.b for pair in pairs}) == 1 and len({pair.a for pair in pairs}) == len(pairs)


def _run_cells(summary: RunSummary, metric: str, *, wide: bool) -> dict[str, str]:
    cells = {
        "metric": metric,
        "run": summary.run,
        "mean": number(summary.mean),
        "95% interval": bracket(summary.interval.low, summary.interval.high),
        "n": count(summary.n),
    }
    if not wide:  # what is undefined or missing is in the notes
        return {**cells, "failed": count(summary.n_failed) if summary.n_failed else ""}
    unjudged = summary.extra.get("unjudged_share")
    return {
        **cells,
        "undefined": count(summary.n_undefined),
        "failed": count(summary.n_failed),
        "missing": count(summary.n_missing) if summary.n_missing else "",
        "unjudged": share(_float(unjudged)) if unjudged is not None else "",
    }


def _paired(study: Study, metric: str, pair: Pair) -> PairedOutcome | Description:
    comparison = _comparison(study, metric, pair)
    return study.describe(metric, pair) if comparison is None else comparison.outcome


def _comparison(study: Study, metric: str, pair: Pair) -> Comparison | None:
    return next((c for c in study.comparisons if c.metric == metric and c.pair == pair), None)


def _difference_cells(study: Study, metric: str, pair: Pair, *, wide: bool) -> dict[str, str]:
    if pair not in study.design.pairs:
        return {}
    comparison, paired = _comparison(study, metric, pair), _paired(study, metric, pair)
    low, high = paired.interval.low, paired.interval.high
    cells = {"difference": signed(paired.difference), "difference interval": bracket(low, high, sign=True)}
    if comparison is None:
        return {**cells, "p adj.": "", **({"d_z": ""} if wide else {}), "verdict": NOT_TESTED}
    reason = f" ({comparison.reason})" if comparison.reason else ""
    return {
        **cells,
        "p adj.": p_value(comparison.p_adjusted),
        **({"d_z": signed(comparison.outcome.effect.value, digits=2)} if wide else {}),
        "verdict": comparison.verdict + reason,
    }


def _float(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _shortened(text: str, *, most: int = 80) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def flat_table(study: Study) -> Table:
    """Return all numbers, unrounded, in one table: a row per metric and comparison, or run that has none."""
    names = (
        *("metric", "run", "mean", "ci_low", "ci_high", "n", "n_undefined", "n_failed", "n_missing", "unjudged_share"),
        *(
            "against",
            "difference",
            "difference_low",
            "difference_high",
            "p_adjusted",
            "effect_size",
            "verdict",
            "reason",
        ),
    )
    rows = []
    for metric in study.panel.metrics:
        for run in study.panel.runs:
            own = _flat_run(study.summary(run, metric))
            rows += [(*own, *cells) for cells in _flat_comparisons(study, run, metric)] or [(*own, *("",) * 8)]
    return Table(tuple(Heading(name) for name in names), tuple(rows))


def _flat_run(summary: RunSummary) -> tuple[str, ...]:
    counts = (summary.n, summary.n_undefined, summary.n_failed, summary.n_missing)
    numbers = (summary.mean, summary.interval.low, summary.interval.high, *counts, summary.extra.get("unjudged_share"))
    return (summary.metric, summary.run, *(_plain(value) for value in numbers))


def _flat_comparisons(study: Study, run: str, metric: str) -> list[tuple[str, ...]]:
    if metric not in study.tested:
        pairs = [pair for pair in study.design.pairs if pair.a == run]
        return [_flat_description(pair, study.describe(metric, pair)) for pair in pairs]
    return [_flat_comparison(c) for c in study.comparisons if c.metric == metric and c.pair.a == run]


def _flat_description(pair: Pair, description: Description) -> tuple[str, ...]:
    numbers = (description.difference, description.interval.low, description.interval.high)
    return (pair.b, *(_plain(value) for value in numbers), *("",) * 4)


def _flat_comparison(comparison: Comparison) -> tuple[str, ...]:
    outcome = comparison.outcome
    numbers = (
        outcome.difference,
        outcome.interval.low,
        outcome.interval.high,
        comparison.p_adjusted,
        outcome.effect.value,
    )
    return (comparison.pair.b, *(_plain(value) for value in numbers), comparison.verdict, comparison.reason or "")


def _plain(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.12g}" if isinstance(value, float) else str(value)
