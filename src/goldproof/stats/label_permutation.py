"""Two-sample permutation: how often would random labels part the means as far as they are?

Without pairs it is the labels "a" and "b" that are exchangeable. The values are centred on their common mean, and the
sum S of one sample's values is compared with its distribution over all ways to draw that many values; the difference
of means is S times a constant. Two-sided: |S|, with sums within 1e-12 of the sum of magnitudes counted as equal.

Exact for up to 20 values in all (every subset). Beyond: Monte Carlo by drawing without replacement,
p = (count + 1) / (permutations + 1). Values are sorted first, so their order does not move the p-value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.core.errors import InputError
from goldproof.stats.permutation import DEFAULT_PERMUTATIONS, FlipOutcome

if TYPE_CHECKING:
    from goldproof.core.arrays import FloatArray
    from goldproof.stats.outcome import Alternative

_EXACT_VALUES = 20
_RELATIVE_TOLERANCE = 1e-12
_WORDS_PER_BLOCK = 50_000


def permute_labels(
    a: FloatArray,
    b: FloatArray,
    *,
    alternative: Alternative = "two-sided",
    seed: int = 0,
    permutations: int = DEFAULT_PERMUTATIONS,
) -> FlipOutcome:
    """The permutation p-value of mean(a) - mean(b); both need at least one value."""
    if permutations < 1:
        raise InputError(f"permutations: found {permutations}, expected at least 1.")
    mean = float(np.concatenate((a, b)).mean())
    drawn, sign = (a, 1.0) if a.size <= b.size else (b, -1.0)  # the smaller sample is cheaper to draw
    if alternative == "less":
        sign = -sign
    values = sign * np.sort(np.concatenate((a, b)) - mean)
    observed = sign * float((drawn - mean).sum())
    exact = values.size <= _EXACT_VALUES
    if exact:
        sums = _subset_sums(values, size=drawn.size)
    else:
        sums = _random_subset_sums(values, size=drawn.size, seed=seed, permutations=permutations)
    slack = _RELATIVE_TOLERANCE * max(float(np.abs(values).sum()), abs(mean) * values.size)
    if alternative == "two-sided":
        count = int(np.count_nonzero(np.abs(sums) >= abs(observed) - slack))
    else:
        count = int(np.count_nonzero(sums >= observed - slack))
    return FlipOutcome(count / sums.size, None) if exact else FlipOutcome((count + 1) / (sums.size + 1), permutations)


def _subset_sums(values: FloatArray, *, size: int) -> FloatArray:
    """The sums of all subsets of `size` values."""
    sums, sizes = np.zeros(1), np.zeros(1, dtype=np.int64)
    for value in values.tolist():
        sums, sizes = np.concatenate((sums, sums + value)), np.concatenate((sizes, sizes + 1))
    return np.asarray(sums[sizes == size])


def _random_subset_sums(values: FloatArray, *, size: int, seed: int, permutations: int) -> FloatArray:
    """Sums of random subsets: random words that carry a position in their low bits; the `size` lowest are drawn."""
    source = np.random.SFC64(seed)
    positions = np.arange(values.size, dtype=np.uint64)
    low_bits = np.uint64((1 << int(values.size - 1).bit_length()) - 1)
    rows = max(1, _WORDS_PER_BLOCK // values.size)
    sums = np.empty(permutations)
    for start in range(0, permutations, rows):
        block = sums[start : start + rows]
        keys = source.random_raw(block.size * values.size).reshape(block.size, values.size)
        keys = keys & ~low_bits | positions
        keys.partition(size - 1, axis=1)
        block[:] = values.take((keys[:, :size] & low_bits).astype(np.intp)).sum(axis=1)
    return sums
