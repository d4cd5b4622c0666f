from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from goldproof.io.record_files import read_records
from goldproof.jobs.build.adapters import finqa
from goldproof.jobs.build.adapters.adapter import ADAPTERS, RecordPlace
from goldproof.jobs.build.adapters.t2_ragbench import ADAPTER, adapt
from goldproof.jobs.build.records import Dropped, Example
from tests.jobs.build.adapters.mutated_records import check_whole, mutated
from tests.jobs.build.adapters.odd_values import check_all, odd_records

if TYPE_CHECKING:
    from goldproof.jobs.build.adapters.adapter import JsonObject

PLACE = RecordPlace(Path("dev.parquet"), 1)
PANDAS = (
    "|    |           |   2019 |   2018 |\n|---:|:----------|-------:|-------:|\n|  0 | net sales |    120 |    100 |"
)
SYNTHETIC_FINQA: dict[str, object] = {
    "id": "finqa_dev_7",
    "context_id": "finqa_dev_ctx_3",
    "split": "dev",
    "question": "What was the growth of net sales of Acme in 2019?",
    "program_answer": "0.2",
    "original_answer": "20%",
    "context": f"acme makes anvils .\nmany ._{PANDAS}_see note 3 .",
    "table": PANDAS,
    "pre_text": "acme makes anvils .\nmany .",
    "post_text": "see note 3 .",
    "file_name": "pdf/ACME/2019/page_12.pdf",
    "company_name": "Acme Inc.",
    "company_symbol": "ACME",
    "report_year": 2019,
    "page_number": 12,
    "company_sector": "Industrials",
}
SYNTHETIC_TATDQA: dict[str, object] = {
    "id": "tatqa_dev_9",
    "context_id": "0123456789abcdef0123456789abcdef",
    "split": "dev",
    "question": "What were the sales of Acme in 2019?",
    "program_answer": "533000000.0",
    "original_answer": "['$533 million']",
    "context": "Sales:\n\n| | 2019 |\n|---|---|\n| Sales | 533 |\n\nCost:\n\n| | 19 |\n|---|---|\n| a | 1 |\n| b | 2 |",
    "file_name": "raw/0123456789abcdef0123456789abcdef.pdf",
    "company_name": "acme",
    "report_year": "2019",
    "company_sector": None,
}
SEED: dict[str, object] = {
    "question": "What was the percentage change in revenue from 2019 to 2020?",
    "program_answer": "15.2",
    "original_answer": "15.2%",
    "context": "The following table shows...",
    "table": [["Year", "Revenue", "Profit"], ["2019", "$10.5B", "$1.2B"], ["2020", "$12.1B", "$1.8B"]],
    "table_caption": "Key figures",
    "file_name": "annual_report_2020.pdf",
    "page_number": 42,
}
PAGE = (
    "acme makes anvils .\nmany .\n\n|  | 2019 | 2018 |\n| --- | --- | --- |\n| net sales | 120 | 100 |\n\nsee note 3 ."
)


def only(record: JsonObject) -> Example | Dropped:
    (outcome,) = adapt(record, PLACE)
    return outcome


def made(record: JsonObject) -> Example:
    outcome = only(record)
    assert isinstance(outcome, Example)
    return outcome


def test_the_adapter_is_in_the_catalogue() -> None:
    assert ADAPTERS.get("t2-ragbench") is ADAPTER


def test_a_finqa_page_is_made_of_its_parts_without_the_index_column() -> None:
    (document,) = made(SYNTHETIC_FINQA).documents
    assert (document.id, document.text) == ("finqa:ACME/2019/page_12", PAGE)


def without_parts(record: JsonObject) -> dict[str, object]:
    return {key: value for key, value in record.items() if key not in ("pre_text", "post_text", "table")}


def test_the_glued_context_is_taken_apart_where_the_parts_are_missing() -> None:
    assert made(without_parts(SYNTHETIC_FINQA)) == made(SYNTHETIC_FINQA)
    assert made(without_parts(SYNTHETIC_FINQA) | {"table": PANDAS}) == made(SYNTHETIC_FINQA)
    bare = f"_{PANDAS}_"
    assert made(without_parts(SYNTHETIC_FINQA) | {"context": bare}).documents[0].text.startswith("|  | 2019 | 2018 |")


def test_a_page_may_lack_its_table() -> None:
    record = {key: value for key, value in SYNTHETIC_FINQA.items() if key not in ("context", "table")}
    assert made(record).documents[0].text == "acme makes anvils .\nmany .\n\nsee note 3 ."


def test_the_same_page_under_another_context_id_and_in_finqa_is_one_document() -> None:
    other = SYNTHETIC_FINQA | {"id": "convfinqa_3", "context_id": "convfinqa_ctx_3"}
    original = {
        "filename": "ACME/2019/page_12.pdf",
        "pre_text": ["acme makes anvils .", "many ."],
        "post_text": ["see note 3 ."],
        "table": [["", "2019", "2018"], ["net sales", "120", "100"]],
        "qa": {"question": "what was the growth?", "exe_ans": 0.2},
    }
    (example,) = finqa.adapt(original, PLACE)
    assert isinstance(example, Example)
    assert made(SYNTHETIC_FINQA).documents == made(other).documents == example.documents


def test_without_a_page_the_document_is_known_by_its_context_id_else_by_its_content() -> None:
    nameless = SYNTHETIC_FINQA | {"file_name": "scan.pdf"}
    assert made(nameless).gold == ("t2-ragbench:finqa_dev_ctx_3",)
    first, second = (made(nameless | {"context_id": None, "post_text": text}).gold[0] for text in ("a", "b"))
    assert first.startswith("t2-ragbench:")
    assert first != second


def test_the_metadata_of_a_finqa_row() -> None:
    example = made(SYNTHETIC_FINQA)
    assert (example.original_id, example.answer, example.aliases) == ("finqa_dev_7", "0.2", ("20%",))
    assert example.computation is True
    assert example.metadata == {
        "subset": "FinQA",
        "split": "dev",
        "file_name": "pdf/ACME/2019/page_12.pdf",
        "company_name": "Acme Inc.",
        "company_symbol": "ACME",
        "company_sector": "Industrials",
        "context_id": "finqa_dev_ctx_3",
        "report_year": 2019,
        "page_number": 12,
        "table_rows": 2,
        "table_cols": 3,
        "n_tables": 1,
        "original_answer": "20%",
        "answer_unit": "percent",
        "scale_conflict": "percent",
    }


@pytest.mark.parametrize(
    ("own_id", "computed"), [("finqa_train_7", True), ("convfinqa_train_7", None), ("q7", None), (None, None)]
)
def test_what_finqa_asks_is_computed_where_the_id_says_that_it_is_finqa(own_id: object, computed: object) -> None:
    assert made(SYNTHETIC_FINQA | {"id": own_id}).computation is computed


def test_a_tat_dqa_context_is_kept_and_its_tables_counted() -> None:
    example = made(SYNTHETIC_TATDQA)
    assert example.documents[0].text == SYNTHETIC_TATDQA["context"]
    assert example.gold == ("tat-dqa:0123456789abcdef0123456789abcdef",)
    assert (example.answer, example.aliases) == ("533000000.0", ("$533 million",))
    # The larger of the two tables has a row of headings and two more.
    expected = {"subset": "TAT-DQA", "report_year": 2019, "n_tables": 2, "table_rows": 3, "table_cols": 2}
    assert expected.items() <= example.metadata.items()
    assert example.metadata["answer_unit"] == "$"
    assert "company_sector" not in example.metadata


def test_the_shape_of_the_design_is_read_as_well() -> None:
    example = made(SEED)
    assert example.documents[0].text == (
        "The following table shows...\n\nTable: Key figures\n\n"
        "| Year | Revenue | Profit |\n| --- | --- | --- |\n| 2019 | $10.5B | $1.2B |\n| 2020 | $12.1B | $1.8B |"
    )
    assert example.answer == "15.2"
    assert {"table_rows": 3, "table_cols": 3, "page_number": 42}.items() <= example.metadata.items()
    assert made(dict(reversed(SEED.items()))) == example


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"id": "convfinqa_12"}, "ConvFinQA"),
        ({"id": None}, "FinQA"),
        ({"id": None, "file_name": None, "context_id": "0" * 32}, "TAT-DQA"),
        ({"id": None, "file_name": None, "context_id": None}, None),
    ],
)
def test_the_subset_shows_in_the_id_or_in_the_columns(columns: dict[str, object], expected: object) -> None:
    assert made(SYNTHETIC_FINQA | columns).metadata.get("subset") == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"question": "  "}, "no question"),
        ({"question": None}, "no question"),
        ({"program_answer": None, "original_answer": None}, "no answer"),
        ({"program_answer": "", "original_answer": "[]"}, "no answer"),
        ({"table": "no table"}, "table cannot be read"),
        ({"table": [["a", {}]]}, "table cannot be read"),
        ({"table": None, "context": None, "pre_text": "", "post_text": " "}, "no context"),
    ],
)
def test_what_cannot_be_used_is_dropped_with_a_reason(changes: dict[str, object], expected: str) -> None:
    outcome = only(SYNTHETIC_FINQA | changes)
    assert isinstance(outcome, Dropped)
    assert (outcome.reason, outcome.original_id) == (expected, "finqa_dev_7")


@given(mutated([SYNTHETIC_FINQA, SYNTHETIC_TATDQA, SEED]))
def test_any_record_gives_an_example_or_a_reason(record: dict[str, object]) -> None:
    check_all(adapt(record, PLACE))


def test_every_place_may_hold_every_odd_value() -> None:
    for record in [SYNTHETIC_FINQA, SYNTHETIC_TATDQA, SEED]:
        for odd in odd_records(record):
            check_all(adapt(odd, PLACE))


@pytest.mark.realdata
def test_the_published_dev_split_of_finqa(realdata: Path) -> None:
    records = [record for _, record in read_records(realdata / "t2_ragbench" / "FinQA_dev.parquet")]
    examples = [made(record) for record in records]
    assert (len(examples), len({example.gold for example in examples})) == (883, 299)
    for example, record in zip(examples, records, strict=True):
        check_whole(example)
        text = example.documents[0].text
        assert text.startswith(f"{record['pre_text']}\n\n|")
        assert text.endswith(f"|\n\n{record['post_text']}")
        assert made(without_parts(record)) == example
    assert len({(example.documents[0].id, example.documents[0].text) for example in examples}) == 299
    assert Counter(example.metadata.get("scale_conflict") for example in examples) == {
        "percent": 451, None: 420, "percent and sign": 6, "million": 4, "thousand": 1, "sign": 1,
    }  # fmt: skip
    words = Counter(example.answer for example in examples if "answer_coded_as" in example.metadata)
    assert words == {"no": 7, "yes": 3}
    assert [_shown(examples[number]) for number in (0, 441, 882)] == FINQA


@pytest.mark.realdata
def test_the_published_dev_split_of_tat_dqa(realdata: Path) -> None:
    records = [record for _, record in read_records(realdata / "t2_ragbench" / "TAT-DQA_dev.parquet")]
    examples = [made(record) for record in records]
    assert (len(examples), len({example.gold for example in examples})) == (1142, 274)
    for example, record in zip(examples, records, strict=True):
        check_whole(example)
        assert example.documents[0].text == record["context"]
        assert (example.metadata["report_year"], example.metadata["subset"]) == (2019, "TAT-DQA")
    assert Counter(example.metadata.get("scale_conflict") for example in examples) == {None: 1127, "sign": 15}
    coded = {str(example.metadata["answer_coded_as"]): example.answer for example in examples if
             "answer_coded_as" in example.metadata}  # fmt: skip
    assert len(coded) == 8
    assert (coded["2021-12-12"], coded["352-05-12"]) == ("December 2021", "decreased $352 million")
    assert [_shown(examples[number]) for number in (0, 571, 1141)] == TATDQA


def _shown(example: Example) -> tuple[object, ...]:
    digest = hashlib.sha256(example.documents[0].text.encode()).hexdigest()[:12]
    names = ("n_tables", "table_rows", "table_cols", "original_answer")
    metadata = tuple(example.metadata.get(name) for name in names)
    return (example.original_id, example.gold, example.question[:37], example.answer, metadata, digest)


FINQA: list[tuple[object, ...]] = [
    (
        "finqa_dev_0",
        ("finqa:V/2008/page_17",),
        "What was the average payment volume p",
        "127.4",
        (1, 7, 5, "127.40"),
        "5183abbd785e",
    ),
    (
        "finqa_dev_441",
        ("finqa:KHC/2016/page_23",),
        "As of December 31, 2016, what percent",
        "0.04597701149425287",
        (1, 5, 3, None),
        "78a74f5ce6c0",
    ),
    (
        "finqa_dev_882",
        ("finqa:UNP/2007/page_65",),
        "What percentage of Union Pacific Corp",
        "0.6141927083333333",
        (1, 7, 2, "61%"),
        "8f73f293ee54",
    ),
]
TATDQA: list[tuple[object, ...]] = [
    (
        "tatqa_dev_10207",
        ("tat-dqa:003755794bbbbcffd0667b9600aeb0be",),
        "What is the percentage change in orde",
        "13.2",
        (3, 16, 6, "13.2"),
        "96655e79385b",
    ),
    (
        "tatqa_dev_10778",
        ("tat-dqa:7497b6c908b9df44ba2fbfdd6cd3d577",),
        "What is the average total asset value",
        "5407.7",
        (1, 14, 3, "5407.7"),
        "8476e668765a",
    ),
    (
        "tatqa_dev_11348",
        ("tat-dqa:ff072e531f4130162424dcde67b99ec6",),
        "What was the percentage change in Kem",
        "-4049.06",
        (2, 20, 3, "-4049.06"),
        "fa466ea9dc93",
    ),
]
