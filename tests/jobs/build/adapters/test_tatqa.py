from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from goldproof.io.record_files import read_records
from goldproof.jobs.build.adapters.adapter import ADAPTERS, RecordPlace
from goldproof.jobs.build.adapters.tatqa import ADAPTER, adapt, scaled
from goldproof.jobs.build.records import Dropped, Example
from tests.jobs.build.adapters.mutated_records import check_whole, mutated
from tests.jobs.build.adapters.odd_values import check_all, odd_records

if TYPE_CHECKING:
    from goldproof.jobs.build.adapters.adapter import JsonObject

PLACE = RecordPlace(Path("dev.json"), 1)
QUESTION: dict[str, object] = {
    "uid": "q1",
    "order": 1,
    "question": "What was the change in sales?",
    "answer": 20,
    "derivation": "120 - 100",
    "answer_type": "arithmetic",
    "answer_from": "table-text",
    "rel_paragraphs": ["2"],
    "req_comparison": False,
    "scale": "million",
}
SYNTHETIC: dict[str, object] = {
    "table": {"uid": "t1", "table": [["", "Years", ""], ["", "2019", "2018"], ["Sales", "$120", "$100"]]},
    "paragraphs": [
        {"uid": "p3", "order": 3, "text": "See note 3."},
        {"uid": "p1", "order": 1, "text": "Sales"},
        {"uid": "p2", "order": 2, "text": "Sales by year were (in millions):"},
    ],
    "questions": [QUESTION],
}


def outcome_of(**changes: object) -> Example | Dropped:
    (outcome,) = adapt(SYNTHETIC | {"questions": [QUESTION | changes]}, PLACE)
    return outcome


def made(**changes: object) -> Example:
    outcome = outcome_of(**changes)
    assert isinstance(outcome, Example)
    return outcome


def test_the_adapter_is_in_the_catalogue() -> None:
    assert ADAPTERS.get("tatqa") is ADAPTER


def test_the_table_stands_after_the_first_paragraph_that_ends_with_a_colon() -> None:
    (document,) = made().documents
    assert document.id == "tatqa:t1"
    assert document.text == (
        "Sales\n\nSales by year were (in millions):\n\n"
        "|  | Years 2019 | Years 2018 |\n| --- | --- | --- |\n| Sales | $120 | $100 |\n\nSee note 3."
    )


def test_without_such_a_paragraph_the_table_comes_first() -> None:
    record = SYNTHETIC | {
        "paragraphs": [{"order": "1", "text": "Sales"}],
        "questions": [QUESTION | {"rel_paragraphs": []}],
    }
    (example,) = adapt(record, PLACE)
    assert isinstance(example, Example)
    assert example.documents[0].text.endswith("| Sales | $120 | $100 |\n\nSales")


def test_evidence_is_the_paragraphs_and_the_table() -> None:
    example = made(rel_paragraphs=["3", 1])
    text = example.documents[0].text
    found = [text[span.start : span.end] for span in example.evidence]
    assert found[::2] == ["Sales", "See note 3."]
    assert found[1].splitlines()[-1] == "| Sales | $120 | $100 |"
    assert len(made(answer_from="text").evidence) == 1


def test_an_answer_has_its_scale_and_keeps_the_original() -> None:
    assert made(answer="3", scale="").metadata["original_answer"] == "3"
    example = made(answer=["$120", "$100"])
    assert (example.answer, example.aliases) == ("$120 million; $100 million", ("$120; $100",))
    assert example.metadata == {
        "answer_type": "arithmetic",
        "answer_from": "table-text",
        "derivation": "120 - 100",
        "scale": "million",
        "original_answer": '["$120","$100"]',
        "table_rows": 3,
        "table_cols": 3,
        "n_tables": 1,
        "n_paragraphs": 3,
    }


@pytest.mark.parametrize(
    ("answer", "text"),
    [(["$120"], '["$120"]'), (-22.22, "-22.22"), (7, "7"), ("['3']", "['3']"), (["\xe9"], '["\xe9"]')],
)
def test_the_original_answer_is_text_whatever_it_was(answer: object, text: str) -> None:
    assert made(answer=answer).metadata["original_answer"] == text


@pytest.mark.parametrize(
    ("answer", "scale", "expected"),
    [
        (-22.22, "percent", "-22.22%"),
        (["5.6%"], "percent", "5.6%"),
        (["5.6 percent"], "percent", "5.6 percent"),
        (["$1.1 billion"], "billion", "$1.1 billion"),
        (183.4, "million", "183.4 million"),
        (["Automotive", "7"], "thousand", "Automotive; 7 thousand"),
        ("3", "", "3"),
        ("['3', '4']", "million", "3 million; 4 million"),
        (7.0, "", "7"),
        ([], "million", ""),
        (True, "million", ""),
    ],
)
def test_the_scale_is_written_once_and_only_behind_numbers(answer: object, scale: str, expected: str) -> None:
    assert scaled(answer, scale) == expected


@pytest.mark.parametrize(
    ("kind", "computed"),
    [("arithmetic", True), ("count", True), ("span", False), ("multi-span", False), ("other", None), (None, None)],
)
def test_arithmetic_and_counting_are_computation(kind: object, computed: object) -> None:
    assert made(answer_type=kind).computation is computed


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"question": ""}, "no question"),
        ({"answer": []}, "no answer"),
        ({"answer": None}, "no answer"),
        ({"rel_paragraphs": ["4"]}, "paragraph does not exist"),
        ({"rel_paragraphs": [None]}, "paragraph does not exist"),
        ({"rel_paragraphs": "2"}, "evidence cannot be read"),
    ],
)
def test_a_question_that_cannot_be_used_is_dropped_with_a_reason(changes: dict[str, object], expected: str) -> None:
    outcome = outcome_of(**changes)
    assert isinstance(outcome, Dropped)
    assert (outcome.reason, outcome.original_id) == (expected, "q1")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"questions": []}, "no question"),
        ({"table": None}, "table cannot be read"),
        ({"table": {"uid": "t", "table": [[]]}}, "table cannot be read"),
        ({"paragraphs": None}, "paragraphs cannot be read"),
        ({"paragraphs": [{"text": "x"}]}, "paragraphs cannot be read"),
        ({"paragraphs": [{"order": 1, "text": "x"}, {"order": 1, "text": "y"}]}, "paragraphs cannot be read"),
    ],
)
def test_a_record_that_cannot_be_used_drops_each_of_its_questions(changes: dict[str, object], expected: str) -> None:
    outcomes = list(adapt(SYNTHETIC | {"questions": [QUESTION, QUESTION]} | changes, PLACE))
    assert {getattr(outcome, "reason", None) for outcome in outcomes} == {expected}
    assert len(outcomes) == (1 if expected == "no question" else 2)


@given(mutated([SYNTHETIC]))
def test_any_record_gives_examples_or_reasons(record: dict[str, object]) -> None:
    check_all(adapt(record, PLACE))


def test_every_place_may_hold_every_odd_value() -> None:
    for record in [SYNTHETIC]:
        for odd in odd_records(record):
            check_all(adapt(odd, PLACE))


@pytest.mark.realdata
def test_the_published_dev_split(realdata: Path) -> None:
    records = [record for _, record in read_records(realdata / "tatqa" / "tatqa_dataset_dev.json")]
    examples = [example for record in records for example in adapt(record, PLACE) if isinstance(example, Example)]
    asked = [(record, question) for record in records for question in record["questions"]]  # type: ignore[attr-defined]
    assert (len(records), len(asked), len(examples)) == (278, 1668, 1668)
    assert len({example.gold for example in examples}) == 278
    for example, (record, question) in zip(examples, asked, strict=True):
        check_whole(example)
        _check_evidence(example, record, question)
    assert [_shown(examples[number]) for number in (0, 834, 1667)] == EXPECTED


def _check_evidence(example: Example, record: JsonObject, question: JsonObject) -> None:
    text = example.documents[0].text
    found = [text[span.start : span.end] for span in example.evidence]
    tables = [part for part in found if part.startswith("|")]
    assert bool(tables) == ("table" in str(question["answer_from"]))
    by_order = {str(paragraph["order"]): paragraph["text"] for paragraph in record["paragraphs"]}  # type: ignore[attr-defined]
    named = {by_order[name] for name in question["rel_paragraphs"]}  # type: ignore[attr-defined]
    assert set(found) - set(tables) == named
    rows: list[list[str]] = record["table"]["table"]  # type: ignore[index]
    assert all(tables[0].splitlines()[-1] == f"| {' | '.join(map(str.strip, rows[-1]))} |" for _ in tables)


def _shown(example: Example) -> tuple[object, ...]:
    digest = hashlib.sha256(example.documents[0].text.encode()).hexdigest()[:12]
    names = ("answer_type", "answer_from", "table_rows", "table_cols")
    metadata = tuple(example.metadata[name] for name in names)
    return (example.original_id, example.gold, example.question[:40], example.answer[:40], metadata, digest)


EXPECTED: list[tuple[object, ...]] = [
    (
        "23801627-ff77-4597-8d24-1c99e2452082",
        ("tatqa:3ffd9053-a45d-491c-957a-1b2fa0af0570",),
        "What is the company paid on a cost-plus ",
        "our allowable incurred costs plus a prof",
        ("span", "text", 5, 4),
        "3422a50c7c44",
    ),
    (
        "f2acd7a9-0692-4c73-8cb5-f40576447b2a",
        ("tatqa:ae44e24d-3fb5-4eff-95e1-ec8fc530c1d7",),
        "Where are the principal executive office",
        "San Diego, California",
        ("span", "text", 7, 3),
        "19c4aa89d2d2",
    ),
    (
        "3b8e873e-64d5-4af0-904f-7197dc632773",
        ("tatqa:8db2d2a5-fdcd-45c2-be2f-813cba4fbca7",),
        "What is the average Total Marine Service",
        "183.4 million",
        ("arithmetic", "table", 9, 3),
        "939d3b7f8cad",
    ),
]
