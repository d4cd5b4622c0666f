"""Dense retrieval with a real embedder of our own: hashed character trigrams."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np
import pytest

from goldproof.errors import GoldproofError, InputError
from goldproof.progress import Progress
from goldproof.records.entities import Document
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.ranking import RankingBatch
from goldproof.retrieve.stage import Request
from goldproof.retrieve.stages.dense import Dense

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from goldproof.embed.embedder import Purpose, Vectors


class Trigrams:
    """Counts of hashed character trigrams, as a vector of length 1."""

    def __init__(self, columns: int = 64) -> None:
        self.columns = columns
        self.calls: list[tuple[int, str]] = []

    @property
    def key(self) -> str:
        return f"trigrams-{self.columns}"

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        self.calls.append((len(texts), purpose))
        counts = np.zeros((len(texts), self.columns), dtype=np.float64)
        for row, text in zip(counts, texts, strict=True):
            padded = f"<{text}>" if text else "<?>"
            for i in range(len(padded) - 2):
                row[zlib.crc32(padded[i : i + 3].encode("utf-8")) % self.columns] += 1
        unit: Vectors = (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)
        return unit


TEXTS = {
    "a": "the wing of an aircraft in a slipstream",
    "b": "boundary layer of a flat plate",
    "c": "the wing of an aircraft in a slipstream",
    "d": "heat transfer through a slab",
    "e": "",
}


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))


def documents_of(texts: dict[str, str]) -> DocumentIndex:
    return DocumentIndex(Document(doc_id, text) for doc_id, text in texts.items())


def indexed(stage: Dense, texts: dict[str, str] = TEXTS) -> Dense:
    stage.index(documents_of(texts))
    return stage


def ids(found: RankingBatch, texts: dict[str, str] = TEXTS) -> list[str]:
    return [list(texts)[position] for position in found.documents.tolist()]


def test_nearest_first_and_equal_texts_by_id_descending() -> None:
    found = indexed(Dense(Trigrams())).find(Request(("aircraft wing",), 3))
    assert ids(found)[:2] == ["c", "a"]
    assert found.scores[0] == found.scores[1] > found.scores[2]


def test_score_is_the_cosine_and_the_similarity() -> None:
    # Trigrams of "abcd": <ab abc bcd cd>; of "abc": <ab abc bc>. Two in common: 2 / (sqrt(4) * sqrt(3)) = 0.577350.
    texts = {"x": "abcd", "y": "abc", "z": "qrs"}
    found = indexed(Dense(Trigrams(4096)), texts).find(Request(("abc",), 3))
    assert ids(found, texts) == ["y", "x", "z"]
    assert found.scores.tolist() == pytest.approx([1.0, 0.577350, 0.0], abs=1e-6)
    assert found.similarity is not None
    assert found.similarity.tolist() == found.scores.tolist()


def test_the_offline_model_finds_by_meaning() -> None:
    # No word of the query is in the text that answers it.
    texts = {"x": "The cat sleeps on the sofa.", "y": "Interest rates rose again.", "z": "He repaired the bicycle."}
    stage = indexed(Dense("minilm"), texts)
    found = stage.find(Request(("a pet taking a nap", "central bank policy"), 1))
    assert ids(found, texts) == ["x", "y"]
    assert stage.facts["dimensions"] == 384


def test_an_embedder_may_be_a_function_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "def embed(texts):\n    return [[1 + text.count('a'), 1 + text.count('b')] for text in texts]\n"
    (tmp_path / "letters_for_dense.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    # x = (1, 4), y = (4, 1), the query (3, 1): cosines 7 / sqrt(17 * 10) = 0.536875 and 13 / sqrt(170) = 0.997054.
    found = indexed(Dense("letters_for_dense:embed"), {"x": "bbb", "y": "aaa"}).find(Request(("aa",), 2))
    assert found.documents.tolist() == [1, 0]
    assert found.scores.tolist() == pytest.approx([0.997054, 0.536875], abs=1e-6)


def test_title_is_searched_with_the_text() -> None:
    documents = DocumentIndex([Document("x", "flat plate", title="slipstream"), Document("y", "flat plate")])
    stage = Dense(Trigrams())
    stage.index(documents)
    assert stage.find(Request(("slipstream",), 1)).documents.tolist() == [0]


@pytest.mark.parametrize("search", ["exact", "usearch"])
def test_filters_hold_before_the_cut(search: str) -> None:
    stage = indexed(Dense(Trigrams(), search=search))  # type: ignore[arg-type]
    allowed = np.array([False, True, False, True, False])
    found = stage.find(Request(("aircraft wing", "heat"), 5, allowed=allowed))
    assert np.diff(found.starts).tolist() == [2, 2]
    assert set(ids(found)) == {"b", "d"}


@pytest.mark.parametrize("search", ["exact", "usearch"])
def test_empty_corpus_has_no_results(search: str) -> None:
    stage = indexed(Dense(Trigrams(), search=search), {})  # type: ignore[arg-type]
    found = stage.find(Request(("anything", "else"), 5))
    assert found.queries == 2
    assert not len(found.documents)
    assert found.similarity is not None
    assert stage.facts["dimensions"] == 0


def test_no_queries_have_no_rankings() -> None:
    assert indexed(Dense(Trigrams())).find(Request((), 5)).queries == 0


def test_a_query_has_the_same_bits_alone_and_in_a_batch() -> None:
    texts = {f"d{i}": f"{i * 7919 % 1000} {i * 104729 % 1000} aircraft" for i in range(500)}
    stage = indexed(Dense(Trigrams()), texts)
    queries = tuple(f"{i} aircraft" for i in range(40))
    together = stage.find(Request(queries, 10))
    for i, query in enumerate(queries):
        alone = stage.find(Request((query,), 10))
        rows = slice(together.starts[i], together.starts[i + 1])
        assert alone.documents.tolist() == together.documents[rows].tolist()
        assert alone.scores.tolist() == together.scores[rows].tolist()


@pytest.mark.parametrize(("code", "purpose"), [(False, "query"), (True, "code query")])
def test_each_side_is_embedded_with_its_purpose(code: bool, purpose: str) -> None:
    embedder = Trigrams()
    stage = indexed(Dense(embedder, code=code))
    assert {said for _, said in embedder.calls} == {"document"}
    embedder.calls.clear()
    stage.find(Request(("wing", "plate"), 2))
    assert embedder.calls == [(2, purpose)]
    assert stage.facts["purpose"] == purpose


def test_similarities_are_those_of_the_search_and_unknown_for_unknown_documents() -> None:
    documents = documents_of(TEXTS)
    stage = Dense(Trigrams())
    stage.index(documents)
    queries = ("aircraft wing", "a flat slab")
    found = stage.find(Request(queries, 5))
    assert stage.similarities(queries, found).tolist() == found.scores.tolist()
    unknown = documents.position("z", "not of the corpus")
    mixed = RankingBatch.of_lists([[(unknown, 9.0), (1, 2.0)], [(3, 1.0), (0, 0.5)]], documents)
    cosines = stage.similarities(queries, mixed)
    by_pair = {(q, d): s for q, d, s in zip(found.query_of_row, found.documents, found.scores, strict=True)}
    assert np.isnan(cosines[0])
    assert cosines[1:].tolist() == [by_pair[0, 1], by_pair[1, 3], by_pair[1, 0]]


def test_queries_of_a_hybrid_are_embedded_once() -> None:
    # A function that stands in no file has no cache on disk, so every call is seen.
    asked: list[list[str]] = []
    scope = {"asked": asked, "trigrams": Trigrams()}
    uncached = eval("lambda texts: (asked.append(texts), trigrams.embed(texts, 'query'))[1]", scope)  # noqa: S307
    stage = indexed(Dense(uncached))
    asked.clear()
    found = stage.find(Request(("wing",), 2))
    stage.similarities(("wing",), found)
    stage.similarities(("plate",), found)
    assert asked == [["wing"], ["plate"]]


def test_vectors_that_are_no_numbers_are_refused() -> None:
    class Spoilt(Trigrams):
        def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
            vectors = super().embed(texts, purpose)
            vectors[[text.startswith("heat") for text in texts], 0] = np.nan
            return vectors

    with pytest.raises(GoldproofError, match=r"the vector of .*heat transfer"):
        indexed(Dense(Spoilt()))
    stage = indexed(Dense(Spoilt()), {"a": "wing"})
    with pytest.raises(GoldproofError, match=r"the vector of .*heat flow"):
        stage.find(Request(("heat flow",), 2))


def test_searching_before_indexing_is_refused() -> None:
    with pytest.raises(InputError, match=r"^dense: index the documents"):
        Dense(Trigrams()).find(Request(("wing",), 2))


def test_unknown_search_is_refused_when_the_stage_is_made() -> None:
    with pytest.raises(InputError, match=r"^dense: search is faiss, expected exact or usearch"):
        Dense(Trigrams(), search="faiss")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^dense: code is yes, expected true or false"):
        Dense(Trigrams(), code="yes")  # type: ignore[arg-type]


def test_facts_name_the_embedder_and_the_search() -> None:
    assert indexed(Dense(Trigrams())).facts == {
        "embedder": "trigrams-64",
        "dimensions": 64,
        "purpose": "query",
        "search": "exact",
    }
    assert str(indexed(Dense(Trigrams(), search="usearch")).facts["search"]).startswith("approximate: usearch ")


def test_progress_grows_to_all_texts_and_says_nothing_of_queries() -> None:
    told: list[Progress] = []
    stage = Dense(Trigrams())
    documents = [Document(f"d{i}", f"text {i}") for i in range(5000)]
    stage.index(DocumentIndex(documents, on_progress=told.append))
    assert told[0] == Progress("documents embedded", 0, 5000)
    assert (told[-1].done, told[-1].total) == (5000, 5000)
    assert [one.done for one in told] == sorted(one.done for one in told)
    assert all(one.cached <= one.done for one in told)
    before = len(told)
    stage.find(Request(("text",), 2))
    assert len(told) == before
