"""A study as one flat table of unrounded numbers, for spreadsheets and scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.report import Heading, Table

if TYPE_CHECKING:
    from goldproof.study.comparison import Comparison
    from goldproof.study.description import Description
    from goldproof.study.pairs import Pair
    from goldproof.study.study import Study
    from goldproof.study.summary import RunSummary


def flat_table(study: Study) -> Table:
    """All numbers, unrounded, in one table for machines: a row per metric and comparison, or run that has none."""
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
    if metric in study.design.described:
        pairs = [pair for pair in study.design.pairs if pair.a == run]
        return [_flat_description(pair, study.describe(metric, pair)) for pair in pairs]
    return [_flat_comparison(c) for c in study.comparisons if c.metric == metric and c.pair.a == run]


def _flat_description(pair: Pair, found: Description) -> tuple[str, ...]:
    numbers = (found.difference, found.interval.low, found.interval.high)
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
