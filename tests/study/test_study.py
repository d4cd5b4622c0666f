"""A study: means that carry what is left out of them, one family of tests, verdicts that failures cannot buy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as oracle

from goldproof.errors import InputError
from goldproof.study import Design, Pair, Procedure, Study, choose_pairs
from goldproof.study.summary import MetricFacts
from tests.study.panels import panel

RNG = np.random.default_rng(7)


def study(metrics: dict[str, dict[str, list[float | str | None]]], **design: object) -> Study:
    laid_out = panel(metrics)
    return Study(laid_out, design=Design(choose_pairs(laid_out.runs), **design))  # type: ignore[arg-type]


def test_a_mean_carries_what_is_not_in_it() -> None:
    summary = study({"P@5": {"a": [0.2, 0.4, None, "crash", 0.6]}}).summary("a", "P@5")
    # scored 0.2, 0.4, 0.6: mean 0.4; with the crash at 0: 1.2 / 4 = 0.3; sd = 0.2
    assert summary.mean == pytest.approx(0.4)
    assert summary.mean_failed_as_zero == pytest.approx(0.3)
    assert summary.std == pytest.approx(0.2)
    assert (summary.n, summary.n_undefined, summary.n_failed, summary.n_missing) == (3, 1, 1, 0)
    assert summary.reasons == {"no relevant document": 1, "crash": 1}


def test_a_failure_where_low_is_good_counts_as_one() -> None:
    summary = study({"FalseSurface@5": {"a": [0.0, 0.0, 0.0, "crash"]}}).summary("a", "FalseSurface@5")
    assert summary.mean == 0
    assert summary.mean_failed_as_zero == pytest.approx(0.25)


def test_nothing_scored_has_no_mean_and_no_interval() -> None:
    one = study({"P@5": {"a": [None, "crash"]}})
    summary = one.summary("a", "P@5")
    assert summary.mean is None
    assert summary.interval.low is None
    assert not one.has_scores


def test_a_single_question_has_a_mean_and_nothing_else() -> None:
    one = study({"nDCG@10": {"a": [0.5], "b": [0.7]}})
    assert one.summary("b", "nDCG@10").mean == 0.7
    assert one.summary("b", "nDCG@10").std is None
    (comparison,) = one.comparisons
    assert comparison.verdict == "undecided"
    assert comparison.outcome.difference == pytest.approx(0.2)


def test_a_sure_difference_is_better_and_its_mirror_worse() -> None:
    base = RNG.random(60) * 0.8
    metrics: dict[str, dict[str, list[float | str | None]]] = {
        "nDCG@10": {"a": list(base), "b": list(base + 0.1 + 0.01 * RNG.random(60))}
    }
    laid_out = panel(metrics)
    up = Study(laid_out, design=Design((Pair("b", "a"),))).comparisons[0]
    down = Study(laid_out, design=Design((Pair("a", "b"),))).comparisons[0]
    assert (up.verdict, down.verdict) == ("better", "worse")
    assert up.outcome.difference == pytest.approx(-down.outcome.difference)  # type: ignore[operator]
    assert up.p_adjusted == down.p_adjusted


def test_runs_that_agree_on_a_few_questions_are_undecided_and_the_note_says_what_a_tie_takes() -> None:
    values: list[float | str | None] = [0.1, 0.5, 0.9, 0.3]
    (comparison,) = study({"nDCG@10": {"a": values, "b": values}}).comparisons
    # with none of 4 differing, up to 1 - 0.05^(1/4) = 0.527 may differ; 1 - 0.05^(1/n) <= 0.01 from n = 299
    assert comparison.outcome.tie_interval.high == pytest.approx(0.527129)
    assert comparison.verdict == "undecided"
    assert comparison.note is not None
    assert "No question of 4 differs, but the difference may still be up to ±0.527" in comparison.note
    assert "tied within ±0.01 takes 299 questions." in comparison.note
    assert comparison.outcome.test.p_value == 1


@pytest.mark.parametrize(("n", "verdict"), [(298, "undecided"), (299, "tied")])
@pytest.mark.parametrize("metric", ["Hit@1", "nDCG@10"])
def test_runs_that_never_differ_are_tied_from_299_questions(metric: str, n: int, verdict: str) -> None:
    # 1 - 0.05^(1/298) = 0.0100024 > 0.01; 1 - 0.05^(1/299) = 0.0099691
    values: list[float | str | None] = [0.0, *([1.0] * (n - 1))]
    (comparison,) = study({metric: {"a": values, "b": values}}).comparisons
    assert comparison.verdict == verdict


def test_without_a_difference_clusters_are_what_a_tie_counts() -> None:
    values: list[float | str | None] = [0.5] * 600
    laid_out = panel({"nDCG@10": {"a": values, "b": values}}, clusters=[f"c{i // 20}" for i in range(600)])
    (comparison,) = Study(laid_out, design=Design(choose_pairs(laid_out.runs))).comparisons
    # 30 clusters of 20: 1 - 0.05^(1/30) = 0.0950
    assert comparison.outcome.tie_interval.high == pytest.approx(0.095034, abs=1e-6)
    assert comparison.verdict == "undecided"
    assert "takes 299 clusters" in (comparison.note or "")


@pytest.mark.parametrize("differing", [1, 2, 3])
def test_a_few_tiny_differences_among_a_few_questions_are_no_tie(differing: int) -> None:
    a: list[float | str | None] = [0.5] * 50
    b: list[float | str | None] = [*([0.501] * differing), *([0.5] * (50 - differing))]
    assert study({"nDCG@10": {"a": a, "b": b}}).comparisons[0].verdict == "undecided"


def test_many_tiny_differences_among_many_questions_are_a_tie() -> None:
    rng = np.random.default_rng(3)
    a = 0.3 + 0.4 * rng.random(1000)
    b = a + rng.normal(0, 0.03, 1000)
    (comparison,) = study({"nDCG@10": {"a": a.tolist(), "b": b.tolist()}}, test=Procedure(permutations=999)).comparisons
    assert comparison.verdict == "tied"


@pytest.mark.parametrize("differing", [0, 3])
def test_an_unbounded_metric_with_few_differences_is_undecided_whatever_its_margin(differing: int) -> None:
    a: list[float | str | None] = [10.0] * 500
    b: list[float | str | None] = [*([10.1] * differing), *([10.0] * (500 - differing))]
    (comparison,) = study({"latency": {"a": a, "b": b}}, margin=1.0).comparisons
    assert comparison.outcome.tie_interval.low is None
    assert comparison.verdict == "undecided"
    assert f"Only {differing} of 500 pairs differ, in a metric without known bounds" in (comparison.note or "")


def test_identical_runs_without_a_margin_are_undecided() -> None:
    values: list[float | str | None] = [10.0, 5.0, 9.0, 30.0]
    (comparison,) = study({"latency": {"a": values, "b": values}}).comparisons
    assert comparison.margin is None
    assert comparison.verdict == "undecided"


def test_the_effect_size_is_the_mean_difference_over_its_standard_deviation() -> None:
    (comparison,) = study({"nDCG@10": {"a": [0.1, 0.2, 0.3, 0.4], "b": [0.2, 0.4, 0.3, 0.6]}}).comparisons
    # differences 0.1, 0.2, 0, 0.2: mean 0.125, sd = sqrt(((.025)^2 + 2 (.075)^2 + (.125)^2) / 3) = 0.0957427
    assert comparison.outcome.difference == pytest.approx(0.125)
    assert comparison.outcome.effect.value == pytest.approx(0.125 / 0.0957427, rel=1e-5)


def test_only_questions_scored_by_both_are_paired() -> None:
    (comparison,) = study({"P@5": {"a": [0.2, None, 0.4, 0.2], "b": [0.4, 0.6, "crash", 0.6]}}).comparisons
    assert comparison.outcome.n == 2
    assert comparison.n_unpaired == 2
    assert comparison.outcome.difference == pytest.approx(0.3)


def test_crashing_cannot_buy_a_verdict() -> None:
    # b is better on the 30 it answered and crashed on 30 others, where a had 0.9
    a: list[float | str | None] = [*([0.5] * 30), *([0.9] * 30)]
    b: list[float | str | None] = [*(0.55 + 0.01 * RNG.random(30)), *(["timeout"] * 30)]
    (comparison,) = study({"nDCG@10": {"a": a, "b": b}}).comparisons
    assert comparison.outcome.difference is not None
    assert comparison.outcome.difference > 0
    assert comparison.verdict_failed_as_zero == "worse"
    assert comparison.verdict == "undecided"
    assert "failed questions" in (comparison.note or "")


def test_failures_that_change_nothing_leave_the_verdict() -> None:
    a: list[float | str | None] = [*([0.2] * 40), "timeout"]
    b: list[float | str | None] = [*(0.6 + 0.01 * RNG.random(40)), 0.6]
    (comparison,) = study({"nDCG@10": {"a": a, "b": b}}).comparisons
    assert comparison.verdict == "better"


def test_zero_one_values_are_tested_by_mcnemar_against_scipy() -> None:
    a: list[float | str | None] = [*[1.0] * 3, *[0.0] * 12, *[1.0] * 10]
    b: list[float | str | None] = [*[0.0] * 3, *[1.0] * 12, *[1.0] * 10]
    (comparison,) = study({"Hit@5": {"a": a, "b": b}}).comparisons
    assert "mcnemar" in comparison.outcome.test.test
    assert comparison.outcome.test.p_value == pytest.approx(oracle.binomtest(3, 15).pvalue)


def test_the_first_metric_is_tested_and_the_others_are_described() -> None:
    one = study({m: {name: list(RNG.random(30)) for name in "abc"} for m in ("nDCG@10", "RR")})
    assert [(c.metric, c.pair.a) for c in one.comparisons] == [("nDCG@10", "b"), ("nDCG@10", "c")]
    described = one.to_dict()["metrics"]["RR"]["comparisons"]["b_vs_a"]  # type: ignore[index]
    assert (described["tested"], described["verdict"], described["n"]) == (False, None, 30)


def test_a_metric_that_a_gate_asks_a_verdict_of_is_tested_too() -> None:
    one = study({m: {name: list(RNG.random(30)) for name in "ab"} for m in ("nDCG@10", "RR", "AP")})
    gated = one.testing({"AP"})
    assert gated.tested == ("nDCG@10", "AP")
    assert one.tested == ("nDCG@10",)
    # The primary is a family of its own; the gate's metric is corrected over both tests: Holm doubles the smaller p.
    assert gated.comparisons[0].p_adjusted == gated.comparisons[0].outcome.test.p_value
    assert gated.comparisons[1].p_bonferroni == pytest.approx(
        min(1.0, 2 * (gated.comparisons[1].outcome.test.p_value or 0))
    )


def test_with_all_metrics_primary_the_family_is_every_metric_and_pair() -> None:
    runs: dict[str, list[float | str | None]] = {name: list(RNG.random(30).tolist()) for name in "abc"}
    one = study({"nDCG@10": runs, "RR": {name: list(RNG.random(30)) for name in "abc"}}, primary="all")
    raw = [c.outcome.test.p_value for c in one.comparisons]
    assert len(raw) == 4
    assert one.to_dict()["family"] == {
        "size": 4,
        "size_primary": None,
        "correction": "holm",
        "primary": None,
        "tested": ["nDCG@10", "RR"],
    }
    assert [c.p_bonferroni for c in one.comparisons] == pytest.approx([min(1.0, 4 * p) for p in raw if p is not None])


def test_a_primary_metric_is_a_family_of_its_own_and_helps_nobody_else() -> None:
    base = RNG.random(40)
    metrics: dict[str, dict[str, list[float | str | None]]] = {
        m: {"a": list(base), "b": list(np.clip(base + RNG.normal(0.03, 0.1, 40), 0, 1))}
        for m in ("nDCG@10", "RR", "AP")
    }
    plain = {c.metric: c for c in study(metrics, primary="all").comparisons}
    for after in study(metrics, primary="RR", gated=frozenset(metrics)).comparisons:
        before = plain[after.metric]
        if after.metric == "RR":
            assert after.p_adjusted == after.outcome.test.p_value
            assert after.primary
        else:
            assert after.p_adjusted == before.p_adjusted
            assert not after.primary


def test_what_nobody_knows_the_worst_of_has_no_mean_with_failures() -> None:
    a: list[float | str | None] = [*(-2 - 0.1 * RNG.random(30)), *(["crash"] * 15)]
    b: list[float | str | None] = [*(-3 - 0.1 * RNG.random(45))]
    one = study({"log likelihood": {"b": b, "a": a}})
    assert one.summary("a", "log likelihood").mean_failed_as_zero is None
    (comparison,) = one.comparisons
    assert (comparison.verdict_over_scored, comparison.verdict) == ("better", "undecided")
    assert "The failed questions decide" in (comparison.note or "")


def test_an_overturned_verdict_says_so() -> None:
    # better on what it answered, undecided with its crashes at 0
    base = list(0.5 + 0.1 * RNG.random(40))
    answered: list[float | str | None] = [v + 0.05 for v in base[:30]]
    (comparison,) = study({"nDCG@10": {"a": [*base], "b": [*answered, *(["crash"] * 2), *base[32:]]}}).comparisons
    assert comparison.verdict_over_scored == "better"
    assert comparison.verdict_failed_as_zero != "better"
    assert comparison.verdict == "undecided"
    assert "there is no verdict: better without them" in (comparison.note or "")


def test_less_is_better_where_the_user_says_so() -> None:
    slow: list[float | str | None] = [200 + i % 7 for i in range(30)]
    fast: list[float | str | None] = [100 + i % 5 for i in range(30)]
    metrics = {"latency": {"slow": slow, "fast": fast}}
    assert study(metrics).comparisons[0].verdict == "worse"
    assert study(metrics, lower_is_better=frozenset({"latency"})).comparisons[0].verdict == "better"
    with pytest.raises(InputError, match="unknown metric 'latncy'; did you mean 'latency'"):
        study(metrics, lower_is_better=frozenset({"latncy"}))
    with pytest.raises(InputError, match=r"of Goldproof's own RR, higher is better"):
        _ = study({"RR": {"a": [1.0], "b": [1.0]}}, lower_is_better=frozenset({"RR"})).comparisons


def test_power_counts_the_pairs_and_the_clusters_of_their_differences() -> None:
    rng = np.random.default_rng(2)
    level = np.repeat(rng.random(12), 5)  # both runs share it, so the differences do not
    a, b = level + 0.05 * rng.random(60), level + 0.05 * rng.random(60)
    values: dict[str, list[float | str | None]] = {"a": [*a.tolist()], "b": [*b.tolist()[:56], *([None] * 4)]}
    laid_out = panel({"nDCG@10": values}, clusters=[f"c{i // 5}" for i in range(60)])
    analysis = Study(laid_out, design=Design((Pair("b", "a"),))).power_analysis("nDCG@10")
    assert analysis["n"] == 56
    assert isinstance(analysis["design_effect"], float)
    assert 1 <= analysis["design_effect"] < 2


def test_whole_clusters_flip() -> None:
    # 3 clusters of 10: only 2^3 sign patterns exist, so p cannot be below 2 / 8
    laid_out = panel({"nDCG@10": {"a": [0.1] * 30, "b": [0.5] * 30}}, clusters=[f"c{i // 10}" for i in range(30)])
    (comparison,) = Study(laid_out, design=Design((Pair("b", "a"),))).comparisons
    assert comparison.outcome.test.p_value == pytest.approx(0.25)
    assert comparison.verdict == "undecided"


def test_power_is_planned_from_n_alone() -> None:
    a = study({"nDCG@10": {"a": list(RNG.random(50)), "b": list(RNG.random(50))}}).power_analysis("nDCG@10")
    b = study({"nDCG@10": {"a": [0.0] * 50, "b": list(RNG.random(50))}}).power_analysis("nDCG@10")
    assert a == b
    assert set(a) == {"d=0.2", "d=0.3", "d=0.5", "mde", "n", "design_effect"}
    assert a["d=0.5"] == pytest.approx(0.9339, abs=1e-3)  # statsmodels: TTestPower().power(0.5, 50, 0.05)


def test_clusters_lower_the_power() -> None:
    values = 0.9 * np.repeat(RNG.random(10), 5) + 0.01 * RNG.random(50)
    laid_out = panel({"nDCG@10": {"a": list(values)}}, clusters=[f"c{i // 5}" for i in range(50)])
    analysis = Study(laid_out).power_analysis("nDCG@10")
    assert isinstance(analysis["design_effect"], float)
    assert analysis["design_effect"] == pytest.approx(5, rel=0.2)


@pytest.mark.parametrize(
    ("design", "message"),
    [
        ({"primary": "nDCG@1"}, "unknown metric 'nDCG@1'; did you mean 'nDCG@10'"),
        ({"margin": -1.0}, "margin -1.0 is not a number of 0 or more"),
    ],
)
def test_a_wrong_design_is_refused(design: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        study({"nDCG@10": {"a": [1.0]}}, **design)


def test_a_test_that_does_not_fit_names_the_metric_and_the_pair() -> None:
    with pytest.raises(InputError, match=r"^nDCG@10, b_vs_a: mcnemar: a value is neither 0 nor 1"):
        _ = study({"nDCG@10": {"a": [0.1, 0.2], "b": [0.3, 0.4]}}, test=Procedure("mcnemar")).comparisons


def test_the_same_study_gives_the_same_numbers() -> None:
    metrics: dict[str, dict[str, list[float | str | None]]] = {
        "nDCG@10": {"a": list(RNG.random(100)), "b": list(RNG.random(100))}
    }
    assert study(metrics).to_dict() == study(metrics).to_dict()


def test_a_job_may_say_what_its_own_metrics_are() -> None:
    facts = {"tokens": MetricFacts("tokens", 0.0, None, higher_is_better=False)}
    runs: dict[str, list[float | str | None]] = {"a": [10.0, 12.0, "!down"], "b": [0.5, 0.7, 0.9]}
    told = Study(panel({"tokens": runs}), design=Design(), known=facts)
    assert told.facts("tokens") is facts["tokens"]
    # Nobody knows the most that tokens can be, so a failure is worth nothing that could be told.
    assert told.summary("a", "tokens").mean_failed_as_zero is None
