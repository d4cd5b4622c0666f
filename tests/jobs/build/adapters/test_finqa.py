from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.io.record_files import read_records
from goldproof.jobs.build.adapters.adapter import ADAPTERS, RecordPlace
from goldproof.jobs.build.adapters.finqa import ADAPTER, adapt
from goldproof.jobs.build.records import Dropped, Example
from goldproof.text.tables import table_lines, table_of
from tests.jobs.build.adapters.mutated_records import check_whole, mutated
from tests.jobs.build.adapters.odd_values import check_all, odd_records

if TYPE_CHECKING:
    from goldproof.jobs.build.adapters.adapter import JsonObject

PLACE = RecordPlace(Path("train.json"), 1)
SYNTHETIC: dict[str, object] = {
    "id": "ACME/2019/page_12.pdf-1",
    "filename": "ACME/2019/page_12.pdf",
    "pre_text": ["acme makes anvils .", "sales are in millions ."],
    "post_text": ["see note 3 ."],
    "table": [["", "2019", "2018"], ["net sales", "$ 120", "$ 100"], ["cost | other", "80", "70"]],
    "qa": {
        "question": "what was the growth of net sales?",
        "answer": "20%",
        "exe_ans": 0.2,
        "program": "subtract(120, 100), divide(#0, 100)",
        "gold_inds": {"table_1": "the net sales of 2019 is $ 120 ;", "text_2": "see note 3 ."},
    },
}


def only(record: JsonObject) -> Example | Dropped:
    (outcome,) = adapt(record, PLACE)
    return outcome


def with_qa(**changes: object) -> dict[str, object]:
    qa = SYNTHETIC["qa"]
    assert isinstance(qa, dict)
    return SYNTHETIC | {"qa": qa | changes}


def made(record: JsonObject) -> Example:
    outcome = only(record)
    assert isinstance(outcome, Example)
    return outcome


def reason(record: JsonObject) -> str:
    outcome = only(record)
    assert isinstance(outcome, Dropped)
    return outcome.reason


def test_the_adapter_is_in_the_catalogue() -> None:
    assert ADAPTERS.get("finqa") is ADAPTER


def test_the_page_is_text_table_text() -> None:
    (document,) = made(SYNTHETIC).documents
    assert document.id == "finqa:ACME/2019/page_12"
    assert document.text == (
        "acme makes anvils .\nsales are in millions .\n\n"
        "|  | 2019 | 2018 |\n| --- | --- | --- |\n| net sales | $ 120 | $ 100 |\n| cost \\| other | 80 | 70 |\n\n"
        "see note 3 ."
    )


def test_evidence_counts_sentences_through_both_texts_and_rows_from_the_headings() -> None:
    example = made(with_qa(gold_inds={"table_0": "", "table_2": "", "text_1": "sales are in millions .", "text_2": ""}))
    text = example.documents[0].text
    assert [text[span.start : span.end] for span in example.evidence] == [
        "sales are in millions .",
        "|  | 2019 | 2018 |",
        "| cost \\| other | 80 | 70 |",
        "see note 3 .",
    ]


def test_the_computed_answer_is_the_ground_truth() -> None:
    example = made(SYNTHETIC)
    assert (example.answer, example.aliases, example.computation) == ("0.2", ("20%",), True)
    assert example.metadata == {
        "file_name": "ACME/2019/page_12.pdf",
        "company_symbol": "ACME",
        "report_year": 2019,
        "page_number": 12,
        "program": "subtract(120, 100), divide(#0, 100)",
        "n_operations": 2,
        "table_rows": 3,
        "table_cols": 3,
        "n_tables": 1,
        "original_answer": "20%",
        "answer_unit": "percent",
        "scale_conflict": "percent",
    }


def test_an_answer_in_words_is_kept() -> None:
    assert made(with_qa(exe_ans="yes", answer="yes", program="greater(2, 1)")).answer == "yes"


def test_without_a_computed_answer_the_written_one_is_taken() -> None:
    assert made(with_qa(exe_ans=None)).answer == "20%"


def test_computation_is_unknown_without_a_program_and_false_without_an_operation() -> None:
    assert made(with_qa(program=None)).computation is None
    assert made(with_qa(program="120")).computation is False


def test_a_page_without_a_name_is_known_by_its_content() -> None:
    first, second = (made(SYNTHETIC | {"filename": name}) for name in (None, "scan.pdf"))
    assert first.gold == second.gold
    assert first.gold[0].startswith("finqa:")


def test_a_record_without_an_id_is_known_by_its_content() -> None:
    nameless = {key: value for key, value in SYNTHETIC.items() if key != "id"}
    assert made(nameless).original_id == made(nameless | {"pre_text": ["other .", "x"]}).original_id
    assert made(nameless).original_id != made(nameless | {"filename": "ACME/2018/page_1.pdf"}).original_id


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (SYNTHETIC | {"qa": None}, "no question"),
        (with_qa(question=" "), "no question"),
        (with_qa(exe_ans=None, answer=""), "no answer"),
        (with_qa(exe_ans=float("nan"), answer=[]), "no answer"),
        (SYNTHETIC | {"table": []}, "table cannot be read"),
        (SYNTHETIC | {"table": [["a", ["b"]]]}, "table cannot be read"),
        (SYNTHETIC | {"pre_text": [1, 2]}, "text cannot be read"),
        (with_qa(gold_inds={"text_3": "x"}), "evidence does not exist"),
        (with_qa(gold_inds={"table_3": "x"}), "evidence does not exist"),
        (with_qa(gold_inds={"row 1": "x"}), "evidence does not exist"),
        (with_qa(gold_inds=["text_1"]), "evidence cannot be read"),
        (with_qa(gold_inds={"text_1": "acme makes anvils ."}), "evidence is not what it quotes"),
    ],
)
def test_what_cannot_be_used_is_dropped_with_a_reason(record: JsonObject, expected: str) -> None:
    assert reason(record) == expected


@given(
    st.lists(st.text("ab .|", min_size=1), max_size=4),
    st.lists(st.text("ab .|", min_size=1), max_size=4),
    st.lists(st.lists(st.text("ab1|\n\\", max_size=4), min_size=1, max_size=3), min_size=2, max_size=4),
)
def test_every_place_can_be_evidence_and_is_found(pre: list[str], post: list[str], rows: list[list[str]]) -> None:
    table = [["year"], *rows]
    sentences = [*pre, *post]
    names = [f"text_{number}" for number in range(len(sentences))] + [f"table_{number}" for number in range(len(table))]
    example = made(SYNTHETIC | {"pre_text": pre, "post_text": post, "table": table} | with_gold(names))
    text = example.documents[0].text
    found = [text[span.start : span.end] for span in example.evidence]
    kept = [*(pre if "".join(pre).strip() else []), *(post if "".join(post).strip() else [])]
    lines = table_lines(table_of(table, header_rows=1))
    assert sorted(found) == sorted([*kept, lines[0], *lines[2:]])


def with_gold(names: list[str]) -> dict[str, object]:
    return {"qa": with_qa(gold_inds=dict.fromkeys(names, ""))["qa"]}


@given(mutated([SYNTHETIC]))
def test_any_record_gives_an_example_or_a_reason(record: dict[str, object]) -> None:
    check_all(adapt(record, PLACE))


def test_every_place_may_hold_every_odd_value() -> None:
    for record in [SYNTHETIC]:
        for odd in odd_records(record):
            check_all(adapt(odd, PLACE))


@pytest.mark.realdata
def test_the_published_extract(realdata: Path) -> None:
    path = realdata / "finqa" / "train_100.json"
    records = [record for _, record in read_records(path)]
    examples = [made(record) for record in records]
    assert len({example.original_id for example in examples}) == 100
    assert len({example.gold for example in examples}) == 95
    for example, record in zip(examples, records, strict=True):
        check_whole(example)
        text = example.documents[0].text
        gold: dict[str, str] = record["qa"]["gold_inds"]  # type: ignore[index]
        found = {text[span.start : span.end] for span in example.evidence}
        assert {quoted for name, quoted in gold.items() if name.startswith("text")} <= found
        rows = [record["table"][int(name[6:])] for name in gold if name.startswith("table")]  # type: ignore[index]
        assert {f"| {' | '.join(row)} |" for row in rows} <= found
        assert len(found) == len(gold)
    # T2-RAGBench has the same questions without their programs: its adapter relies on this.
    assert all(example.computation for example in examples)
    conflicts = [example.metadata.get("scale_conflict") for example in examples]
    assert {name: conflicts.count(name) for name in conflicts} == {
        "percent": 47, None: 50, "million": 1, "percent and sign": 2,
    }  # fmt: skip
    assert [(example.answer, example.metadata["original_answer"]) for example in examples if
            "answers_differ" in example.metadata] == [
        ("0.01", "0.1"), ("0.34824", "34.83%"), ("1.13451", "1.14"), ("36003776400000", "28%"), ("10863", "10861"),
    ]  # fmt: skip
    shown = [_shown(examples[number]) for number in (0, 50, 99)]
    assert shown == EXPECTED


def _shown(example: Example) -> tuple[object, ...]:
    digest = hashlib.sha256(example.documents[0].text.encode()).hexdigest()[:12]
    names = ("program", "table_rows", "table_cols", "original_answer")
    metadata = tuple(example.metadata[name] for name in names)
    return (example.original_id, example.gold, example.question[:40], example.answer, metadata, digest)


EXPECTED: list[tuple[object, ...]] = [
    (
        "ETR/2009/page_107.pdf-2",
        ("finqa:ETR/2009/page_107",),
        "what portion of the securitization bonds",
        "0.34719",
        ("divide(114400, 329500)", 6, 2, "34.7%"),
        "048a9376bb13",
    ),
    (
        "JPM/2012/page_239.pdf-3",
        ("finqa:JPM/2012/page_239",),
        "in 2012 what was the percent of the secu",
        "0.01938",
        ("divide(457, 23582)", 5, 3, "1.94%"),
        "0bb78528da56",
    ),
    (
        "UNP/2018/page_50.pdf-4",
        ("finqa:UNP/2018/page_50",),
        "what percent of total operating revenues",
        "0.24873",
        ("divide(5679, 22832)", 10, 4, "25%"),
        "6afb73cbcfc5",
    ),
]
