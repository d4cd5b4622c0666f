"""One contract for tests and effect size: a finite number, or None with a reason; never NaN, never a warning."""

from __future__ import annotations

import math
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldproof.errors import UnknownNameError
from goldproof.stats.effects import cohen_dz
from goldproof.stats.paired import PairedTest, paired_test
from goldproof.stats.results import Alternative, Effect, TestResult, check_alternative
from goldproof.stats.unpaired import UnpairedTest, unpaired_test

AWKWARD = st.sampled_from([0.0, 1.0, -1.0, 0.5, 0.1 + 0.2, 0.3, 1e-13, 1e-300, 5e-324, 1e6, -1e6, 1 / 3, 1e100, -1e99])
SAMPLE = st.lists(AWKWARD, max_size=9)
PAIRS = st.lists(st.tuples(AWKWARD, AWKWARD, st.sampled_from("xyz")), max_size=9)
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


def check_test(result: TestResult) -> None:
    if result.p_value is None:
        assert result.note
        assert result.statistic is None
    else:
        assert 0.0 < result.p_value <= 1.0
        assert result.statistic is not None
        assert math.isfinite(result.statistic)


def check_effect(effect: Effect) -> None:
    for number in (effect.value, effect.low, effect.high):
        assert number is None or math.isfinite(number)
    if None in (effect.value, effect.low, effect.high):
        assert effect.note
    elif effect.value is not None and effect.low is not None and effect.high is not None:
        assert effect.low <= effect.value <= effect.high


@pytest.mark.parametrize("test", ["auto", "sign-flip", "t", "wilcoxon"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(deadline=None, max_examples=60)
@given(pairs=PAIRS, clustered=st.booleans())
def test_every_paired_outcome_is_a_number_or_a_reason(
    test: PairedTest, alternative: Alternative, pairs: list[tuple[float, float, str]], clustered: bool
) -> None:
    a, b, clusters = [x for x, _, _ in pairs], [y for _, y, _ in pairs], [c for _, _, c in pairs]
    result = paired_test(a, b, clusters=clusters if clustered else None, test=test, alternative=alternative)
    check_test(result)
    assert result.n == len(pairs)


@pytest.mark.parametrize("test", ["mcnemar", "mcnemar-exact", "mcnemar-midp", "mcnemar-chi2"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(deadline=None, max_examples=60)
@given(pairs=st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40))
def test_every_mcnemar_outcome_is_a_number_or_a_reason(
    test: PairedTest, alternative: Alternative, pairs: list[tuple[bool, bool]]
) -> None:
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    check_test(paired_test(a, b, test=test, alternative=alternative))


@pytest.mark.parametrize("test", ["permutation", "mann-whitney"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(deadline=None, max_examples=60)
@given(a=SAMPLE, b=SAMPLE)
def test_every_unpaired_outcome_is_a_number_or_a_reason(
    test: UnpairedTest, alternative: Alternative, a: list[float], b: list[float]
) -> None:
    check_test(unpaired_test(a, b, test=test, alternative=alternative))


@settings(deadline=None, max_examples=60)
@given(differences=SAMPLE)
def test_every_effect_is_a_number_or_a_reason(differences: list[float]) -> None:
    check_effect(cohen_dz(differences))


@settings(deadline=None, max_examples=60)
@given(pairs=PAIRS)
def test_every_clustered_effect_is_a_number_or_a_reason(pairs: list[tuple[float, float, str]]) -> None:
    check_effect(cohen_dz([x for x, _, _ in pairs], clusters=[c for _, _, c in pairs]))


def test_an_unknown_alternative_names_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'greater'"):
        check_alternative(cast("Alternative", "greatest"))


def test_pytest_does_not_collect_the_result_class() -> None:
    assert TestResult.__test__ is False
