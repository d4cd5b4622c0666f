"""LangChain's own objects are searched as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from langchain_core.documents import Document as Page
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from langchain_core.vectorstores import InMemoryVectorStore

from goldproof.errors import InputError
from goldproof.records.entities import Document
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.external.user_retriever import LangChain, UserRetriever
from goldproof.retrieve.stage import Request

if TYPE_CHECKING:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun

TEXTS = {f"d{i}": f"text {i}" for i in range(8)}


class Fixed(BaseRetriever):
    """A retriever written by a user."""

    pages: list[Page]

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Page]:
        del run_manager
        if query == "bad":
            raise ValueError("no such collection")
        return self.pages


def store(**metadata: str) -> InMemoryVectorStore:
    made = InMemoryVectorStore(DeterministicFakeEmbedding(size=16))
    made.add_documents([Page(page_content=text, id=name, metadata=metadata) for name, text in TEXTS.items()])
    return made


def search(stage: UserRetriever, query: str = "text 3", k: int = 5) -> list[str]:
    documents = DocumentIndex(Document(name, text) for name, text in TEXTS.items())
    stage.index(documents)
    found = stage.find(Request((query,), k))
    assert not found.failed, found.failed
    return documents.ids(found.documents)


def test_a_vector_stores_retriever_is_given_k_and_is_not_changed() -> None:
    retriever = store().as_retriever()
    assert len(retriever.invoke("text 3")) == 4  # LangChain's own default
    ids = search(UserRetriever(retriever), k=6)
    assert ids[0] == "d3"
    assert len(ids) == 6
    assert retriever.search_kwargs == {}


def test_a_k_of_its_own_is_kept_and_said() -> None:
    retriever = store().as_retriever(search_kwargs={"k": 2})
    stage = LangChain(retriever)
    assert len(search(stage, k=6)) == 2
    assert any("got fewer documents than asked for; give k where the retriever is built" in r for r in stage.remarks)
    assert len(search(LangChain(retriever, tell_k="always"), k=6)) == 6
    assert len(search(LangChain(store().as_retriever(), tell_k="never"), k=6)) == 4


@pytest.mark.parametrize("wrap", [UserRetriever, LangChain])
def test_a_vector_store_itself_is_searched(wrap: type[UserRetriever]) -> None:
    ids = search(wrap(store()), k=7)
    assert ids[0] == "d3"
    assert len(ids) == 7


def test_a_retriever_of_a_users_class_is_cut_at_k_in_its_order() -> None:
    pages = [Page(page_content="x", id=name) for name in ("d5", "d1", "d3")]
    assert search(UserRetriever(Fixed(pages=pages)), k=2) == ["d5", "d1"]


def test_a_runnable_is_searched() -> None:
    pages: RunnableLambda[str, list[Page]] = RunnableLambda(lambda query: [Page(page_content=query, id="d2")])
    assert search(UserRetriever(pages)) == ["d2"]
    assert search(LangChain(RunnableLambda(str.lower) | pages)) == ["d2"]


@pytest.mark.parametrize("field", ["_id", "id", "doc_id", "source"])
def test_the_id_is_found_in_the_metadata_where_the_document_has_none(field: str) -> None:
    assert search(UserRetriever(Fixed(pages=[Page(page_content="x", metadata={field: "d4"})]))) == ["d4"]


def test_id_field_names_another_place_and_pieces_of_one_document_count_once() -> None:
    pages = [
        Page(page_content="x", id=f"piece {i}", metadata={"file": name}) for i, name in enumerate(["d1", "d2", "d1"])
    ]
    stage = LangChain(Fixed(pages=pages), id_field="file")
    assert search(stage) == ["d1", "d2"]
    assert any("1 results repeated a document (1 of 1 queries)" in remark for remark in stage.remarks)


def test_a_document_without_an_id_fails_the_query_and_says_what_to_do() -> None:
    stage = UserRetriever(Fixed(pages=[Page(page_content="x", metadata={"page": 3})]))
    stage.index(DocumentIndex())
    reason = stage.find(Request(("q",), 3)).failed[0]
    assert "is a Document without an id (neither .id nor _id, id, doc_id or source in its metadata: ['page']" in reason
    assert "name the field with id_field" in reason


def test_a_runnable_that_gives_no_documents_fails_the_query() -> None:
    stage = UserRetriever(RunnableLambda(lambda query: f"answer to {query}"))
    stage.index(DocumentIndex())
    assert "returned a str ('answer to q')" in stage.find(Request(("q",), 3)).failed[0]


def test_a_crash_of_the_retriever_fails_its_query() -> None:
    stage = UserRetriever(Fixed(pages=[Page(page_content="x", id="d1")]))
    stage.index(DocumentIndex())
    assert stage.find(Request(("bad", "good"), 3)).failed == {0: "ValueError: no such collection"}


def test_something_else_is_refused() -> None:
    with pytest.raises(InputError, match=r"has no invoke\(query\); expected a LangChain retriever"):
        LangChain(lambda query: [query])
    with pytest.raises(InputError, match="langchain: tell_k is sometimes, expected auto, always or never"):
        LangChain(store(), tell_k="sometimes")  # type: ignore[arg-type]
