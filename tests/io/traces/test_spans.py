"""How spans become conversations, turns, iterations and searches."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.io.traces.span_exports import Made, ids, lines, llm, read_one, read_text, root, search, shown, tool

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTS = [{"title": "A", "url": "https://a.org"}, {"title": "B", "url": "https://b.org"}]


def operation(number: int, name: str, at: int, **attributes: object) -> Made:
    return Made(number, 1, at, attributes={"gen_ai.operation.name": name, **attributes})


# Iterations


def test_each_call_of_a_model_begins_an_iteration_and_parallel_searches_share_it(tmp_path: Path) -> None:
    spans = [
        root(),
        llm(2, 1),
        search(3, 20, ["a"]),
        search(4, 25, ["b"]),
        llm(5, 50),
        search(6, 60, ["c"]),
        llm(7, 80),
    ]
    assert ids(read_one(tmp_path, spans)) == [[[["a"], ["b"]], [["c"]]]]


def test_searches_in_one_iteration_need_not_overlap(tmp_path: Path) -> None:
    spans = [root(), llm(2, 1), search(3, 20, ["a"], took=5), search(4, 90, ["b"], took=5)]
    assert ids(read_one(tmp_path, spans)) == [[[["a"], ["b"]]]]


def test_calls_without_a_search_after_them_make_no_iteration(tmp_path: Path) -> None:
    spans = [root(), llm(2, 1), llm(3, 5), search(4, 20, ["a"]), llm(5, 50), llm(6, 60)]
    assert ids(read_one(tmp_path, spans)) == [[[["a"]]]]


def test_a_call_and_a_search_that_start_together_belong_together(tmp_path: Path) -> None:
    # Without the call at 5 the two would be one iteration, since they overlap.
    spans = [root(), search(2, 4, ["a"], took=9), search(3, 5, ["b"]), llm(4, 5)]
    assert ids(read_one(tmp_path, spans)) == [[[["a"]], [["b"]]]]


def test_without_calls_searches_that_overlap_in_time_are_one_iteration(tmp_path: Path) -> None:
    # [10, 20) [15, 40) overlap; [30, 35) lies within the second; 40 begins as that ends, so it does not overlap
    spans = [
        *(root(), search(2, 10, ["a"], took=10), search(3, 15, ["b"], took=25)),
        *(search(4, 30, ["c"], took=5), search(5, 40, ["d"], took=5)),
    ]
    assert ids(read_one(tmp_path, spans)) == [[[["a"], ["b"], ["c"]], [["d"]]]]


def test_without_calls_searches_that_start_together_are_one_iteration_even_if_they_take_no_time(tmp_path: Path) -> None:
    spans = [search(2, 10, ["a"], took=0), search(3, 10, ["b"], took=0), search(4, 11, ["c"], took=0)]
    assert ids(read_one(tmp_path, spans)) == [[[["a"], ["b"]], [["c"]]]]


def test_searches_before_the_first_call_are_grouped_as_if_there_were_none(tmp_path: Path) -> None:
    spans = [search(2, 10, ["a"], took=5), search(3, 20, ["b"], took=50), llm(4, 30), search(5, 40, ["c"])]
    assert ids(read_one(tmp_path, [root(), *spans])) == [[[["a"]], [["b"]], [["c"]]]]


def test_calls_within_a_search_are_part_of_it(tmp_path: Path) -> None:
    # The query is rewritten by a model inside the first of two parallel searches.
    spans = [root(), llm(2, 1), search(3, 20, ["a"], took=30), llm(4, 22, parent=3), search(5, 25, ["b"], took=30)]
    assert ids(read_one(tmp_path, spans)) == [[[["a"], ["b"]]]]


@pytest.mark.parametrize("name", ["chat", "text_completion", "generate_content"])
def test_opentelemetry_names_its_calls_of_a_model(tmp_path: Path, name: str) -> None:
    spans = [root(), search(2, 5, ["a"], took=90), operation(3, name, 10), search(4, 15, ["b"])]
    assert ids(read_one(tmp_path, spans)) == [[[["a"]], [["b"]]]]


@pytest.mark.parametrize("name", ["embeddings", "create_agent", "upsert_memory", "invoke_agent"])
def test_other_operations_begin_no_iteration(tmp_path: Path, name: str) -> None:
    spans = [root(), search(2, 5, ["a"], took=90), operation(3, name, 10), search(4, 15, ["b"])]
    assert ids(read_one(tmp_path, spans)) == [[[["a"], ["b"]]]]


# Searches


def test_a_reranker_is_no_search(tmp_path: Path) -> None:
    reranker = Made(3, 1, 30, attributes={"openinference.span.kind": "RERANKER", "output.value": json.dumps(DOCUMENTS)})
    assert ids(read_one(tmp_path, [root(), search(2, 5, ["a", "b"]), reranker])) == [[[["a", "b"]]]]


def test_a_retriever_within_a_retriever_is_a_step_of_it(tmp_path: Path) -> None:
    spans = [search(2, 5, ["a", "b"], took=50), search(3, 6, ["b"], parent=2), search(4, 7, ["a"], parent=3)]
    assert ids(read_one(tmp_path, [root(), *spans])) == [[[["a", "b"]]]]


def test_inner_retrievers_speak_for_an_outer_one_that_says_nothing(tmp_path: Path) -> None:
    spans = [search(2, 5, None, took=50), search(3, 6, ["b"], parent=2), search(4, 7, ["a"], parent=2)]
    assert ids(read_one(tmp_path, [root(), *spans])) == [[[["b"], ["a"]]]]


def test_inner_retrievers_do_not_speak_for_an_outer_one_that_failed(tmp_path: Path) -> None:
    table = read_one(tmp_path, [root(), search(2, 5, None, took=50, error="gone"), search(3, 6, ["b"], parent=2)])
    assert ids(table) == [[[[]]]]
    assert table.failed_searches.tolist() == [0]


def test_a_tool_around_a_retriever_is_not_counted_again(tmp_path: Path) -> None:
    chain = Made(3, 2, 6, attributes={"openinference.span.kind": "CHAIN"})
    spans = [tool(2, 5, DOCUMENTS, took=50), chain, search(4, 7, ["a"], parent=3)]
    assert ids(read_one(tmp_path, [root(), *spans])) == [[[["a"]]]]


def test_a_tool_within_a_retriever_is_not_counted_again(tmp_path: Path) -> None:
    assert ids(read_one(tmp_path, [root(), search(2, 5, ["a"], took=50), tool(3, 6, DOCUMENTS, parent=2)])) == [
        [[["a"]]]
    ]


def test_of_tools_within_tools_the_inner_ones_are_the_searches(tmp_path: Path) -> None:
    spans = [root(), tool(2, 5, DOCUMENTS, took=50), tool(3, 6, DOCUMENTS[:1], parent=2, name="inner")]
    ((found,),) = (table["iterations"] for table in shown(read_one(tmp_path, spans)))
    assert [[result["title"] for result in results] for _, _, results in found] == [["A"]]


def test_a_tool_that_returns_no_documents_is_no_search(tmp_path: Path) -> None:
    spans = [
        root(),
        search(2, 5, ["a"]),
        tool(3, 30, {"temperature": 21}, name="weather"),
        tool(4, 40, [], name="todo"),
    ]
    assert ids(read_one(tmp_path, spans)) == [[[["a"]]]]


def test_every_call_of_a_tool_that_returned_documents_somewhere_is_a_search(tmp_path: Path) -> None:
    spans = [
        *(root(), llm(2, 1), tool(3, 5, DOCUMENTS), llm(4, 20), tool(5, 25, "[]"), llm(6, 40)),
        *(tool(7, 45, "No good result was found."), llm(8, 60), tool(9, 65, "", error="timeout")),
    ]
    (found,) = shown(read_one(tmp_path, spans))
    searches = [(len(results), failed) for ((_, failed, results),) in found["iterations"]]
    assert searches == [(2, False), (0, False), (0, False), (0, True)]


def test_tools_are_known_as_searches_over_the_whole_file(tmp_path: Path) -> None:
    spans = [root(), tool(2, 5, DOCUMENTS), root(1, trace=2), tool(2, 5, "nothing", trace=2)]
    found = shown(read_one(tmp_path, spans))
    assert [len(conversation["iterations"]) for conversation in found] == [1, 1]


def test_a_tool_that_is_handed_a_whole_file_does_not_fill_the_memory(tmp_path: Path) -> None:
    long = {"gen_ai.tool.call.arguments": json.dumps({"query": "x" * 5000})}
    spans = [root(), tool(2, 5, DOCUMENTS, attributes=long), tool(3, 30, "written", attributes=long)]
    assert [len(query) for query in read_one(tmp_path, spans).queries] == [5000, 1000]


def test_a_search_without_documents_found_nothing_and_counts(tmp_path: Path) -> None:
    table = read_one(tmp_path, [root(), llm(2, 1), search(3, 5, None), llm(4, 20), search(5, 25, ["a"])])
    assert ids(table) == [[[[]], [["a"]]]]
    assert table.failed_searches.tolist() == []


def test_a_search_with_status_error_failed_and_has_no_results(tmp_path: Path) -> None:
    spans = [root(), search(2, 5, ["a"]), search(3, 50, None, error="timeout"), search(4, 90, [], error="timeout")]
    table = read_one(tmp_path, spans)
    assert ids(table) == [[[["a"]], [[]], [[]]]]
    assert table.failed_searches.tolist() == [1, 2]


def test_a_search_with_an_error_and_documents_failed_in_part_and_its_documents_count(tmp_path: Path) -> None:
    spans = [root(), search(2, 5, ["half"], error="timeout"), tool(3, 50, DOCUMENTS, error="timeout")]
    table = read_one(tmp_path, spans)
    assert [len(found) for iteration in ids(table)[0] for found in iteration] == [1, 2]
    assert table.failed_searches.tolist() == []


def test_an_error_type_is_an_error_whatever_the_status(tmp_path: Path) -> None:
    spans = [root(), search(2, 5, ["a"]), search(3, 50, None, attributes={"error.type": "timeout"})]
    assert read_one(tmp_path, spans).failed_searches.tolist() == [1]


def test_a_memory_that_is_searched_is_a_search(tmp_path: Path) -> None:
    records = [{"id": "m1", "content": {"fact": "Ada"}, "metadata": {"source": "chat"}}]
    memory = operation(2, "search_memory", 5, **{"gen_ai.memory.records": records, "gen_ai.memory.query.text": "name?"})
    ((((query, _, (result,)),),),) = (found["iterations"] for found in shown(read_one(tmp_path, [root(), memory])))
    assert query == "name?"
    columns = {"id": "m1", "snippet": '{"fact":"Ada"}', "type": "passage"}
    assert result == {**columns, "gain": -1, "fields": {"source": "chat"}}


@pytest.mark.parametrize(
    "names",
    [
        ("langfuse.observation.type", "retriever", "langfuse.observation.input", "langfuse.observation.output"),
        ("gen_ai.operation.name", "vector_db_retrieve", "gen_ai.task.input", "gen_ai.task.output"),
        ("traceloop.span.kind", "tool", "traceloop.entity.input", "traceloop.entity.output"),
    ],
)
def test_near_relatives_of_the_conventions_are_known(tmp_path: Path, names: tuple[str, str, str, str]) -> None:
    kind, value, asked, returned = names
    span = Made(2, 1, 5, attributes={kind: value, asked: '{"query": "q"}', returned: json.dumps(DOCUMENTS)})
    (found,) = shown(read_one(tmp_path, [root(), span]))
    (((query, _, results),),) = found["iterations"]
    assert (query, [result["title"] for result in results]) == ("q", ["A", "B"])


# Conversations and turns


def test_turns_of_a_session_are_traces_and_the_last_by_time_is_scored(tmp_path: Path) -> None:
    session = {"session.id": "s1"}
    spans = [
        *(root(1, "second", trace=2, at=1000, attributes=session), search(2, 1010, ["b"], trace=2)),
        *(root(1, "first", trace=1, at=0, attributes=session), search(2, 10, ["a"], trace=1)),
    ]
    (found,) = shown(read_one(tmp_path, spans))
    assert (found["conversation"], found["text"]) == ("s1", "second")
    assert ids(read_one(tmp_path, spans)) == [[[["b"]]]]


def test_a_conversation_is_named_by_any_span_then_the_resource_then_the_trace(tmp_path: Path) -> None:
    def named(*spans: Made) -> list[str]:
        return [found["conversation"] for found in shown(read_one(tmp_path, spans))]

    resource = {"session.id": "r"}
    inner = {"gen_ai.conversation.id": "inner"}
    assert named(root(attributes={"session.id": "s"}), search(2, 5, attributes=inner, resource=resource)) == ["s"]
    assert named(root(at=9, attributes={"session.id": "s"}), search(2, 5, attributes=inner)) == ["s"]
    assert named(root(resource=resource), search(2, 5, attributes=inner)) == ["inner"]
    assert named(root(), search(3, 8, attributes={"session.id": "later"}), search(2, 5, attributes=inner)) == ["inner"]
    assert named(root(resource=resource), search(2, 5)) == ["r"]
    assert named(root(), search(2, 5)) == [f"{0xABC + 1:032x}"]


def test_a_conversation_id_counts_more_than_a_session_id_of_the_same_span(tmp_path: Path) -> None:
    both = {"session.id": "browser", "gen_ai.conversation.id": "thread"}
    (found,) = shown(read_one(tmp_path, [root(attributes=both), search(2, 5)]))
    assert found["conversation"] == "thread"


def test_conversations_come_in_the_order_of_their_first_start(tmp_path: Path) -> None:
    spans = [search(2, 500, trace=1), search(2, 100, trace=2), search(2, 300, trace=3)]
    names = [int(found["conversation"], 16) - 0xABC for found in shown(read_one(tmp_path, spans))]
    assert names == [2, 3, 1]


def test_a_last_turn_without_a_search_has_no_iterations(tmp_path: Path) -> None:
    session = {"session.id": "s1"}
    spans = [root(1, attributes=session), search(2, 5, ["a"]), root(1, "thanks", trace=2, at=900, attributes=session)]
    assert ids(read_one(tmp_path, spans)) == [[]]


def test_traces_without_a_model_agent_tool_or_search_are_no_turns(tmp_path: Path) -> None:
    http = Made(1, None, 900, trace=2, attributes={"session.id": "s1", "http.route": "/health"})
    embedding = Made(1, None, 950, trace=3, attributes={"session.id": "s1", "openinference.span.kind": "EMBEDDING"})
    spans = [root(1, attributes={"session.id": "s1"}), search(2, 5, ["a"]), http, embedding]
    assert ids(read_one(tmp_path, spans)) == [[[["a"]]]]


def test_a_turn_that_crashed_before_any_search_failed(tmp_path: Path) -> None:
    spans = [root(error="out of memory"), root(1, trace=2, at=5, error="late"), search(2, 10, ["a"], trace=2)]
    first, second = shown(read_one(tmp_path, spans))
    assert (first["failed"], first["iterations"]) == ("out of memory", [])
    assert second["failed"] is None
    assert len(second["iterations"]) == 1


def test_question_and_cluster_may_be_given_as_attributes(tmp_path: Path) -> None:
    given = {"goldproof.cluster": "news", "goldproof.question": "q7"}
    first, second = shown(read_one(tmp_path, [root(attributes=given), search(2, 5), root(1, trace=2, at=9)]))
    assert (first["cluster"], first["question"]) == ("news", "q7")
    assert (second["cluster"], second["question"]) == (None, second["conversation"])


@pytest.mark.parametrize(
    ("attributes", "text"),
    [
        ({"input.value": "capital of France"}, "capital of France"),
        ({"input.value": '"quoted"'}, "quoted"),
        ({"input.value": '{"question": "who?", "top_k": 3}'}, "who?"),
        ({"input.value": '{"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]}'}, "b"),
        ({"input.value": '{"messages": [["user", "hello"]]}'}, "hello"),
        ({"input.value": '{"input": {"messages": [{"type": "human", "content": "deep"}]}}'}, "deep"),
        ({"input.value": '[[{"kwargs": {"type": "human", "content": "chain"}}]]'}, "chain"),
        ({"input.value": '{"top_k": 3}'}, '{"top_k": 3}'),
        ({"input.value": "{not json"}, "{not json"),
        ({}, None),
        (
            {
                "gen_ai.input.messages": json.dumps(
                    [
                        {"role": "system", "parts": [{"type": "text", "content": "be brief"}]},
                        {"role": "user", "parts": [{"type": "text", "content": "Weather?"}]},
                        {"role": "assistant", "parts": [{"type": "tool_call", "name": "f"}]},
                    ]
                )
            },
            "Weather?",
        ),
    ],
)
def test_the_question_is_the_input_of_the_root(tmp_path: Path, attributes: dict[str, str], text: str | None) -> None:
    agent = Made(1, None, attributes={"gen_ai.operation.name": "invoke_agent", **attributes})
    (found,) = shown(read_one(tmp_path, [agent, llm(2, 1), search(3, 5)]))
    assert found["text"] == text


def test_where_the_root_is_not_in_the_file_an_agent_gives_the_question(tmp_path: Path) -> None:
    agent = Made(1, 99, attributes={"gen_ai.operation.name": "invoke_agent", "input.value": "asked"})
    (found,) = shown(read_one(tmp_path, [agent, search(3, 5)]))
    assert found["text"] == "asked"


def test_tables_hold_about_as_many_results_as_asked_for(tmp_path: Path) -> None:
    spans = [search(1, at, ["a", "b", "c"], trace=at) for at in range(1, 11)]
    tables = read_text(tmp_path, lines(spans), results_per_batch=5)
    assert len(tables) > 1
    assert sum(len(table.results) for table in tables) == 30
    names = [name for table in tables for name in table.conversations]
    assert names == [f"{0xABC + at:032x}" for at in range(1, 11)]
