"""LlamaIndex's own objects are searched as they are."""

from __future__ import annotations

import pytest
from llama_index.core import MockEmbedding, VectorStoreIndex
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeRelationship, NodeWithScore, QueryBundle, RelatedNodeInfo, TextNode

from goldproof.errors import InputError
from goldproof.records.entities import Document
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.external.user_retriever import LlamaIndex, UserRetriever
from goldproof.retrieve.stage import Request


class Fixed(BaseRetriever):
    """A retriever written by a user."""

    def __init__(self, nodes: list[NodeWithScore]) -> None:
        self.nodes = nodes
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if query_bundle.query_str == "bad":
            raise ValueError("no such index")
        return self.nodes


def node(name: str, score: float | None, document: str = "", **metadata: str) -> NodeWithScore:
    relations = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id=document)} if document else {}
    made = TextNode(text=f"text of {name}", id_=name, metadata=metadata, relationships=relations)
    return NodeWithScore(node=made, score=score)


def search(stage: UserRetriever, k: int = 5) -> list[tuple[str, float]]:
    documents = DocumentIndex([Document("n1", "x"), Document("d1", "y")])
    stage.index(documents)
    found = stage.find(Request(("q",), k))
    assert not found.failed, found.failed
    return list(zip(documents.ids(found.documents), found.scores.tolist(), strict=True))


@pytest.mark.parametrize("wrap", [UserRetriever, LlamaIndex])
def test_nodes_are_read_with_their_scores(wrap: type[UserRetriever]) -> None:
    assert search(wrap(Fixed([node("n2", 0.9), node("n1", 0.4)]))) == [("n2", 0.9), ("n1", 0.4)]


def test_nodes_without_scores_keep_their_order() -> None:
    assert search(UserRetriever(Fixed([node("n2", None), node("n1", None)]))) == [("n2", 2.0), ("n1", 1.0)]


def test_the_document_that_a_node_was_cut_from_is_named_by_id_field() -> None:
    nodes = [node("n1", 0.9, "d1"), node("n2", 0.8, "d2"), node("n3", 0.7, "d1")]
    assert search(LlamaIndex(Fixed(nodes), id_field="ref_doc_id")) == [("d1", 0.9), ("d2", 0.8)]
    assert search(LlamaIndex(Fixed([node("n1", 0.9, file="d9")]), id_field="file")) == [("d9", 0.9)]


def test_a_real_index_returns_as_many_as_it_was_built_for_and_that_is_said() -> None:
    nodes = [TextNode(text=f"text {i}", id_=f"n{i}") for i in range(5)]
    index = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=4))
    stage = UserRetriever(index.as_retriever(similarity_top_k=3))
    assert len(search(stage, k=5)) == 3
    assert any("give k where the retriever is built, as in as_retriever(similarity_top_k" in r for r in stage.remarks)
    assert len(search(UserRetriever(index.as_retriever(similarity_top_k=5)), k=2)) == 2


def test_an_index_is_no_retriever_and_the_message_says_what_to_give() -> None:
    index = VectorStoreIndex([TextNode(text="a", id_="n1")], embed_model=MockEmbedding(embed_dim=4))
    with pytest.raises(InputError, match=r"give what its as_retriever\(\) returns"):
        UserRetriever(index)


def test_a_crash_of_the_retriever_fails_its_query() -> None:
    stage = UserRetriever(Fixed([node("n1", 0.9)]))
    stage.index(DocumentIndex())
    assert stage.find(Request(("bad", "good"), 3)).failed == {0: "ValueError: no such index"}


def test_a_node_without_the_named_field_fails_the_query() -> None:
    stage = LlamaIndex(Fixed([node("n1", 0.9)]), id_field="ref_doc_id")
    stage.index(DocumentIndex())
    assert "is a node without an id (no 'ref_doc_id'" in stage.find(Request(("q",), 3)).failed[0]


def test_something_else_is_refused() -> None:
    with pytest.raises(InputError, match=r"has no retrieve\(query\)"):
        LlamaIndex(lambda query: [query])
