"""Kernels of the permutation tests: sign flips, exact signed sums, shared ranks.

If a and b are exchangeable, each difference (or each cluster's sum of differences) is as likely to have come out with
the other sign. The p-value is the share of all 2^n sign patterns whose sum is at least as extreme as the observed one;
two-sided: in absolute value. Sums within 1e-12 of the sum of magnitudes count as equal, so that ties broken by
floating point still count. Zero terms change nothing and are dropped.

Exact wherever that is cheap: terms on a lattice (below), else up to 32 terms by splitting them into two halves whose
2^16 sums each are sorted and matched. Beyond: Monte Carlo, p = (count + 1) / (permutations + 1), which is itself a
valid p-value (Phipson and Smyth 2010). The terms are sorted first, so neither the order of the pairs nor exchanging a
and b moves a two-sided p-value.

Monte Carlo reads eight flips at a time: for each group of eight terms all 256 signed sums stand in a table, and one
random byte picks one of them. Groups and permutations are taken in blocks that stay in cache.

Signed sums. Precision at 10 moves in tenths, a hit in ones, a rank sum in halves. Sums of such terms meet again and
again, so their whole distribution has few points and is built one term at a time:

    f_i(t) = (f_{i-1}(t) + f_{i-1}(t - m_i)) / 2,    T = sum of the m_i with a positive sign,    sum = 2 T - sum(m)

Every step only adds positive numbers, so even a tail of 1e-200 keeps its digits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goldproof.errors import InputError

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.records.arrays import FloatArray, IntArray
    from goldproof.stats.results import Alternative


DEFAULT_PERMUTATIONS = 100_000

_EXACT_TERMS = 32

_RELATIVE_TOLERANCE = 1e-12

_GROUPS_PER_BLOCK = 64

_PERMUTATIONS_PER_BLOCK = 4096


class FlipOutcome(NamedTuple):
    """A permutation p-value; `permutations` is None where every pattern was counted."""

    p_value: float
    permutations: int | None

    @property
    def how(self) -> str:
        """The words for the name of the test."""
        return "exact" if self.permutations is None else f"{self.permutations:,} permutations"


def sign_flip(
    terms: FloatArray,
    *,
    alternative: Alternative = "two-sided",
    seed: int = 0,
    permutations: int = DEFAULT_PERMUTATIONS,
) -> FlipOutcome:
    """Return the sign-flip p-value of the sum of `terms`."""
    if permutations < 1:
        raise InputError(f"permutations: found {permutations}, expected at least 1.")
    terms = _without_zeros(terms)
    if terms.size == 0:
        return FlipOutcome(1.0, None)
    terms = terms[np.lexsort((terms, np.abs(terms)))]
    if alternative == "less":
        terms = -terms
    magnitudes = np.abs(terms)
    exact = _exact_p(terms, magnitudes, two_sided=alternative == "two-sided")
    if exact is not None:
        return FlipOutcome(exact, None)
    slack = _RELATIVE_TOLERANCE * float(magnitudes.sum())
    observed = float(terms.sum())
    sums = random_sign_sums(magnitudes, seed=seed, permutations=permutations)
    if alternative == "two-sided":
        count = np.count_nonzero(np.abs(sums) >= abs(observed) - slack)
    else:
        count = np.count_nonzero(sums >= observed - slack)
    return FlipOutcome((int(count) + 1) / (permutations + 1), permutations)


def _without_zeros(terms: FloatArray) -> FloatArray:
    """Return the terms that can move the sum; a cluster whose differences cancel leaves only rounding behind."""
    magnitudes: FloatArray = np.abs(terms)
    return terms[magnitudes > _RELATIVE_TOLERANCE * float(magnitudes.max(initial=0.0))]


def _exact_p(terms: FloatArray, magnitudes: FloatArray, *, two_sided: bool) -> float | None:
    """Return the exact p-value, or None where it would cost too much."""
    steps = lattice_steps(magnitudes)
    if steps is not None:
        signed = int(np.where(terms > 0, steps, -steps).sum())
        if two_sided:
            return 1.0 if signed == 0 else min(1.0, 2.0 * signed_sum_tail(steps, at_least=abs(signed)))
        return signed_sum_tail(steps, at_least=signed)
    if magnitudes.size > _EXACT_TERMS:
        return None
    slack = _RELATIVE_TOLERANCE * float(magnitudes.sum())
    observed = float(terms.sum())
    if two_sided:
        threshold = abs(observed) - slack
        return 1.0 if threshold <= 0.0 else min(1.0, 2.0 * _matched_halves_tail(magnitudes, threshold))
    return _matched_halves_tail(magnitudes, observed - slack)


def _matched_halves_tail(magnitudes: FloatArray, threshold: float) -> float:
    """Return P(random signed sum >= threshold), counted over all 2^n patterns."""
    half = magnitudes.size // 2
    left = _signed_sums(magnitudes[None, :half])[0]
    right = np.sort(_signed_sums(magnitudes[None, half:])[0])
    below = np.searchsorted(right, threshold - np.sort(left), side="left")
    patterns = int(left.size * right.size)
    return (patterns - int(below.sum())) / patterns


def _signed_sums(groups: FloatArray) -> FloatArray:
    """Return, for each row of k terms, its 2^k signed sums."""
    sums = np.zeros((groups.shape[0], 1))
    for column in range(groups.shape[1]):
        term = groups[:, column : column + 1]
        sums = np.concatenate((sums - term, sums + term), axis=1)
    return sums


def random_sign_sums(magnitudes: FloatArray, *, seed: int, permutations: int) -> FloatArray:
    """Return the sums of the magnitudes with random signs, one per permutation."""
    source = np.random.SFC64(seed)
    groups = np.pad(magnitudes, (0, -magnitudes.size % 8)).reshape(-1, 8)
    sums = np.zeros(permutations)
    picked = np.empty(_PERMUTATIONS_PER_BLOCK)
    for first_group in range(0, len(groups), _GROUPS_PER_BLOCK):
        tables = _signed_sums(groups[first_group : first_group + _GROUPS_PER_BLOCK])
        for start in range(0, permutations, _PERMUTATIONS_PER_BLOCK):
            block = sums[start : start + _PERMUTATIONS_PER_BLOCK]
            out = picked[: block.size]
            for table, row in zip(tables, _random_bytes(source, rows=len(tables), columns=block.size), strict=True):
                table.take(row, out=out, mode="clip")
                block += out
    return sums


def _random_bytes(source: np.random.SFC64, *, rows: int, columns: int) -> npt.NDArray[np.uint8]:
    """Return a block of random bytes, eight from each random word, the same on every machine."""
    words = -(-columns // 8)
    raw = source.random_raw(rows * words).astype("<u8", copy=False)
    return raw.view(np.uint8).reshape(rows, words * 8)[:, :columns]


_WORK_LIMIT = 90_000_000  # terms times points of the distribution: some 50 ms

_FINEST = 1e-5

_TOLERANCE = 1e-9


def lattice_steps(magnitudes: FloatArray) -> IntArray | None:
    """Return each magnitude as a whole number of steps; None where there is no common step that keeps the work small.

    magnitudes: positive, ascending.
    """
    largest, total = float(magnitudes[-1]), float(magnitudes.sum())
    finest = max(_FINEST * largest, magnitudes.size * total / _WORK_LIMIT)
    step = float(magnitudes[0])
    for value in np.unique(magnitudes):
        step = _common_step(float(value), step, tolerance=_TOLERANCE * largest)
        if step < finest:
            return None
    steps = np.rint(magnitudes / step)
    step = total / float(steps.sum())  # averages the rounding of the Euclidean steps away
    if np.abs(magnitudes - steps * step).max() > _TOLERANCE * step:
        return None
    return steps.astype(np.int64)


def _common_step(a: float, b: float, *, tolerance: float) -> float:
    """Find the common step by Euclid's algorithm with nearest remainders, on numbers that carry rounding noise."""
    while b > tolerance:
        a, b = b, abs(a - round(a / b) * b)
    return a


def positive_sum_distribution(steps: IntArray) -> FloatArray:
    """Return P(T = t) for t = 0 ... sum(steps), each term in or out with probability one half."""
    probability = np.zeros(int(steps.sum()) + 1)
    probability[0] = 1.0
    top = 0
    for step in np.sort(steps).tolist():
        top += step
        reached = probability[: top + 1]
        reached *= 0.5
        reached[step:] += reached[: top + 1 - step]
    return probability


def signed_sum_tail(steps: IntArray, *, at_least: int) -> float:
    """Return P(sum of the steps with random signs >= at_least)."""
    total = int(steps.sum())
    if at_least > total:
        return 0.0
    first = max(0, -((-total - at_least) // 2))  # 2 T - total >= at_least, rounded up
    tail = float(positive_sum_distribution(steps)[first:].sum())
    return max(min(1.0, tail), float(np.finfo(np.float64).tiny))  # 2^-n underflows; it is not zero


_DIGITS = 12


class Ranks(NamedTuple):
    """Twice the shared rank of each value (a whole number), and the sizes of the groups of equal values."""

    doubled: IntArray
    tie_sizes: IntArray


def shared_ranks(values: FloatArray) -> Ranks:
    """Rank from 1, ascending. Values that agree to 12 digits of the largest one are equal."""
    if values.size == 0:
        return Ranks(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    largest = float(np.abs(values).max())
    rounded = np.round(values / largest, _DIGITS) if largest > 0 else values
    _, group, sizes = np.unique(rounded, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    return Ranks((2 * last - sizes + 1)[group].astype(np.int64), sizes.astype(np.int64))
