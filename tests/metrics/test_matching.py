"""Which questions count, what is refused, and the grid of empty, one, missing, duplicate, tied."""

from __future__ import annotations

from decimal import Decimal
from types import MappingProxyType

import numpy as np
import polars as pl
import pytest

from goldproof.errors import InputError
from goldproof.metrics import match, score
from goldproof.records.tables import JudgmentTable, RankingTable

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"a": 2}, "q3": {"c": 0}}
RUN = {"q1": {"a": 2.0, "b": 1.0}, "q3": {"c": 1.0}, "other": {"a": 1.0}}


def test_every_judged_question_counts_then_kernels_then_unanswerable_marks() -> None:
    matched = match(QRELS, RUN, kernels={"k": [["a"]], "q1": [["a"]]}, unanswerable=["z", "q3", "u"])
    assert matched.questions == ["q1", "q2", "q3", "k", "u", "z"]
    assert matched.judged.tolist() == [True, True, True, False, False, False]
    assert matched.unanswerable.tolist() == [False, False, True, False, True, True]
    assert matched.ranks.present.tolist() == [True, False, True, False, False, False]
    assert matched.missing.tolist() == [False, True, False, True, True, True]
    assert matched.extra == 1


def test_a_missing_question_scores_0_and_one_without_relevant_documents_is_undefined() -> None:
    found = score("R@5", match(QRELS, RUN))
    assert found.value.tolist() == [1.0, 0.0, 0.0]
    assert found.code.tolist() == [0, 0, 1]
    assert found.reasons == ("no relevant document",)


def test_trec_evals_zero_goes_only_to_questions_that_trec_eval_would_know() -> None:
    found = score("R@5", match(QRELS, RUN, unanswerable=["u"]), no_relevant="zero")
    assert found.code.tolist() == [0, 0, 0, 1]


def test_both_keeps_only_questions_of_judgments_and_run_and_failed_ones() -> None:
    assert match(QRELS, RUN, questions="both").questions == ["q1", "q3"]
    table = RankingTable.from_dict(RUN, failed={"q2": "timeout", "gone": "timeout"})
    matched = match(JudgmentTable.from_dict(QRELS), table, questions="both")
    assert matched.questions == ["q1", "q2", "q3"]
    assert matched.failed.tolist() == [False, True, False]
    assert matched.missing.tolist() == [False, False, False]
    assert matched.extra == 2


def test_both_keeps_the_rows_of_the_questions_it_keeps() -> None:
    for judgments, run in ((QRELS, RUN), (JudgmentTable.from_dict(QRELS), RankingTable.from_dict(RUN))):
        ranks = match(judgments, run, questions="both", unanswerable=()).ranks
        assert ranks.judged_question.tolist() == [0, 0, 1]
        assert ranks.judged_grade.tolist() == [1, 0, 0]
        assert list(zip(ranks.question.tolist(), ranks.rank.tolist(), strict=True)) == [(0, 1), (0, 2), (1, 1)]


def test_depth_cuts_after_sorting() -> None:
    run = {"q": {"a": 1.0, "b": 3.0, "c": 2.0}}
    ranks = match({"q": {"a": 1, "b": 1, "c": 1}}, run, depth=2).ranks
    assert ranks.rank.tolist() == [1, 2]
    assert ranks.retrieved.tolist() == [2]
    kernels = match({}, run, kernels={"q": [["a", "c"]]}, depth=2).kernel_ranks()
    assert kernels.rank.tolist() == [0, 2]


def test_a_negative_grade_is_unjudged_everywhere() -> None:
    with_negative = match({"q": {"a": 1, "b": -1, "c": -2}}, {"q": {"b": 3.0, "a": 2.0, "c": 1.0}})
    without = match({"q": {"a": 1}}, {"q": {"b": 3.0, "a": 2.0, "c": 1.0}})
    for name in ("Judged@3", "Bpref", "nDCG", "AP"):
        assert score(name, with_negative).value.tolist() == score(name, without).value.tolist()
    only_negative = match({"q": {"a": -1}}, {"q": {"a": 1.0}})
    assert score("AP", only_negative).reasons == ("no relevant document",)
    assert score("AP", only_negative, no_relevant="zero").scored.tolist() == [True]


@pytest.mark.parametrize("qrels", [{}, {"q": {}}, {"q": {"a": 1}}])
@pytest.mark.parametrize("run", [{}, {"q": {}}, {"other": {"a": 1.0}}])
def test_the_empty_grid_gives_arrays_of_the_right_length(
    qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]
) -> None:
    for judgments, rankings in ((qrels, run), (JudgmentTable.from_dict(qrels), RankingTable.from_dict(run))):
        for which in ("judged", "both"):
            matched = match(judgments, rankings, questions="both" if which == "both" else "judged")
            assert len(score("nDCG@10", matched).value) == len(matched.questions)
            assert len(score("SetRecall@10", matched).value) == len(matched.questions)


@pytest.mark.parametrize("number", [1, True, np.float32(1.5), np.int64(3), Decimal("0.5")])
def test_any_number_is_a_score(number: float) -> None:
    assert match({"q": {"a": 1}}, {"q": {"a": number}}).ranks.rank.tolist() == [1]


@pytest.mark.parametrize(
    "number", [float("nan"), float("inf"), -float("inf"), None, "1.5", b"1", "x", [1], 1j, 10**400]
)
def test_what_is_not_a_finite_number_is_no_score(number: float) -> None:
    run = {"q1": {"a": 1.0}, "q2": {"b": 1.0, "bad": number}}
    with pytest.raises(InputError, match=r"question 'q2', document 'bad': score .* is not a finite number"):
        match({"q1": {"a": 1}, "q2": {"b": 1}}, run)


@pytest.mark.parametrize("number", [2, True, 2.0, np.int32(2), np.float64(2.0)])
def test_any_whole_number_is_a_grade(number: int) -> None:
    assert match({"q": {"a": number, "b": 0}}, {"q": {"a": 1.0}}).ranks.grade.tolist() == [int(number)]


@pytest.mark.parametrize("number", [1.5, float("nan"), float("inf"), None, "1", 10**30, 1e300, [1]])
def test_what_is_not_a_whole_number_is_no_grade(number: int) -> None:
    with pytest.raises(InputError, match=r"question 'q2', document 'bad': grade .* is not a whole number"):
        match({"q1": {"a": 1}, "q2": {"b": 1, "bad": number}}, {"q1": {"a": 1.0}})


def test_mappings_that_are_not_dicts_are_fine() -> None:
    run = MappingProxyType({"q": MappingProxyType({"a": 1.0, "b": 1.0})})
    assert match(MappingProxyType({"q": MappingProxyType({"a": 1})}), run).ranks.rank.tolist() == [2]


@pytest.mark.parametrize(
    ("qrels", "run", "words"),
    [
        ([], {}, "judgments: expected"),
        ({}, [("q", {})], "rankings: expected"),
        ({"q": ["a"]}, {}, "question 'q': expected {document: number}, found list"),
        ({"q": {"a": 1}}, {"q": ["a"]}, "rankings, question 'q'"),
        ({1: {"a": 1}}, {}, "question id 1 is int"),
        ({"q": {"a": 1}}, {1: {"a": 1.0}}, "rankings: question id 1 is int"),
        ({"q": {7: 1}}, {}, "judgments: document id 7 is int"),
        ({"q": {"a": 1}}, {"q": {7: 1.0}}, "rankings: document id 7 is int"),
        ({"q": {"a": 1}}, {"q": {"a": 1.0, 7: 1.0}}, "document id 7 is int"),
    ],
)
def test_what_is_not_a_table_of_text_ids_is_refused(qrels: object, run: object, words: str) -> None:
    with pytest.raises(InputError) as caught:
        match(qrels, run)  # type: ignore[arg-type]
    assert words in str(caught.value)


@pytest.mark.parametrize("distinct", [0.0, 2.0])
def test_an_id_that_is_not_text_is_named_when_ids_are_compared_and_when_they_are_joined_in_advance(
    monkeypatch: pytest.MonkeyPatch, distinct: float
) -> None:
    from goldproof.metrics.matching import dicts

    monkeypatch.setattr(dicts, "DISTINCT", distinct)
    with pytest.raises(InputError, match="document id 7 is int, not text"):
        match({"q": {"a": 1}}, {"q": {"a": 1.0, 7: 1.0}})  # type: ignore[dict-item]


@pytest.mark.parametrize("kernels", [{"q": [[]]}, {"q": ["ab"]}, {"q": "ab"}])
def test_a_kernel_is_a_list_of_ids_and_not_empty(kernels: dict[str, list[list[str]]]) -> None:
    with pytest.raises(InputError, match="question 'q': kernels are lists"):
        match({}, {}, kernels=kernels)


def test_options_are_checked() -> None:
    with pytest.raises(InputError, match="depth 0"):
        match(QRELS, RUN, depth=0)
    with pytest.raises(InputError, match="questions='all'"):
        match(QRELS, RUN, questions="all")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no_relevant='nan'"):
        score("AP", match(QRELS, RUN), no_relevant="nan")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="has its own kernels"):
        match(JudgmentTable.from_dict(QRELS), RUN, kernels={"q1": [["a"]]})


def test_a_table_brings_its_own_kernels_and_marks() -> None:
    table = JudgmentTable.from_dict(QRELS, kernels={"q1": (("a", "b"),)}, unanswerable=["q3"])
    for run in (RUN, RankingTable.from_dict(RUN)):
        matched = match(table, run)
        assert score("SetRecall@1", matched).value.tolist() == [0.5, 0.0, 0.0]
        assert score("SetRecall@1", matched).code.tolist() == [0, 1, 1]
        assert score("FalseSurface@1", matched).value.tolist() == [0.0, 0.0, 1.0]


def test_a_judged_document_that_a_table_returns_twice_is_refused() -> None:
    table = RankingTable(pl.Series(["q"]), np.array([0, 2]), pl.Series(["a", "a"]), np.array([2.0, 1.0]))
    with pytest.raises(InputError, match="question 'q': document 'a' is retrieved twice"):
        match({"q": {"a": 1}}, table)


def test_a_table_score_that_is_not_finite_names_its_place() -> None:
    table = RankingTable.from_dict({"q1": {"a": 1.0}, "q2": {"b": 1.0, "c": float("nan")}})
    with pytest.raises(InputError, match="question 'q2', document 'c': score nan"):
        match({"q1": {"a": 1}}, table)


def test_equal_hashes_of_different_documents_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    from goldproof.metrics.matching import tables

    monkeypatch.setattr(tables, "_keys", lambda documents, _: np.zeros(len(documents), dtype=np.uint64))
    ranks = match({"q": {"a": 1, "b": 2}}, RankingTable.from_dict({"q": {"b": 1.0, "c": 2.0, "a": 3.0}})).ranks
    assert list(zip(ranks.rank.tolist(), ranks.grade.tolist(), strict=True)) == [(1, 1), (3, 2)]


def test_large_tables_are_matched_in_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    from goldproof.metrics.matching import tables

    monkeypatch.setattr(tables, "ROWS", 3)
    run = {f"q{i}": {f"d{j}": float(j) for j in range(i % 5)} for i in range(12)}
    qrels = {f"q{i}": {"d1": 1, "d3": 2} for i in reversed(range(14))}
    plain, table = match(qrels, run).ranks, match(qrels, RankingTable.from_dict(run)).ranks
    assert len(plain.rank) > 5
    assert table.rank.tolist() == plain.rank.tolist()
    assert table.question.tolist() == plain.question.tolist()


def test_grades_too_large_to_pack_are_sorted_all_the_same() -> None:
    qrels = {f"q{i}": {"a": 2**52, "b": 2**51, "c": 0} for i in range(5000)}
    run = {f"q{i}": {"a": 1.0, "b": 2.0} for i in range(5000)}
    ranks = match(qrels, run).ranks
    assert ranks.grade[:4].tolist() == [2**51, 2**52, 2**51, 2**52]
    assert ranks.judged_grade[-3:].tolist() == [2**52, 2**51, 0]
