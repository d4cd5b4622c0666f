"""Filters read from the query: what is narrowed, what is passed on, and how a batch is put together again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError, UnknownNameError
from goldproof.records.entities import Document, Hit
from goldproof.retrieve import Pipeline, bm25, filter_from_query, open_retriever, recency, top
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.external.user_retriever import UserRetriever
from goldproof.retrieve.stage import Request
from goldproof.retrieve.stages.bm25 import Bm25
from goldproof.retrieve.stages.cutoff import Floor
from goldproof.retrieve.stages.filter_from_query import FilterFromQuery
from goldproof.retrieve.stages.hybrid import Hybrid, knows_similarity
from tests.retrieve.given import Given, GivenDense, ask, documents_of, names, shown

ROLES: list[object] = ["proponent", "opponent", "proponent", "opponent"]
TURNS: list[object] = [1, 2, 3, 4]
ALL = {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}
OPPONENT = "What did the opponent say?"
TURN = "What was said in turn 3?"
NOTHING = "What was said?"
BOTH = "What did the opponent say in turn 3?"  # turn 3 was the proponent's


def documents() -> DocumentIndex:
    return documents_of(*"abcd", role=ROLES, turn=TURNS)


def everything() -> Given:
    return Given(dict.fromkeys((OPPONENT, TURN, NOTHING, BOTH), ALL))


def step_on(source: Given, *fields: str) -> FilterFromQuery:
    step = FilterFromQuery(source, *(fields or ("role", "turn")))
    step.index(documents())
    return step


def test_a_query_is_narrowed_to_what_it_mentions_before_the_cut_at_k() -> None:
    source = everything()
    step = step_on(source)
    assert shown(step.find(ask(OPPONENT, k=2)), source.documents) == [("b", 3.0), ("d", 1.0)]
    assert shown(step.find(ask(TURN, k=2)), source.documents) == [("c", 2.0)]


def test_all_mentioned_fields_hold_together() -> None:
    source = Given({"the opponent in turns 1 to 3": ALL})
    step = step_on(source)
    assert names(step.find(ask("the opponent in turns 1 to 3")), source.documents) == ["b"]


def test_a_query_that_mentions_nothing_is_passed_on_as_it_was() -> None:
    source = everything()
    request = Request((NOTHING,), 2, ids=("q1",), filters={"turn": {"gte": 1}}, now=9)
    assert names(step_on(source).find(request), source.documents) == ["a", "b"]
    assert source.asked == [request]


def test_a_filter_that_no_document_passes_is_not_applied() -> None:
    source = everything()
    step = step_on(source)
    assert names(step.find(ask(BOTH)), source.documents) == ["a", "b", "c", "d"]
    assert source.asked[0].allowed is None
    assert source.asked[0].filters is None


def test_the_filter_of_the_request_stands_also_where_the_querys_own_would_leave_nothing() -> None:
    source = everything()
    proponent = np.asarray([True, False, True, False])
    request = replace(ask(OPPONENT, TURN), allowed=proponent, filters={"role": "proponent"})
    found = step_on(source).find(request)
    assert names(found, source.documents) == ["a", "c"]
    assert names(found, source.documents, 1) == ["c"]
    assert source.asked[0].filters == {"role": "proponent", "turn": [3]}


def test_documents_that_pass_and_are_not_found_are_not_replaced_by_others() -> None:
    source = Given({OPPONENT: {"a": 4.0, "b": 0.1}})
    step = Floor(FilterFromQuery(source, "role"), 3)
    step.index(documents())
    assert names(step.find(ask(OPPONENT)), source.documents) == []


def test_queries_that_mention_the_same_are_asked_together_and_answers_stand_in_their_places() -> None:
    source = everything()
    step = step_on(source)
    queries = (NOTHING, OPPONENT, TURN, OPPONENT, BOTH)
    found = step.find(Request(queries, 10, ids=("v", "w", "x", "y", "z")))
    assert [names(found, source.documents, i) for i in range(5)] == [
        ["a", "b", "c", "d"],
        ["b", "d"],
        ["c"],
        ["b", "d"],
        ["a", "b", "c", "d"],
    ]
    assert [request.ids for request in source.asked] == [("w", "y"), ("x",), ("v", "z")]
    assert [request.filters for request in source.asked] == [{"role": ["opponent"]}, {"turn": [3]}, None]


def test_an_unknown_document_and_what_a_source_returns_against_the_filter_are_dropped_where_a_query_is_narrowed() -> (
    None
):
    scores = {**ALL, "stranger": 9.0}
    source = Given({OPPONENT: scores, NOTHING: scores}, obeys=False)
    found = step_on(source).find(ask(OPPONENT, NOTHING))
    assert names(found, source.documents) == ["b", "d"]
    assert names(found, source.documents, 1) == ["stranger", "a", "b", "c", "d"]


def test_a_query_that_failed_keeps_its_reason_and_its_place() -> None:
    source = Given({NOTHING: ALL, TURN: ALL}, failed={OPPONENT: "broken", BOTH: "worse"})
    found = step_on(source).find(ask(NOTHING, OPPONENT, TURN, BOTH))
    assert found.failed == {1: "broken", 3: "worse"}
    assert [names(found, source.documents, i) for i in range(4)] == [["a", "b", "c", "d"], [], ["c"], []]


def test_similarities_stay_with_their_rows_and_whoever_knows_them_is_found() -> None:
    source = GivenDense({OPPONENT: {"a": 0.9, "b": 0.5}, NOTHING: {"a": 0.8, "d": 0.2}})
    step = FilterFromQuery(source, "role")
    step.index(documents())
    found = step.find(ask(NOTHING, OPPONENT))
    assert found.similarity is not None
    assert found.similarity.tolist() == [0.8, 0.2, 0.5]
    assert knows_similarity(step) is source
    fused = Hybrid(step, Given({OPPONENT: {"a": 1.0}, NOTHING: {}}))
    fused.index(documents())
    assert fused.find(ask(OPPONENT)).similarity is not None


def test_pronouns_name_the_sides_where_the_field_has_both() -> None:
    source = Given({})
    step = FilterFromQuery(source, "role")
    step.index(documents_of("a", "b", "c", role=["user", "assistant", "Assistant"]))
    assert step.mentioned("What did you say?") == {"role": ["assistant", "Assistant"]}
    assert step.mentioned("What did I ask?") == {"role": ["user"]}
    assert step.mentioned("Can you tell me?") == {}
    step.index(documents_of("a", "b", role=["customer", "agent"]))
    assert step.mentioned("What did you say?") == {"role": ["agent"]}
    step.index(documents_of("a", "b", role=["user", "opponent"]))
    assert step.mentioned("What did you say?") == {}
    step.index(documents_of("a", "b", topic=["user", "assistant"], role=["x", "y"]))
    assert step.mentioned("What did you say?") == {}


def test_pronouns_may_be_left_alone() -> None:
    step = FilterFromQuery(Given({}), "role", pronouns=False)
    step.index(documents_of("a", "b", role=["user", "assistant"]))
    assert step.mentioned("What did you say?") == {}
    assert step.mentioned("What did the user say?") == {"role": ["user"]}


def test_a_field_that_no_document_has_is_an_error_with_near_names_unless_said() -> None:
    with pytest.raises(UnknownNameError, match="unknown field of filter_from_query 'rolle'; did you mean 'role'"):
        FilterFromQuery(Given({}), "rolle").index(documents())
    step = FilterFromQuery(everything(), "topic", "role", missing="keep")
    step.index(documents())
    assert step.mentioned(OPPONENT) == {"role": ["opponent"]}


def test_an_empty_corpus_and_a_field_of_some_documents_are_fine() -> None:
    step = FilterFromQuery(Given({OPPONENT: {}}), "role")
    step.index(DocumentIndex())
    assert len(step.find(ask(OPPONENT)).documents) == 0
    source = Given({OPPONENT: ALL})
    step = FilterFromQuery(source, "role")
    step.index(documents_of(*"abcd", role=[None, "opponent", None, None]))
    assert names(step.find(ask(OPPONENT)), source.documents) == ["b"]


def test_fields_are_needed_and_indexing_comes_first() -> None:
    with pytest.raises(InputError, match="filter_from_query: no field is named"):
        FilterFromQuery(Given({}))
    with pytest.raises(InputError, match="filter_from_query: a field is ' '"):
        FilterFromQuery(Given({}), " ")
    with pytest.raises(InputError, match="index the documents before searching"):
        FilterFromQuery(Given({}), "role").find(ask(OPPONENT))


def test_the_remark_counts_different_queries_by_field() -> None:
    step = step_on(everything())
    assert not step.remarks
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: step.find(ask(OPPONENT, TURN, NOTHING, BOTH, "The opponent, turn 4")), range(6)))
    assert step.remarks == (
        "filter_from_query: 3 of 5 different queries narrowed (by role 2, turn 2).",
        "filter_from_query: 1 query was not narrowed, because no document has all the values mentioned.",
    )
    step.index(documents())
    assert not step.remarks


def test_a_retriever_of_the_users_is_told_the_filter_as_the_documents_write_it() -> None:
    told = []

    class Mine:
        def search(self, query: str, k: int, filters: object = None) -> list[Hit]:  # noqa: ARG002
            told.append(filters)
            return [Hit("a", 2.0), Hit("b", 1.0)][:k]

    step = FilterFromQuery(UserRetriever(Mine()), "role", "turn")
    step.index(documents())
    assert len(step.find(ask("the opponent in turn 2")).documents) == 1
    assert told == [{"role": ["opponent"], "turn": [2]}]


def test_text_and_python_are_one() -> None:
    made = bm25() | filter_from_query("role", "turn", pronouns=False) | top(5)
    assert str(made) == "bm25 | filter_from_query(role, turn, pronouns=false) | top(5)"
    assert isinstance(open_retriever(str(made)), Pipeline)
    assert str(open_retriever(str(made))) == str(made)
    plain = recency() | filter_from_query("role")
    plain.index(
        [Document("a", "x", metadata={"role": "opponent", "turn": 1}), Document("b", "y", metadata={"turn": 2})]
    )
    assert [hit.doc_id for hit in plain.search(OPPONENT)] == ["a"]


WORDS = [
    "What did",
    "the opponent",
    "the proponent's",
    "say",
    "claim",
    "about",
    "costs",
    "in turn",
    "3",
    "to",
    "5",
    "and",
]
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)


@given(st.lists(SENTENCES, min_size=1, max_size=6))
def test_a_batch_is_answered_as_one_by_one_and_a_filter_never_adds_documents(queries: list[str]) -> None:
    corpus = [
        Document(name, text, metadata={"role": role, "turn": turn})
        for name, text, role, turn in [
            ("a", "costs claim", "proponent", 1),
            ("b", "costs say", "opponent", 3),
            ("c", "what costs", "opponent", 4),
            ("d", "nothing", "proponent", 5),
        ]
    ]
    found_on = DocumentIndex(corpus)
    plain, step = Bm25(stopwords="none"), FilterFromQuery(Bm25(stopwords="none"), "role", "turn")
    plain.index(found_on)
    step.index(found_on)
    batch, wide = step.find(ask(*queries)), plain.find(ask(*queries))
    for i, query in enumerate(queries):
        assert shown(step.find(ask(query)), found_on) == shown(batch, found_on, i)
        kept = [row for row in shown(wide, found_on, i) if row in shown(batch, found_on, i)]
        assert kept == shown(batch, found_on, i)


@given(st.text(max_size=60))
def test_any_text_can_be_a_query_and_a_value(text: str) -> None:
    step = FilterFromQuery(Given({}), "role", "turn", missing="keep")
    step.index(documents_of("a", "b", role=[text, "user"], turn=[text, 3]))
    for query in (text, f"turn {text}", f"the {text}'s claim"):
        assert set(step.mentioned(query)) <= {"role", "turn"}
