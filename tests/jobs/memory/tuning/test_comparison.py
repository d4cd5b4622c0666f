"""Baseline and winner on the hold-out, and the optimism of development."""

from __future__ import annotations

from math import sqrt

import pytest

from goldproof.io.scenarios.scenario import Query, Scenario
from goldproof.jobs.memory.records import Answered, ScoredQuery, Stored
from goldproof.jobs.memory.scoring import panel_of
from goldproof.jobs.memory.tuning.comparison import Estimate, HoldoutComparison, compare_on_holdout, difference_of
from goldproof.jobs.memory.tuning.trial import FinishedSearch, TrialRecord
from goldproof.metrics.memory.outcome import Measured
from goldproof.stats import difference_interval, mean_interval
from tests.jobs.memory.tuning.made_suites import RULES, suite

QUERY = Query("q", "?", "semantic", {"a": 2})


def rows(*values: float | None) -> tuple[ScoredQuery, ...]:
    """One query per scenario; None: the memory failed on it."""
    return tuple(
        ScoredQuery(
            Answered(Scenario(f"s{i}", (), ()), QUERY, (), Stored(), k=5, error="boom" if value is None else None),
            values={} if value is None else {"f1_or_silence": Measured(value)},
        )
        for i, value in enumerate(values)
    )


COMPARISON = HoldoutComparison(
    "f1_or_silence",
    development={"baseline": rows(0.2, 0.4, 0.5, 0.5), "tuned": rows(0.8, 1.0, 0.7, 0.9)},
    holdout={"baseline": rows(0.1, 0.3, 0.5), "tuned": rows(0.9, 0.6, None)},
)


def test_optimism_is_development_minus_hold_out_for_winner_baseline_and_gain() -> None:
    tuned, baseline, gain = COMPARISON.optimism
    # tuned: 3.4 / 4 = 0.85 and, the failed query counting 0, 1.5 / 3 = 0.5
    assert (tuned.name, baseline.name, gain.name) == ("tuned", "baseline", "gain")
    assert tuned.development.value == pytest.approx(0.85)
    assert tuned.holdout.value == pytest.approx(0.5)
    assert tuned.difference.value == pytest.approx(0.35)
    # baseline: 1.6 / 4 = 0.4 and 0.9 / 3 = 0.3
    assert baseline.difference.value == pytest.approx(0.1)
    # gain: 0.85 - 0.4 = 0.45 and 0.5 - 0.3 = 0.2; what tuning promised and did not keep is 0.25
    assert gain.development.value == pytest.approx(0.45)
    assert gain.holdout.value == pytest.approx(0.2)
    assert gain.difference.value == pytest.approx(0.25)


def test_intervals_are_those_of_the_study_with_scenarios_as_clusters() -> None:
    tuned, _, gain = COMPARISON.optimism
    clusters = ["s0", "s1", "s2", "s3"]
    expected = mean_interval([0.8, 1.0, 0.7, 0.9], clusters=clusters)
    assert tuned.development.low == expected.low
    paired = difference_interval([0.6, 0.6, 0.2, 0.4], clusters=clusters)
    assert gain.development.low == pytest.approx(paired.low)
    assert gain.development.n == 4


def test_intervals_end_where_the_objective_does_and_a_difference_is_made_of_the_cut_ones() -> None:
    # Two queries of equal value in each scenario: of means Wilson's interval, of gains Student's, of the scenarios.
    development, holdout = (
        {name: (*found, *found) for name, found in runs.items()}
        for runs in (COMPARISON.development, COMPARISON.holdout)
    )
    tuned, _, gain = HoldoutComparison("f1_or_silence", development=development, holdout=holdout).optimism
    # tuned, development: r = 0.85, V = 0.05 / 16 / (3/4)^2 = 0.00556, n = r (1 - r) / V = 22.95, t(3)^2 / n = 0.44131:
    # (0.85 + 0.22065 -+ 3.18245 sqrt(0.0055556 + 0.0048074)) / 1.44131
    assert tuned.development.low == pytest.approx(0.51806, abs=1e-5)
    assert tuned.development.high == pytest.approx(0.96761, abs=1e-5)
    # tuned, hold-out: r = 0.5, V = 0.42 / 9 / (2/3)^2 = 0.105, n = 2.38095, t(2)^2 / n = 7.77538:
    # (0.5 + 3.88769 -+ 4.30265 sqrt(0.105 + 0.81641)) / 8.77538
    assert (tuned.holdout.low, tuned.holdout.high) == pytest.approx((0.02935, 0.97065), abs=1e-5)
    # difference: 0.35 - sqrt(0.33194^2 + 0.47065^2) = -0.22593, 0.35 + sqrt(0.11761^2 + 0.47065^2) = 0.83512
    assert tuned.difference.low == pytest.approx(-0.22593, abs=1e-5)
    assert tuned.difference.high == pytest.approx(0.83512, abs=1e-5)
    # gain, development: 0.45, sd sqrt(0.11 / 3) = 0.19149: 0.45 -+ 0.30470 needs no cut
    assert gain.development.low == pytest.approx(0.14530, abs=1e-5)
    assert gain.development.high == pytest.approx(0.75470, abs=1e-5)
    # gain, hold-out: 0.8, 0.3, -0.5 have 0.2, sd sqrt(0.86 / 2) = 0.65574: 0.2 -+ 1.629 is cut at -1 and 1
    assert (gain.holdout.low, gain.holdout.high) == (-1, 1)
    # difference: 0.25 - sqrt(0.30470^2 + 0.8^2) = -0.60607, 0.25 + sqrt(0.30470^2 + 1.2^2) = 1.48808
    assert gain.difference.low == pytest.approx(-0.60607, abs=1e-5)
    assert gain.difference.high == pytest.approx(1.48808, abs=1e-5)


def test_the_interval_of_a_difference_comes_from_those_of_its_parts() -> None:
    # a = 0.8 (0.7 to 0.85), b = 0.5 (0.46 to 0.62): d = 0.3,
    # low = 0.3 - sqrt(0.1^2 + 0.12^2) = 0.14380, high = 0.3 + sqrt(0.05^2 + 0.04^2) = 0.36403
    found = difference_of(Estimate(0.8, 0.7, 0.85), Estimate(0.5, 0.46, 0.62))
    assert found.low == pytest.approx(0.3 - sqrt(0.01 + 0.0144))
    assert found.low == pytest.approx(0.14380, abs=1e-5)
    assert found.high == pytest.approx(0.36403, abs=1e-5)


def test_a_difference_between_the_splits_claims_no_number_of_queries() -> None:
    tuned = COMPARISON.optimism[0].to_dict()
    assert {name: part.get("n") for name, part in tuned.items()} == {  # type: ignore[attr-defined]
        "development": 4,
        "holdout": 3,
        "optimism": None,
    }
    assert "n" not in tuned["optimism"]  # type: ignore[operator]


def test_a_difference_has_no_interval_where_a_part_has_none() -> None:
    found = difference_of(Estimate(0.8, None, None, note="One cluster."), Estimate(0.5, 0.4, 0.6))
    assert (found.low, found.high, found.note) == (None, None, "One cluster.")


def test_a_split_on_which_the_objective_has_no_value_has_none_and_not_zero() -> None:
    negative = ScoredQuery(
        Answered(Scenario("s", (), ()), Query("q", "?", "negative"), (), Stored(), k=5),
        values={"recall": Measured(None, "nothing should come")},
    )
    positive = ScoredQuery(Answered(Scenario("s", (), ()), QUERY, (), Stored(), k=5), values={"recall": Measured(1.0)})
    compared = HoldoutComparison(
        "recall",
        development={"baseline": (positive,), "tuned": (positive,)},
        holdout={"baseline": (negative,), "tuned": (negative,)},
    )
    for one in compared.optimism:
        assert (one.holdout.value, one.holdout.n, one.difference.value) == (None, 0, None)


def test_plain_data_has_every_figure() -> None:
    plain = COMPARISON.to_dict()
    assert plain["objective"] == "f1_or_silence"
    assert list(plain["optimism"]) == ["tuned", "baseline", "gain"]  # type: ignore[call-overload]


def test_both_configurations_are_run_on_both_splits() -> None:
    development, holdout = suite("ash", "birch"), suite("oak", split="holdout")
    first, best = TrialRecord(0, "bm25 | top(1)", 0.0), TrialRecord(1, "bm25 | top(2)", 0.0)
    compared = compare_on_holdout(
        FinishedSearch((first, best), first, best, "recall"), development=development, holdout=holdout, rules=RULES
    )
    assert [row.key for row in compared.holdout["tuned"]] == ["oak/q0", "oak/q1", "oak/q2", "oak/q3"]
    tuned, baseline, gain = compared.optimism
    # Of three questions two have two answers: recall with one memory is (0.5 + 0.5 + 1) / 3, with two it is 1.
    assert baseline.holdout.value == pytest.approx(2 / 3)
    assert tuned.holdout.value == pytest.approx(1.0)
    assert gain.development.value == pytest.approx(1 / 3)
    assert (tuned.development.n, tuned.holdout.n) == (6, 3)  # negative queries have no recall
    assert panel_of(compared.holdout).runs == ("baseline", "tuned")


def test_a_winner_that_is_the_baseline_is_run_once() -> None:
    first = TrialRecord(0, "bm25", 0.0)
    compared = compare_on_holdout(
        FinishedSearch((first,), first, first, "recall"), development=suite("ash"), holdout=suite("oak"), rules=RULES
    )
    assert compared.holdout["tuned"] is compared.holdout["baseline"]
    assert compared.optimism[2].holdout.value == 0
