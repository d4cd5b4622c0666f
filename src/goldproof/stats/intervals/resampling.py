"""A bootstrap percentile interval for any statistic, by resampling.

For means use `goldproof.stats.interval`, which needs no resampling. Here rows (or whole clusters of rows) are drawn
with replacement from a seeded generator, the statistic is computed on each resample, and the interval is from its a/2
to its 1 - a/2 quantile (linear between order statistics). A resample on which the statistic is not a finite number is
left out, and the note says how many were; where more than one in twenty has none, there is no interval.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from goldproof.core.errors import InputError
from goldproof.stats.clusters import read_clusters
from goldproof.stats.interval import Interval
from goldproof.stats.sample import checked_confidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import ArrayLike

    from goldproof.core.arrays import FloatArray, IntArray
    from goldproof.stats.clusters import Clusters

METHOD = "bootstrap-percentile"
_MOST_UNDEFINED = 0.05


def bootstrap_interval(
    rows: ArrayLike,
    statistic: Callable[[FloatArray], float],
    *,
    clusters: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
) -> Interval:
    """The statistic of the rows with its percentile interval.

    rows: a number or an array of numbers for each unit. statistic: takes rows, gives a number.
    clusters: a label per row, equal for rows that belong together.
    """
    data = np.asarray(rows, dtype=np.float64)
    grouped = read_clusters(clusters, n=len(data))
    level = checked_confidence(confidence)
    if resamples < 1:
        raise InputError(f"resamples is {resamples}; expected at least 1.")
    units = len(data) if grouped is None else grouped.count
    estimate = float(statistic(data)) if len(data) else float("nan")

    def report(low: float | None, high: float | None, note: str | None) -> Interval:
        known = estimate if isfinite(estimate) else None
        method = METHOD if low is not None else "degenerate"
        return Interval(known, low, high, level, method, len(data), None if grouped is None else units, note)

    if not isfinite(estimate):
        return report(None, None, "The statistic has no value on these data.")
    if units < 2:
        return report(None, None, "One unit cannot show how units differ.")
    drawn = np.array([statistic(data[draw]) for draw in _draws(len(data), grouped, resamples=resamples, seed=seed)])
    finite = drawn[np.isfinite(drawn)]
    undefined = resamples - finite.size
    if undefined > _MOST_UNDEFINED * resamples:
        return report(None, None, f"The statistic has no value on {undefined} of {resamples} resamples.")
    low, high = np.quantile(finite, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return report(low, high, _left_out(undefined, resamples))


def _left_out(undefined: int, resamples: int) -> str | None:
    if not undefined:
        return None
    return f"The statistic has no value on {undefined} of {resamples} resamples, which are left out."


def _draws(n: int, clusters: Clusters | None, *, resamples: int, seed: int) -> Iterator[IntArray]:
    """Row numbers of each resample."""
    generator = np.random.default_rng(seed)
    if clusters is None:
        for _ in range(resamples):
            yield generator.integers(0, n, n)
        return
    members = np.split(np.argsort(clusters.codes, kind="stable"), np.cumsum(clusters.sizes)[:-1].astype(np.int64))
    for _ in range(resamples):
        yield np.concatenate([members[group] for group in generator.integers(0, clusters.count, clusters.count)])
