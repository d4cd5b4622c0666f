"""Two raters on the same items: the table of who says what, and kappa over clusters of items.

`clustered_kappa` is Cohen's kappa with an interval by resampling whole clusters: the items of one question are not
independent, and the large-sample variance takes them to be. Every cluster is one table; a resample is a sum of tables.
Resamples on which kappa has no value are left out; where more than one in twenty has none, there is no interval.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from goldproof.stats.agreement import cohen_kappa
from goldproof.stats.sample import checked_confidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.core.arrays import FloatArray, IntArray
    from goldproof.stats.agreement import Weights
    from goldproof.stats.outcome import Effect

RESAMPLES = 2_000
_MOST_UNDEFINED = 0.05
_BLOCK = 200


def confusion(truth: Sequence[int], said: Sequence[int], *, categories: int) -> IntArray:
    """Return the table: a row per label of the truth, a column per label of the other, from 0 to categories - 1."""
    cells = np.asarray(truth, dtype=np.int64) * categories + np.asarray(said, dtype=np.int64)
    return np.bincount(cells, minlength=categories * categories).reshape(categories, categories)


def clustered_kappa(
    truth: Sequence[int],
    said: Sequence[int],
    *,
    categories: int,
    clusters: Sequence[str],
    weights: Weights | None = None,
    confidence: float = 0.95,
    seed: int = 0,
) -> Effect:
    """Return kappa with an interval over clusters; the plain one where every item is a cluster of its own."""
    checked_confidence(confidence)
    plain = cohen_kappa(list(truth), list(said), weights=weights, categories=range(categories), confidence=confidence)
    names, codes = np.unique(np.asarray(clusters, dtype=np.str_), return_inverse=True)
    if plain.value is None or len(names) == len(codes):
        return plain
    if len(names) < 2:
        note = "All items belong to one cluster, which cannot show how clusters differ."
        return replace(plain, low=None, high=None, note=note)
    tables = _tables(truth, said, codes, categories=categories)
    drawn = _resampled(tables, penalty=_penalty(categories, weights), seed=seed)
    return _with_interval(plain, drawn, clusters=len(names), confidence=confidence)


def _tables(truth: Sequence[int], said: Sequence[int], codes: IntArray, *, categories: int) -> FloatArray:
    """Return a flat table per cluster."""
    size = categories * categories
    cells = np.asarray(truth, dtype=np.int64) * categories + np.asarray(said, dtype=np.int64)
    counts = np.bincount(codes * size + cells, minlength=(int(codes.max()) + 1) * size)
    return counts.reshape(-1, size).astype(np.float64)


def _penalty(categories: int, weights: Weights | None) -> FloatArray:
    steps = np.abs(np.subtract.outer(np.arange(categories), np.arange(categories))).astype(np.float64)
    if weights == "quadratic":
        return np.square(steps)
    return steps if weights == "linear" else np.minimum(steps, 1.0)


def _resampled(tables: FloatArray, *, penalty: FloatArray, seed: int) -> FloatArray:
    """Return kappa on each resample of the clusters; NaN where it has no value."""
    generator = np.random.default_rng(seed)
    clusters, categories = len(tables), len(penalty)
    found = []
    for _ in range(0, RESAMPLES, _BLOCK):
        times = generator.multinomial(clusters, np.full(clusters, 1 / clusters), size=_BLOCK)
        summed = (times @ tables).reshape(_BLOCK, categories, categories)
        n = summed.sum(axis=(1, 2))
        by_chance = np.einsum("bi,ij,bj->b", summed.sum(axis=2), penalty, summed.sum(axis=1)) / n
        apart = (summed * penalty).sum(axis=(1, 2))
        found.append(np.where(by_chance > 0, 1 - apart / np.where(by_chance > 0, by_chance, 1.0), np.nan))
    return np.concatenate(found)


def _with_interval(plain: Effect, drawn: FloatArray, *, clusters: int, confidence: float) -> Effect:
    finite = drawn[np.isfinite(drawn)]
    lost = drawn.size - finite.size
    if lost > _MOST_UNDEFINED * drawn.size:
        note = f"Kappa has no value on {lost} of {drawn.size} resamples, so there is no interval."
        return replace(plain, low=None, high=None, note=note)
    tail = (1 - confidence) / 2
    low, high = np.quantile(finite, (tail, 1 - tail)).tolist()
    note = f"The interval is by resampling {clusters} clusters." + (
        f" Kappa has no value on {lost} of {drawn.size} resamples, which are left out." if lost else ""
    )
    if low == high:
        return replace(plain, low=None, high=None, note="All resamples agree, so there is no interval.")
    return replace(plain, low=low, high=high, note=note)
