"""What every metric of rankings must hold; a metric that cannot is named with its reason.

Metrics of search traces have their contract in test_gain_contract.
"""

from __future__ import annotations

import random
import re
from math import log2
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldproof.metrics import METRICS, Matched, bounds, explain, match, parse_metric, score

Run = dict[str, dict[str, float]]
Grades = dict[str, dict[str, int]]
Number = TypeVar("Number", int, float)

KERNELS = {"q1": (("d1", "d2"), ("d5",)), "q2": (("d3",),), "q3": (("d0", "d4", "d6"),)}
UNANSWERABLE = ("none1", "none2")
DOCUMENTS = [f"d{i}" for i in range(8)]
ids = st.sampled_from(DOCUMENTS)
runs = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "none1", "extra"]), st.dictionaries(ids, st.integers(-2, 2).map(float))
)
judgments = st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), st.dictionaries(ids, st.integers(-1, 3)))

# A perfect run returns only what is relevant, best first; for an unanswerable question it returns nothing.
# In the test three documents of grades 3, 2, 2 are relevant and retrieved.
PERFECT = {
    "FalseSurface": 0.0,
    "NumRet": 3.0,
    "NumRel": 3.0,
    "NumRelRet": 3.0,
    "RBP": 1 - 0.8**3,
    "RBP(p=0.5)": 1 - 0.5**3,
    # stops at grade 3 by 7/16, at grade 2 by 3/16: 7/16 + 9/16 * 3/16 / 2 + 9/16 * 13/16 * 3/16 / 3
    "ERR": 7 / 16 + 9 / 16 * 3 / 16 / 2 + 9 / 16 * 13 / 16 * 3 / 16 / 3,
    "nDCG(norm=False)": 3 + 2 / log2(3) + 2 / log2(4),
}
# These score 0 for nothing found; Judged is undefined for it, and returning nothing is right for FalseSurface.
UNDEFINED_WHEN_EMPTY = {"Judged"}
NO_SMALLER_FOR_AN_EMPTY_RUN = {"NumRel"}  # a count of judgments
RANKING = [family for family in METRICS if METRICS.get(family).subject == "ranking"]


def names() -> list[str]:
    """Return every family of rankings with a cutoff, without one, and with each parameter, where it has them."""
    found: list[str] = []
    for family in RANKING:
        shape = METRICS.get(family).shape
        cutoffs = {"required": ["@3"], "optional": ["", "@3"], "none": [""], "recall": ["@0.0", "@0.5"]}[shape.cutoff]
        params = ["", *(value for name, value in PARAMS.items() if name in shape.params)]
        found += [f"{family}{param}{cutoff}" for param in params for cutoff in cutoffs]
    return found


PARAMS = {
    "rel": "(rel=2)",
    "p": "(p=0.5)",
    "dcg": "(dcg='exp-log2')",
    "gains": "(gains={1:3,3:2})",
    "norm": "(norm=False)",
}
every_metric = pytest.mark.parametrize("name", names())


def matched(qrels: Grades, run: Run) -> Matched:
    return match(qrels, run, kernels=KERNELS, unanswerable=UNANSWERABLE)


@every_metric
@settings(max_examples=20, deadline=None)
@given(qrels=judgments, run=runs)
def test_values_lie_within_the_stated_bounds_and_are_never_nan(name: str, qrels: Grades, run: Run) -> None:
    found = score(name, matched(qrels, run))
    definition = METRICS.get(parse_metric(name).family)
    upper = definition.highest(parse_metric(name))
    assert upper == (None if "norm=False" in name or name.startswith("Num") else 1.0)
    assert np.isfinite(found.value).all()
    assert ((found.value >= definition.lower) & (found.value <= (np.inf if upper is None else upper))).all()
    assert (found.value[~found.scored] == 0.0).all()
    assert found.code.max(initial=0) <= len(found.reasons)


@every_metric
@settings(max_examples=20, deadline=None)
@given(qrels=judgments, run=runs, seed=st.integers(0, 9))
def test_the_order_of_the_input_does_not_matter(name: str, qrels: Grades, run: Run, seed: int) -> None:
    mixed = {question: shuffled(documents, seed) for question, documents in run.items()}
    judged = {question: shuffled(documents, seed) for question, documents in qrels.items()}
    one, other = score(name, matched(qrels, run)), score(name, matched(judged, mixed))
    assert one.value.tolist() == other.value.tolist()
    assert one.code.tolist() == other.code.tolist()


@pytest.mark.parametrize("name", [name for name in names() if parse_metric(name).cutoff])
@settings(max_examples=20, deadline=None)
@given(qrels=judgments, run=runs)
def test_a_cutoff_sees_only_the_documents_before_it(name: str, qrels: Grades, run: Run) -> None:
    k = parse_metric(name).cutoff
    assert k is not None
    cut = {question: dict(ranked(documents)[:k]) for question, documents in run.items()}
    whole, prefix = score(name, matched(qrels, run)), score(name, matched(qrels, cut))
    assert whole.value.tolist() == prefix.value.tolist()
    assert whole.code.tolist() == prefix.code.tolist()


@every_metric
@settings(max_examples=20, deadline=None)
@given(qrels=judgments, run=runs)
def test_a_question_scores_the_same_alone_as_among_others(name: str, qrels: Grades, run: Run) -> None:
    together = matched(qrels, run)
    among = score(name, together)
    for i, question in enumerate(together.questions):
        alone = match(
            {question: qrels[question]} if question in qrels else {},
            run,
            kernels={question: KERNELS[question]} if question in KERNELS else {},
            unanswerable={question} & set(UNANSWERABLE),
        )
        assert alone.questions == [question]
        single = score(name, alone)
        assert (single.value[0], single.code[0] > 0) == (among.value[i], among.code[i] > 0)


@every_metric
def test_an_empty_run_scores_its_stated_value(name: str) -> None:
    qrels = {"q1": {"d1": 3}, "q2": {"d3": 2, "d4": 0}, "q3": {"d0": 2}}
    family = parse_metric(name).family
    empty: list[Run] = [{}, {"q1": {}, "q2": {}, "q3": {}, "none1": {}, "none2": {}}]
    for run in empty:
        found = score(name, matched(qrels, run))
        if family in UNDEFINED_WHEN_EMPTY:
            assert not found.scored.any()
            assert found.reasons == ("nothing retrieved",)
        elif family in NO_SMALLER_FOR_AN_EMPTY_RUN:
            assert found.value[:3].tolist() == [1.0, 1.0, 1.0]
        else:
            assert found.scored.any()
            assert set(found.value[found.scored].tolist()) == {0.0}


@every_metric
def test_a_perfect_run_scores_best(name: str) -> None:
    qrels = {"q1": {"d1": 3, "d2": 2, "d5": 2, "d7": 0}, "q2": {"d3": 2, "d0": 3, "d6": 2}}
    run = {"q1": {"d1": 3.0, "d5": 2.0, "d2": 1.0}, "q2": {"d0": 9.0, "d3": 8.0, "d6": 7.0}}
    found = score(name, matched(qrels, run))
    family = parse_metric(name).family
    best = PERFECT.get(name.split("@", maxsplit=1)[0], PERFECT.get(family, 1.0))
    value = found.value[:2][found.scored[:2]] if family != "FalseSurface" else found.value[found.scored]
    assert len(value) == 2
    if family == "Jaccard":
        # q1: kernel {d1, d2} within {d1, d2, d5} -> 2/3; q2: {d3} within {d0, d3, d6} -> 1/3
        assert value.tolist() == [2 / 3, 1 / 3]
    else:
        assert value.tolist() == pytest.approx([best, best], abs=1e-15)


@every_metric
def test_a_name_prints_as_it_was_parsed(name: str) -> None:
    assert str(parse_metric(name)) == name
    assert parse_metric(str(parse_metric(name))) == parse_metric(name)


@every_metric
@settings(max_examples=12, deadline=None)
@given(qrels=judgments, run=runs)
def test_judging_the_unjudged_keeps_the_value_in_bounds_and_the_undefined_undefined(
    name: str, qrels: Grades, run: Run
) -> None:
    together = matched(qrels, run)
    found, limits = score(name, together), bounds(name, together)
    if METRICS.get(parse_metric(name).family).kind != "relevance":
        assert limits is None
        return
    assert limits is not None
    upper = METRICS.get(parse_metric(name).family).highest(parse_metric(name))
    for side in limits:
        assert side.code.tolist() == found.code.tolist()
        assert ((side.value >= 0.0) & (side.value <= (np.inf if upper is None else upper))).all()
    if not name.startswith("Bpref"):  # Bpref passes unjudged documents over; judged as not relevant they do count
        assert limits.none_relevant.value.tolist() == found.value.tolist()


@every_metric
@settings(max_examples=12, deadline=None)
@given(qrels=judgments, run=runs)
def test_every_value_can_be_explained(name: str, qrels: Grades, run: Run) -> None:
    together = matched(qrels, run)
    found = score(name, together)
    for i in range(len(together.questions)):
        text = explain(name, together, index=i)
        assert text.startswith(f"{name} = {found.value[i]:.4f}: " if found.scored[i] else f"{name} is undefined: ")


@pytest.mark.parametrize("family", RANKING)
def test_every_metric_says_what_it_means(family: str) -> None:
    definition = METRICS.get(family)
    assert definition.family == family
    assert family in re.findall(r"\w+", definition.help.split(":")[0])
    for word in ("Ties", "undefined", f"    {family}"):
        assert word in definition.help
    assert definition.summary.endswith(".")
    assert definition.formula


def shuffled(row: dict[str, Number], seed: int) -> dict[str, Number]:
    items = list(row.items())
    random.Random(seed).shuffle(items)
    return dict(items)


def ranked(row: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(sorted(row.items(), reverse=True), key=lambda item: -item[1])
