"""Difficulty: points by a table, the same for a question wherever it stands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.jobs.build.adapters.adapter import RecordPlace
from goldproof.jobs.build.classification import LONG_FROM, Features, difficulty, features_of
from goldproof.jobs.build.records import DIFFICULTIES, Example
from goldproof.records.entities import Document
from tests.jobs.build.adapters.mutated_records import opened

if TYPE_CHECKING:
    from pathlib import Path


def features(gold: int = 1, *, computation: bool = False, question: int = 5, words: int = 10) -> Features:
    return Features("clean_text", gold, computation=computation, question_words=question, gold_words=words)


@pytest.mark.parametrize(
    ("given_features", "points", "level"),
    [
        (features(), 0, "D1"),
        (features(question=15), 1, "D1"),
        (features(2), 1, "D1"),
        (features(2, question=14, words=149), 1, "D1"),
        (features(2, question=15), 2, "D2"),
        (features(computation=True, words=150), 2, "D2"),
        (features(3), 2, "D2"),
        (features(computation=True, question=15, words=150), 3, "D3"),
        (features(4, words=150), 3, "D3"),
        # The most there is: 2 + 1 + 1 + 1.
        (features(9, computation=True, question=99, words=999), 5, "D3"),
    ],
)
def test_points_are_summed_by_the_table(given_features: Features, points: int, level: str) -> None:
    assert (given_features.points, difficulty(given_features)) == (points, level)


def test_what_is_long_depends_on_the_kind_of_document() -> None:
    page = Features("table", 1, computation=True, question_words=15, gold_words=499)
    assert difficulty(page) == "D2"
    assert difficulty(Features("clean_text", 1, computation=True, question_words=15, gold_words=499)) == "D3"
    assert difficulty(Features("of your own", 1, computation=True, question_words=15, gold_words=499)) == "D3"


def example(**changes: object) -> Example:
    documents = (Document("a", "one two three"), Document("b", "four  five"), Document("c", ""))
    made: dict[str, object] = {"original_id": "1", "question": "What is the average weight of a boat?", "answer": "3"}
    return Example(**(made | {"documents": documents, "gold": ("a", "c")} | changes))  # type: ignore[arg-type]


def test_a_question_over_prose_is_not_taken_to_compute() -> None:
    assert not features_of(example(), doc_type="clean_text").computation
    assert features_of(example(computation=True), doc_type="clean_text").computation


def test_features_count_the_gold_documents_only() -> None:
    counted = features_of(example(), doc_type="table")
    assert counted == Features("table", 2, computation=True, question_words=8, gold_words=3)
    assert counted.to_dict() == {
        "gold_documents": 2,
        "computation": True,
        "question_words": 8,
        "gold_words": 3,
        "points": 2,
    }


def test_what_the_dataset_says_about_computation_wins() -> None:
    assert not features_of(example(computation=False), doc_type="clean_text").computation
    assert features_of(example(computation=True, question="Who?"), doc_type="clean_text").computation


def test_of_alternative_kernels_the_smallest_counts() -> None:
    assert features_of(example(kernels=(("a", "c"), ("b",))), doc_type="clean_text").gold_documents == 1


def test_the_kind_of_the_example_wins_over_that_of_the_dataset() -> None:
    assert features_of(example(doc_type="table"), doc_type="clean_text").doc_type == "table"


@given(
    st.sampled_from(sorted(LONG_FROM)),
    st.tuples(st.integers(0, 6), st.booleans(), st.integers(0, 60), st.integers(0, 900)),
    st.tuples(st.integers(0, 6), st.booleans(), st.integers(0, 60), st.integers(0, 900)),
)
def test_more_of_every_feature_is_never_easier(
    doc_type: str, one: tuple[int, bool, int, int], other: tuple[int, bool, int, int]
) -> None:
    low = [min(pair) for pair in zip(one, other, strict=True)]
    high = [max(pair) for pair in zip(one, other, strict=True)]
    easier, harder = (
        Features(doc_type, a, computation=bool(b), question_words=c, gold_words=d) for a, b, c, d in (low, high)
    )
    assert DIFFICULTIES.index(difficulty(easier)) <= DIFFICULTIES.index(difficulty(harder))


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("adapter", "counts"),
    [("hotpotqa", {"D1": 29, "D2": 51, "D3": 20}), ("musique", {"D1": 20, "D2": 28, "D3": 52})],
)
def test_real_questions_over_passages_have_every_level(realdata: Path, adapter: str, counts: dict[str, int]) -> None:
    path = realdata / "multihop" / f"{adapter}_train.json"
    adapt = opened(adapter, path)
    made = [
        one for record in json.loads(path.read_text(encoding="utf-8")) for one in adapt(record, RecordPlace(path, 1))
    ]
    levels = [difficulty(features_of(one, doc_type="clean_text")) for one in made if isinstance(one, Example)]
    assert {level: levels.count(level) for level in DIFFICULTIES} == counts
