"""Tests of two independent samples: permutation of labels, Mann-Whitney.

    "permutation"     of labels, for the difference of means; the default
    "mann-whitney"    of ranks

Defined outcomes: an empty sample, p is None with the reason; all values equal, p = 1.

Permutation. Without pairs it is the labels "a" and "b" that are exchangeable. The values are centred on their common
mean, and the sum S of one sample's values is compared with its distribution over all ways to draw that many values; the
difference of means is S times a constant. Two-sided: |S|, with sums within 1e-12 of the sum of magnitudes counted as
equal.

Exact for up to 20 values in all (every subset). Beyond: Monte Carlo by drawing without replacement, p = (count + 1) /
(permutations + 1). Values are sorted first, so their order does not move the p-value.

Mann-Whitney. U = number of (a, b) pairs in which a is greater, ties counted one half = rank sum of a - n_a (n_a + 1) /
2.

    n_a + n_b <= 60    exact over all ways to deal the (shared) ranks out, ties included
    above              normal: z = (|U - n_a n_b / 2| - 1/2) / sqrt(n_a n_b / 12 * (n + 1 - sum(t^3 - t) / (n (n - 1))))

where t are the sizes of groups of equal values. All values equal: p = 1. Mann and Whitney (1947).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from goldproof.errors import InputError, UnknownNameError
from goldproof.stats.permutation import DEFAULT_PERMUTATIONS, FlipOutcome, Ranks, shared_ranks
from goldproof.stats.results import Alternative, TestResult, check_alternative, undefined_test
from goldproof.stats.samples import finite_values

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.records.arrays import FloatArray, IntArray


UnpairedTest = Literal["permutation", "mann-whitney"]

UNPAIRED_TESTS: tuple[str, ...] = get_args(UnpairedTest)


def unpaired_test(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    test: UnpairedTest = "permutation",
    alternative: Alternative = "two-sided",
    seed: int = 0,
    permutations: int = DEFAULT_PERMUTATIONS,
) -> TestResult:
    """Test whether two independent samples differ. The statistic is mean(a) - mean(b), or U of a."""
    if test not in UNPAIRED_TESTS:
        raise UnknownNameError("unpaired test", test, UNPAIRED_TESTS)
    check_alternative(alternative)
    first, second = finite_values(a, name="a"), finite_values(b, name="b")
    n = int(first.size + second.size)
    if not (first.size and second.size):
        empty = "Both samples are" if n == 0 else f"Sample {'b' if first.size else 'a'} is"
        return undefined_test(test, n=n, note=f"{empty} empty.")
    if test == "mann-whitney":
        return mann_whitney_test(first, second, alternative=alternative)
    outcome = permute_labels(first, second, alternative=alternative, seed=seed, permutations=permutations)
    equal = first.min() == first.max() == second.min() == second.max()
    return TestResult(
        f"permutation ({outcome.how})",
        float(first.mean() - second.mean()),
        outcome.p_value,
        n,
        "All values are equal." if equal else None,
    )


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
    """Return the permutation p-value of mean(a) - mean(b); both need at least one value."""
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
    """Return the sums of all subsets of `size` values."""
    sums, sizes = np.zeros(1), np.zeros(1, dtype=np.int64)
    for value in values.tolist():
        sums, sizes = np.concatenate((sums, sums + value)), np.concatenate((sizes, sizes + 1))
    return np.asarray(sums[sizes == size])


def _random_subset_sums(values: FloatArray, *, size: int, seed: int, permutations: int) -> FloatArray:
    """Return sums of random subsets: random words carry a position in their low bits; the `size` lowest are drawn."""
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


EXACT_UP_TO = 60


def mann_whitney_test(a: FloatArray, b: FloatArray, *, alternative: Alternative = "two-sided") -> TestResult:
    """Run the U test of two samples, each with at least one value. The statistic is U of a."""
    n = int(a.size + b.size)
    ranks = shared_ranks(np.concatenate((a, b)))
    doubled_u = int(ranks.doubled[: a.size].sum()) - a.size * (a.size + 1)
    if ranks.tie_sizes.size == 1:
        return TestResult("mann-whitney (exact)", doubled_u / 2, 1.0, n, "All values are equal.")
    lead = doubled_u - a.size * b.size  # twice U's distance from its centre, a whole number
    if n <= EXACT_UP_TO:
        p_value = _exact_p(ranks.doubled, size=a.size, lead=lead, alternative=alternative)
        return TestResult("mann-whitney (exact)", doubled_u / 2, p_value, n)
    p_value = _normal_p(ranks, size=a.size, lead=lead, alternative=alternative)
    return TestResult("mann-whitney (normal)", doubled_u / 2, p_value, n)


def _exact_p(doubled: IntArray, *, size: int, lead: int, alternative: Alternative) -> float:
    """Return the share of all ways to deal the ranks out whose lead is as extreme. With ties it is not symmetric."""
    n = doubled.size
    smaller = min(size, n - size)
    ways = _rank_sum_counts(doubled, size=smaller)
    leads = np.arange(ways.size) - smaller * (n + 1)
    if smaller != size:
        leads = -leads
    if alternative == "two-sided":
        leads, lead = np.abs(leads), abs(lead)
    elif alternative == "less":
        leads, lead = -leads, -lead
    extreme = leads >= lead
    return min(1.0, float(ways[extreme].sum() / ways.sum()))


def _rank_sum_counts(doubled: IntArray, *, size: int) -> FloatArray:
    """Return in how many ways `size` of the doubled ranks add up to 0, 1, 2, ..."""
    ways: FloatArray = np.zeros((size + 1, int(np.sort(doubled)[doubled.size - size :].sum()) + 1))
    ways[0, 0] = 1.0
    for rank in doubled.tolist():
        ways[1:, rank:] += ways[:-1, : ways.shape[1] - rank].copy()
    return np.asarray(ways[size])


def _normal_p(ranks: Ranks, *, size: int, lead: int, alternative: Alternative) -> float:
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    n = ranks.doubled.size
    ties = ranks.tie_sizes.astype(np.float64)
    spread = math.sqrt(size * (n - size) / 12 * (n + 1 - float((ties**3 - ties).sum()) / (n * (n - 1))))
    if alternative == "two-sided":
        return min(1.0, 2 * float(special.ndtr(-(abs(lead) - 1) / 2 / spread)))
    lead = lead if alternative == "greater" else -lead
    return float(special.ndtr(-(lead - 1) / 2 / spread))
