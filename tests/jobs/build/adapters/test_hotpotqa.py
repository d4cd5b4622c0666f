"""HotpotQA: both published shapes, and facts that name nothing."""

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

FILE = Path("hotpot_train_v1.json")
RECORD: dict[str, object] = {
    "_id": "h1",
    "type": "bridge",
    "level": "easy",
    "question": "In which year was the maker of the Otter founded?",
    "answer": "1928",
    "context": [
        ["Otter (boat)", ["The Otter is a boat.", " It is made by Vik."]],
        ["Vik", ["Vik is a maker of boats.", " It was founded in 1928", '" by two brothers.']],
        ["Beaver", ["The Beaver is an animal."]],
    ],
    "supporting_facts": [["Otter (boat)", 1], ["Vik", 0], ["Vik", 1]],
}
HUB_RECORD: dict[str, object] = RECORD | {
    "context": {
        "title": ["Otter (boat)", "Vik", "Beaver"],
        "sentences": [
            ["The Otter is a boat.", " It is made by Vik."],
            ["Vik is a maker of boats.", " It was founded in 1928", '" by two brothers.'],
            ["The Beaver is an animal."],
        ],
    },
    "supporting_facts": {"title": ["Otter (boat)", "Vik", "Vik"], "sent_id": [1, 0, 1]},
}
del HUB_RECORD["_id"]
HUB_RECORD["id"] = "h1"


def adapt(record: Mapping[str, object]) -> Example | Dropped:
    return adapted("hotpotqa", record, path=FILE)


def example(record: Mapping[str, object]) -> Example:
    made = adapt(record)
    assert isinstance(made, Example), made
    return made


def test_sentences_are_joined_as_they_are() -> None:
    texts = [document.text for document in example(RECORD).documents]
    assert texts == [
        "The Otter is a boat. It is made by Vik.",
        'Vik is a maker of boats. It was founded in 1928" by two brothers.',
        "The Beaver is an animal.",
    ]


def test_gold_is_what_the_facts_name_and_evidence_their_sentences() -> None:
    made = example(RECORD)
    otter, vik, _ = made.documents
    assert made.gold == (otter.id, vik.id)
    assert quoted(made) == [" It is made by Vik.", "Vik is a maker of boats.", " It was founded in 1928"]
    assert made.metadata == {"type": "bridge", "level": "easy", "n_supporting": 3}


def test_the_shape_of_the_hub_says_the_same() -> None:
    assert example(HUB_RECORD) == example(RECORD)


def test_the_same_passage_in_another_record_is_the_same_document() -> None:
    other = example(RECORD | {"_id": "h2", "question": "Who makes the Otter?"})
    assert other.documents == example(RECORD).documents


@pytest.mark.parametrize(
    ("change", "reason", "detail"),
    [
        ({"question": "  "}, "no question", ""),
        ({"answer": None}, "no answer", ""),
        ({"context": []}, "no context", ""),
        ({"context": None}, "no context", ""),
        ({"context": [["Vik", "not a list"]]}, "no context", ""),
        ({"supporting_facts": []}, "no supporting facts", ""),
        ({"supporting_facts": [["Vik", True]]}, "no supporting facts", ""),
        (
            {"supporting_facts": [["Vik", 0], ["Heron", 0]]},
            "supporting fact outside the context",
            "supporting fact 'Heron' sentence 0, not among 3 passages",
        ),
        (
            {"supporting_facts": [["Vik", 3]]},
            "supporting sentence does not exist",
            "supporting fact 'Vik' sentence 3, of 3",
        ),
        (
            {"supporting_facts": [["Vik", -1]]},
            "supporting sentence does not exist",
            "supporting fact 'Vik' sentence -1, of 3",
        ),
    ],
)
def test_what_cannot_be_used_is_dropped_with_a_reason(change: dict[str, object], reason: str, detail: str) -> None:
    assert adapt(RECORD | change) == Dropped(reason, detail=detail, original_id="h1")


def test_a_blank_supporting_sentence_does_not_exist() -> None:
    made = adapt(RECORD | {"context": [["Vik", ["Vik is a maker.", "  "]]], "supporting_facts": [["Vik", 1]]})
    assert isinstance(made, Dropped)
    assert made.reason == "supporting sentence does not exist"


def test_of_two_passages_with_one_title_the_first_that_has_the_sentence_is_meant() -> None:
    context = [["Vik", ["Vik is short."]], ["Vik", ["Vik is a town.", " It lies north."]], ["Vik", ["A.", " B."]]]
    made = example(RECORD | {"context": context, "supporting_facts": [["Vik", 1], ["Vik", 0]]})
    short, town, _ = made.documents
    assert made.gold == (town.id, short.id)
    assert quoted(made) == [" It lies north.", "Vik is short."]


def test_equal_passages_are_one_document_and_equal_facts_one_span() -> None:
    context = [["Vik", ["Vik is short."]], ["Vik", ["Vik is short."]], ["Otter", [" "]]]
    made = example(RECORD | {"context": context, "supporting_facts": [["Vik", 0], ["Vik", 0]]})
    assert [document.text for document in made.documents] == ["Vik is short."]
    assert quoted(made) == ["Vik is short."]
    assert made.metadata["n_supporting"] == 1


def test_a_record_without_an_id_is_known_by_its_content() -> None:
    bare = {key: value for key, value in RECORD.items() if key != "_id"}
    assert example(bare).original_id == example(dict(reversed(bare.items()))).original_id
    assert example(bare).original_id != example(bare | {"answer": "1929"}).original_id


@given(mutated([RECORD, HUB_RECORD]))
def test_no_record_raises(record: dict[str, object]) -> None:
    check_whole(adapt(record))


@pytest.mark.realdata
def test_every_real_record_becomes_an_example(realdata: Path) -> None:
    records = json.loads((realdata / "multihop" / "hotpotqa_train.json").read_text(encoding="utf-8"))
    examples = [example(record) for record in records]
    # README of the data: 100 questions, 994 passages; every question needs two of them.
    assert len(examples) == 100
    assert sum(len(made.documents) for made in examples) == 994
    assert Counter(len(made.gold) for made in examples) == {2: 100}
    assert Counter(made.metadata["type"] for made in examples) == {"bridge": 78, "comparison": 22}
    assert Counter(made.metadata["level"] for made in examples) == {"medium": 69, "easy": 16, "hard": 15}
    for record, made in zip(records, examples, strict=True):
        check_whole(made)
        sentences = dict(record["context"])
        wanted = [sentences[title][number] for title, number in record["supporting_facts"]]
        assert quoted(made) == list(dict.fromkeys(wanted))


GOLDEN = {
    0: ("5a77ec115542992a6e59dff7", "a spirit", [("Alû", 381, 473), ("Lilu (mythology)", 0, 80)]),
    50: ("5a8b07ef55429971feec4624", "Sandra Miju Oh", [("Barrier Device", 72, 143), ("Sandra Oh", 0, 305)]),
    99: (
        "5a8501655542997175ce1f58",
        "Alice Nelson",
        [("Lover Come Back (1961 film)", 187, 275), ("Ann B. Davis", 72, 395)],
    ),
}


@pytest.mark.realdata
@pytest.mark.parametrize("number", GOLDEN)
def test_first_middle_and_last_real_record(realdata: Path, number: int) -> None:
    original_id, answer, evidence = GOLDEN[number]
    records = json.loads((realdata / "multihop" / "hotpotqa_train.json").read_text(encoding="utf-8"))
    made = example(records[number])
    titles = {document.id: document.title for document in made.documents}
    assert (made.original_id, made.question, made.answer) == (original_id, records[number]["question"], answer)
    assert [titles[one] for one in made.gold] == [title for title, _, _ in evidence]
    assert [(titles[span.document], span.start, span.end) for span in made.evidence] == evidence
    assert (made.computation, made.doc_type, made.kernels, made.aliases) == (None, None, (), ())
