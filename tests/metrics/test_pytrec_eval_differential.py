"""The same numbers as trec_eval's own code (pytrec_eval), on any input, ties included."""

from __future__ import annotations

import pytest
import pytrec_eval
from hypothesis import example, given, settings
from hypothesis import strategies as st

from goldproof.metrics import match, parse_metric, score

Table = dict[str, dict[str, float]]
Grades = dict[str, dict[str, int]]

SHARED = {
    "AP": "map",
    "AP@3": "map_cut_3",
    "Bpref": "bpref",
    "F1": "set_F",
    "GMAP": "map",
    "Hit@2": "success_2",
    "IPrec@0.0": "iprec_at_recall_0.00",
    "IPrec@0.25": "iprec_at_recall_0.25",
    "IPrec@0.5": "iprec_at_recall_0.50",
    "IPrec@1.0": "iprec_at_recall_1.00",
    "P": "set_P",
    "P@3": "P_3",
    "R": "set_recall",
    "R@3": "recall_3",
    "RR": "recip_rank",
    "Rprec": "Rprec",
    "SetAP": "set_map",
    "nDCG": "ndcg",
    "nDCG@3": "ndcg_cut_3",
}
MEASURES = {"map", "map_cut.3", "bpref", "set_F", "success.2", "set_P", "P.3", "set_recall", "recall.3"}
MEASURES |= {"recip_rank", "Rprec", "ndcg", "ndcg_cut.3", "set_map", "iprec_at_recall.0.00,0.25,0.50,1.00"}

# Ids that share beginnings, end in one another, and need more than one byte per character.
documents = st.sampled_from(
    [
        "d",
        "d1",
        "d10",
        "d2",
        "doc-000001",
        "doc-0000011",
        "doc-000002",
        "é",
        "éa",
        "z",
        "日本",
        "日本語",
        "\U0001f600",
        "\uffee",
    ]
)
# trec_eval keeps scores in single precision: draw only what that can hold, from few values so that many are tied.
scores = st.one_of(st.integers(0, 3).map(float), st.floats(-4, 4, width=32))
grades = st.integers(-2, 3)
rankings = st.dictionaries(documents, scores, min_size=1)
questions = st.sampled_from(["q1", "q2", "q3"])


def has_a_judged_document(judged: dict[str, int]) -> bool:
    # trec_eval reads stale memory where every grade of a query is negative.
    return any(grade >= 0 for grade in judged.values())


qrels_tables = st.dictionaries(
    questions, st.dictionaries(documents, grades, min_size=1).filter(has_a_judged_document), min_size=1
)


@settings(max_examples=400, deadline=None)
@given(qrels=qrels_tables, run=st.dictionaries(questions, rankings, min_size=1), rel=st.integers(1, 3))
@example(qrels={"q1": {"d": 1}}, run={"q1": {"d": 1.0, "d1": 1.0, "d10": 1.0}}, rel=1)
def test_every_shared_measure_agrees_to_1e_9(qrels: Grades, run: Table, rel: int) -> None:
    theirs = pytrec_eval.RelevanceEvaluator(qrels, MEASURES, relevance_level=rel).evaluate(run)
    matched = match(qrels, run, questions="both")
    assert sorted(theirs) == sorted(matched.questions)  # it knows only queries in both
    for name, their_name in SHARED.items():
        metric = parse_metric(name if name.startswith("nDCG") else f"{name.split('@')[0]}(rel={rel})" + cutoff(name))
        ours = score(metric, matched, no_relevant="zero").value
        for question, value in zip(matched.questions, ours.tolist(), strict=True):
            assert value == pytest.approx(theirs[question][their_name], abs=1e-9), (name, question)


@settings(max_examples=100, deadline=None)
@given(qrels=qrels_tables, run=st.dictionaries(questions, rankings, min_size=1))
def test_judged_only_is_the_same_measure_on_a_run_without_unjudged_documents(qrels: Grades, run: Table) -> None:
    condensed = {q: {d: s for d, s in run[q].items() if qrels[q].get(d, -1) >= 0} for q in run if q in qrels}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, MEASURES).evaluate(
        {q: found for q, found in condensed.items() if found}
    )
    matched = match(qrels, run, questions="both")
    for name, their_name in SHARED.items():
        if name == "Bpref":  # looks at judged documents only, as it is
            continue
        ours = score(f"{name.split('@')[0]}(judged_only=True){cutoff(name)}", matched, no_relevant="zero").value
        for question, value in zip(matched.questions, ours.tolist(), strict=True):
            expected = theirs[question][their_name] if question in theirs else 0.0
            assert value == pytest.approx(expected, abs=1e-9), (name, question)


def cutoff(name: str) -> str:
    return "@" + name.split("@")[1] if "@" in name else ""


def test_scores_that_differ_only_in_double_precision_are_told_apart_here_and_tied_there() -> None:
    # 1 + 1e-12 and 1 are one number in single precision: trec_eval breaks the tie by id ("b" before "a").
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0 + 1e-12, "b": 1.0}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)
    assert theirs["q"]["recip_rank"] == 0.5
    assert score("RR", match(qrels, run)).value.tolist() == [1.0]
