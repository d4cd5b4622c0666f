from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from goldproof.errors import InputError
from goldproof.study import Design, Study, check_gate, choose_pairs, junit_xml, parse_gate
from tests.study.panels import Value, panel

WORSE: dict[str, list[Value]] = {"base": [0.9] * 20, "new one": [0.1 + 0.001 * i for i in range(20)]}


def gate(text: str, runs: dict[str, list[Value]] = WORSE, metric: str = "nDCG@10") -> tuple[str, ...]:
    laid_out = panel({metric: runs})
    study = Study(laid_out, design=Design(choose_pairs(laid_out.runs)))
    return check_gate(parse_gate(text, metrics=laid_out.metrics, runs=laid_out.runs), study).failures


@pytest.mark.parametrize(
    ("text", "failures"),
    [
        ("nDCG@10 worse", ("nDCG@10 new one_vs_base: new one is worse",)),
        ("nDCG@10 new one worse", ("nDCG@10 new one_vs_base: new one is worse",)),
        ("worse,undecided", ("nDCG@10 new one_vs_base: new one is worse",)),
        ("nDCG@10 undecided", ()),
        ("nDCG@10 base worse", ()),
        ("nDCG@10 base better", ("nDCG@10 new one_vs_base: base is better",)),
        ("nDCG@10 < 0.5", ("nDCG@10 of new one is 0.1095",)),
        ("nDCG@10 base < 0.5", ()),
        ("nDCG@10 base<=0.9", ("nDCG@10 of base is 0.9000",)),
        ("nDCG@10 base > 0.9", ()),
        ("nDCG@10 base >= 0.9", ("nDCG@10 of base is 0.9000",)),
        ("nDCG@10 base >= 90%", ("nDCG@10 of base is 0.9000",)),
        ("nDCG@10 base = 90 %", ("nDCG@10 of base is 0.9000",)),
        ("nDCG@10 base == 0.9", ("nDCG@10 of base is 0.9000",)),
        ("nDCG@10 base = 0.8", ()),
    ],
)
def test_a_gate_trips_exactly_when_its_condition_holds(text: str, failures: tuple[str, ...]) -> None:
    assert gate(text) == failures


def test_a_mean_that_does_not_exist_does_not_pass() -> None:
    assert gate("P@5 < 0.1", {"a": [None, None]}, "P@5") == ("P@5 of a has no scored value",)


def test_a_mean_that_passes_only_without_its_failures_does_not_pass() -> None:
    assert gate("P@5 < 0.5", {"a": [0.6, "crash"]}, "P@5") == ("P@5 of a is 0.3000 with failures counted",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nDCG@10 wurst", "'wurst' is not a verdict; expected 'METRIC"),
        ("nDCG@1 worse", "unknown metric 'nDCG@1'; did you mean 'nDCG@10'"),
        ("nDCG@10 newone worse", "unknown run 'newone'; did you mean 'new one'"),
        ("nDCG@10 < many", "'many' is not a number"),
        ("nDCG@10 < nan", "'nan' is not a number"),
    ],
)
def test_a_gate_that_cannot_be_read_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        gate(text)


def test_a_metric_may_be_named_as_it_may_be_asked_for() -> None:
    assert gate("Success@5 < 0.9", {"a": [0.0, 1.0]}, "Hit@5") == ("Hit@5 of a is 0.5000",)


@pytest.mark.parametrize("text", ["P(rel=2)@5<0.9", "P(rel=2)@5 < 0.9", "P(rel=2)@5 a <0.9", "P(rel=2)@5 = 50%"])
def test_the_last_sign_of_a_gate_is_its_comparison(text: str) -> None:
    assert gate(text, {"a": [0.0, 1.0]}, "P(rel=2)@5") == ("P(rel=2)@5 of a is 0.5000",)


def test_a_metric_with_a_sign_in_its_name_is_no_comparison() -> None:
    with pytest.raises(InputError, match=r"'P\(rel=2\)@5' is not a verdict"):
        gate("P(rel=2)@5", {"a": [0.0, 1.0]}, "P(rel=2)@5")


@pytest.mark.parametrize(
    ("text", "failures"),
    [
        ("alarm", ("base rang", "new one rang")),
        ("alarm new one", ("new one rang",)),
        ("nDCG@10", ("nDCG@10 of base",)),  # a trigger may bear the name of a metric
        ("nDCG@10 new one", ()),
    ],
)
def test_a_job_may_have_triggers_that_gates_name(text: str, failures: tuple[str, ...]) -> None:
    laid_out = panel({"nDCG@10": WORSE})
    study = Study(laid_out, design=Design(choose_pairs(laid_out.runs)))
    triggers = {
        "alarm": lambda run: [f"{run} rang"],
        "nDCG@10": lambda run: ["nDCG@10 of base"] if run == "base" else [],
    }
    named = parse_gate(text, metrics=laid_out.metrics, runs=laid_out.runs, triggers=triggers)
    assert check_gate(named, study, triggers=triggers).failures == failures


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("alram", "unknown trigger or verdict 'alram'; did you mean 'alarm'"),
        ("alram new one", "unknown trigger or verdict 'alram'; did you mean 'alarm'"),
        ("worst", "unknown trigger or verdict 'worst'; did you mean 'worse'"),
        ("alarm newone", "unknown run or verdict 'newone'; did you mean 'new one'"),
        ("alarm worst", "unknown run or verdict 'worst'; did you mean 'worse'"),
        ("nDCG@10 wurst", "'wurst' is not a verdict"),
    ],
)
def test_a_trigger_of_another_name_is_refused_with_near_names(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_gate(text, metrics=["nDCG@10"], runs=["base", "new one"], triggers=["alarm", "quiet"])


def test_a_verdict_gate_needs_something_compared() -> None:
    with pytest.raises(InputError, match="nothing is compared there"):
        gate("nDCG@10 worse", {"alone": [0.1]})


def test_junit_has_a_case_per_gate() -> None:
    laid_out = panel({"nDCG@10": WORSE})
    study = Study(laid_out, design=Design(choose_pairs(laid_out.runs)))
    results = [
        check_gate(parse_gate(text, metrics=laid_out.metrics, runs=laid_out.runs), study)
        for text in ("nDCG@10 worse", "nDCG@10 base < 0.5")
    ]
    suite = ET.fromstring(junit_xml(study, results, suite="goldproof"))  # noqa: S314 - our own text
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.find("failure") is not None for case in suite] == [True, False]


def test_junit_without_gates_has_a_case_per_comparison() -> None:
    laid_out = panel({"nDCG@10": {"base \x01": WORSE["base"], "new <one>": WORSE["new one"]}})
    study = Study(laid_out, design=Design(choose_pairs(laid_out.runs)))
    suite = ET.fromstring(junit_xml(study, [], suite="goldproof"))  # noqa: S314 - our own text
    assert suite[0].get("name") == "nDCG@10 new <one>_vs_base �"
    assert suite.get("failures") == "1"


def test_a_job_may_know_its_metrics_by_other_names() -> None:
    laid_out = panel({"passed": WORSE})
    study = Study(laid_out, design=Design(choose_pairs(laid_out.runs)))
    named = parse_gate("pass_rate < 0.5", metrics=laid_out.metrics, runs=laid_out.runs, aliases={"pass_rate": "passed"})
    assert check_gate(named, study).failures == ("passed of new one is 0.1095",)
    assert named.text == "pass_rate < 0.5"


def test_a_verdict_gate_on_a_run_whose_baseline_was_left_out_fails() -> None:
    laid_out = panel({"RR": {"b": [0.1, 0.2], "c": [0.3, 0.4]}})
    study = Study(laid_out, design=Design())  # both were to be compared with a run that is gone
    gate = parse_gate("RR b worse", metrics=laid_out.metrics, runs=(*laid_out.runs, "base"))
    assert check_gate(gate, study, left_out=["base"]).failures == ("base was left out",)
