"""2WikiMultihopQA: HotpotQA's shape without blanks between sentences, and with triples."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.jobs.build.adapters.titled_passages import join_sentences
from goldproof.jobs.build.records import Dropped, Example
from tests.jobs.build.adapters.mutated_records import adapted, check_whole, mutated, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = Path(__file__).parent / "fixtures" / "synthetic_2wiki.json"
RECORDS: list[dict[str, object]] = json.loads(FILE.read_text(encoding="utf-8"))


def adapt(record: Mapping[str, object]) -> Example | Dropped:
    return adapted("2wiki", record, path=FILE)


def example(record: Mapping[str, object]) -> Example:
    made = adapt(record)
    assert isinstance(made, Example), made
    return made


def as_objects(record: Mapping[str, object]) -> dict[str, object]:
    context, facts = record["context"], record["supporting_facts"]
    assert isinstance(context, list)
    assert isinstance(facts, list)
    return dict(record) | {
        "context": [{"title": title, "content": sentences} for title, sentences in context],
        "supporting_facts": [{"title": title, "sent_id": number} for title, number in facts],
    }


def as_json_text(record: Mapping[str, object]) -> dict[str, object]:
    nested = ("context", "supporting_facts", "evidences")
    return dict(record) | {key: json.dumps(record[key]) for key in nested}


def test_two_of_five_synthetic_records_can_be_used() -> None:
    made = [adapt(record) for record in RECORDS]
    assert Counter(one.reason if isinstance(one, Dropped) else "example" for one in made) == {
        "example": 2,
        "supporting fact outside the context": 1,
        "supporting sentence does not exist": 1,
        "no answer": 1,
    }


def test_a_blank_is_put_where_two_sentences_would_touch() -> None:
    film, director, _ = example(RECORDS[0]).documents
    assert film.text == "Harbour Lights is a 1961 drama film directed by Mira Novotny. It was shot in eleven weeks."
    assert director.text == "Mira Novotny was a film director. She was born in Ostrava. She died in 1999."
    # The last passage of the second record has a blank of its own; it is not doubled.
    assert example(RECORDS[1]).documents[3].text == "Jon Aas was a director. He was born in 1907."


def test_evidence_is_the_supporting_sentences() -> None:
    made = example(RECORDS[0])
    assert quoted(made) == ["Harbour Lights is a 1961 drama film directed by Mira Novotny.", "She was born in Ostrava."]
    assert made.gold == (made.documents[0].id, made.documents[1].id)
    assert len(example(RECORDS[1]).gold) == 4


def test_a_few_triples_are_kept_and_many_are_not() -> None:
    assert example(RECORDS[0]).metadata == {
        "type": "compositional",
        "evidences": [["Harbour Lights", "director", "Mira Novotny"], ["Mira Novotny", "place of birth", "Ostrava"]],
        "n_supporting": 2,
    }
    assert example(RECORDS[1]).metadata == {"type": "bridge_comparison", "n_supporting": 4}


@pytest.mark.parametrize("shape", [as_objects, as_json_text])
def test_every_published_shape_says_the_same(shape: object) -> None:
    assert callable(shape)
    assert example(shape(RECORDS[0])) == example(RECORDS[0])


@given(st.lists(st.text(alphabet="ab .", max_size=4), max_size=5), st.sampled_from(["", " "]))
def test_spans_are_the_sentences_in_order_and_nothing_else_stands_between(sentences: list[str], gap: str) -> None:
    text, spans = join_sentences(sentences, gap=gap)
    assert [text[start:end] for start, end in spans] == sentences
    between = [text[spans[i][1] : spans[i + 1][0]] for i in range(len(spans) - 1)]
    assert set(between) <= {"", gap}
    assert len(text) == sum(map(len, sentences)) + sum(map(len, between))


@given(mutated([RECORDS[0], RECORDS[1], as_objects(RECORDS[0]), as_json_text(RECORDS[0])]))
def test_no_record_raises(record: dict[str, object]) -> None:
    check_whole(adapt(record))
