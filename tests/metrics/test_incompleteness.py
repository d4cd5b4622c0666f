"""Unjudged documents: how many, and what they could change."""

from __future__ import annotations

from math import log2

import pytest

from goldproof.errors import InputError
from goldproof.metrics import bounds, incompleteness, match, score, unjudged

# Ranking u1 r u2 n u3: r is relevant (grade 2), n judged not relevant; x (grade 1) is relevant and not retrieved.
QRELS = {"q": {"r": 2, "n": 0, "x": 1}, "empty": {"n": 0}, "absent": {"r": 1}}
RUN = {"q": {"u1": 5.0, "r": 4.0, "u2": 3.0, "n": 2.0, "u3": 1.0}, "empty": {"u1": 1.0}}


def test_unjudged_documents_are_counted_within_the_cutoff() -> None:
    matched = match(QRELS, RUN)
    assert unjudged(matched).tolist() == [3, 1, 0]
    assert unjudged(matched, k=1).tolist() == [1, 1, 0]
    assert unjudged(matched, k=4).tolist() == [2, 1, 0]
    assert unjudged(matched, k=100).tolist() == [3, 1, 0]


@pytest.mark.parametrize(
    ("name", "none", "all_"),
    [
        # two of the first three are unjudged
        ("P@3", 1 / 3, 3 / 3),
        ("Hit@1", 0.0, 1.0),
        ("RR", 1 / 2, 1.0),
        # the unjudged join the relevant: (1 + 2) of (2 + 2)
        ("R@3", 1 / 2, 3 / 4),
        ("R", 1 / 2, 4 / 5),
        # relevant at ranks 1, 2, 3, 5 of 5 relevant: (1/1 + 2/2 + 3/3 + 4/5) / 5
        ("AP", (1 / 2) / 2, (1 + 1 + 1 + 4 / 5) / 5),
        # highest grade is 2: gains 2 2 2 over ideal 2 2 2 (of 2 2 2 1)
        ("nDCG@3", (2 / log2(3)) / (2 + 1 / log2(3)), 1.0),
        # R = 5: four of the first five
        ("Rprec", 1 / 2, 4 / 5),
        # at rel=3 nothing is relevant: undefined, whatever the unjudged are
        ("P(rel=3)@3", 0.0, 0.0),
        # r has u1 above it, N = 4, R = 2: (1 - 1/2) / 2; all relevant: R = 5, N = 1 (n), only u3 below it
        ("Bpref", (1 - 1 / 2) / 2, (1 + 1 + 1 + 0) / 5),
    ],
)
def test_bounds_judge_all_as_not_relevant_then_all_as_relevant(name: str, none: float, all_: float) -> None:
    limits = bounds(name, match(QRELS, RUN))
    assert limits is not None
    assert limits.none_relevant.value[0] == pytest.approx(none, abs=1e-12)
    assert limits.all_relevant.value[0] == pytest.approx(all_, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # u1 r u2 n u3 becomes r n
        ("P(judged_only=True)@1", 1.0),
        ("P(judged_only=True)@4", 1 / 4),
        ("P(judged_only=True)", 1 / 2),
        ("Hit(judged_only=True)@1", 1.0),
        ("RR(judged_only=True)", 1.0),
        ("R(judged_only=True)@1", 1 / 2),
        ("AP(judged_only=True)", 1 / 2),
        ("F1(judged_only=True)", 2 * (1 / 2) * (1 / 2) / (1 / 2 + 1 / 2)),
        ("Rprec(judged_only=True)", 1 / 2),
        ("nDCG(judged_only=True)@3", 2 / (2 + 1 / log2(3))),
        ("nDCG(dcg='exp-log2', judged_only=True)@3", 3 / (3 + 1 / log2(3))),
    ],
)
def test_judged_only_takes_unjudged_documents_out_before_the_cut(name: str, value: float) -> None:
    scores = score(name, match(QRELS, RUN))
    assert scores.value.tolist() == pytest.approx([value, 0.0, 0.0], abs=1e-12)
    # nothing relevant is undefined as ever; a question that the run lacks scores 0
    assert scores.code.tolist() == [0, 1, 0]


def test_judged_only_has_no_bounds_and_leaves_nothing_unjudged() -> None:
    assert bounds("nDCG(judged_only=True)@3", match(QRELS, RUN)) is None


def test_counting_the_unjudged_as_relevant_can_lower_ap() -> None:
    # r at rank 1 of one relevant: 1. With u at rank 3 relevant: (1/1 + 2/3) / 2
    limits = bounds("AP", match({"q": {"r": 1, "n": 0}}, {"q": {"r": 3.0, "n": 2.0, "u": 1.0}}))
    assert limits is not None
    assert limits.none_relevant.value.tolist() == [1.0]
    assert limits.all_relevant.value.tolist() == [pytest.approx((1 + 2 / 3) / 2)]


def test_undefined_scores_have_undefined_bounds_and_a_missing_question_has_0() -> None:
    matched = match(QRELS, RUN)
    limits = bounds("P@3", matched)
    assert limits is not None
    assert limits.all_relevant.code.tolist() == [0, 1, 0]
    assert limits.all_relevant.value.tolist() == [1.0, 0.0, 0.0]
    zero = bounds("P@3", matched, no_relevant="zero")
    assert zero is not None
    assert zero.all_relevant.value.tolist() == [1.0, pytest.approx(1 / 3), 0.0]


@pytest.mark.parametrize("name", ["Judged@5", "FalseSurface@5", "SetRecall@5", "SetSuccess@5", "Jaccard@5"])
def test_metrics_that_do_not_look_at_relevance_have_no_bounds(name: str) -> None:
    assert bounds(name, match(QRELS, RUN)) is None


def test_bounds_are_the_same_in_small_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    qrels = {f"q{i}": {"r": 1 + i % 3, "n": 0} for i in range(20)}
    run = {f"q{i}": {"u": 2.0, "r": 1.0, "v": 0.5, "n": 0.1} for i in range(20) if i % 4}
    matched = match(qrels, run)
    whole = bounds("AP", matched)
    monkeypatch.setattr(incompleteness, "ROWS", 7)
    parts = bounds("AP", matched)
    assert whole is not None
    assert parts is not None
    assert whole.all_relevant.value.tolist() == parts.all_relevant.value.tolist()
    assert whole.none_relevant.value.tolist() == score("AP", matched).value.tolist()


def test_an_exponential_gain_that_no_float_can_hold_is_refused() -> None:
    with pytest.raises(InputError, match="grade 61"):
        score("nDCG(dcg='exp-log2')@5", match({"q": {"a": 61}}, {"q": {"a": 1.0}}))
