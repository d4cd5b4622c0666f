"""Cohen's kappa against statsmodels and by hand."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from goldproof.errors import InputError, UnknownNameError
from goldproof.stats.agreement import Weights, cohen_kappa

RATINGS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=60)


def test_kappa_by_hand() -> None:
    # 20 both yes, 15 both no, 5 yes/no, 10 no/yes: p_o = 35/50; yes shares 25/50 and 30/50:
    # p_e = .5 * .6 + .5 * .4 = .5; kappa = (.7 - .5) / .5
    a = ["yes"] * 25 + ["no"] * 25
    b = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(a, b).value == pytest.approx(0.4)


def test_linear_weights_by_hand() -> None:
    # pairs (0,0), (1,1), (2,1), (2,0): mean distance (0 + 0 + 1 + 2) / 4 = .75; by chance, a being 0, 1, 2 with
    # 1/4, 1/4, 1/2 and b 0, 1 with 1/2 each: (1/4)(1/2) + (1/4)(1/2) + (1/2)(2/2 + 1/2) = 1; kappa = 1 - .75
    assert cohen_kappa([0, 1, 2, 2], [0, 1, 1, 0], weights="linear").value == pytest.approx(0.25)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@settings(deadline=None)
@given(ratings=RATINGS)
def test_value_and_interval_agree_with_statsmodels(weights: Weights | None, ratings: list[tuple[int, int]]) -> None:
    a, b = [x for x, _ in ratings], [y for _, y in ratings]
    assume(len({*a, *b}) > 1)
    table = np.zeros((4, 4))
    np.add.at(table, (a, b), 1)
    with np.errstate(all="ignore"):  # statsmodels divides by its zero variances
        theirs = cohens_kappa(table, wt=weights)
    ours = cohen_kappa(a, b, weights=weights, categories=range(4))
    assert ours.value == pytest.approx(theirs.kappa, abs=1e-12)
    if theirs.var_kappa < 1e-12:
        assert (ours.low, ours.high) == (None, None)
    else:
        assert ours.low == pytest.approx(max(-1.0, theirs.kappa_low), abs=1e-9)
        assert ours.high == pytest.approx(min(1.0, theirs.kappa_upp), abs=1e-9)


@settings(deadline=None)
@given(RATINGS)
def test_raters_are_exchangeable_and_full_agreement_is_one(ratings: list[tuple[int, int]]) -> None:
    a, b = [x for x, _ in ratings], [y for _, y in ratings]
    there, back = cohen_kappa(a, b), cohen_kappa(b, a)
    assert there.value == pytest.approx(back.value)
    if len(set(a)) > 1:
        assert cohen_kappa(a, a, weights="quadratic").value == 1.0


def test_unused_categories_stretch_the_scale_of_weights() -> None:
    # grades 0, 1, 3: as positions 0, 1, 2, or with grade 2 in between as 0, 1, 3
    a, b = [0, 1, 3, 3, 0], [0, 0, 1, 3, 1]
    assert cohen_kappa(a, b, weights="linear").value != cohen_kappa(a, b, weights="linear", categories=range(4)).value


def test_degenerate_ratings() -> None:
    assert cohen_kappa([], []).note == "There are no items."
    constant = cohen_kappa(["x", "x"], ["x", "x"])
    assert constant.value is None
    assert "the same category" in (constant.note or "")
    # each constant, in different categories: no agreement, none expected: 0
    assert cohen_kappa(["x", "x"], ["y", "y"]).value == 0.0
    assert cohen_kappa(["x"], ["y"]).value == 0.0
    full = cohen_kappa([0, 1, 1], [0, 1, 1])
    assert (full.value, full.low, full.high) == (1.0, None, None)
    assert full.note == "The estimated variance is zero, so there is no interval."


def test_what_cannot_be_rated_is_refused() -> None:
    with pytest.raises(InputError, match="a has 2 ratings and b has 1"):
        cohen_kappa([1, 2], [1])
    with pytest.raises(InputError, match="weights need an order"):
        cohen_kappa(["low", "high"], ["low", "low"], weights="linear")
    with pytest.raises(InputError, match="'mid' is not among them"):
        cohen_kappa(["low", "mid"], ["low", "low"], categories=["low", "high"])
    with pytest.raises(InputError, match="listed twice"):
        cohen_kappa(["low"], ["low"], categories=["low", "low"])
    with pytest.raises(InputError, match="a rating is missing"):
        cohen_kappa([None, 1], [1, 1])
    with pytest.raises(InputError, match="confidence"):
        cohen_kappa([1], [1], confidence=2)
    with pytest.raises(UnknownNameError, match="quadratic"):
        cohen_kappa([1, 2], [1, 1], weights=cast("Weights", "squared"))
