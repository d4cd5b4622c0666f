"""Sign-flip permutation: how often would random signs give a sum as far from zero as the one observed?

If a and b are exchangeable, each difference (or each cluster's sum of differences) is as likely to have come out with
the other sign. The p-value is the share of all 2^n sign patterns whose sum is at least as extreme as the observed one;
two-sided: in absolute value. Sums within 1e-12 of the sum of magnitudes count as equal, so that ties broken by
floating point still count. Zero terms change nothing and are dropped.

Exact wherever that is cheap: terms on a lattice (see `signed_sums`), else up to 32 terms by splitting them into two
halves whose 2^16 sums each are sorted and matched. Beyond: Monte Carlo, p = (count + 1) / (permutations + 1), which is
itself a valid p-value (Phipson and Smyth 2010). The terms are sorted first, so neither the order of the pairs nor
exchanging a and b moves a two-sided p-value.

Monte Carlo reads eight flips at a time: for each group of eight terms all 256 signed sums stand in a table, and one
random byte picks one of them. Groups and permutations are taken in blocks that stay in cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goldproof.core.errors import InputError
from goldproof.stats.signed_sums import lattice_steps, signed_sum_tail

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.core.arrays import FloatArray
    from goldproof.stats.outcome import Alternative

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
    """The sign-flip p-value of the sum of `terms`."""
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
    """Terms that can move the sum; a cluster whose differences cancel leaves only rounding behind."""
    magnitudes: FloatArray = np.abs(terms)
    return terms[magnitudes > _RELATIVE_TOLERANCE * float(magnitudes.max(initial=0.0))]


def _exact_p(terms: FloatArray, magnitudes: FloatArray, *, two_sided: bool) -> float | None:
    """The exact p-value, or None where it would cost too much."""
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
    """P(random signed sum >= threshold), counted over all 2^n patterns."""
    half = magnitudes.size // 2
    left = _signed_sums(magnitudes[None, :half])[0]
    right = np.sort(_signed_sums(magnitudes[None, half:])[0])
    below = np.searchsorted(right, threshold - np.sort(left), side="left")
    patterns = int(left.size * right.size)
    return (patterns - int(below.sum())) / patterns


def _signed_sums(groups: FloatArray) -> FloatArray:
    """For each row of k terms its 2^k signed sums."""
    sums = np.zeros((groups.shape[0], 1))
    for column in range(groups.shape[1]):
        term = groups[:, column : column + 1]
        sums = np.concatenate((sums - term, sums + term), axis=1)
    return sums


def random_sign_sums(magnitudes: FloatArray, *, seed: int, permutations: int) -> FloatArray:
    """Sums of the magnitudes with random signs, one per permutation."""
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
    """A block of random bytes, eight from each random word, the same on every machine."""
    words = -(-columns // 8)
    raw = source.random_raw(rows * words).astype("<u8", copy=False)
    return raw.view(np.uint8).reshape(rows, words * 8)[:, :columns]
