"""Metrics that are not a plain mean: geometric means (GMAP), counts (NumRet), and gains without an upper bound."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from scipy import stats as oracle

from goldproof.errors import InputError
from goldproof.stats import mean_interval
from goldproof.study import Design, Pair, Procedure, Study, check_gate, choose_pairs, parse_gate
from goldproof.study.gates import read_gates
from goldproof.study.notes import study_notes
from goldproof.study.tables import flat_table, study_tables
from tests.study.panels import Value, panel

RNG = np.random.default_rng(3)


def notes(chosen: Study) -> list[str]:
    return [note.text for note in study_notes(chosen)]


def study(metrics: dict[str, dict[str, list[Value]]], **design: object) -> Study:
    laid_out = panel(metrics)
    return Study(laid_out, design=Design(choose_pairs(laid_out.runs), **design))  # type: ignore[arg-type]


def test_a_geometric_mean_takes_the_logarithm_of_values_of_at_least_1e_5() -> None:
    # ln 0.1, ln 1e-5 (of 0), ln 1: (-1 - 5 + 0) * ln 10 / 3 = -2 ln 10, so 0.01
    summary = study({"GMAP": {"a": [0.1, 0.0, 1.0]}}).summary("a", "GMAP")
    assert summary.mean == pytest.approx(0.01)
    assert summary.mean_failed_as_zero == summary.mean


def test_a_failure_counts_as_the_smallest_value_of_a_geometric_mean() -> None:
    # scored 0.1, 0.1: 0.1; with the crash at 1e-5: 10^(-(1 + 1 + 5) / 3)
    summary = study({"GMAP": {"a": [0.1, 0.1, "crash", None]}}).summary("a", "GMAP")
    assert summary.mean == pytest.approx(0.1)
    assert summary.mean_failed_as_zero == pytest.approx(10 ** (-7 / 3))


def test_the_interval_of_a_geometric_mean_is_that_of_the_mean_logarithm() -> None:
    values = [0.05, 0.08, 0.1, 0.3]
    interval = study({"GMAP": {"a": list(values)}}).summary("a", "GMAP").interval
    of_logs = mean_interval([log(value) for value in values], bounded=False)
    assert of_logs.low is not None
    assert of_logs.high is not None
    assert (interval.low, interval.high) == pytest.approx((exp(of_logs.low), exp(of_logs.high)))
    assert interval.estimate == pytest.approx(oracle.gmean(values))


def test_the_interval_of_a_geometric_mean_stays_within_1() -> None:
    interval = study({"GMAP": {"a": [0.01, 0.9, 1.0]}}).summary("a", "GMAP").interval
    assert interval.high == 1.0


def test_geometric_means_are_tested_on_their_logarithms_and_shown_as_their_difference() -> None:
    a = RNG.random(30) ** 4
    b = np.minimum(a * np.exp(0.4 + 0.5 * RNG.standard_normal(30)), 1.0)
    (found,) = study({"GMAP": {"a": a.tolist(), "b": b.tolist()}}, test=Procedure("t")).comparisons
    logs_a, logs_b = np.log(np.maximum(a, 1e-5)), np.log(np.maximum(b, 1e-5))
    assert found.outcome.test.p_value == pytest.approx(oracle.ttest_rel(logs_b, logs_a).pvalue)
    assert found.outcome.difference == pytest.approx(oracle.gmean(np.exp(logs_b)) - oracle.gmean(np.exp(logs_a)))
    assert found.outcome.interval.method == "bootstrap-percentile"
    assert found.verdict == "better"


def test_the_bootstrap_interval_of_two_geometric_means_resamples_questions() -> None:
    a, b = RNG.random(40), RNG.random(40) * 0.5
    (found,) = study({"GMAP": {"a": a.tolist(), "b": b.tolist()}}).comparisons
    theirs = oracle.bootstrap(
        (b, a),
        lambda x, y, axis: oracle.gmean(x, axis=axis) - oracle.gmean(y, axis=axis),
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=20_000,
        rng=np.random.default_rng(0),
    ).confidence_interval
    assert found.outcome.interval.low == pytest.approx(theirs.low, abs=0.015)
    assert found.outcome.interval.high == pytest.approx(theirs.high, abs=0.015)


def test_described_geometric_means_have_the_same_difference_and_interval() -> None:
    values: dict[str, dict[str, list[Value]]] = {"GMAP": {"a": list(RNG.random(20)), "b": list(RNG.random(20))}}
    (tested,) = study(values).comparisons
    described = study(values, background=frozenset({"GMAP"})).describe("GMAP", Pair("b", "a"))
    assert described.difference == tested.outcome.difference
    assert described.interval == tested.outcome.interval


def test_equal_geometric_means_are_no_tie_and_have_no_interval() -> None:
    same: list[Value] = [0.2, 0.4, 0.6] * 200
    (found,) = study({"GMAP": {"a": same, "b": same}}, margin=0.05).comparisons
    assert found.outcome.difference == 0
    assert (found.outcome.interval.low, found.outcome.tie_interval.low) == (None, None)
    assert found.verdict == "undecided"


def test_geometric_means_are_tied_only_within_a_margin_that_was_chosen() -> None:
    base = np.tile([0.2, 0.4, 0.6, 0.8], 100)
    values: dict[str, dict[str, list[Value]]] = {
        "GMAP": {"a": base.tolist(), "b": (base + 0.001 * RNG.choice([-1, 1], 400)).tolist()}
    }
    assert study(values).comparisons[0].verdict == "undecided"
    assert study(values, margin=0.01).comparisons[0].verdict == "tied"


def test_the_notes_say_that_a_mean_is_geometric() -> None:
    values: dict[str, dict[str, list[Value]]] = {"GMAP": {"a": [0.1, 0.2], "b": [0.3, 0.2]}}
    assert "GMAP: the geometric mean over questions; tests are on the logarithms." in notes(study(values))
    assert "GMAP: the geometric mean over questions." in notes(study({"GMAP": {"a": [0.1, 0.2]}}))


COUNTS: dict[str, dict[str, list[Value]]] = {
    "AP": {"a": [0.1, 0.2, 0.4], "b": [0.3, 0.2, 0.5]},
    "NumRet": {"a": [10.0, 20.0, 30.0], "b": [100.0, 100.0, 95.0]},
}


def test_counts_are_shown_and_described_but_never_tested() -> None:
    counted = study(COUNTS)
    assert counted.tested == ("AP",)
    assert [c.metric for c in counted.comparisons] == ["AP"]
    assert counted.family_size() == 1
    (table,) = study_tables(counted)
    # the row of b: mean (100 + 100 + 95) / 3, and nothing beside it
    (row,) = [row for row in table.rows if row[1:3] == ("b", "98.3333")]
    assert row[-2:] == ("", "not tested")
    assert "NumRet: described, never tested; of a count neither more nor less is better." in notes(counted)
    metrics = counted.to_dict()["metrics"]
    assert isinstance(metrics, dict)
    assert metrics["NumRet"]["comparisons"]["b_vs_a"]["difference"] == pytest.approx((90 + 80 + 65) / 3)
    assert metrics["NumRet"]["comparisons"]["b_vs_a"]["tested"] is False
    assert metrics["NumRet"]["power_analysis"] is None
    assert [row[-2] for row in flat_table(counted).rows if row[0] == "NumRet"] == ["", ""]


def test_a_study_of_counts_alone_has_scores() -> None:
    assert study({"NumRet": {"a": [1.0, 2.0]}}).has_scores


def test_no_verdict_can_be_asked_of_a_count() -> None:
    design = Design((Pair("b", "a"),))
    with pytest.raises(InputError, match=r"NumRet is a count, .* described, not tested; give a number"):
        read_gates("NumRet worse", design, metrics=["AP", "NumRet"], runs=["a", "b"])
    with pytest.raises(InputError, match=r"--primary NumRet: it is a count, .* name another metric\."):
        study(COUNTS, primary="NumRet")
    with pytest.raises(InputError, match="--primary NumRet: it is a count"):
        Design.named(("a", "b"), baseline=None, pairs=None, primary="NumRet", margin=None, test="auto", seed=0)


def test_a_count_can_be_held_against_a_number() -> None:
    counted = study(COUNTS)
    gate = parse_gate("NumRet < 50", metrics=counted.panel.metrics, runs=counted.panel.runs)
    assert check_gate(gate, counted).failures == ("NumRet of a is 20.0000",)


def test_gain_that_is_not_normalised_may_pass_1_and_is_never_tied() -> None:
    name = "nDCG(norm=False)@10"
    laid_out = study({name: {"a": [3.0, 4.5, 7.0], "b": [3.0, 4.5, 7.5]}})
    assert laid_out.facts(name).upper is None
    assert laid_out.comparisons[0].margin is None
    with pytest.raises(InputError, match="a value is 3, but nDCG@10 is 0 to 1"):
        study({"nDCG@10": {"a": [3.0]}}).summary("a", "nDCG@10")
