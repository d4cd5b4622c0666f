"""Scored queries laid out for the study: a row per query, a column per run and measure; scenarios are the clusters.

Beside the measures stands `passed`: 1 where a query met its criteria, else 0; also a query on which the system failed
has not passed, by this rule. Where a judge's ruling that decides it cannot be used, it is undefined, and failed where
the judge failed. In every other measure a query on which the system failed is `failed`, with the reason, unless the
measure is undefined for it whatever comes (recall where nothing should come): then it is undefined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from goldproof.jobs.memory.scoring import outcome_of
from goldproof.metrics.memory import MEASURES, measure
from goldproof.metrics.memory.best_answer import best_answers
from goldproof.metrics.memory.outcome import Measured
from goldproof.study.panel import FAILED, SCORED, UNDEFINED, Column, Panel, encode_clusters
from goldproof.study.summary import MetricFacts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.memory.scored import ScoredQuery

PASSED = "passed"
METRICS = (PASSED, *MEASURES)
# What runs are compared on; all others are described, so that they do not cost these their power.
TESTED = ("f1_or_silence", "precision", "recall", "f1", "relevance_score", "false_surface", PASSED)


def panel_of(runs: Mapping[str, Sequence[ScoredQuery]]) -> Panel:
    """Lay the queries of one or more systems out; all were asked the same ones in the same order."""
    first = next(iter(runs.values()))
    names = pl.Series("cluster", [row.answered.scenario.id for row in first], dtype=pl.String)
    clusters = None if names.n_unique() == len(names) else names  # a cluster of one says nothing
    return Panel(
        ids=pl.Series("id", [row.key for row in first], dtype=pl.String),
        runs=tuple(runs),
        metrics=METRICS,
        columns={(name, metric): _column(rows, metric) for name, rows in runs.items() for metric in METRICS},
        clusters=None if clusters is None else encode_clusters(clusters),
        cluster_names=clusters,
    )


def facts_of_measures() -> dict[str, MetricFacts]:
    """Return what the study must know of each measure."""
    facts = {
        name: MetricFacts(name, one.lower, one.upper, higher_is_better=one.higher_is_better)
        for name, one in MEASURES.items()
    }
    return {PASSED: MetricFacts(PASSED, 0.0, 1.0, higher_is_better=True), **facts}


def _column(rows: Sequence[ScoredQuery], metric: str) -> Column:
    found = [_measured(row, metric) for row in rows]
    reasons: dict[str | None, int] = {None: 0}
    for one in found:
        reasons.setdefault(one.reason or None, len(reasons))
    status = [SCORED if one.value is not None else FAILED if one.failed else UNDEFINED for one in found]
    return Column(
        value=np.asarray([one.value or 0.0 for one in found], dtype=np.float64),
        status=np.asarray(status, dtype=np.int8),
        reason=np.asarray([reasons[one.reason or None] for one in found], dtype=np.int32),
        reasons=tuple(reasons),
        missing=np.zeros(len(rows), dtype=np.bool_),
    )


def _measured(row: ScoredQuery, metric: str) -> Measured:
    if metric == PASSED:
        undecided = row.undecided
        return Measured(float(row.passed)) if undecided is None else Measured(None, undecided.reason, undecided.failed)
    if not row.failed:
        return row.values[metric]
    undefined = never_defined(row).get(metric)
    return Measured(None, undefined) if undefined else Measured(None, row.answered.error or "failed", failed=True)


def never_defined(row: ScoredQuery) -> dict[str, str]:
    """Return the measures that have no value for a query whatever comes, and why: not even for the best answer."""
    outcome = outcome_of(row.answered, ())
    best = measure(best_answers(outcome, k=max(row.answered.k, len(outcome.expected)))[0])
    told = {"similarity"} if outcome.expected else set()  # which the system would have told
    return {name: one.reason for name, one in best.items() if one.value is None and name not in told}
