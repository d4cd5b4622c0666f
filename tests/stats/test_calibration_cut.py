"""Cut-offs: the best by hand and by trying all, and the honest value beside the flattering one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import UnknownNameError
from goldproof.stats import cohen_kappa
from goldproof.stats.calibration import CRITERIA, best_cut, cross_fitted

PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 1)), min_size=2, max_size=30)


def test_the_best_cut_by_kappa() -> None:
    # from 3: hits 2 of 2, false alarms 1 of 3: agreed 4/5; yes 3/5, ones 2/5: chance 6/25 + 6/25 = 12/25
    # kappa = (20/25 - 12/25) / (13/25) = 8/13; from 4: hits 1, alarms 0: agreed 4/5, chance 2/25 + 12/25: 6/11 = 0.5454
    cut = best_cut([1, 2, 3, 3, 4], [0, 0, 0, 1, 1])
    assert cut is not None
    assert cut.at == 3
    assert cut.value == pytest.approx(8 / 13)


def test_the_best_cut_by_balanced_accuracy() -> None:
    # from 3: (2/2 + 2/3) / 2 = 5/6; from 4: (1/2 + 3/3) / 2 = 3/4
    cut = best_cut([1, 2, 3, 3, 4], [0, 0, 0, 1, 1], criterion="balanced accuracy")
    assert cut is not None
    assert cut.at == 3
    assert cut.value == pytest.approx(5 / 6)


def test_of_equally_good_cuts_the_lowest_is_taken() -> None:
    # from 2: hits 2/2, alarms 1/2: 3/4; from 4: hits 1/2, alarms 0: 3/4
    cut = best_cut([1, 2, 3, 4], [0, 1, 0, 1], criterion="balanced accuracy")
    assert cut is not None
    assert cut.at == 2


@given(PAIRS)
def test_no_cut_is_better_than_the_best(pairs: list[tuple[int, int]]) -> None:
    scores, labels = np.array(pairs, dtype=np.float64).T
    found = best_cut(scores, labels)
    if labels.min() == labels.max() or scores.min() == scores.max():
        assert found is None
        return
    tried = {
        int(at): cohen_kappa(labels.tolist(), (scores >= at).astype(float).tolist()).value for at in np.unique(scores)
    }
    assert found is not None
    assert found.value == pytest.approx(max(value for value in tried.values() if value is not None))
    assert tried[int(found.at)] == pytest.approx(found.value)


def test_each_fold_is_judged_by_the_cut_of_the_others() -> None:
    # fold 0: 1 -> 0, 2 -> 1 (cut 2); fold 1: 3 -> 0, 4 -> 1 (cut 4).
    # fold 0 by cut 4: 0, 0; fold 1 by cut 2: 1, 1. Against 0, 1, 0, 1: agreed 2/4, chance 1/2: kappa 0.
    found = cross_fitted([1, 2, 3, 4], [0, 1, 0, 1], folds=np.array([0, 0, 1, 1]))
    assert list(found.cuts) == [4.0, 2.0]
    assert found.verdicts.tolist() == [False, False, True, True]
    assert found.value == pytest.approx(0)
    best = best_cut([1, 2, 3, 4], [0, 1, 0, 1])
    assert best is not None
    assert best.value > 0.4  # what the same pairs would promise


def test_a_fold_whose_others_have_one_label_only_is_not_decided() -> None:
    found = cross_fitted([1, 2, 3, 4], [0, 1, 0, 0], folds=np.array([0, 0, 1, 1]))
    assert found.decided.tolist() == [False, False, True, True]
    assert found.value is None  # of what is decided, all labels are 0


def test_an_unknown_criterion_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="balanced"):
        best_cut([1, 2], [0, 1], criterion="balanced")  # type: ignore[arg-type]
    assert CRITERIA == ("kappa", "balanced accuracy")
