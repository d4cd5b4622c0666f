"""Paired tests: two systems on the same questions. One entry, `paired_test`, and the rule by which it chooses.

    "auto"        0/1 values without clusters: "mcnemar"; everything else: "sign-flip"
    "sign-flip"   permutation of signs (see `permutation`); with clusters whole clusters flip
    "t"           paired t (see `paired_t`); cluster-robust with clusters
    "wilcoxon"    signed ranks (see `wilcoxon`); with clusters whole clusters flip
    "mcnemar", "mcnemar-exact", "mcnemar-midp", "mcnemar-chi2"     for 0/1 values without clusters (see `mcnemar`)

Differences are a minus b; "greater" means that a is greater. Defined outcomes: no pair, p is None with the reason;
every difference zero, p = 1; one pair or one cluster, the sign-flip has two patterns and a two-sided p of 1, with a
note. Clusters of one pair each are the same as no clusters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast, get_args

from goldproof.core.errors import InputError, UnknownNameError
from goldproof.stats.clusters import read_clusters
from goldproof.stats.mcnemar import MCNEMAR_TESTS, McNemarTest, mcnemar_test
from goldproof.stats.outcome import (
    NO_DIFFERENCE,
    NO_PAIRS,
    Alternative,
    TestResult,
    check_alternative,
    undefined_test,
)
from goldproof.stats.paired_t import paired_t_test
from goldproof.stats.permutation import DEFAULT_PERMUTATIONS, sign_flip
from goldproof.stats.sample import finite_values, is_binary, paired_differences
from goldproof.stats.wilcoxon import wilcoxon_test

if TYPE_CHECKING:
    import numpy.typing as npt

    from goldproof.core.arrays import FloatArray
    from goldproof.stats.clusters import Clusters

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
            raise InputError(f"{test}: clusters are not respected by McNemar's test. Use test='sign-flip'.")
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
    """The sign-flip test of the mean difference, which is the statistic."""
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
        what = "pair" if clusters is None else "cluster"
        return f"One {what} has only two sign patterns, so nothing can be concluded."
    return None
