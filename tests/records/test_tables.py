from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.records.entities import Hit, Judgment, Ranking, Score
from goldproof.records.tables import JudgmentTable, RankingTable, ScoreTable, group_rows

ids = st.text(min_size=1, max_size=3)
grades = st.dictionaries(ids, st.dictionaries(ids, st.integers(-2, 4), max_size=4), max_size=5)


@given(grades)
def test_judgments_come_back_as_they_went_in(given_grades: dict[str, dict[str, int]]) -> None:
    assert JudgmentTable.from_dict(given_grades).to_dict() == given_grades


@given(grades)
def test_rankings_come_back_as_they_went_in(scores: dict[str, dict[str, int]]) -> None:
    assert RankingTable.from_dict(scores).to_dict() == scores


@given(grades, st.frozensets(ids, max_size=3))
def test_judgments_without_some_questions_keep_the_others(
    given_grades: dict[str, dict[str, int]], dropped: frozenset[str]
) -> None:
    table = JudgmentTable.from_dict(given_grades, kernels=dict.fromkeys(given_grades, (("x",),)), unanswerable=dropped)
    kept = table.without(dropped)
    assert kept.to_dict() == {q: d for q, d in given_grades.items() if q not in dropped}
    assert set(kept.kernels) == set(given_grades) - dropped
    assert not kept.unanswerable


@given(st.lists(st.sampled_from("abc"), max_size=12))
def test_grouping_brings_equal_questions_together_in_order_of_appearance(rows: list[str]) -> None:
    questions, starts, order = group_rows(pl.Series(rows, dtype=pl.String))
    assert questions.to_list() == list(dict.fromkeys(rows))
    arranged = rows if order is None else [rows[i] for i in order]
    for i, question in enumerate(questions.to_list()):
        assert set(arranged[starts[i] : starts[i + 1]]) == {question}
    if order is not None:
        # stable: within a question, rows keep the order in which they were read
        for i in range(len(questions)):
            assert np.all(np.diff(order[starts[i] : starts[i + 1]]) > 0)


def test_a_grade_and_a_kernel_are_told_apart_by_what_they_say() -> None:
    table = JudgmentTable.from_records(
        [Judgment("q", ("a",), grade=2), Judgment("q", ("a", "b"), kernel=True), Judgment("q", ("c",), kernel=True)]
    )
    assert table.to_dict() == {"q": {"a": 2}}
    assert table.kernels == {"q": (("a", "b"), ("c",))}


@pytest.mark.parametrize(
    "judgment", [Judgment("q", ("a",)), Judgment("q", ("a",), label="no"), Judgment("q", ("a", "b"), 1)]
)
def test_a_judgment_that_is_neither_a_grade_nor_a_kernel_is_refused(judgment: Judgment) -> None:
    with pytest.raises(InputError, match="expected one document with a grade, or kernel=True"):
        JudgmentTable.from_records([judgment])


def test_a_document_judged_twice_is_refused() -> None:
    with pytest.raises(InputError, match="question 'q': document 'a' is judged twice"):
        JudgmentTable.from_records([Judgment("q", ("a",), 1), Judgment("q", ("a",), 1)])


def test_a_ranking_with_an_error_is_a_failed_question() -> None:
    table = RankingTable.from_records([Ranking("q1", (Hit("a", 1.0),)), Ranking("q2", error="timeout")])
    assert table.to_dict() == {"q1": {"a": 1.0}}
    assert table.failed == {"q2": "timeout"}


def test_a_document_returned_twice_is_refused() -> None:
    with pytest.raises(InputError, match="question 'q': a document is returned twice"):
        RankingTable.from_records([Ranking("q", (Hit("a", 1.0), Hit("a", 0.5)))])


def test_a_question_ranked_twice_is_refused() -> None:
    with pytest.raises(InputError, match="question 'q' is ranked twice"):
        RankingTable.from_records([Ranking("q"), Ranking("q", error="late")])


def test_scores_come_back_as_they_went_in() -> None:
    scores = [
        Score("bm25", "q1", "P@5", 0.2, cluster="c"),
        Score("bm25", "q2", "P@5", None, "undefined", "no relevant document"),
    ]
    assert ScoreTable.from_records(scores).to_records() == scores


def test_a_score_table_has_its_columns_and_no_others() -> None:
    with pytest.raises(InputError, match="a score table has the columns"):
        ScoreTable(pl.DataFrame({"run": ["a"]}))
