"""Fleiss' kappa equals statsmodels, Gwet's AC1 its published examples; degenerate tables have a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from statsmodels.stats import inter_rater

from goldproof.errors import InputError
from goldproof.stats import Effect, cohen_kappa, fleiss_kappa, gwet_ac1, krippendorff_alpha
from tests.stats.test_several_raters_alpha import PUBLISHED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Gwet (2002), Kappa statistic is not satisfactory: 125 subjects, + and + 118 times, + and - 5, - and + 2, never - and -
PARADOX = ([1] * 118 + [1] * 5 + [0] * 2, [1] * 118 + [0] * 5 + [1] * 2)
tables = st.integers(2, 5).flatmap(
    lambda raters: st.lists(st.lists(st.integers(0, 3), min_size=raters, max_size=raters), min_size=1, max_size=12)
)


@given(tables)
@settings(max_examples=50)
def test_fleiss_kappa_equals_statsmodels(units: list[list[int]]) -> None:
    assume(len({rating for unit in units for rating in unit}) > 1)
    expected = inter_rater.fleiss_kappa(inter_rater.aggregate_raters(np.array(units))[0], method="fleiss")
    assert fleiss_kappa(list(zip(*units, strict=True)), resamples=0).value == pytest.approx(expected, abs=1e-12)


def test_fleiss_kappa_by_hand() -> None:
    # Units aab, bbb, aaa, abb. Agreement 1/3, 1, 1, 1/3: mean 2/3. a is 2 + 0 + 3 + 1 = 6 of 12, so chance is 1/2.
    # (2/3 - 1/2) / (1/2) = 1/3
    ratings = ["abaa", "abab", "bbab"]
    assert fleiss_kappa(ratings, resamples=0).value == pytest.approx(1 / 3)


def test_ac1_of_the_published_paradox() -> None:
    # agreement 118 / 125 = 0.944; + is (123 + 120) / 250 = 0.972: chance 2 * 0.972 * 0.028 = 0.054432
    # (0.944 - 0.054432) / 0.945568 = 0.9408, where kappa is -0.0234: the paradox
    assert gwet_ac1(PARADOX, resamples=0).value == pytest.approx(0.9408, abs=5e-5)
    assert cohen_kappa(*PARADOX).value == pytest.approx(-0.0234, abs=5e-5)


def test_ac1_of_four_raters_with_missing_ratings_is_the_published_one() -> None:
    # Gwet, Handbook of Inter-Rater Reliability, 4th ed.: AC1 0.77544 on these ratings (irrCAC 0.4.4 gives the same)
    assert gwet_ac1(PUBLISHED, resamples=0).value == pytest.approx(0.77544, abs=5e-6)


def test_a_category_that_nobody_chose_counts_where_it_is_named() -> None:
    # Agreement 1/2, shares 3/4 and 1/4, sum of p (1 - p) = 3/8: chance 3/8 of two categories, 3/16 of three.
    ratings = ["aa", "ab"]
    assert gwet_ac1(ratings, resamples=0).value == pytest.approx((1 / 2 - 3 / 8) / (5 / 8))
    assert gwet_ac1(ratings, categories="abc", resamples=0).value == pytest.approx((1 / 2 - 3 / 16) / (13 / 16))


def test_ac1_knows_full_agreement_on_one_category_where_kappa_and_alpha_do_not() -> None:
    ratings = [[0] * 9] * 3
    assert gwet_ac1(ratings, categories=[0, 1]).value == 1.0
    assert fleiss_kappa(ratings).value is None
    assert krippendorff_alpha(ratings).value is None


COEFFICIENTS = (fleiss_kappa, gwet_ac1)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([], "No unit has two ratings."),
        ([[], []], "No unit has two ratings."),
        ([[0, 1, 1]], "No unit has two ratings."),
        ([[0, None], [None, 1]], "No unit has two ratings."),
    ],
)
def test_without_a_pair_of_ratings_there_is_no_value(
    coefficient: Callable[..., Effect], ratings: list[list[int | None]], reason: str
) -> None:
    effect = coefficient(ratings)
    assert (effect.value, effect.low, effect.high, effect.note) == (None, None, None, reason)


def test_one_category_has_no_value_and_the_reason_says_what_to_do() -> None:
    assert fleiss_kappa([[1, 1], [1, 1]]).note == "All ratings are equal, so there is no variation to agree on."
    assert gwet_ac1([[1, 1], [1, 1]]).note == (
        "There is one category, so no agreement by chance can be computed; name all with categories=[...]."
    )


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_fleiss_kappa_is_undefined_where_ratings_are_missing(missing: float | None) -> None:
    effect = fleiss_kappa([[0, 1, 1], [0, 1, 0], [missing, 1, 0]])
    assert effect.value is None
    assert effect.note == "Units have from 2 to 3 ratings; Fleiss' kappa needs as many of every unit."


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_the_interval_is_seeded_and_holds_the_value(coefficient: Callable[..., Effect]) -> None:
    source = np.random.default_rng(5)
    truth = source.integers(0, 2, 60)
    ratings = [np.where(source.random(60) < 0.85, truth, 1 - truth).tolist() for _ in range(3)]
    effect = coefficient(ratings)
    assert effect == coefficient(ratings)
    assert effect.low is not None
    assert effect.high is not None
    assert effect.value is not None
    assert effect.low < effect.value < effect.high


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_an_interval_over_clusters_is_wider_where_clusters_agree_within(coefficient: Callable[..., Effect]) -> None:
    # Ten questions of eight pairs each; the raters agree on all pairs of a question or on none.
    first = [unit % 2 for unit in range(80)]
    second = [rating if unit // 8 % 2 else 1 - rating for unit, rating in enumerate(first)]
    plain = coefficient([first, second])
    clustered = coefficient([first, second], clusters=[unit // 8 for unit in range(80)])
    assert clustered.value == plain.value
    assert clustered.note == "The interval is by resampling 10 clusters."
    assert _width(clustered) > 1.5 * _width(plain)


def _width(effect: Effect) -> float:
    assert effect.low is not None
    assert effect.high is not None
    return effect.high - effect.low


def test_full_agreement_one_unit_and_no_resamples_have_no_interval() -> None:
    assert gwet_ac1([[0, 1], [0, 1]]).note == "Every resample gives the same value, so there is no interval."
    assert gwet_ac1([[0], [1]]).note == "With one unit there is no interval."
    one = gwet_ac1([[0, 1], [1, 1]], clusters=["q", "q"])
    assert (one.low, one.note) == (None, "With one cluster there is no interval.")
    assert gwet_ac1([[0, 1], [1, 1]], resamples=0).note == "Without resamples there is no interval."


def test_an_interval_is_left_out_where_many_resamples_have_no_variation() -> None:
    # One of 12 units differs: a resample misses it with probability (11/12)^12 = 0.35, and kappa then has no value.
    effect = fleiss_kappa([[1] * 12, [1] * 11 + [0]])
    assert effect.value == pytest.approx(-1 / 23)
    assert effect.low is None
    assert "resamples, so there is no interval." in str(effect.note)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: gwet_ac1([[0, 1], [0]]), "the rows differ in length"),
        (lambda: gwet_ac1([[0, 2], [0, 1]], categories=[0, 1]), "rating 2 is not among them"),
        (lambda: gwet_ac1([[0, 1], [0, 1]], clusters=["q"]), "clusters: found 1, expected one for each of the 2 units"),
        (lambda: fleiss_kappa([[0, 1], [0, 1]], clusters=["q"]), "expected one for each of the 2 units"),
    ],
)
def test_wrong_tables_are_refused(call: Callable[[], Effect], said: str) -> None:
    with pytest.raises(InputError, match=said):
        call()


@given(tables, st.permutations([0, 1, 2, 3]))
@settings(max_examples=30)
def test_names_of_categories_and_order_of_raters_do_not_matter(units: list[list[int]], names: Sequence[int]) -> None:
    ratings = list(zip(*units, strict=True))
    renamed = [[names[rating] for rating in row] for row in reversed(ratings)]
    for coefficient in COEFFICIENTS:
        one, other = coefficient(ratings, resamples=0), coefficient(renamed, resamples=0)
        assert (one.value is None) == (other.value is None)
        assert one.value is None or one.value == pytest.approx(other.value, abs=1e-9)
