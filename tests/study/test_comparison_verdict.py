"""Verdicts: one rule, in one place."""

from __future__ import annotations

import pytest

from goldproof.study.comparison import Verdict, decide, reconcile


@pytest.mark.parametrize(
    ("difference", "p", "low", "high", "margin", "expected"),
    [
        (0.1, 0.01, 0.05, 0.15, 0.01, "better"),
        (-0.1, 0.01, -0.15, -0.05, 0.01, "worse"),
        (0.1, 0.05, 0.0, 0.2, 0.01, "undecided"),  # p must be below 0.05, not at it
        (0.001, 0.6, -0.005, 0.007, 0.01, "tied"),
        (0.001, 0.6, -0.005, 0.011, 0.01, "undecided"),  # the interval leaves the margin
        (0.001, 0.6, -0.005, 0.007, None, "undecided"),  # no margin: never tied
        (0.004, 0.001, 0.002, 0.006, 0.01, "better"),  # a small but sure difference is a difference
        (None, None, None, None, 0.01, "undecided"),
        (0.2, None, None, None, 0.01, "undecided"),
    ],
)
def test_a_verdict_follows_p_then_the_tie_interval(
    difference: float | None,
    p: float | None,
    low: float | None,
    high: float | None,
    margin: float | None,
    expected: Verdict,
) -> None:
    found = decide(difference, p, tie_low=low, tie_high=high, margin=margin, higher_is_better=True)
    assert found == expected


def test_where_low_values_are_good_less_is_better() -> None:
    assert decide(-0.1, 0.01, tie_low=None, tie_high=None, margin=None, higher_is_better=False) == "better"


def test_failures_that_change_the_verdict_leave_none() -> None:
    assert reconcile("better", "undecided") == "undecided"
    assert reconcile("better", "worse") == "undecided"
    assert reconcile("tied", "tied") == "tied"
