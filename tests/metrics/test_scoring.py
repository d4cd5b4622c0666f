"""A metric asked for where it cannot be computed: one sentence says what it is and where to go."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import goldproof
from goldproof.cli.main import main
from goldproof.errors import InputError
from goldproof.metrics import METRICS, explain, match, parse_metrics, score
from goldproof.metrics.gain.iterations import Iterations
from goldproof.metrics.scoring import explain_iterations, require_subject
from goldproof.study.summary import metric_facts

if TYPE_CHECKING:
    from pathlib import Path

TRACES = "of search traces: use goldproof trace (in Python goldproof.score_traces)"
RANKINGS = "of rankings: use goldproof eval (in Python goldproof.evaluate)"
COUNTS = "the numbers of results of a trace (R, UR, GR, Dup) are columns of its output, not metrics"
QRELS, RUN = {"q": {"a": 1}}, {"q": {"a": 1.0}}


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("CG@3", f"CG@3 is a metric {TRACES}."),
        ("nDCG@10,SRR", f"SRR is a metric {TRACES}."),
        ("AvgGain_3,RR,RAG", f"AvgGain_3, RAG are metrics {TRACES}."),
        ("DCG@10", f"DCG@10 is a metric {TRACES}; for a ranking write nDCG(norm=False)@10 or, normalised, nDCG@10."),
        ("DCG", f"DCG is a metric {TRACES}; for a ranking write nDCG(norm=False) or, normalised, nDCG."),
        ("IterationsForAllGoodResults", f"IterationsForAllGoodResults is a metric {TRACES}."),
    ],
)
def test_an_evaluation_of_rankings_refuses_metrics_of_traces(names: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        goldproof.evaluate(QRELS, RUN, metrics=names)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("P@5", f"P@5 is a metric {RANKINGS}."),
        ("CG,nDCG@3", f"nDCG@3 is a metric {RANKINGS}; the discounted gain of a trace is DCG@3."),
        ("R@3", f"R@3 is a metric {RANKINGS}; {COUNTS}."),
    ],
)
def test_an_evaluation_of_traces_refuses_metrics_of_rankings(names: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        require_subject(parse_metrics(names), "trace")
    assert str(caught.value) == said


def test_metrics_of_the_right_kind_pass() -> None:
    for family in METRICS:
        definition = METRICS.get(family)
        require_subject(parse_metrics(definition.shape.example), definition.subject)
        with pytest.raises(InputError):
            require_subject(
                parse_metrics(definition.shape.example), "trace" if definition.subject == "ranking" else "ranking"
            )


def test_scoring_and_explaining_refuse_the_wrong_kind_too() -> None:
    for call in (lambda: score("CG@3", match(QRELS, RUN)), lambda: explain("CG@3", match(QRELS, RUN), index=0)):
        with pytest.raises(InputError, match="CG@3 is a metric of search traces"):
            call()
    one = np.ones(1, dtype=np.int64)
    with pytest.raises(InputError, match="P@5 is a metric of rankings"):
        explain_iterations("P@5", Iterations(np.array([0, 1]), one, one, one, one))


@pytest.mark.parametrize(
    ("name", "lower", "upper", "higher_is_better", "worst"),
    [
        ("CG@3", 0, None, True, 0),
        ("RG", 0, None, True, 0),
        ("DCG@2", 0, None, True, 0),
        ("DRG@2", 0, None, True, 0),
        ("AvgGain_3", 0, 4, True, 0),
        ("RAG@3", 0, 4, True, 0),
        ("DRAG", 0, 4, True, 0),
        ("SRE@3", 0, 1, True, 0),
        ("SRR@3", 0, 1, False, 1),
        ("IterationsForAllGoodResults", 1, 100, False, 100),
    ],
)
def test_a_score_file_knows_what_the_values_of_a_trace_are_bounded_by(
    name: str, lower: float, upper: float | None, higher_is_better: bool, worst: float
) -> None:
    facts = metric_facts(name, np.array([1.0]))
    assert (facts.lower, facts.upper, facts.higher_is_better) == (lower, upper, higher_is_better)
    assert facts.worst == worst
    assert not facts.assumed
    with pytest.raises(InputError, match=f"{name}: a value is -1"):
        metric_facts(name, np.array([-1.0]))


@pytest.mark.parametrize(
    ("metric", "verdict"),
    [("CG", "better"), ("CG@3", "better"), ("AvgGain_3", "better"), ("IterationsForAllGoodResults", "worse")],
)
def test_values_of_traces_are_compared_by_their_own_direction(metric: str, verdict: str, tmp_path: Path) -> None:
    # a is 1 above b on every one of twenty conversations, give or take 0.1
    for run, base in (("a", 3.0), ("b", 2.0)):
        lines = [f"c{i},{metric},{base + 0.1 * (i % 2) * (run == 'a')}" for i in range(20)]
        (tmp_path / f"{run}.csv").write_text("\n".join(["id,metric,value", *lines]) + "\n")
    result: Any = goldproof.compare(tmp_path / "a.csv", tmp_path / "b.csv").to_dict()
    found = result["metrics"][metric]["comparisons"]["a_vs_b"]
    # mean of 1 and 1.1
    assert found["difference"] == pytest.approx(1.05)
    assert found["verdict"] == verdict


def test_the_list_of_metrics_says_what_each_is_measured_on(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(_printed(capsys, "metrics", "--json"))
    assert {family: entry["on"] for family, entry in listed.items()} == {
        family: METRICS.get(family).subject for family in METRICS
    }
    kinds = [entry["on"] for entry in listed.values()]
    assert kinds == sorted(kinds)
    lines = _printed(capsys, "metrics").splitlines()
    assert [line.split()[1] for line in lines if line.startswith(("AvgGain_3 ", "CG@3 ", "nDCG@10 "))] == [
        "ranking",
        "trace",
        "trace",
    ]


@pytest.mark.parametrize("name", ["CG@3", "AvgGain_3", "AvgGain", "IterationsForAllGoodResults"])
def test_a_metric_of_traces_is_explained_by_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    definition = METRICS.get(parse_metrics(name)[0].family)
    assert _printed(capsys, "metrics", name) == f"{name}: {definition.summary}\n\n{definition.help}\n"


def _printed(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    with pytest.raises(SystemExit) as left:
        main(list(args))
    assert not left.value.code
    return capsys.readouterr().out


def test_a_question_without_a_document_that_gains_is_undefined() -> None:
    matched = match({"q": {"a": 1}, "r": {"a": 2}}, {"q": {"a": 1.0}, "r": {"a": 1.0}})
    for name in ("nDCG(gains={1:0})@5", "nDCG(gains={1:0}, norm=False)"):
        found = score(name, matched)
        assert found.scored.tolist() == [False, True]
        assert found.reasons == ("no relevant document",)


def test_err_refuses_grades_beyond_its_scale() -> None:
    with pytest.raises(InputError, match="a document has grade 5, but ERR knows grades of 0 to 4; use nDCG"):
        score("ERR@10", match({"q": {"a": 5}}, {"q": {"a": 1.0}}))


def test_counts_are_undefined_where_nothing_is_judged() -> None:
    matched = match({"q": {"a": 0}}, {"q": {"a": 1.0}, "none": {"a": 1.0}}, unanswerable=["none"])
    for name, value in (("NumRet", 1.0), ("NumRel", 0.0), ("NumRelRet", 0.0)):
        found = score(name, matched)
        assert (found.value.tolist(), found.scored.tolist()) == ([value, 0.0], [True, False])
        assert found.reasons == ("nothing judged",)
