"""Newest first where the query asks for it: which documents, in which order, with which scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.records.entities import Document
from goldproof.retrieve import bm25, filter_from_query, floor, open_retriever, recent_from_query, top
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.stages.bm25 import Bm25
from goldproof.retrieve.stages.cutoff import Floor, Top
from goldproof.retrieve.stages.hybrid import knows_similarity
from goldproof.retrieve.stages.recent_from_query import Latest, RecentFromQuery
from tests.retrieve.given import Given, GivenDense, ask, documents_of, names, shown

LATEST, TWO, OTHER = "the latest claims", "the last two claims", "all claims"
ALL = {"a": 0.9, "b": 0.8, "c": 0.5, "d": 0.2}
TURNS: list[object] = [1, 4, 2, 3]


def documents() -> DocumentIndex:
    return documents_of(*"abcd", turn=TURNS)


def everything() -> Given:
    return Given(dict.fromkeys((LATEST, TWO, OTHER), ALL))


def test_the_newest_come_first_and_the_scores_are_handed_out_anew() -> None:
    step = RecentFromQuery(everything())
    step.index(documents())
    # turns a 1, b 4, c 2, d 3: newest first b, d, c, a, with the scores 0.9, 0.8, 0.5, 0.2 in this order
    assert shown(step.find(ask(LATEST)), documents()) == [("b", 0.9), ("d", 0.8), ("c", 0.5), ("a", 0.2)]


def test_a_number_limits_how_many_come_and_k_too() -> None:
    step = RecentFromQuery(everything())
    step.index(documents())
    assert shown(step.find(ask(TWO)), documents()) == [("b", 0.9), ("d", 0.8)]
    assert names(step.find(ask(TWO, k=1)), documents()) == ["b"]
    assert names(step.find(ask(LATEST, k=3)), documents()) == ["b", "d", "c"]


def test_other_queries_are_asked_for_k_and_stay() -> None:
    source = everything()
    step = RecentFromQuery(source)
    step.index(documents())
    found = step.find(replace(ask(LATEST, OTHER, TWO, k=3), ids=("x", "y", "z")))
    assert [names(found, documents(), i) for i in range(3)] == [["b", "d", "c"], ["a", "b", "c"], ["b", "d"]]
    assert [(request.ids, request.k) for request in source.asked] == [(("y",), 3), (("x", "z"), 20)]


def test_only_the_first_of_the_source_are_put_newest_first_and_the_others_stay_behind() -> None:
    step = RecentFromQuery(everything(), depth=3)
    step.index(documents())
    # of a, b, c the newest first: b, c, a; d, though newer than c, stays behind
    assert names(step.find(ask(LATEST)), documents()) == ["b", "c", "a", "d"]
    assert names(step.find(ask(LATEST, k=2)), documents()) == ["b", "c"]


def test_a_floor_before_says_what_is_on_the_topic() -> None:
    step = Top(RecentFromQuery(Floor(everything(), 0.4)), 2)
    step.index(documents())
    assert shown(step.find(ask(LATEST)), documents()) == [("b", 0.9), ("c", 0.8)]


def test_documents_of_one_age_keep_the_sources_order_which_shows_in_the_scores() -> None:
    source = Given({LATEST: {"a": 0.5, "b": 0.5, "c": 0.5, "d": 0.9}})
    step = RecentFromQuery(source)
    step.index(documents_of(*"abcd", turn=[7, 7, 8, 6]))
    found = step.find(ask(LATEST))
    # the source: d 0.9, then c, b, a (ids descending); newest first: c, then b, a of turn 7, then d
    assert names(found, source.documents) == ["c", "b", "a", "d"]
    # 0.9, 0.5, then a millionth lower each time: 0.499999, 0.499998
    assert found.scores == pytest.approx([0.9, 0.5, 0.499999, 0.499998], abs=1e-12)
    assert (np.diff(found.scores) < 0).all()


def test_similarities_stay_with_their_documents() -> None:
    source = GivenDense({LATEST: ALL, OTHER: ALL})
    step = RecentFromQuery(source)
    step.index(documents())
    found = step.find(ask(LATEST, OTHER))
    assert found.similarity is not None
    assert found.similarity.tolist() == [0.8, 0.2, 0.5, 0.9, 0.9, 0.8, 0.5, 0.2]
    assert knows_similarity(step) is source


def test_documents_after_now_are_all_of_age_0() -> None:
    step = RecentFromQuery(everything())
    step.index(documents())
    # now is 2: b (turn 4), c (2) and d (3) have age 0 and stand by score; a is a turn old
    assert names(step.find(replace(ask(LATEST), now=2)), documents()) == ["b", "c", "d", "a"]
    assert step.remarks == (
        "recent_from_query: 1 of 1 different queries ask for the latest; answered newest first.",
        "recent_from_query: 2 documents are newer than now and count as age 0.",
    )


def test_ages_may_be_dates_in_another_field() -> None:
    source = everything()
    step = RecentFromQuery(source, by="age", field="said")
    step.index(documents_of(*"abcd", said=["2024-05-01", "2024-05-09", "2024-05-02T10:00", "2024-05-02"]))
    assert names(step.find(ask(LATEST)), source.documents) == ["b", "c", "d", "a"]


def test_a_document_without_a_turn_is_refused_or_comes_last() -> None:
    some = documents_of(*"abcd", turn=[None, 4, None, 3])
    with pytest.raises(InputError, match="recent_from_query: document 'a' has no field 'turn'"):
        RecentFromQuery(everything()).index(some)
    step = RecentFromQuery(everything(), missing="keep")
    step.index(some)
    assert names(step.find(ask(LATEST)), some) == ["b", "d", "a", "c"]


def test_an_unknown_document_fails_a_query_for_the_latest_or_comes_last_and_other_queries_keep_it() -> None:
    rows = {"stranger": 1.0, "a": 0.5, "b": 0.4}
    scores = {LATEST: rows, OTHER: rows}
    source = Given(scores)
    step = RecentFromQuery(source)
    step.index(documents())
    found = step.find(ask(OTHER, LATEST))
    assert names(found, source.documents) == ["stranger", "a", "b"]
    assert names(found, source.documents, 1) == []
    assert "document 'stranger' is not in the corpus, so its age is unknown" in found.failed[1]
    source = Given(scores)
    step = RecentFromQuery(source, missing="keep")
    step.index(documents())
    assert names(step.find(ask(LATEST)), source.documents) == ["b", "a", "stranger"]


def test_a_query_that_failed_keeps_its_reason_and_its_place() -> None:
    source = Given({OTHER: ALL, TWO: ALL}, failed={LATEST: "broken"})
    step = RecentFromQuery(source)
    step.index(documents())
    found = step.find(ask(OTHER, LATEST, TWO))
    assert found.failed == {1: "broken"}
    assert [len(names(found, documents(), i)) for i in range(3)] == [4, 0, 2]


def test_an_empty_corpus_has_nothing_new() -> None:
    step = RecentFromQuery(Given({LATEST: {}}))
    step.index(DocumentIndex())
    assert len(step.find(ask(LATEST)).documents) == 0


def test_what_a_query_asks_for_is_shown_and_current_can_be_left_out() -> None:
    assert RecentFromQuery(everything()).asks_for("my current address") == Latest()
    assert RecentFromQuery(everything(), current=False).asks_for("my current address") is None
    assert RecentFromQuery(everything()).asks_for(TWO) == Latest(2)


def test_wrong_parameters_and_searching_before_indexing_are_refused() -> None:
    with pytest.raises(InputError, match="recent_from_query: depth is 0"):
        RecentFromQuery(everything(), depth=0)
    with pytest.raises(InputError, match="recent_from_query: by is day, expected turn or age"):
        RecentFromQuery(everything(), by="day")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="index the documents before searching"):
        RecentFromQuery(everything()).find(ask(LATEST))


def test_the_two_steps_work_together_in_a_pipeline() -> None:
    pipeline = bm25() | filter_from_query("role", "turn") | floor(0.001) | recent_from_query(depth=9) | top(5)
    assert str(pipeline) == "bm25 | filter_from_query(role, turn) | floor(0.001) | recent_from_query(depth=9) | top(5)"
    assert str(open_retriever(str(pipeline))) == str(pipeline)
    said = [
        ("proponent", "nuclear costs fall"),
        ("opponent", "nuclear costs rise"),
        ("opponent", "waste costs too"),
        ("opponent", "wind is cheap"),
        ("opponent", "the costs of delay"),
    ]
    pipeline.index(
        Document(f"m{turn}", text, metadata={"role": role, "turn": turn})
        for turn, (role, text) in enumerate(said, start=1)
    )
    # of the opponent's turns 2 to 5, those that share the word costs are 5, 3 and 2, newest first; two are wanted
    hits = pipeline.search("the opponent's last two arguments about costs")
    assert [hit.doc_id for hit in hits] == ["m5", "m3"]


WORDS = ["latest", "last", "two", "claims", "costs", "recent", "years", "now", "about", "red"]
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


@given(st.lists(SENTENCES, min_size=1, max_size=5), st.integers(1, 5), st.integers(1, 5))
def test_a_batch_is_answered_as_one_by_one_and_no_document_is_added(queries: list[str], k: int, depth: int) -> None:
    texts = ["red claims", "costs", "red costs claims", "two years", "claims about costs"]
    corpus = DocumentIndex(Document(f"d{i}", text, metadata={"turn": i * 7 % 5}) for i, text in enumerate(texts))
    plain, step = Bm25(stopwords="none"), RecentFromQuery(Bm25(stopwords="none"), depth=depth)
    plain.index(corpus)
    step.index(corpus)
    batch, deep, same = step.find(ask(*queries, k=k)), plain.find(ask(*queries, k=5)), plain.find(ask(*queries, k=k))
    for i, query in enumerate(queries):
        rows = shown(batch, corpus, i)
        assert shown(step.find(ask(query, k=k)), corpus) == rows
        assert set(names(batch, corpus, i)) <= set(names(deep, corpus, i))
        assert len(rows) <= k
        assert sorted(rows, key=lambda row: -row[1]) == rows
        if step.asks_for(query) is None:
            assert rows == shown(same, corpus, i)
