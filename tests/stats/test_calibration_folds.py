"""Folds keep groups together, and are as even as groups allow."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from goldproof.stats.calibration import grouped_folds


@given(st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=60), st.integers(0, 5))
def test_a_group_is_in_one_fold_and_every_fold_has_one(groups: list[str], seed: int) -> None:
    folds = grouped_folds(groups, seed=seed)
    assert all(len({f for f, g in zip(folds, groups, strict=True) if g == name}) == 1 for name in groups)
    assert len(np.unique(folds)) == min(5, len(set(groups)))


def test_equal_groups_make_equal_folds_and_the_seed_decides_which() -> None:
    groups = [f"q{i // 2}" for i in range(40)]
    assert np.bincount(grouped_folds(groups, seed=1)).tolist() == [8] * 5
    assert grouped_folds(groups, seed=1).tolist() == grouped_folds(groups, seed=1).tolist()
    assert grouped_folds(groups, seed=1).tolist() != grouped_folds(groups, seed=2).tolist()


def test_nothing_has_no_folds() -> None:
    assert grouped_folds([]).tolist() == []
