"""Corrections against statsmodels, by hand, and their invariants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from goldproof.errors import InputError
from goldproof.stats.corrections import bonferroni, holm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Correction = Callable[[Iterable[float | None]], list[float | None]]

ALL: list[Correction] = [bonferroni, holm]
P_VALUES = st.lists(st.floats(0, 1), max_size=30)


def test_four_p_values_by_hand() -> None:
    p = [0.01, 0.04, 0.03, 0.005]
    # times 4
    assert bonferroni(p) == pytest.approx([0.04, 0.16, 0.12, 0.02])
    # sorted .005*4 = .02, .01*3 = .03, .03*2 = .06, .04*1 = .04 -> raised to .06
    assert holm(p) == pytest.approx([0.03, 0.06, 0.06, 0.02])


@pytest.mark.parametrize(("correct", "name"), [(bonferroni, "bonferroni"), (holm, "holm")])
@settings(max_examples=10, deadline=None)  # statsmodels takes 60 ms for one Holm correction
@given(p=P_VALUES.filter(len))
def test_agrees_with_statsmodels(correct: Correction, name: str, p: list[float]) -> None:
    assert correct(p) == pytest.approx(multipletests(p, method=name)[1].tolist(), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("correct", ALL)
@settings(deadline=None)
@given(p=P_VALUES)
def test_never_below_the_raw_value_never_above_one_and_in_the_same_order(correct: Correction, p: list[float]) -> None:
    adjusted = [value for value in correct(p) if value is not None]
    assert len(adjusted) == len(p)
    assert all(raw <= value <= 1.0 for raw, value in zip(p, adjusted, strict=True))
    order = np.argsort(p, kind="stable")
    assert np.all(np.diff(np.array(adjusted)[order]) >= 0)


@settings(deadline=None)
@given(p=P_VALUES)
def test_holm_is_never_less_powerful_than_bonferroni(p: list[float]) -> None:
    for stepped, plain in zip(holm(p), bonferroni(p), strict=True):
        assert stepped is not None
        assert plain is not None
        assert stepped <= plain


@pytest.mark.parametrize("correct", ALL)
def test_an_undefined_test_is_outside_the_family_and_stays_undefined(correct: Correction) -> None:
    assert correct([0.01, None, 0.04, None]) == [correct([0.01, 0.04])[0], None, correct([0.01, 0.04])[1], None]
    assert correct([None]) == [None]
    assert correct([]) == []


@pytest.mark.parametrize("correct", ALL)
def test_one_test_needs_no_correction(correct: Correction) -> None:
    assert correct([0.03]) == [0.03]


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan")])
def test_what_is_no_p_value_is_refused(bad: float) -> None:
    with pytest.raises(InputError, match="p-values: position 1 holds"):
        holm([0.5, bad])
