"""Described metrics: shown with means, differences and intervals; never tested, never judged."""

from __future__ import annotations

import numpy as np
import pytest

from goldproof.records.entities import Score
from goldproof.records.tables import ScoreTable
from goldproof.study import Design, Pair, Study, choose_pairs, panel_from_scores
from goldproof.study.gates import check_gate, metrics_to_test, parse_gate
from goldproof.study.notes import study_notes
from goldproof.study.tables import study_tables
from tests.study.panels import panel

RNG = np.random.default_rng(11)
Values = dict[str, dict[str, list[float | str | None]]]

A: list[float | str | None] = [0.1, 0.2, 0.3, None, "crash", 0.4]
B: list[float | str | None] = [0.3, 0.3, None, 0.5, 0.5, 0.8]


def study(values: Values, *, background: tuple[str, ...], primary: str = "all") -> Study:
    laid_out = panel(values)
    chosen = Design(choose_pairs(laid_out.runs), background=frozenset(background), primary=primary)
    return Study(laid_out, design=chosen)


def test_a_description_is_over_the_questions_that_both_have_scored() -> None:
    # b - a over q0, q1, q5: 0.2, 0.1, 0.4; mean 0.7 / 3. Unpaired: q2 and q3 and q4.
    found = study({"P@5": {"a": A, "b": B}}, background=("P@5",)).describe("P@5", Pair("b", "a"))
    assert found.n == 3
    assert found.n_unpaired == 3
    assert found.difference == pytest.approx(0.7 / 3)


def test_described_and_tested_agree_on_difference_and_interval() -> None:
    base = RNG.random(40)
    values: Values = {"P@5": {"a": list(base), "b": list(base * 0.5 + RNG.random(40) * 0.4)}}
    described = study(values, background=("P@5",)).describe("P@5", Pair("b", "a"))
    (tested,) = study(values, background=()).comparisons
    assert described.difference == tested.outcome.difference
    assert described.interval.low == tested.outcome.interval.low
    assert described.interval.high == tested.outcome.interval.high


def test_described_and_tested_agree_with_clusters() -> None:
    base = RNG.random(40)
    values: Values = {"P@5": {"a": list(base), "b": list(base * 0.5 + RNG.random(40) * 0.4)}}
    laid_out = panel(values, clusters=[f"t{i // 4}" for i in range(40)])
    pair = Pair("b", "a")
    described = Study(laid_out, design=Design((pair,), background=frozenset({"P@5"}))).describe("P@5", pair)
    (tested,) = Study(laid_out, design=Design((pair,))).comparisons
    assert described.interval == tested.outcome.interval
    assert described.interval.clusters == 10


def test_the_shape_of_the_summary_says_that_nothing_was_tested() -> None:
    whole = study({"AP": {"a": A, "b": B}, "P@5": {"a": A, "b": B}}, background=("P@5",)).to_dict()
    metrics = whole["metrics"]
    assert isinstance(metrics, dict)
    said = metrics["P@5"]["comparisons"]["b_vs_a"]
    assert list(said) == ["difference", "ci_95", "interval", "n", "n_unpaired", "tested", "verdict", "note"]
    assert (said["tested"], said["verdict"]) == (False, None)
    assert metrics["P@5"]["power_analysis"] is None
    assert "p_value" in metrics["AP"]["comparisons"]["b_vs_a"]
    assert metrics["AP"]["power_analysis"] is not None


def test_described_metrics_do_not_cost_the_tests_their_power() -> None:
    base = RNG.random(30)
    tested: Values = {"AP": {"a": list(base), "b": list(np.clip(base + 0.05 * RNG.random(30), 0, 1))}}
    curve: Values = {f"P@{i}": tested["AP"] for i in range(1, 21)}
    alone = study(tested, background=())
    among = study({**tested, **curve}, background=tuple(curve))
    assert among.family_size() == alone.family_size() == 1
    assert among.tested == ("AP",)
    assert [c.p_adjusted for c in among.comparisons] == [c.p_adjusted for c in alone.comparisons]
    corrected = study({**tested, **curve}, background=())
    assert corrected.family_size() == 21


def test_the_table_does_not_show_the_background() -> None:
    one = study({"AP": {"a": A, "b": B}, "P@5": {"a": A, "b": B}}, background=("P@5",))
    cells = {row[0] for table in study_tables(one) for row in table.rows}
    assert "AP" in cells
    assert "P@5" not in cells


def test_nothing_in_common_has_no_difference_and_no_interval() -> None:
    found = study({"P@5": {"a": [0.1, None], "b": [None, 0.2]}}, background=("P@5",)).describe("P@5", Pair("b", "a"))
    assert (found.n, found.n_unpaired, found.difference) == (0, 2, None)
    assert found.to_dict()["ci_95"] is None


def test_one_pair_has_a_difference_and_no_interval() -> None:
    found = study({"P@5": {"a": [0.1], "b": [0.4]}}, background=("P@5",)).describe("P@5", Pair("b", "a"))
    assert found.difference == pytest.approx(0.3)
    assert found.to_dict()["ci_95"] is None
    assert found.to_dict()["note"]


def test_an_interval_of_a_difference_stays_within_what_is_possible() -> None:
    found = study({"P@5": {"a": [0.0, 0.0], "b": [1.0, 0.9]}}, background=("P@5",)).describe("P@5", Pair("b", "a"))
    assert found.interval.low is not None
    assert found.interval.high is not None
    assert -1 <= found.interval.low <= found.interval.high <= 1


def test_a_question_that_one_run_lacks_is_unpaired() -> None:
    rows = [Score("a", "q0", "P@5", 0.5), Score("b", "q0", "P@5", 0.7), Score("b", "q1", "P@5", 0.1)]
    laid_out = panel_from_scores(ScoreTable.from_records(rows))
    one = Study(laid_out, design=Design((Pair("b", "a"),), background=frozenset({"P@5"})))
    found = one.describe("P@5", Pair("b", "a"))
    assert (found.n, found.n_unpaired) == (1, 1)


def test_a_primary_metric_of_the_background_is_shown_and_tested() -> None:
    one = study({"AP": {"a": A, "b": B}, "P@5": {"a": A, "b": B}}, background=("P@5",), primary="P@5")
    assert (one.tested, one.shown) == (("P@5",), ("AP", "P@5"))


def test_a_gate_on_a_mean_needs_no_test_and_a_gate_on_a_verdict_brings_one() -> None:
    one = study({"AP": {"a": A, "b": B}, "P@5": {"a": A, "b": B}}, background=("P@5",), primary="AP")
    mean = parse_gate("P@5 a < 0.9", metrics=one.panel.metrics, runs=one.panel.runs)
    verdict = parse_gate("P@5 worse", metrics=one.panel.metrics, runs=one.panel.runs)
    assert not check_gate(mean, one).passed
    assert metrics_to_test([mean], one.shown) == frozenset()
    assert one.testing(metrics_to_test([verdict], one.shown)).tested == ("AP", "P@5")


def test_a_gate_on_any_verdict_has_every_metric_tested() -> None:
    better: list[float | str | None] = [0.9 + i / 1000 for i in range(20)]
    low: list[float | str | None] = [0.1 + i / 1000 for i in range(20)]
    one = study({"AP": {"a": low, "b": better}, "P@5": {"a": better, "b": low}}, background=(), primary="AP")
    gate = parse_gate("worse", metrics=one.panel.metrics, runs=one.panel.runs)
    assert check_gate(gate, one).passed
    assert not check_gate(gate, one.testing(metrics_to_test([gate], one.shown))).passed


def test_what_is_in_the_background_is_not_what_was_asked_for() -> None:
    one = study({"AP": {"a": [None, None]}, "P@5": {"a": [0.5, 0.6]}}, background=("P@5",))
    assert not one.has_scores


def test_all_metrics_in_the_background_means_no_test_at_all() -> None:
    one = study({"P@5": {"a": A, "b": B}}, background=("P@5",))
    assert one.comparisons == ()
    assert one.family_size() == 0


def test_too_few_units_for_any_verdict_are_said_to_be_too_few() -> None:
    # five pairs: the smallest exact p is 2 / 2^5 = 0.0625; six: 2 / 2^6 = 0.03125, but over two tests 0.0625
    def said(n: int, metrics: tuple[str, ...]) -> str:
        values = {
            m: {"a": [0.1 * i for i in range(n)], "b": [0.1 * i + 0.3 + 0.01 * i for i in range(n)]} for m in metrics
        }
        laid_out = panel(values)
        study = Study(laid_out, design=Design(choose_pairs(laid_out.runs), primary="all"))
        return " ".join(note.text for note in study_notes(study))

    assert "with 5 questions no p can be below 0.0625, so no verdict" in said(5, ("m",))
    assert "no verdict of better or worse" not in said(6, ("m",))
    assert "with 6 questions no p can be below 0.0312, and over 2 tests none below 0.05" in said(6, ("m", "k"))
