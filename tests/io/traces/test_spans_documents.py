"""Documents of searches and results of tools as columns, labels and fields."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from goldproof.io.json_files import BadRecordError
from goldproof.io.traces.span_results import Result, documents_in, read_results
from tests.io.traces.span_exports import Json, Made, otlp, plain, read_one, root, shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def one(document: object) -> Result:
    (result,) = read_results([document])
    return result


# Documents


@pytest.mark.parametrize(
    "document",
    [
        {"id": "d1", "content": "text", "metadata": {"url": "u", "title": "t", "type": "page", "page": 3}},
        {
            "document.id": "d1",
            "document.content": "text",
            "document.metadata": '{"url": "u", "title": "t", "type": "page", "page": 3}',
        },
        {"document": {"id": "d1", "content": "text", "metadata": {"url": "u", "name": "t", "type": "page", "page": 3}}},
        {"page_content": "text", "id": "d1", "metadata": {"url": "u", "title": "t", "type": "page", "page": 3}},
        {
            "node": {"id_": "d1", "text": "text", "extra_info": {"url": "u", "title": "t", "page": 3}},
            "type": "page",
            "score": 1,
        },
        {"_id": "d1", "_score": 2.5, "_source": {"url": "u", "title": "t", "type": "page", "page": 3, "text": "text"}},
        json.dumps({"id": "d1", "snippet": "text", "url": "u", "title": "t", "type": "page", "page": 3}),
        {
            "id": "d1",
            "content": [{"type": "text", "text": "text"}],
            "url": "u",
            "title": "t",
            "type": "page",
            "page": 3,
        },
    ],
)
def test_documents_of_many_makers_are_one(document: object) -> None:
    assert one(document) == Result("d1", "u", "t", "text", "page", None, {"page": 3})


def test_a_text_is_the_content_of_a_document() -> None:
    assert one("Paris is the capital.") == Result(snippet="Paris is the capital.", type="passage")


def test_a_document_may_say_nothing() -> None:
    assert one({}) == one({"id": None, "content": "", "metadata": {}}) == Result(type="passage")


def test_a_whole_number_is_an_id() -> None:
    assert one({"id": 7}).id == "7"


def test_an_id_of_blanks_alone_leaves_the_word_to_the_next() -> None:
    assert one({"id": " ", "doc_id": " d1 ", "content": "x"}).id == "d1"


@pytest.mark.parametrize("key", ["source", "link", "uri", "href"])
def test_a_source_is_a_url_only_if_it_looks_like_one(key: str) -> None:
    assert one({"metadata": {key: "https://a.org"}}) == Result(url="https://a.org", type="passage")
    assert one({"metadata": {key: "handbook.pdf"}}) == Result(type="passage", fields={key: "handbook.pdf"})


def test_what_the_document_says_counts_more_than_its_metadata() -> None:
    found = one({"title": "own", "metadata": {"title": "other", "author": "x"}})
    assert found == Result(title="own", type="passage", fields={"title": "other", "author": "x"})


def test_metadata_that_is_not_json_is_a_field() -> None:
    found = one({"id": "a", "metadata": "{'page': 3}"})
    assert found == Result(id="a", type="passage", fields={"metadata": "{'page': 3}"})


@pytest.mark.parametrize("name", ["Document", "TextNode", "text"])
def test_the_name_of_a_class_is_no_type(name: str) -> None:
    assert one({"content": "x", "type": name}).type == "passage"
    assert one({"content": "x", "type": "mail"}).type == "mail"


@pytest.mark.parametrize("gain", [0, 4, 3.0])
def test_a_key_named_gain_is_a_label(gain: float) -> None:
    assert one({"gain": gain}).gain == one({"metadata": {"gain": gain}}).gain == int(gain)


@pytest.mark.parametrize("key", ["score", "relevance", "relevance_score", "grade", "label"])
def test_no_other_key_is_a_label(key: str) -> None:
    assert one({"id": "a", key: 3}).gain is None


@pytest.mark.parametrize("gain", [5, -1, 2.5, True, "high", [3], {"value": 3}])
def test_a_gain_that_is_no_label_is_refused(gain: object) -> None:
    with pytest.raises(BadRecordError, match=r"document 2: .*from 0 to 4"):
        read_results([{}, {"metadata": {"gain": gain}}])


@pytest.mark.parametrize("document", [None, 3, True, [1]])
def test_what_is_no_document_is_refused(document: object) -> None:
    with pytest.raises(BadRecordError, match=r"document 1 is .*, expected an object or text"):
        one(document)


@pytest.mark.parametrize("documents", ["not json", "3", 3, True, '{"broken": '])
def test_documents_that_are_no_list_are_refused(documents: object) -> None:
    with pytest.raises(BadRecordError, match="expected a list or its JSON text"):
        read_results(documents)


def test_a_list_may_be_json_text_or_wrapped() -> None:
    listed = [{"id": "a"}, {"id": "b"}]
    assert read_results(json.dumps(listed)) == read_results({"documents": listed}) == read_results(listed)
    assert read_results("[]") == ()


def test_absurdly_deep_metadata_is_refused() -> None:
    deep: Any = "x"
    for _ in range(400):
        deep = [deep]
    with pytest.raises(BadRecordError, match="nested deeper"):
        one({"metadata": {"deep": deep}})


# Where a span keeps its documents

LISTED = [{"id": "a", "score": 0.9}, {"id": "b", "score": 0.8}]


@pytest.mark.parametrize("shape", [otlp, plain])
@pytest.mark.parametrize(
    "attributes",
    [
        {"gen_ai.retrieval.documents": LISTED},
        {"gen_ai.retrieval.documents": json.dumps(LISTED)},
        {"gen_ai.retrieval.documents": [json.dumps(document) for document in LISTED]},
        {"gen_ai.retrieval.documents.1.id": "b", "gen_ai.retrieval.documents.0.id": "a"},
        {"retrieval.documents": json.dumps([{f"document.{k}": v for k, v in document.items()} for document in LISTED])},
        {"retrieval.documents": {"0": {"document": {"id": "a"}}, "1": {"document": {"id": "b"}}}},
        {"output.value": json.dumps({"documents": LISTED, "count": 2})},
        {"gen_ai.task.output": json.dumps({"documents": LISTED}), "gen_ai.operation.name": "vector_db_retrieve"},
    ],
)
def test_documents_are_found_where_they_are_recorded(
    tmp_path: Path, attributes: Json, shape: Callable[[Made], Json]
) -> None:
    retrieval = {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.query.text": "capital?", **attributes}
    (found,) = shown(read_one(tmp_path, [root(), Made(2, 1, 5, attributes=retrieval)], shape))
    (((query, failed, results),),) = found["iterations"]
    assert (query, failed) == ("capital?", False)
    assert [result["id"] for result in results] == ["a", "b"]


def test_ten_flattened_documents_keep_the_order_of_their_numbers(tmp_path: Path) -> None:
    names = [f"d{number}" for number in range(12)]
    attributes = {f"retrieval.documents.{n}.document.id": f"d{n}" for n in (11, 2, 0, 10, 1, 3, 4, 5, 9, 8, 7, 6)}
    retriever = Made(2, 1, 5, attributes={"openinference.span.kind": "RETRIEVER", **attributes})
    (found,) = shown(read_one(tmp_path, [root(), retriever]))
    assert [result["id"] for result in found["iterations"][0][0][2]] == names


@pytest.mark.parametrize(
    ("attributes", "query"),
    [
        ({"input.value": "plain words"}, "plain words"),
        ({"input.value": '{"query": "inner", "k": 5}'}, "inner"),
        ({"input.value": '{"k": 5}'}, '{"k": 5}'),
        ({"gen_ai.tool.call.arguments": {"search_query": "object"}}, "object"),
        ({"gen_ai.retrieval.query.text": "first", "input.value": "second"}, "first"),
        ({}, None),
    ],
)
def test_the_query_is_what_was_asked(tmp_path: Path, attributes: Json, query: str | None) -> None:
    span = Made(2, 1, 5, attributes={"openinference.span.kind": "RETRIEVER", **attributes})
    assert read_one(tmp_path, [root(), span]).queries.to_list() == [query]


# Results of tools

WEB = [{"title": "A", "link": "https://a.org", "snippet": "about a"}]


@pytest.mark.parametrize(
    "result",
    [
        WEB,
        json.dumps(WEB),
        {"results": WEB},
        {"query": "q", "results": WEB, "response_time": 1.2},
        {"organic": WEB, "searchParameters": {"q": "q"}},
        {"webPages": {"value": WEB}},
        {"web": {"results": WEB}},
        {"hits": {"total": 1, "hits": WEB}},
        {"content": [{"type": "text", "text": json.dumps(WEB)}], "isError": False},
        {"content": [{"type": "text", "text": json.dumps(WEB[0])}], "isError": False},
        {"structuredContent": {"result": WEB}, "content": [{"type": "text", "text": "1 result"}]},
        {"type": "tool", "content": json.dumps(WEB), "tool_call_id": "c1"},
        {"lc": 1, "kwargs": {"content": json.dumps({"results": WEB})}},
    ],
)
def test_lists_of_documents_are_found_in_what_tools_return(result: object) -> None:
    assert documents_in(result) == WEB


@pytest.mark.parametrize(
    "document",
    [{"id": "a", "score": 0.3}, {"page_content": "x", "metadata": {}}, {"document": {"content": "x"}}, {"url": "u"}],
)
def test_what_has_a_url_a_title_a_text_or_an_id_with_a_score_is_a_document(document: Json) -> None:
    assert documents_in([document]) == [document]


@pytest.mark.parametrize(
    "result",
    [
        *(None, 3, "rainy, 57 F", "[not json", {"temperature": 21}, {"data": {"temperature": 21}}, ["a", "b"], [1, 2]),
        [{"id": 1, "name": "Ada"}],
        [{"title": "A"}, {"temperature": 21}],
        [{"type": "text", "text": "The weather is fine."}],
        {"content": [{"type": "text", "text": "The weather is fine."}], "isError": False},
        {"content": [{"type": "text", "text": '{"temperature": 21}'}]},
    ],
)
def test_other_results_are_no_documents(result: object) -> None:
    assert documents_in(result) is None


@pytest.mark.parametrize("result", [[], "[]", {"results": []}, {"content": [{"type": "text", "text": "[]"}]}])
def test_an_empty_list_is_a_list_without_documents(result: object) -> None:
    assert documents_in(result) == []
