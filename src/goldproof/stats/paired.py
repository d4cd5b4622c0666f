"""Paired tests: sign-flip, t, Wilcoxon; McNemar by name.

    "auto"        0/1 values without clusters: "mcnemar"; everything else: "sign-flip"
    "sign-flip"   permutation of signs (see `goldproof.stats.permutation`); with clusters whole clusters flip
    "t"           Student's t; cluster-robust with clusters
    "wilcoxon"    signed ranks; with clusters whole clusters flip
    "mcnemar", "mcnemar-exact", "mcnemar-midp", "mcnemar-chi2"     for 0/1 values without clusters, see
                  `goldproof.stats.mcnemar`

Differences are a minus b; "greater" means that a is greater. Defined outcomes: no pair, p is None with the reason;
every difference zero, p = 1; one pair or one cluster, the sign-flip has two patterns and a two-sided p of 1, with a
note. Clusters of one pair each are the same as no clusters.

The t-test compares

    t = mean(d) / se

with Student's t. With clusters se^2 is the cluster variance of the mean (see `goldproof.stats.samples`) with G - 1
degrees of freedom; without, every pair is its own cluster (G = n) and se is sd / sqrt(n) with ddof 1. Fewer than two
clusters: undefined. Differences all equal and not zero: undefined, since there is no spread to test against. Student
(1908); Liang and Zeger (1986).

Wilcoxon's test. Zero differences are dropped (Wilcoxon's rule); the rest are ranked by magnitude, equal magnitudes
sharing their mean rank. W = sum of the ranks of the positive differences; it is the statistic. Under the null
hypothesis every sign is a fair coin, which gives the exact distribution of W, ties included:

    n <= 100    exact (by adding one rank at a time, see `permutation.signed_sum_tail`)
    n > 100     normal: z = (|W - n(n+1)/4| - 1/2) / sqrt(n(n+1)(2n+1)/24 - sum(t^3 - t)/48), t = sizes of ties

With clusters the signed ranks are summed within each cluster and whole clusters flip. Assumes that differences are
symmetric about their centre. Wilcoxon (1945).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple, cast, get_args

import numpy as np

from goldproof.errors import InputError, UnknownNameError
from goldproof.stats.mcnemar import MCNEMAR_TESTS, McNemarTest, mcnemar_test
from goldproof.stats.permutation import DEFAULT_PERMUTATIONS, Ranks, shared_ranks, sign_flip, signed_sum_tail
from goldproof.stats.results import NO_DIFFERENCE, NO_PAIRS, Alternative, TestResult, check_alternative, undefined_test
from goldproof.stats.samples import ROUNDING, finite_values, is_binary, paired_differences, read_clusters, unit_values

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.records.arrays import FloatArray
    from goldproof.stats.samples import Clusters


PairedTest = Literal["auto", "sign-flip", "t", "wilcoxon", "mcnemar", "mcnemar-exact", "mcnemar-midp", "mcnemar-chi2"]

PAIRED_TESTS: tuple[str, ...] = get_args(PairedTest)


def paired_test(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    clusters: npt.ArrayLike | None = None,
    test: PairedTest = "auto",
    alternative: Alternative = "two-sided",
    seed: int = 0,
    permutations: int = DEFAULT_PERMUTATIONS,
) -> TestResult:
    """Test whether a and b differ, pair by pair.

    clusters: one label per pair, for pairs that are not independent (questions from one document).
    seed, permutations: for the sign-flip where it is too large to be exact.
    """
    if test not in PAIRED_TESTS:
        raise UnknownNameError("paired test", test, PAIRED_TESTS)
    check_alternative(alternative)
    differences = paired_differences(a, b)
    groups = read_clusters(clusters, n=differences.size)
    if test == "auto":
        binary = is_binary(finite_values(a, name="a")) and is_binary(finite_values(b, name="b"))
        test = "mcnemar" if binary and groups is None and differences.size else "sign-flip"
    if test in MCNEMAR_TESTS:
        if groups is not None:
            raise InputError(f"{test}: McNemar's test ignores clusters. Use test='sign-flip'.")
        return mcnemar_test(a, b, test=cast("McNemarTest", test), alternative=alternative)
    if test == "t":
        return paired_t_test(differences, clusters=groups, alternative=alternative)
    if test == "wilcoxon":
        return wilcoxon_test(
            differences, clusters=groups, alternative=alternative, seed=seed, permutations=permutations
        )
    return sign_flip_test(differences, clusters=groups, alternative=alternative, seed=seed, permutations=permutations)


def sign_flip_test(
    differences: FloatArray,
    *,
    clusters: Clusters | None = None,
    alternative: Alternative = "two-sided",
    seed: int = 0,
    permutations: int = DEFAULT_PERMUTATIONS,
) -> TestResult:
    """Run the sign-flip test of the mean difference, which is the statistic."""
    title = "sign-flip" if clusters is None else "cluster sign-flip"
    if differences.size == 0:
        return undefined_test(title, n=0, note=NO_PAIRS)
    terms = differences if clusters is None else clusters.sums(differences)
    outcome = sign_flip(terms, alternative=alternative, seed=seed, permutations=permutations)
    return TestResult(
        f"{title} ({outcome.how})",
        float(differences.mean()),
        outcome.p_value,
        differences.size,
        _sign_flip_note(differences, terms=terms, clusters=clusters),
    )


def _sign_flip_note(differences: FloatArray, *, terms: FloatArray, clusters: Clusters | None) -> str | None:
    if not differences.any():
        return NO_DIFFERENCE
    if terms.size == 1:
        unit = "pair" if clusters is None else "cluster"
        return f"Only one {unit}: the sign-flip test cannot show a difference."
    return None


class MeanError(NamedTuple):
    """A mean, its standard error (0 where it is only rounding) and the degrees of freedom of that error."""

    mean: float
    error: float
    df: int


def mean_error(values: FloatArray, *, clusters: Clusters | None = None) -> MeanError:
    """Return the mean with its (cluster-robust) standard error; needs two values in two clusters."""
    n = values.size
    error = math.sqrt(float(values.var(ddof=1)) / n if clusters is None else clusters.variance(values))
    rounding = error * math.sqrt(n) <= ROUNDING * float(np.abs(values).max())
    return MeanError(float(values.mean()), 0.0 if rounding else error, (n if clusters is None else clusters.count) - 1)


def paired_t_test(
    differences: FloatArray, *, clusters: Clusters | None = None, alternative: Alternative = "two-sided"
) -> TestResult:
    """Run the t-test of the mean difference."""
    n = differences.size
    title = "paired t" if clusters is None else "cluster-robust t"
    if n == 0:
        return undefined_test(title, n=0, note=NO_PAIRS)
    if not differences.any():
        return TestResult(title, 0.0, 1.0, n, NO_DIFFERENCE)
    if n == 1 or (clusters is not None and clusters.count < 2):
        note = "Only one pair: no spread to estimate." if n == 1 else "Only one cluster: no spread to estimate."
        return undefined_test(title, n=n, note=note)
    estimate = mean_error(unit_values(differences), clusters=clusters)  # t has no unit
    if estimate.error == 0.0:
        units = "differences" if clusters is None else "clusters"
        return undefined_test(title, n=n, note=f"All {units} are equal: no spread to test against.")
    statistic = estimate.mean / estimate.error
    return TestResult(title, statistic, _p_value(statistic, estimate.df, alternative), n)


def _p_value(statistic: float, df: int, alternative: Alternative) -> float:
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    if alternative == "two-sided":
        return min(1.0, 2 * float(special.stdtr(df, -abs(statistic))))
    return float(special.stdtr(df, -statistic if alternative == "greater" else statistic))


EXACT_UP_TO = 100


def wilcoxon_test(
    differences: FloatArray,
    *,
    clusters: Clusters | None = None,
    alternative: Alternative = "two-sided",
    seed: int = 0,
    permutations: int = DEFAULT_PERMUTATIONS,
) -> TestResult:
    """Run the signed-rank test of differences; seed and permutations matter only with clusters."""
    n = differences.size
    if n == 0:
        return undefined_test("wilcoxon", n=0, note=NO_PAIRS)
    kept = differences != 0.0
    if not kept.any():
        return TestResult("wilcoxon (exact)", 0.0, 1.0, n, NO_DIFFERENCE)
    ranks = shared_ranks(np.abs(differences[kept]))
    signs = np.sign(differences[kept])
    statistic = float(ranks.doubled[signs > 0].sum()) / 2
    note = f"Differences of zero are left out ({n - signs.size} of {n})." if signs.size < n else None
    if clusters is not None:
        signed = np.zeros(n)
        signed[kept] = signs * ranks.doubled
        flipped = sign_flip(clusters.sums(signed), alternative=alternative, seed=seed, permutations=permutations)
        title = f"cluster wilcoxon ({flipped.how})"
        return TestResult(title, statistic, flipped.p_value, n, note)
    if signs.size <= EXACT_UP_TO:
        p_value = _exact_p(ranks, lead=int((signs * ranks.doubled).sum()), alternative=alternative)
        return TestResult("wilcoxon (exact)", statistic, p_value, n, note)
    return TestResult("wilcoxon (normal)", statistic, _normal_p(ranks, statistic, alternative), n, note)


def _exact_p(ranks: Ranks, *, lead: int, alternative: Alternative) -> float:
    """Return the exact p-value. lead: twice the positive rank sum minus twice the negative one."""
    if alternative == "two-sided":
        return 1.0 if lead == 0 else min(1.0, 2 * signed_sum_tail(ranks.doubled, at_least=abs(lead)))
    return signed_sum_tail(ranks.doubled, at_least=lead if alternative == "greater" else -lead)


def _normal_p(ranks: Ranks, statistic: float, alternative: Alternative) -> float:
    from scipy import special  # noqa: PLC0415  scipy is slow to import

    n = ranks.doubled.size
    ties = ranks.tie_sizes.astype(np.float64)
    spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24 - float((ties**3 - ties).sum()) / 48)
    lead = statistic - n * (n + 1) / 4
    if alternative == "two-sided":
        return min(1.0, 2 * float(special.ndtr(-(abs(lead) - 0.5) / spread)))
    lead = lead if alternative == "greater" else -lead
    return float(special.ndtr(-(lead - 0.5) / spread))
