"""The one rule of ties: score descending, then document id descending, also among documents that no corpus has."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Barrier
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.records.entities import Document
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.ranking import RankingBatch

if TYPE_CHECKING:
    from goldproof.records.arrays import IntArray

IDS = st.text(alphabet="ab\u00e9\U0001f600", min_size=1, max_size=2)
SCORES = st.sampled_from([-1.0, -0.0, 0.0, 0.5, 2.0])
RANKINGS = st.lists(st.dictionaries(IDS, SCORES, max_size=8), max_size=4)


def found_on(documents: DocumentIndex, rankings: list[dict[str, float]]) -> RankingBatch:
    return RankingBatch.of_lists(
        [[(documents.position(d), s) for d, s in ranking.items()] for ranking in rankings], documents
    )


def rows(found: RankingBatch, documents: DocumentIndex) -> list[list[tuple[str, float]]]:
    pairs = list(zip(documents.ids(found.documents), found.scores.tolist(), strict=True))
    bounds = found.starts.tolist()
    return [pairs[start:end] for start, end in pairwise(bounds)]


@given(st.lists(IDS, unique=True, max_size=6), RANKINGS)
def test_rows_are_in_the_order_of_a_plain_sort(corpus: list[str], rankings: list[dict[str, float]]) -> None:
    documents = DocumentIndex(map(Document, corpus))
    plain = [sorted(ranking.items(), key=lambda row: (row[1], row[0]), reverse=True) for ranking in rankings]
    assert rows(found_on(documents, rankings), documents) == plain


@given(st.lists(IDS, unique=True, max_size=6), st.lists(IDS, max_size=12))
def test_ids_come_back_as_a_list_and_as_a_column(corpus: list[str], names: list[str]) -> None:
    documents = DocumentIndex(map(Document, corpus))
    positions = np.asarray([documents.position(name) for name in names], dtype=np.int64)
    assert documents.ids(positions) == names
    column = documents.id_series(positions)
    assert column.to_list() == names
    assert (str(column.dtype), column.name) == ("String", "document")


def test_the_order_of_the_corpus_stays_as_it_is_when_unknown_documents_come() -> None:
    documents = DocumentIndex(map(Document, ["b", "c", "a"]))
    order = documents.id_order()
    assert order.tolist() == [1, 2, 0]
    for i in range(50):
        found_on(documents, [{f"s{i}": 1.0, "b": 1.0}])
    assert documents.id_order() is order
    assert documents.unknown_documents == 50


class CountingIndex(DocumentIndex):
    """Remembers how many ids were compared, each time."""

    def __init__(self) -> None:
        super().__init__(map(Document, ["b", "c", "a"]))
        self.compared: list[int] = []

    def id_keys(self, positions: IntArray) -> IntArray:
        self.compared.append(len(positions))
        return super().id_keys(positions)


def test_only_the_ids_of_tied_rows_are_compared_however_many_unknown_documents_came_before() -> None:
    # 1,000 queries with 100 new documents each, two of them tied: 2 ids are compared each time, not all so far.
    documents = CountingIndex()
    for query in range(1000):
        scores = {f"q{query}-{i}": float(max(i, 1)) for i in range(100)}
        last = documents.ids(found_on(documents, [scores]).documents[-2:])
        assert last == [f"q{query}-1", f"q{query}-0"]
    assert documents.compared == [2] * 1000


def test_threads_that_bring_unknown_documents_at_once_agree_on_them() -> None:
    documents, together = DocumentIndex(map(Document, ["d1", "d2"])), Barrier(8, timeout=10)
    ranking = {f"d{i}": float(i % 3) for i in range(200)}
    plain = sorted(ranking.items(), key=lambda row: (row[1], row[0]), reverse=True)

    def answer(turn: int) -> list[tuple[str, float]]:
        together.wait()
        mixed = dict(sorted(ranking.items(), key=lambda row: hash_of(row[0], turn)))
        return rows(found_on(documents, [mixed]), documents)[0]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(answer, range(8))) == [plain] * 8
    assert documents.unknown_documents == 198


def hash_of(name: str, turn: int) -> int:
    return (int(name[1:]) * 7919 + turn * 104729) % 211


def test_an_id_that_occurs_twice_is_refused() -> None:
    with pytest.raises(InputError, match="document 'a' occurs twice"):
        DocumentIndex(map(Document, ["a", "b", "a"]))


def test_an_id_that_utf_8_cannot_hold_is_refused_in_the_corpus_and_as_an_unknown_document() -> None:
    said = r"document 'a\\ud800' has half a surrogate pair in its id, which UTF-8 cannot hold"
    with pytest.raises(InputError, match=said):
        DocumentIndex(map(Document, ["b", "a\ud800"]))
    documents = DocumentIndex(map(Document, ["b", "é😀"]))
    with pytest.raises(InputError, match=said):
        documents.position("a\ud800")
    assert documents.unknown_documents == 0
