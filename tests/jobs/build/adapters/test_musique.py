"""MuSiQue: gold from marks and decomposition, evidence from the answers of the hops."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from goldproof.jobs.build.records import Dropped, Example
from tests.jobs.build.adapters.mutated_records import adapted, check_whole, mutated, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = Path("musique_ans_v1.0_dev.jsonl")


def paragraph(idx: int, title: str, text: str, *, supporting: bool) -> dict[str, object]:
    return {"idx": idx, "title": title, "paragraph_text": text, "is_supporting": supporting}


PARAGRAPHS = [
    paragraph(0, "Heron", "The Heron is a bird.", supporting=False),
    paragraph(1, "Otter", "Built in 1935, the Otter is made by Vik; 35 were built.", supporting=True),
    paragraph(2, "Vik", "Vik lies in Norland. It has 35 boatyards.", supporting=True),
]
HOPS: list[dict[str, object]] = [
    {"id": 7, "question": "Otter >> maker", "answer": "Vik", "paragraph_support_idx": 1},
    {"id": 8, "question": "How many boatyards has #1 ?", "answer": "35", "paragraph_support_idx": 2},
]
RECORD: dict[str, object] = {
    "id": "2hop__7_8",
    "paragraphs": PARAGRAPHS,
    "question": "How many boatyards has the maker of the Otter?",
    "question_decomposition": HOPS,
    "answer": "35",
    "answer_aliases": ["thirty-five", "35", "thirty-five"],
    "answerable": True,
}


def adapt(record: Mapping[str, object]) -> Example | Dropped:
    return adapted("musique", record, path=FILE)


def example(record: Mapping[str, object]) -> Example:
    made = adapt(record)
    assert isinstance(made, Example), made
    return made


def test_gold_is_the_supporting_paragraphs_and_evidence_the_answers_of_the_hops() -> None:
    made = example(RECORD)
    _, otter, vik = made.documents
    assert made.gold == (otter.id, vik.id)
    assert [span.document for span in made.evidence] == [otter.id, vik.id]
    assert quoted(made) == ["Vik", "35"]
    assert made.aliases == ("thirty-five",)
    assert made.metadata == {
        "hops": 2,
        "decomposition": ["Otter >> maker", "How many boatyards has #1 ?"],
        "sub_questions": [
            {"question": "Otter >> maker", "document": otter.id},
            {"question": "How many boatyards has Vik ?", "document": vik.id},
        ],
    }


def test_evidence_is_found_as_whole_words_only() -> None:
    hop = HOPS[1] | {"paragraph_support_idx": 1}
    made = example(RECORD | {"question_decomposition": [HOPS[0], hop, HOPS[1]]})
    text = made.documents[1].text
    # Not the end of "1935".
    assert made.evidence[1].start == text.index("35 were")


def test_a_hop_whose_answer_is_not_in_its_paragraph_has_no_evidence() -> None:
    made = example(RECORD | {"question_decomposition": [HOPS[0], HOPS[1] | {"answer": "thirty-five"}]})
    assert quoted(made) == ["Vik"]
    assert len(made.gold) == 2


def test_where_marks_and_decomposition_disagree_both_are_gold_and_it_is_said() -> None:
    other = [paragraph(0, "Heron", "The Heron is a bird.", supporting=True), PARAGRAPHS[1] | {"is_supporting": False}]
    made = example(RECORD | {"paragraphs": [*other, PARAGRAPHS[2]]})
    assert made.gold == tuple(document.id for document in made.documents)
    assert made.metadata["support_disagrees"] is True


def test_marks_alone_suffice_where_there_is_no_decomposition() -> None:
    made = example(RECORD | {"question_decomposition": None})
    assert made.gold == tuple(document.id for document in made.documents[1:])
    assert (made.evidence, made.metadata) == ((), {})


def test_numbers_of_paragraphs_count_not_their_places() -> None:
    assert example(RECORD | {"paragraphs": PARAGRAPHS[::-1]}).evidence == example(RECORD).evidence


@pytest.mark.parametrize(
    ("change", "reason", "detail"),
    [
        ({"question": None}, "no question", ""),
        ({"answer": ""}, "no answer", ""),
        ({"answerable": False, "answer": ""}, "marked unanswerable by its dataset", ""),
        ({"paragraphs": []}, "no context", ""),
        ({"paragraphs": [{"idx": "0", "paragraph_text": "x"}]}, "no context", ""),
        ({"paragraphs": [*PARAGRAPHS, PARAGRAPHS[0]]}, "paragraph numbers repeat", ""),
        (
            {"question_decomposition": [HOPS[0], HOPS[1] | {"paragraph_support_idx": None}]},
            "a hop names no supporting paragraph",
            "",
        ),
        (
            {"question_decomposition": [HOPS[0], HOPS[1] | {"paragraph_support_idx": 20}]},
            "supporting paragraph does not exist",
            "paragraph 20, of 3",
        ),
        ({"question_decomposition": [], "paragraphs": PARAGRAPHS[:1]}, "no supporting paragraph", ""),
    ],
)
def test_what_cannot_be_used_is_dropped_with_a_reason(change: dict[str, object], reason: str, detail: str) -> None:
    assert adapt(RECORD | change) == Dropped(reason, detail=detail, original_id="2hop__7_8")


@given(mutated([RECORD]))
def test_no_record_raises(record: dict[str, object]) -> None:
    check_whole(adapt(record))


@pytest.mark.realdata
def test_every_real_record_becomes_an_example(realdata: Path) -> None:
    records = json.loads((realdata / "multihop" / "musique_train.json").read_text(encoding="utf-8"))
    examples = [example(record) for record in records]
    assert Counter(len(made.documents) for made in examples) == {20: 100}
    assert Counter(made.metadata["hops"] for made in examples) == {2: 68, 3: 27, 4: 5}
    assert Counter(len(made.gold) for made in examples) == {2: 68, 3: 27, 4: 5}
    assert not any("support_disagrees" in made.metadata for made in examples)
    # 68 x 2 + 27 x 3 + 5 x 4 = 237 hops; the answer of one of them stands in its paragraph only inside a longer word.
    assert sum(len(made.evidence) for made in examples) == 236
    for record, made in zip(records, examples, strict=True):
        check_whole(made)
        assert set(quoted(made)) <= {hop["answer"] for hop in record["question_decomposition"]}


GOLDEN = {
    0: (
        "2hop__150763_14904",
        "G. Stanley Hall",
        ("Stanley Hall",),
        [("Journal of Psychotherapy Integration", 94, 128), ("Adolescence", 72, 87)],
    ),
    50: ("2hop__161500_15014", "60th parallel south", (), [("Antarctica", 0, 10), ("Antarctica", 59, 78)]),
    99: (
        "2hop__131644_88123",
        "Dec. 10, 1817",
        (),
        [("Pocahontas Mounds", 115, 126), ("History of Mississippi", 89, 102)],
    ),
}


@pytest.mark.realdata
@pytest.mark.parametrize("number", GOLDEN)
def test_first_middle_and_last_real_record(realdata: Path, number: int) -> None:
    original_id, answer, aliases, evidence = GOLDEN[number]
    records = json.loads((realdata / "multihop" / "musique_train.json").read_text(encoding="utf-8"))
    made = example(records[number])
    titles = {document.id: document.title for document in made.documents}
    assert (made.original_id, made.question, made.answer) == (original_id, records[number]["question"], answer)
    assert made.aliases == aliases
    assert [(titles[span.document], span.start, span.end) for span in made.evidence] == evidence
    assert quoted(made) == [hop["answer"] for hop in records[number]["question_decomposition"]]
