"""Isotonic regression against scipy's, by hand, and its invariants."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from goldproof.errors import InputError
from goldproof.stats.calibration import fit_isotonic

SCORES = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 1)), min_size=1, max_size=40)


def test_neighbours_out_of_order_are_pooled_to_their_mean() -> None:
    # 1 | 0 at scores 2 and 3 is out of order: pooled to 1/2; 0 before and 1 after stay as they are
    found = fit_isotonic([1, 2, 3, 4], [0, 1, 0, 1])
    assert found.low.tolist() == [1, 2, 4]
    assert found.high.tolist() == [1, 3, 4]
    assert found.value.tolist() == [0, 0.5, 1]
    assert found.weight.tolist() == [1, 2, 1]


def test_equal_scores_are_pooled_first_whatever_their_order() -> None:
    # at score 1: 0, 1, 1 -> 2/3; at score 2: 1, 0 -> 1/2 < 2/3: all pooled to 3/5
    for labels in ([0, 1, 1, 1, 0], [1, 1, 0, 0, 1]):
        found = fit_isotonic([1, 1, 1, 2, 2], labels)
        assert found.value.tolist() == [0.6]
        assert (found.low[0], found.high[0], found.weight[0]) == (1, 2, 5)


def test_between_blocks_it_is_linear_and_beyond_them_flat() -> None:
    # blocks: 0 up to score 1, 1 from score 3; half way between, at 2: 0.5
    found = fit_isotonic([0, 1, 3, 4], [0, 0, 1, 1])
    assert found([-5, 0.5, 1, 2, 2.5, 3, 9]).tolist() == [0, 0, 0, 0.5, 0.75, 1, 1]


@given(SCORES)
def test_the_fit_is_scipys(pairs: list[tuple[int, int]]) -> None:
    scores, labels = np.array(pairs, dtype=float).T
    distinct = np.unique(scores)
    means = [labels[scores == score].mean() for score in distinct]
    weights = [np.count_nonzero(scores == score) for score in distinct]
    theirs = optimize.isotonic_regression(means, weights=weights).x
    assert fit_isotonic(scores, labels)(distinct) == pytest.approx(theirs, abs=1e-12)


@given(SCORES)
def test_it_never_falls_keeps_the_mean_and_does_not_depend_on_the_order(pairs: list[tuple[int, int]]) -> None:
    scores, labels = np.array(pairs, dtype=float).T
    fitted = fit_isotonic(scores, labels)
    assert (np.diff(fitted.value) > 0).all()
    assert fitted(scores).mean() == pytest.approx(labels.mean())
    turned = fit_isotonic(scores[::-1], labels[::-1])
    assert turned.to_dict() == fitted.to_dict()


def test_a_hundred_thousand_scores_in_the_worst_order_are_one_block() -> None:
    # every label below the one before: each step pools, and each pools once
    n = 100_000
    assert fit_isotonic(np.arange(n), np.linspace(1, 0, n)).value == pytest.approx([0.5])


def test_no_scores_or_another_number_of_labels_is_refused() -> None:
    with pytest.raises(InputError, match="no scores"):
        fit_isotonic([], [])
    with pytest.raises(InputError, match="2 scores and 1 labels"):
        fit_isotonic([1, 2], [1])
