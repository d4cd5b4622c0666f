"""RAGBench: gold from marked sentences, subsets from names, and answers that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from goldproof.jobs.build.adapters.adapter import RecordPlace
from goldproof.jobs.build.adapters.ragbench import subset_of
from goldproof.jobs.build.records import Dropped, Example
from tests.jobs.build.adapters.mutated_records import adapted, check_whole, mutated, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

FIXTURES = Path(__file__).parent / "fixtures"
COVID = FIXTURES / "synthetic_ragbench_covidqa.jsonl"
TABLES = FIXTURES / "synthetic_ragbench_tatqa.jsonl"
RECORDS: list[dict[str, object]] = [json.loads(line) for line in COVID.read_text(encoding="utf-8").splitlines()]
TABLE: dict[str, object] = json.loads(TABLES.read_text(encoding="utf-8"))


def adapt(record: Mapping[str, object]) -> Example | Dropped:
    return adapted("ragbench", record, path=COVID)


def example(record: Mapping[str, object]) -> Example:
    made = adapt(record)
    assert isinstance(made, Example), made
    return made


def test_gold_is_the_documents_of_the_relevant_sentences() -> None:
    made = example(RECORDS[0])
    surfaces, air = made.documents
    assert (surfaces.title, air.title) == ("Surfaces", "Air")
    assert air.text == "In air it survived three hours."
    assert made.gold == (surfaces.id,)
    assert made.metadata == {"subset": "covidqa", "gold_basis": "relevant sentences"}
    assert made.doc_type is None


def test_a_sentence_that_stands_twice_is_found_at_its_own_place() -> None:
    made = example(RECORDS[0])
    assert quoted(made) == ["The virus was put on steel.", "It survived two days on steel."]
    # 0c stands at 28, 0d, which is marked (as "0d."), behind it: 28 + 30 + 1 = 59.
    assert [span.start for span in made.evidence] == [0, 59]


def test_equal_documents_are_one_and_a_sentence_that_is_not_there_has_no_evidence() -> None:
    made = example(RECORDS[3])
    well, hole = made.documents
    assert made.gold == (well.id, hole.id)
    assert quoted(made) == ["It was found in a well."]


def test_without_sentences_the_key_names_the_document() -> None:
    made = example({**RECORDS[3], "documents_sentences": None, "all_relevant_sentence_keys": ["2b"]})
    assert made.gold == (made.documents[1].id,)
    assert made.evidence == ()


def test_without_annotation_all_given_documents_are_gold() -> None:
    made = adapted("ragbench", TABLE, path=TABLES)
    assert isinstance(made, Example)
    assert made.gold == tuple(document.id for document in made.documents)
    assert made.metadata == {
        "subset": "tatqa",
        "gold_basis": "given documents",
        "table_rows": 2,
        "table_cols": 2,
        "n_tables": 1,
    }
    assert any(document.text.startswith("| ") for document in made.documents)
    assert made.doc_type == "table"
    assert made.original_id == "tatqa/t1"


def test_answers_of_two_models_to_one_question_have_two_ids() -> None:
    other = {**RECORDS[0], "generation_model_name": "model-b"}
    assert (example(RECORDS[0]).original_id, example(other).original_id) == ("covidqa/11/model-a", "covidqa/11/model-b")


@pytest.mark.parametrize(
    ("record", "reason", "detail"),
    [
        (RECORDS[1], "answer marked as unsupported by its dataset", ""),
        (RECORDS[2], "no relevant sentence marked", ""),
        (RECORDS[4], "relevant sentence does not exist", "sentence keys ['3c']"),
        ({**RECORDS[0], "question": ""}, "no question", ""),
        ({**RECORDS[0], "response": None}, "no answer", ""),
        ({**RECORDS[0], "documents": [], "all_relevant_sentence_keys": None}, "no context", ""),
        (
            {**RECORDS[0], "documents_sentences": None, "all_relevant_sentence_keys": ["9a"]},
            "relevant sentence does not exist",
            "sentence keys ['9a']",
        ),
        (
            {**RECORDS[0], "all_relevant_sentence_keys": [7]},
            "relevant sentence does not exist",
            "sentence keys ['']",
        ),
    ],
)
def test_what_cannot_be_used_is_dropped_with_a_reason(record: dict[str, object], reason: str, detail: str) -> None:
    assert adapt(record) == Dropped(reason, detail=detail, original_id=str(record["id"]))


@pytest.mark.parametrize(
    ("name", "path", "subset"),
    [
        ("techqa_train", "covidqa/test.parquet", "techqa"),
        ("msmarco-validation", "x.jsonl", "msmarco"),
        ("", "emanual/test-00000-of-00001.parquet", "emanual"),
        ("", "data/ragbench_finqa_dev.jsonl", "finqa"),
        (None, "data/rows.jsonl", ""),
    ],
)
def test_the_subset_is_the_name_in_the_record_else_that_of_file_or_folder(name: object, path: str, subset: str) -> None:
    assert subset_of({"dataset_name": name}, RecordPlace(Path(path), 1)) == subset


@given(mutated([RECORDS[0], RECORDS[3], TABLE]))
def test_no_record_raises(record: dict[str, object]) -> None:
    check_whole(adapt(record))
