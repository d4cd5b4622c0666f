"""Which differences lie on a lattice, and the exact distribution of their signed sums."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from goldproof.stats.permutation import lattice_steps, positive_sum_distribution, signed_sum_tail


def test_tenths_thirds_and_reciprocal_ranks_have_a_common_step() -> None:
    assert lattice_steps(np.array([0.1, 0.3, 0.7 - 0.3])) == pytest.approx([1, 3, 4])
    # 1/2, 1/3 and 1/4 are 6, 4 and 3 twelfths
    assert lattice_steps(np.array([1 / 4, 1 / 3, 1 / 2])) == pytest.approx([3, 4, 6])
    assert lattice_steps(np.array([7.5, 7.5])) == pytest.approx([1, 1])


def test_unrelated_numbers_have_none() -> None:
    assert lattice_steps(np.sort(np.array([1.0, np.sqrt(2), np.pi]))) is None
    assert lattice_steps(np.sort(np.random.default_rng(0).uniform(0, 1, 50))) is None


def test_a_lattice_too_fine_to_be_cheap_is_left_to_the_other_methods() -> None:
    assert lattice_steps(np.sort(np.random.default_rng(0).integers(1, 1000, 20_000).astype(np.float64))) is None


@settings(deadline=None)
@given(st.lists(st.integers(1, 50), min_size=1, max_size=40), st.floats(1e-6, 1e6))
def test_the_step_is_found_at_any_scale(steps: list[int], scale: float) -> None:
    ordered = np.sort(np.array(steps))
    found = lattice_steps(ordered * scale)
    assert found is not None
    common = int(np.gcd.reduce(ordered))
    assert (found * common == ordered).all()


def test_equal_steps_give_the_binomial() -> None:
    expected = stats.binom.pmf(np.arange(13), 12, 0.5)
    assert positive_sum_distribution(np.ones(12, dtype=np.int64)) == pytest.approx(expected, rel=1e-12)


def test_tail_of_a_signed_sum_by_hand() -> None:
    # 1, 2: sums -3, -1, 1, 3, each with probability 1/4
    steps = np.array([1, 2])
    assert [signed_sum_tail(steps, at_least=t) for t in (-4, -3, -1, 0, 1, 2, 3, 4)] == [
        1.0, 1.0, 0.75, 0.5, 0.5, 0.25, 0.25, 0.0,
    ]  # fmt: skip
