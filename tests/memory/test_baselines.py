"""Trivial systems return what they say, in the order they say, and honour filters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.errors import InputError
from goldproof.memory import MemoryHit, open_memory

if TYPE_CHECKING:
    from goldproof.memory import DescribedMemory

SAID = (
    ("proponent", "Nuclear plants run day and night.", {"topic": "supply"}),
    ("opponent", "Nuclear waste is dangerous for centuries.", {"topic": "waste"}),
    ("proponent", "Waste can be stored safely, day after day.", {"topic": "waste"}),
)


def told(name: str) -> DescribedMemory:
    memory = open_memory(name)
    memory.clear()
    for role, content, metadata in SAID:
        memory.add(role, content, metadata)
    return memory


def ids(memory: DescribedMemory, query: str, k: int, filters: dict[str, object] | None = None) -> list[str]:
    return [hit.doc_id for hit in memory.search(query, k, filters)]


def test_everything_returns_all_oldest_first_whatever_k_is() -> None:
    memory = told("everything")
    assert [(hit.doc_id, hit.score) for hit in memory.search("x", 1)] == [
        ("m000001", 3.0),
        ("m000002", 2.0),
        ("m000003", 1.0),
    ]
    assert ids(memory, "x", 1, {"topic": "waste"}) == ["m000002", "m000003"]


def test_nothing_returns_nothing() -> None:
    assert told("nothing").search("Nuclear waste", 5) == []


def test_newest_returns_the_last_k_newest_first() -> None:
    memory = told("newest")
    assert ids(memory, "x", 2) == ["m000003", "m000002"]
    assert ids(memory, "x", 2, {"role": "proponent"}) == ["m000003", "m000001"]
    assert [hit.score for hit in memory.search("x", 2)] == [2.0, 1.0]


def test_keyword_goes_by_the_share_of_the_querys_content_words_then_by_the_newest() -> None:
    memory = told("keyword")
    # Of (nuclear, waste) the second has both, the first and third one each; the third is newer.
    assert memory.search("What about the nuclear waste?", 5) == [
        MemoryHit("m000002", 1.0, "Nuclear waste is dangerous for centuries."),
        MemoryHit("m000003", 0.5, "Waste can be stored safely, day after day."),
        MemoryHit("m000001", 0.5, "Nuclear plants run day and night."),
    ]
    assert ids(memory, "What about the nuclear waste?", 1) == ["m000002"]
    assert ids(memory, "nuclear", 5, {"role": "proponent"}) == ["m000001"]


def test_keyword_knows_the_words_of_what_is_stored_now() -> None:
    memory = told("keyword")
    memory.clear()
    memory.add("user", "Solar panels.", {})
    assert ids(memory, "nuclear", 5) == []
    memory.add("user", "Nuclear, again.", {})
    assert ids(memory, "nuclear solar panels", 5) == ["m000001", "m000002"]


@pytest.mark.parametrize("query", ["blockchain", "what is it about?", ""])
def test_keyword_finds_nothing_without_a_common_content_word(query: str) -> None:
    assert told("keyword").search(query, 5) == []


@pytest.mark.parametrize("name", ["everything", "keyword", "newest", "nothing"])
def test_they_forget_refuse_what_is_no_text_and_describe_themselves(name: str) -> None:
    memory = told(name)
    memory.clear()
    assert memory.search("nuclear waste", 5) == []
    assert list(memory.add("user", "x", {})) == ["m000001"]
    with pytest.raises(InputError, match="the memory's content is None"):
        memory.add("user", None, {})  # type: ignore[arg-type]
    assert (memory.title, memory.facts, memory.remarks) == (name, {"memory": name}, ())


def test_a_filter_on_a_field_that_is_missing_matches_nothing() -> None:
    assert told("everything").search("x", 5, {"speaker": "a"}) == []
