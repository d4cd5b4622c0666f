"""The conclusion says what the verdicts say, in one sentence."""

from __future__ import annotations

from goldproof.study import Design, Study, choose_pairs
from goldproof.study.conclusion import conclude
from goldproof.study.notes import study_notes
from tests.study.panels import Value, panel

LOW: list[Value] = [0.2 + i / 1000 for i in range(30)]
HIGH: list[Value] = [0.6 + i / 500 for i in range(30)]
NOISE: list[Value] = [0.2 + (0.3 if i % 2 else -0.2) + i / 1000 for i in range(30)]


def study(metrics: dict[str, dict[str, list[Value]]], *, pairs: str | None = None, primary: str | None = None) -> Study:
    laid_out = panel(metrics)
    return Study(laid_out, design=Design(choose_pairs(laid_out.runs, pairs=pairs), primary=primary))


def test_a_better_run_is_named_with_its_lead_and_its_interval() -> None:
    # 0.4 + i/1000 for i in 0..29: the mean is 0.4145, sd 0.0088, so +-t * sd/sqrt(30) = 0.003
    assert conclude(study({"RR": {"a": LOW, "b": HIGH}})) == "b is better than a on RR by 0.41 (0.41 to 0.42)."


def test_a_worse_run_is_told_by_the_size_of_its_loss() -> None:
    assert conclude(study({"RR": {"a": HIGH, "b": LOW}})) == "b is worse than a on RR by 0.41 (0.41 to 0.42)."


def test_where_less_is_better_the_size_is_still_positive() -> None:
    assert conclude(study({"FalseSurface@5": {"a": HIGH, "b": LOW}})).startswith(
        "b is better than a on FalseSurface@5 by"
    )


def test_too_few_questions_are_too_early_to_tell() -> None:
    said = conclude(study({"RR": {"a": LOW, "b": NOISE}}))
    assert said.startswith("Too early to tell whether b or a is better on RR: b − a is +0.05 (")
    assert said.endswith(" over 30 questions.")


def test_runs_that_never_differ_are_not_called_tied_by_few_questions() -> None:
    said = conclude(study({"RR": {"a": LOW, "b": LOW}}))
    assert said == "No difference between b and a on RR in 30 questions, too few for a tie."


def test_with_all_metrics_tested_the_others_are_counted() -> None:
    metrics = {"RR": {"a": LOW, "b": HIGH}, "AP": {"a": LOW, "b": HIGH}, "P@5": {"a": LOW, "b": NOISE}}
    said = conclude(study(metrics, primary="all"))
    assert said == (
        "b is better than a on RR by 0.41 (0.41 to 0.42); better on AP, on 1 of 3 metrics it is too early to tell."
    )


def test_several_runs_against_one_baseline_share_a_sentence() -> None:
    said = conclude(study({"RR": {"a": LOW, "b": HIGH, "c": HIGH, "d": NOISE}}))
    assert said.startswith(
        "b (by 0.41, 0.41 to 0.42) and c (by 0.41, 0.41 to 0.42) are better than a on RR; too early to tell whether d"
    )


def test_one_run_alone_has_its_mean() -> None:
    assert conclude(study({"RR": {"a": HIGH}})).startswith("RR of a is 0.63 (")


def test_nothing_scored_is_said() -> None:
    assert conclude(study({"RR": {"a": [None, None]}})) == "Nothing could be scored; the notes say why."


def test_what_only_the_failures_decide_has_no_verdict() -> None:
    # +0.05 where it answers, -0.2 or so where it crashes
    crashing: list[Value] = [*(0.25 + i / 900 for i in range(22)), *(["crash"] * 8)]
    assert conclude(study({"RR": {"a": LOW, "b": crashing}})) == (
        "No verdict on b against a on RR: it depends on the questions that failed."
    )


def test_a_described_metric_that_points_the_other_way_is_a_limit() -> None:
    notes = study_notes(study({"RR": {"a": LOW, "b": HIGH}, "AP": {"a": HIGH, "b": LOW}}))
    (limit,) = [note.text for note in notes if "points the other way" in note.text]
    assert limit.startswith("AP points the other way for b against a: -0.41")


def test_an_undecided_pair_says_which_difference_would_show() -> None:
    limits = [note.text for note in study_notes(study({"RR": {"a": LOW, "b": NOISE}})) if note.kind == "limits"]
    # sd of +0.3 and -0.2 in turn: 0.2543; d found with power 0.8 by 30 pairs: 0.5291; 0.5291 * 0.2543 = 0.13
    assert "RR of b against a: 30 questions can show a true difference of 0.13 or more (power 0.8)" in limits[0]


def test_pairs_of_several_baselines_are_listed() -> None:
    highest: list[Value] = [0.8 + i / 400 for i in range(30)]
    said = conclude(study({"RR": {"a": LOW, "b": HIGH, "c": highest}}, pairs="b:a,c:b"))
    # 0.2 + i/2000 for i in 0..29: 0.20725
    assert said == "On RR better: b than a by 0.41 (0.41 to 0.42) and c than b by 0.21 (0.21 to 0.21)."


def test_a_pair_without_a_shared_question_hides_no_other() -> None:
    nothing: list[Value] = [None] * 30
    said = conclude(study({"RR": {"a": LOW, "b": nothing, "c": NOISE}}))
    assert said.startswith("Too early to tell whether c or a is better on RR: c − a is +0.05 (")
    assert said.endswith("; no verdict on b against a on RR: no question is scored in both.")


def test_counts_alone_are_told_by_their_means() -> None:
    counts: list[Value] = [10.0, 12.0, 14.0]
    assert conclude(study({"NumRet": {"a": counts, "b": counts}})).startswith("NumRet of a is 12.00 (")


def test_tiny_differences_are_not_written_as_zero() -> None:
    tiny: list[Value] = [1e-5 + i * 1e-7 for i in range(30)]
    more: list[Value] = [2e-5 + i * 2e-7 for i in range(30)]
    assert conclude(study({"mine": {"a": tiny, "b": more}})).startswith("b is better than a on mine by 0.000011 (")


def test_metrics_whose_verdict_failures_decide_are_not_called_too_early() -> None:
    crashing: list[Value] = [*(0.25 + i / 900 for i in range(22)), *(["crash"] * 8)]
    said = conclude(study({"RR": {"a": LOW, "b": HIGH}, "AP": {"a": LOW, "b": crashing}}, primary="all"))
    assert said == "b is better than a on RR by 0.41 (0.41 to 0.42); no verdict on 1 other metric."


def test_too_few_questions_for_several_pairs_are_answered_with_fewer_pairs() -> None:
    few = {name: [0.1 * i + 0.3 * place + 0.01 * place * i for i in range(6)] for place, name in enumerate("abc")}
    notes = [note.text for note in study_notes(study({"m": {name: list(values) for name, values in few.items()}}))]
    assert any(note.endswith("Add questions, or test fewer pairs: --pairs A:B.") for note in notes)
