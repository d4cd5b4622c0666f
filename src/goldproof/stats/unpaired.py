"""Unpaired tests: two systems on different questions. Pair them wherever you can: it takes far fewer questions.

    "permutation"     of labels, for the difference of means (see `label_permutation`); the default
    "mann-whitney"    of ranks (see `mann_whitney`)

Defined outcomes: an empty sample, p is None with the reason; all values equal, p = 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from goldproof.core.errors import UnknownNameError
from goldproof.stats.label_permutation import permute_labels
from goldproof.stats.mann_whitney import mann_whitney_test
from goldproof.stats.outcome import Alternative, TestResult, check_alternative, undefined_test
from goldproof.stats.permutation import DEFAULT_PERMUTATIONS
from goldproof.stats.sample import finite_values

if TYPE_CHECKING:
    import numpy.typing as npt

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
