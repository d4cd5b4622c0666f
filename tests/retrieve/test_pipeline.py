"""A pipeline is a retriever: indexed once, searched often, printed as what it was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.corpus import open_corpus
from goldproof.embed.minilm import MiniLm
from goldproof.errors import InputError, SearchFailedError
from goldproof.records.entities import Document, Hit, Question
from goldproof.retrieve import (
    Pipeline,
    Retriever,
    bm25,
    floor,
    open_named,
    open_retriever,
    open_retrievers,
    parse_filters,
    top,
)
from goldproof.retrieve.ranking import RankingBatch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.stage import Request

DOCUMENTS = (
    Document("a", "red apples and green apples", metadata={"year": 2019, "tags": ["fruit"]}),
    Document("b", "green pears", metadata={"year": 2020, "tags": ["fruit", "green"]}),
    Document("c", "blue sky", metadata={"year": 2021}),
)


@pytest.fixture
def pipeline() -> Pipeline:
    made = open_retriever("bm25 | top(2)")
    made.index(DOCUMENTS)
    return made


def test_it_is_a_retriever(pipeline: Pipeline) -> None:
    assert isinstance(pipeline, Retriever)
    hits = pipeline.search("green apples", 5)
    assert [hit.doc_id for hit in hits] == ["a", "b"]
    assert hits[0].text == "red apples and green apples"
    assert hits[0].score > hits[1].score


def test_it_prints_as_the_text_that_makes_it_again(pipeline: Pipeline) -> None:
    assert str(pipeline) == "bm25 | top(2)"
    assert repr(pipeline) == "Pipeline('bm25 | top(2)')"
    assert str(open_retriever(str(pipeline))) == str(pipeline)


def test_python_and_text_make_the_same() -> None:
    made = bm25(k1=0.9) | floor(0.1, of="score") | top(2)
    assert str(made) == "bm25(k1=0.9) | floor(0.1, of=score) | top(2)"


def test_many_questions_are_answered_by_id(pipeline: Pipeline) -> None:
    table = pipeline.search_many({"q1": "sky", "q2": "nothing of the kind"}, 5)
    assert table.to_dict()["q2"] == {}
    assert list(table.to_dict()["q1"]) == ["c"]
    again = pipeline.search_many([Question("q1", "sky")], 5)
    assert again.to_dict()["q1"] == table.to_dict()["q1"]


def test_no_question_gives_an_empty_table(pipeline: Pipeline) -> None:
    assert len(pipeline.search_many({}, 5).questions) == 0


def test_filters_are_applied_before_the_cut(pipeline: Pipeline) -> None:
    hits = pipeline.search("green apples", 1, filters={"year": {"gte": 2020}})
    assert [hit.doc_id for hit in hits] == ["b"]


def test_two_questions_of_one_id_are_refused(pipeline: Pipeline) -> None:
    with pytest.raises(InputError, match="same id"):
        pipeline.search_many([Question("q", "sky"), Question("q", "apples")], 5)


@pytest.mark.parametrize("k", [0, -1, 2.5, True, "3"])
def test_k_is_a_whole_number_above_0(pipeline: Pipeline, k: object) -> None:
    with pytest.raises(InputError, match="expected a whole number above 0"):
        pipeline.search("sky", k)  # type: ignore[arg-type]


def test_searching_before_indexing_is_an_error() -> None:
    with pytest.raises(InputError, match="nothing is indexed yet"):
        open_retriever("bm25").search("sky")


def test_ids_must_be_unique() -> None:
    with pytest.raises(InputError, match="document 'a' occurs twice"):
        open_retriever("bm25").index((Document("a", "x"), Document("b", "y"), Document("a", "z")))


def test_a_search_that_fails_raises_with_the_reason() -> None:
    class Broken:
        def search(self, query: str, k: int) -> list[Hit]:
            raise RuntimeError(f"no index for {query} at {k}")

    pipeline = open_retriever(Broken())
    pipeline.index(DOCUMENTS)
    with pytest.raises(SearchFailedError, match="RuntimeError: no index for sky at 3"):
        pipeline.search("sky", 3)


def test_facts_name_every_stage_with_what_decides_its_results(pipeline: Pipeline) -> None:
    stages = pipeline.facts["stages"]
    assert isinstance(stages, list)
    assert [one["stage"] for one in stages] == ["bm25", "top"]
    assert stages[0]["k1"] == 1.5


def test_retrievers_are_named_by_the_option() -> None:
    named = open_retrievers(["one=bm25", "bm25(k1=2) | top(3)", "two=bm25(b=0.5)"])
    assert {name: str(made) for name, made in named.items()} == {
        "one": "bm25",
        "bm25(k1=2) | top(3)": "bm25(k1=2) | top(3)",
        "two": "bm25(b=0.5)",
    }


@pytest.mark.parametrize(
    ("given", "message"),
    [(["a=bm25", "a=bm25(k1=2)"], "two retrievers are called 'a'"), (["a="], "nothing follows the '='")],
)
def test_names_are_unique_and_followed_by_something(given: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        open_retrievers(given)


def test_a_yaml_file_brings_several(tmp_path: Path) -> None:
    path = tmp_path / "retrievers.yaml"
    path.write_text("retrievers:\n  plain: bm25\n  short:\n    - bm25\n    - top: 3\n", encoding="utf-8")
    assert {name: str(made) for name, made in open_retrievers([str(path)]).items()} == {
        "plain": "bm25",
        "short": "bm25 | top(3)",
    }
    assert str(open_retriever(f"{path}#short")) == "bm25 | top(3)"
    assert str(open_retriever(path.with_name("retrievers.yaml#plain"))) == "bm25"
    with pytest.raises(InputError, match="holds 2 pipelines"):
        open_named(str(path))
    with pytest.raises(InputError, match="did you mean 'short'"):
        open_retriever(f"{path}#shrt")


def test_filters_as_they_are_typed() -> None:
    assert parse_filters([]) is None
    assert parse_filters(["role=user", "year=2019..2021", "n=3,x"]) == {
        "role": ["user"],
        "year": {"gte": 2019, "lte": 2021},
        "n": ["3", 3.0, "x"],
    }


@pytest.mark.parametrize("text", ["role", "=user", "role="])
def test_a_filter_needs_both_sides(text: str) -> None:
    with pytest.raises(InputError, match="expected FIELD=VALUE"):
        parse_filters([text])


def test_a_field_is_filtered_once() -> None:
    with pytest.raises(InputError, match="filtered twice"):
        parse_filters(["role=user", "role=assistant"])


def test_a_corpus_or_its_spec_can_be_indexed(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Sky\n\nThe sky is blue.\n", encoding="utf-8")
    for given in (f"folder:{tmp_path}", open_corpus(f"folder:{tmp_path}")):
        pipeline = open_retriever("bm25")
        pipeline.index(given)
        assert [hit.doc_id for hit in pipeline.search("sky")] == ["a.md#sky"]


@pytest.mark.parametrize("given", [["plain text"], [{"id": "a"}]])
def test_what_is_no_document_cannot_be_indexed(given: list[object]) -> None:
    with pytest.raises(InputError, match=r"expected goldproof[.]Document records"):
        open_retriever("bm25").index(given)  # type: ignore[arg-type]


def test_a_filter_is_not_taken_for_another_that_only_looks_equal() -> None:
    pipeline = open_retriever("bm25")
    pipeline.index((Document("a", "sky", metadata={"n": 1}), Document("b", "sky", metadata={"n": True})))
    assert [hit.doc_id for hit in pipeline.search("sky", filters={"n": 1})] == ["a"]
    assert [hit.doc_id for hit in pipeline.search("sky", filters={"n": True})] == ["b"]


def test_a_url_with_an_equals_sign_is_no_name() -> None:
    (name,) = open_retrievers(["http://localhost:1/search?index=a"])
    assert name.startswith("http://localhost")


def test_a_pipeline_of_a_file_is_called_as_the_file_calls_it(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("retrievers:\n  plain: bm25\n  short: bm25 | top(3)\n", encoding="utf-8")
    assert list(open_retrievers([f"{path}#short"])) == ["short"]


def test_a_query_is_text(pipeline: Pipeline) -> None:
    with pytest.raises(InputError, match="the query is a int"):
        pipeline.search(5)  # type: ignore[arg-type]


def test_a_score_that_is_no_number_fails_its_question_and_no_other() -> None:
    class Endless:
        kind = "source"

        def index(self, documents: DocumentIndex) -> None:
            self.documents = documents

        def find(self, request: Request) -> RankingBatch:
            scores = [[(0, float("inf")), (1, 1.0)] if query == "bad" else [(0, 1.0)] for query in request.queries]
            return RankingBatch.of_lists(scores, self.documents)

    pipeline = open_retriever("bm25")
    pipeline.stage = Endless()
    pipeline.index(DOCUMENTS)
    table = pipeline.search_many({"q1": "good", "q2": "bad", "q3": "good"}, 5)
    assert table.to_dict() == {"q1": {"a": 1.0}, "q3": {"a": 1.0}}
    assert table.failed == {"q2": "a score is not a finite number"}


@pytest.mark.parametrize("spec", ["dense(minilm)", "expand(minilm) | bm25", "hybrid(bm25, dense(minilm)) | top(2)"])
def test_a_closed_pipeline_holds_no_file_and_opens_it_when_it_is_asked_again(
    spec: str, open_databases: Callable[[], list[str]]
) -> None:
    with open_retriever(spec) as pipeline:
        pipeline.index(DOCUMENTS)
        pipeline.index(DOCUMENTS)  # again: what the first time opened is let go of
        first = pipeline.search("green apples", 2)
        assert len(open_databases()) == 1
    assert open_databases() == []
    assert pipeline.search("green apples", 2) == first
    pipeline.search("yellow pears", 2)
    pipeline.close()
    assert open_databases() == []


def test_a_pipeline_whose_documents_cannot_be_embedded_leaves_no_file_open(
    open_databases: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MiniLm, "embed", lambda *_: 1 / 0)
    pipeline = open_retriever("dense(minilm)")
    with pytest.raises(ZeroDivisionError):
        pipeline.index([Document("new", "a text that was never embedded before")])
    assert open_databases() == []
