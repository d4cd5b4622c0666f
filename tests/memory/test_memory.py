"""Goldproof's own memory: what was said is kept in a real file, and found by a real pipeline."""

from __future__ import annotations

import sqlite3
import threading
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.embed.minilm import MiniLm
from goldproof.errors import InputError, SearchFailedError
from goldproof.io.storage.keyed_store import KeyedStore
from goldproof.memory import Memory
from goldproof.memory.system import Described, MemoryHit, MemorySystem, SearchesMany
from goldproof.records.entities import Document
from goldproof.retrieve import bm25, dense, open_retriever

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from goldproof.embed.embedder import Purpose, Vectors

TRIP = (
    ("user", "We fly to Lisbon in June.", {"topic": "travel"}),
    ("assistant", "The hotel is near the harbour.", {"topic": "hotel"}),
    ("user", "My sister breeds rabbits.", {"topic": "family"}),
)


def told_trip(memory: Memory) -> Memory:
    for role, content, metadata in TRIP:
        memory.add(role, content, metadata)
    return memory


def ids(hits: Sequence[MemoryHit]) -> list[str]:
    return [hit.doc_id for hit in hits]


def test_it_is_a_memory_system_that_describes_itself_and_searches_many() -> None:
    memory = Memory("bm25")
    assert isinstance(memory, MemorySystem)
    assert isinstance(memory, Described)
    assert isinstance(memory, SearchesMany)


def test_what_was_said_is_found_with_its_text_score_and_cosine() -> None:
    memory = told_trip(Memory())
    (hit,) = memory.search("where do we stay at night?", 1)
    assert (hit.doc_id, hit.text) == ("m000002", "The hotel is near the harbour.")
    assert hit.similarity is not None
    assert hit.score == hit.similarity
    assert 0 < hit.similarity < 1


def test_a_pipeline_without_an_embedder_tells_no_similarity() -> None:
    (hit,) = told_trip(Memory("bm25")).search("rabbits")
    assert (hit.doc_id, hit.similarity) == ("m000003", None)


def test_ids_are_numbers_of_time_and_begin_anew_after_clear() -> None:
    memory = Memory("bm25")
    assert [memory.add("user", word) for word in ("lamp", "door", "roof")] == [["m000001"], ["m000002"], ["m000003"]]
    memory.clear()
    assert (len(memory), memory.search("door")) == (0, [])
    assert memory.add("user", "wall") == ["m000001"]
    assert [hit.text for hit in memory.search("wall")] == ["wall"]
    assert memory.search("door") == []


def test_an_empty_memory_answers_nothing() -> None:
    memory = Memory()
    assert memory.search("anything") == []
    assert [found.hits for found in memory.search_many(["a", "b"], 3)] == [(), ()]
    assert memory.search_many([], 3) == []


def test_at_most_k_come_and_many_queries_are_answered_in_their_order() -> None:
    memory = told_trip(Memory("dense(minilm)"))
    assert len(memory.search("travel", 2)) == 2
    answers = memory.search_many(["rabbits as pets", "holiday by plane"], 1)
    assert [ids(answer.hits) for answer in answers] == [["m000003"], ["m000001"]]
    assert [list(answer.hits) for answer in answers] == [
        memory.search("rabbits as pets", 1),
        memory.search("holiday by plane", 1),
    ]


def test_role_and_metadata_are_filters() -> None:
    memory = told_trip(Memory("dense(minilm)"))
    assert ids(memory.search("anything", filters={"role": "assistant"})) == ["m000002"]
    assert ids(memory.search("anything", filters={"topic": ["travel", "family"], "turn": {"lte": 1}})) == ["m000001"]


def test_the_number_of_a_memory_is_its_turn_where_the_metadata_has_none() -> None:
    memory = Memory("bm25 | decay(exp, half_life=1)")
    memory.add("user", "the colour is red")
    memory.add("user", "the colour is blue")
    # Equal words, so equal scores; of ages 1 and 0 the younger one has twice the weight.
    newest, oldest = memory.search("colour")
    assert (newest.text, oldest.text) == ("the colour is blue", "the colour is red")
    assert newest.score == pytest.approx(2 * oldest.score)


def test_a_turn_of_the_metadata_counts_and_now_is_where_ages_begin() -> None:
    memory = Memory("bm25 | decay(exp, half_life=1)")
    memory.add("user", "the colour is red", {"turn": 10})
    memory.add("user", "the colour is blue", {"turn": 8})
    red, blue = memory.search("colour", now=10)
    assert red.text == "the colour is red"
    assert red.score == pytest.approx(4 * blue.score)
    later, _ = memory.search("colour", now=12)
    assert later.score == pytest.approx(red.score / 4)


@pytest.mark.parametrize(
    ("by", "now"), [("turn", "2024-05-09T10:00"), ("age", 9), ("age", "9"), ("turn", 1_715_248_800)]
)
def test_a_stage_that_counts_by_the_other_kind_of_moment_counts_from_the_newest_memory(by: str, now: str | int) -> None:
    memory = Memory(f"bm25 | decay(exp, half_life=1, by={by})")
    memory.add("user", "the colour is red", {"time": "2024-05-01"})
    memory.add("user", "the colour is blue", {"time": "2024-05-02"})
    assert memory.search("colour", now=now) == memory.search("colour")


@pytest.mark.parametrize(
    ("by", "now", "later"), [("age", "2024-05-03", 0.5), ("age", "2024-05-04T00:00", 0.25), ("turn", 4, 0.25)]
)
def test_a_stage_counts_from_a_moment_of_its_own_kind(by: str, now: str | int, later: float) -> None:
    memory = Memory(f"bm25 | decay(exp, half_life=1, by={by})")
    memory.add("user", "the colour is red", {"time": "2024-05-01"})
    memory.add("user", "the colour is blue", {"time": "2024-05-02"})
    # The newest memory is of turn 2 and of the 2nd of May: a half for every turn or day after that.
    assert memory.search("colour", now=now)[0].score == pytest.approx(later * memory.search("colour")[0].score)


def test_a_moment_that_is_neither_turn_nor_time_is_refused() -> None:
    with pytest.raises(InputError, match="now is 'yesterday', expected a turn such as 5 or a time such as 2024-05-01"):
        told_trip(Memory("bm25")).search("rabbits", now="yesterday")


def test_times_in_metadata_become_text_and_can_be_filtered_as_dates() -> None:
    memory = Memory("bm25")
    memory.add("user", "first word", {"time": datetime(2024, 5, 1, 9, tzinfo=UTC)})
    memory.add("user", "second word", {"time": date(2024, 6, 1)})
    assert [hit.text for hit in memory.search("word", filters={"time": {"lte": "2024-05-31"}})] == ["first word"]


def test_a_filter_field_that_no_memory_has_matches_nothing_and_is_remarked_with_near_names() -> None:
    memory = told_trip(Memory("bm25"))
    assert memory.search("rabbits", filters={"topc": "family"}) == []
    assert [found.hits for found in memory.search_many(["a", "b"], 3, filters={"topc": "x"})] == [(), ()]
    (remark,) = memory.remarks
    assert remark.startswith("bm25: 3 queries found nothing, since no memory had the field then: unknown field of a ")
    assert remark.endswith("filter 'topc'; did you mean 'topic'?")


def test_a_field_that_comes_later_is_found_then() -> None:
    memory = Memory("bm25")
    memory.add("user", "the word")
    assert memory.search("word", filters={"topic": "x"}) == []
    memory.add("user", "another word", {"topic": "x"})
    assert ids(memory.search("word", filters={"topic": "x"})) == ["m000002"]


def test_a_filter_that_means_nothing_is_refused_whether_or_not_the_field_is_there() -> None:
    memory = told_trip(Memory("bm25"))
    for name in ("topic", "elsewhere"):
        with pytest.raises(InputError, match=f"{name} has an empty list of values"):
            memory.search("rabbits", filters={name: []})
    with pytest.raises(InputError, match="turn is compared with 'one'"):
        memory.search("rabbits", filters={"turn": "one"})


def test_what_was_added_after_a_search_is_found_and_nothing_old_is_embedded_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    embedded: list[str] = []
    loaded: list[MiniLm] = []
    true_embed = MiniLm.embed

    def watched(self: MiniLm, texts: Sequence[str], purpose: Purpose) -> Vectors:
        embedded.extend(texts)
        loaded.append(self)
        return true_embed(self, texts, purpose)

    monkeypatch.setattr(MiniLm, "embed", watched)
    memory = Memory("dense(minilm)")
    for number in range(4):
        memory.add("user", f"A sentence about the harbour that no other test has, number {number}.")
        assert len(memory.search(f"harbour question {number} of this test")) == number + 1
    assert len(embedded) == len(set(embedded)) == 8  # four memories and four queries
    assert len({id(one) for one in loaded}) == 1  # the model was opened once


def test_vectors_of_an_embedder_that_stands_in_no_file_are_kept_too() -> None:
    asked: list[str] = []

    def embed(texts: list[str]) -> list[list[float]]:
        asked.extend(texts)
        return [[float(len(text) % 3 + 1), 1.0] for text in texts]

    memory = Memory(dense(embed))
    for text in ("one", "three", "seven77"):
        memory.add("user", text)
        memory.search("which?")
    assert sorted(asked) == ["one", "seven77", "three", "which?"]


def test_a_query_that_fails_has_its_reason_and_the_others_their_answers() -> None:
    class Picky:
        def index(self, documents: Sequence[Document]) -> None:
            self.ids = [document.id for document in documents]

        def search(self, query: str, k: int) -> list[str]:
            if "bad" in query:
                raise ValueError("I do not answer that")
            return self.ids[:k]

    memory = told_trip(Memory(Picky()))
    good, bad = memory.search_many(["good", "bad"], 2)
    assert (ids(good.hits), good.error) == (["m000001", "m000002"], None)
    assert (bad.hits, bad.error) == ((), "ValueError: I do not answer that")
    with pytest.raises(SearchFailedError, match="I do not answer that"):
        memory.search("bad")


def test_a_pipeline_that_fails_for_a_batch_is_asked_one_by_one() -> None:
    def embed(texts: list[str]) -> list[list[float]]:
        if any("poison" in text for text in texts):
            raise OSError("choked")
        return [[1.0, 0.0] for _ in texts]

    memory = told_trip(Memory(dense(embed)))
    good, bad = memory.search_many(["fine", "poison"], 1)
    assert (len(good.hits), good.error) == (1, None)
    assert bad.error is not None
    assert "choked" in bad.error


def test_an_index_that_failed_is_made_again() -> None:
    broken = [True]

    def embed(texts: list[str]) -> list[list[float]]:
        if broken[0]:
            raise OSError("out of order")
        return [[1.0, 0.0] for _ in texts]

    memory = told_trip(Memory(dense(embed)))
    with pytest.raises(Exception, match="out of order"):
        memory.search("anything")
    broken[0] = False
    assert len(memory.search("anything", 3)) == 3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((None, "x", {}), "the memory's role is None (None), expected text."),
        (("user", 5, {}), "the memory's content is an int (5), expected text."),
        (("user", "half \ud800", {}), "half a surrogate pair"),
        (("user", "x", ["turn"]), "the memory's metadata is a list (['turn']), expected a mapping."),
        (("user", "x", {1: 2}), "the memory's metadata has the key 1, expected text."),
        (("user", "x", {"a": {"b": {1, 2}}}), "the memory's metadata.a.b is a set ({1, 2}), which JSON does not have"),
        (("user", "x", {"a": float("nan")}), "the memory's metadata.a is nan, which JSON does not have."),
        (("user", "x", {"a": [b"x"]}), "the memory's metadata.a is a bytes"),
        (("user", "x", {"a": "\udfff"}), "which JSON does not have."),
    ],
)
def test_what_cannot_be_kept_is_refused_in_one_sentence_and_leaves_no_trace(
    given: tuple[Any, Any, Any], message: str
) -> None:
    memory = Memory("bm25")
    with pytest.raises(InputError) as refused:
        memory.add(*given)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(memory) == 0


@pytest.mark.parametrize(("query", "k"), [(None, 1), (b"x", 1), ("x", 0), ("x", True), ("x", 1.5)])
def test_a_query_that_is_no_text_and_a_k_that_is_no_number_are_refused(query: str, k: int) -> None:
    with pytest.raises(InputError, match=r"expected (text|a whole number above 0)"):
        told_trip(Memory("bm25")).search(query, k)


texts = st.text(st.characters(codec="utf-8"), max_size=5)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@given(
    content=texts,
    metadata=st.dictionaries(texts, json_values, max_size=4),
)
def test_any_text_and_any_json_come_back_as_they_went_in(content: str, metadata: dict[str, Any]) -> None:
    class Last:
        def index(self, documents: Sequence[Document]) -> None:
            self.documents = documents

        def search(self, _query: str, _k: int) -> list[str]:
            return [self.documents[-1].id]

    source = Last()
    with Memory(source) as memory:
        memory.add("user", content, metadata)
        (hit,) = memory.search("x")
    assert hit.text == content
    fields = dict(source.documents[-1].metadata)
    wanted = {**metadata, "role": "user", "turn": 1 if metadata.get("turn") is None else metadata["turn"]}
    assert fields == wanted


def test_a_closed_memory_says_so() -> None:
    with told_trip(Memory("bm25")) as memory:
        assert len(memory) == 3
    memory.close()
    for use in (lambda: memory.add("user", "x"), lambda: memory.search("x"), memory.clear, lambda: len(memory)):
        with pytest.raises(InputError, match="the memory is closed; open it again"):
            use()


def test_the_callers_pipeline_is_left_as_it_was() -> None:
    pipeline = bm25()
    told_trip(Memory(pipeline)).search("rabbits")
    with pytest.raises(InputError, match="nothing is indexed yet"):
        pipeline.search("rabbits")


def test_title_and_facts_say_what_decides_the_results_whatever_is_stored() -> None:
    memory = Memory("dense(minilm) | floor(0.2) | top(5)")
    before = memory.facts
    told_trip(memory)
    assert memory.title == "dense(minilm) | floor(0.2) | top(5)"
    assert (before["memory"], before["pipeline"]) == ("goldproof", memory.title)
    assert "minilm" in str(before["embedders"])
    memory.search("rabbits")
    assert memory.facts == before
    assert memory.remarks == ()


def test_facts_are_told_also_where_what_is_stored_cannot_be_indexed() -> None:
    memory = Memory("bm25 | filter_from_query(topic)")
    memory.add("user", "no topic here", {})
    assert memory.facts["pipeline"] == "bm25 | filter_from_query(topic)"


def test_the_same_hits_come_as_from_the_pipeline_itself() -> None:
    bare = open_retriever("hybrid(bm25, dense(minilm)) | top(3)")
    bare.index([Document(f"m{i:06d}", content) for i, (_, content, _) in enumerate(TRIP, start=1)])
    hits = told_trip(Memory("hybrid(bm25, dense(minilm)) | top(3)")).search("rabbits near the harbour")
    expected = bare.search("rabbits near the harbour", 5)
    assert [(hit.doc_id, hit.score, hit.text) for hit in hits] == [(e.doc_id, e.score, e.text) for e in expected]
    assert all(hit.similarity is not None and not np.isnan(hit.similarity) for hit in hits)


def test_several_threads_may_add_and_search_at_once() -> None:
    memory = Memory("bm25")
    failures: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for i in range(20):
                memory.add("user", f"word number{i}", {"by": name})
                assert len(memory.search("word", 50, {"by": name})) == i + 1
        except BaseException as error:  # noqa: BLE001 - a thread cannot raise
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(memory) == 80
    assert len(memory.search("word", 100)) == 80


def test_a_file_keeps_its_memories(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "memories.sqlite"
    with told_trip(Memory("bm25", path=path)) as memory:
        found = memory.search("rabbits", filters={"topic": "family"})
    with Memory("bm25", path=str(path)) as again:
        assert len(again) == 3
        assert again.search("rabbits", filters={"topic": "family"}) == found
        assert again.add("user", "more") == ["m000004"]


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "theirs.sqlite"
    with sqlite3.connect(path) as theirs:
        theirs.execute("CREATE TABLE memories (x)")
    theirs.close()
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"theirs.sqlite: is a database of another program, not a memory of version 1"):
        Memory("bm25", path=path)
    assert path.read_bytes() == before


def test_a_store_of_goldproofs_own_is_not_a_memory(tmp_path: Path) -> None:
    KeyedStore(tmp_path / "store.sqlite").close()
    with pytest.raises(InputError, match="is a database of another program"):
        Memory("bm25", path=tmp_path / "store.sqlite")


def test_a_memory_of_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "later.sqlite"
    Memory("bm25", path=path).close()
    with sqlite3.connect(path) as later:
        later.execute("PRAGMA user_version = 2")
    later.close()
    with pytest.raises(InputError, match="is a memory of version 2, not a memory of version 1 of Goldproof's"):
        Memory("bm25", path=path)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to be looked at\n" * 40)
    with pytest.raises(InputError, match="is damaged, or not a memory of Goldproof's"):
        Memory("bm25", path=path)
    with pytest.raises(InputError, match="cannot be used: unable to open database file"):
        Memory("bm25", path=tmp_path)


def test_a_wrong_pipeline_is_refused_before_a_file_is_made(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did you mean 'bm25'"):
        Memory("bm52 | top(5)", path=tmp_path / "memories.sqlite")
    assert list(tmp_path.iterdir()) == []
