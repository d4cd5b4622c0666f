"""What a verdict promises, tried on systems of which the truth is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from goldproof.study import Design, Panel, Procedure, Study, choose_pairs
from tests.study.panels import panel

if TYPE_CHECKING:
    from goldproof.study.panel import Column

STUDIES = 150
QUICK = Procedure(permutations=2_000)


def null_panel(rng: np.random.Generator, *, clusters: int | None) -> Panel:
    """Three systems of equal quality on three metrics; in clusters, whole clusters favour one of them by chance."""
    n = 60
    codes = np.arange(n) % clusters if clusters else np.arange(n)
    metrics = {
        metric: {
            run: np.clip(0.5 + rng.normal(0, 0.2, codes.max() + 1)[codes] + rng.normal(0, 0.1, n), 0, 1).tolist()
            for run in "abc"
        }
        for metric in ("nDCG@10", "RR", "AP")
    }
    return panel(metrics, clusters=[f"c{c}" for c in codes] if clusters else None)


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [None, 12])
def test_equal_systems_are_called_different_in_at_most_one_study_of_twenty(clusters: int | None) -> None:
    rng = np.random.default_rng(11)
    alarms = 0
    for _ in range(STUDIES):
        laid_out = null_panel(rng, clusters=clusters)
        study = Study(laid_out, design=Design(choose_pairs(laid_out.runs), test=QUICK))
        alarms += any(c.verdict in {"better", "worse"} for c in study.comparisons)
    # 5% of 150 is 7.5; three binomial standard deviations (2.7) above that is 15
    assert alarms <= 15


@pytest.mark.slow
def test_ignoring_clusters_would_raise_false_alarms() -> None:
    """The test above can fail: the same studies without their clusters are wrong far too often."""
    rng = np.random.default_rng(11)
    alarms = 0
    for _ in range(60):
        clustered = null_panel(rng, clusters=12)
        columns: dict[tuple[str, str], Column] = dict(clustered.columns)
        blind = Panel(clustered.ids, clustered.runs, clustered.metrics, columns)
        study = Study(blind, design=Design(choose_pairs(blind.runs), test=QUICK))
        alarms += any(c.verdict in {"better", "worse"} for c in study.comparisons)
    assert alarms > 15


@pytest.mark.slow
def test_a_tie_is_rarely_declared_where_the_difference_is_the_margin() -> None:
    # two one-sided tests at 5%: with a true difference at the margin, tied at most about once in twenty
    rng = np.random.default_rng(5)
    tied = 0
    for _ in range(STUDIES):
        base = 0.2 + rng.random(400) * 0.6
        laid_out = panel({"nDCG@10": {"a": base.tolist(), "b": (base + 0.01 + rng.normal(0, 0.03, 400)).tolist()}})
        study = Study(laid_out, design=Design(choose_pairs(laid_out.runs), test=QUICK))
        tied += study.comparisons[0].verdict == "tied"
    assert tied <= 15
