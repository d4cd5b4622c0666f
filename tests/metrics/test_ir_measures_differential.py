"""The same numbers as ir_measures, by whichever tool it asks: pytrec_eval, gdeval (in Perl) and cwl_eval."""

from __future__ import annotations

import random
import shutil
from math import isnan

import ir_measures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldproof.metrics import match, parse_metric, score

# ir_measures parses names by nodes of `ast` that Python deprecates from 3.12 on.
pytestmark = pytest.mark.filterwarnings(
    r"ignore:(ast\.\w+|Attribute \w+) is deprecated and will be removed in Python 3.14:DeprecationWarning"
)

Run = dict[str, dict[str, float]]
Grades = dict[str, dict[str, int]]

EXACT = [
    "IPrec@0.0",
    "IPrec@0.1",
    "IPrec@0.35",
    "IPrec@1.0",
    "IPrec(rel=2)@0.5",
    "IPrec(judged_only=True)@0.5",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "NumRet(rel=2)",
    "SetAP",
    "SetAP(rel=2)",
    "SetAP(judged_only=True)",
    "nDCG(gains={0:2,1:1,2:5})@3",
    "nDCG(gains={1:7,3:1})",
    "nDCG(gains={1:0})@5",
    "nDCG(gains={2:9}, judged_only=True)@4",
]
documents = st.sampled_from([f"d{i}" for i in range(12)])
runs = st.dictionaries(documents, st.integers(0, 4).map(float), min_size=1)
# trec_eval reads stale memory where every grade of a query is negative.
judgments = st.dictionaries(documents, st.integers(-1, 3), min_size=1).filter(lambda judged: max(judged.values()) >= 0)
questions = st.sampled_from(["1", "2", "3"])


@settings(max_examples=150, deadline=None)
@given(qrels=st.dictionaries(questions, judgments, min_size=1), run=st.dictionaries(questions, runs, min_size=1))
def test_what_pytrec_eval_computes_agrees_to_1e_9_ties_included(qrels: Grades, run: Run) -> None:
    matched = match(qrels, run, questions="both")
    for name in EXACT:
        ours = score(name, matched, no_relevant="zero").value
        theirs = from_ir_measures(name, qrels, run)
        for question, value in zip(matched.questions, ours.tolist(), strict=True):
            if isnan(theirs[question]):  # it divides by the number retrieved, of which judged_only may leave none
                assert (value, "judged_only" in name) == (0.0, True), (name, question)
            else:
                assert value == pytest.approx(theirs[question], abs=1e-9), (name, question)


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is a Perl script")
@pytest.mark.parametrize("name", ["ERR@1", "ERR@3", "ERR@20"])
def test_err_agrees_with_gdeval_to_its_five_digits(name: str) -> None:
    qrels, run = collection(seed=5, grades=range(-1, 5))
    theirs = from_ir_measures(name, qrels, run)
    matched = match(qrels, run)
    scores = score(name, matched)
    assert len(theirs) > 150
    for question, value, scored in zip(matched.questions, scores.value, scores.scored, strict=True):
        if scored:  # gdeval leaves a query without a relevant document out
            assert f"{value:.5f}" == f"{theirs[question]:.5f}" or value == pytest.approx(theirs[question], abs=5.1e-6)


@pytest.mark.parametrize("name", ["RBP(rel=1)", "RBP(p=0.5,rel=2)", "RBP(p=0.95,rel=1)"])
def test_rbp_agrees_with_cwl_eval(name: str) -> None:
    # cwl_eval keeps ties in the order they are given in, so scores differ; its list has 1,000 places.
    qrels, run = collection(seed=6, grades=range(4), tied=False)
    theirs = from_ir_measures(name, qrels, run)
    matched = match(qrels, run)
    ours = score(name, matched, no_relevant="zero").value
    assert len(theirs) == len(matched.questions) == 200
    for question, value in zip(matched.questions, ours.tolist(), strict=True):
        assert value == pytest.approx(theirs[question], abs=1e-9), question


def test_what_is_printed_here_is_read_there() -> None:
    for name in (*EXACT, "ERR@20", "RBP(p=0.95, rel=2)"):
        assert ir_measures.parse_measure(str(parse_metric(name))) == ir_measures.parse_measure(name)


@settings(max_examples=60, deadline=None)
@given(qrels=st.dictionaries(questions, judgments, min_size=1), run=st.dictionaries(questions, runs, min_size=1))
def test_dcg_over_that_of_the_ideal_run_is_ndcg(qrels: Grades, run: Run) -> None:
    ideal: Run = {q: {d: float(g) for d, g in judged.items() if g > 0} for q, judged in qrels.items()}
    theirs = from_ir_measures("nDCG@4", qrels, run)
    matched, best = match(qrels, run), match(qrels, ideal)
    reached, highest = score("nDCG(norm=False)@4", matched), score("nDCG(norm=False)@4", best)
    assert reached.code.tolist() == highest.code.tolist()
    for question, value, most, scored in zip(
        matched.questions, reached.value, highest.value, reached.scored, strict=True
    ):
        if scored:
            assert value == pytest.approx(theirs.get(question, 0.0) * most, abs=1e-9)


def from_ir_measures(name: str, qrels: Grades, run: Run) -> dict[str, float]:
    measure = ir_measures.parse_measure(name)
    return {found.query_id: found.value for found in ir_measures.iter_calc([measure], qrels, run)}


def collection(*, seed: int, grades: range, tied: bool = True) -> tuple[Grades, Run]:
    """200 queries, 30 documents retrieved of each, 25 of 60 judged."""
    random_ = random.Random(seed)
    ids = [f"d{i:02d}" for i in range(60)]
    qrels = {str(q): {d: random_.choice(grades) for d in random_.sample(ids, 25)} for q in range(1, 201)}
    run = {
        q: {d: float(random_.randint(0, 9) if tied else i) for i, d in enumerate(random_.sample(ids, 30))}
        for q in qrels
    }
    return qrels, run
