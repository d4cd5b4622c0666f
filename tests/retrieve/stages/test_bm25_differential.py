"""Ours against bare bm25s on the same tokens: the same scores, and the ranking that follows from them by our rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldproof.records.entities import Document
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.stage import Request
from goldproof.retrieve.stages.bm25 import Bm25

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

METHODS = ("lucene", "robertson", "atire", "bm25l", "bm25+")
WORDS = ["cat", "dog", "bird", "LlmAgent", "max_tokens", "the", "a.b", "3.14", "é"]
texts = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


@pytest.fixture(autouse=True, scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Any:  # noqa: ANN401
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GOLDPROOF_HOME", str(tmp_path_factory.getbasetemp().parent / "home-of-bm25"))
        yield


class Bare:
    """bm25s alone: the scores of all documents, and which documents have a token of the query."""

    def __init__(self, stage: Bm25, documents: Sequence[str], *, method: str = "lucene") -> None:
        self.stage = stage
        self.tokens = [stage.tokens_of(text) for text in documents]
        self.sets = [frozenset(tokens) for tokens in self.tokens]
        self.index = bm25s.BM25(method=method, backend="numpy")
        self.index.index(self.tokens, show_progress=False)

    def scores(self, query: str) -> npt.NDArray[np.float32]:
        found: npt.NDArray[np.float32] = self.index.get_scores(self.stage.tokens_of(query))
        return found

    def ranking(self, query: str, allowed: npt.NDArray[np.bool_]) -> list[int]:
        """Positions by score and then position, both descending, of the allowed documents that have a token."""
        asked, scores = frozenset(self.stage.tokens_of(query)), self.scores(query).tolist()
        having = [i for i, tokens in enumerate(self.sets) if allowed[i] and not asked.isdisjoint(tokens)]
        return sorted(having, key=lambda i: (scores[i], i), reverse=True)


def made(documents: Sequence[str], **given_settings: Any) -> Bm25:  # noqa: ANN401
    stage = Bm25(**given_settings)
    stage.index(DocumentIndex(Document(f"{i:06}", text) for i, text in enumerate(documents)))
    return stage


@settings(max_examples=60)
@given(
    documents=st.lists(texts, min_size=1, max_size=12).filter(lambda found: any(" ".join(found).split())),
    queries=st.lists(texts, min_size=1, max_size=4),
    k=st.integers(1, 14),
    method=st.sampled_from(METHODS),
    data=st.data(),
)
def test_scores_and_rankings_follow_from_bm25s(
    documents: list[str], queries: list[str], k: int, method: str, data: st.DataObject
) -> None:
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=len(documents), max_size=len(documents))))
    stages = [made(documents, method=method, stopwords="none", backend=backend) for backend in ("numpy", "numba")]
    bare = Bare(stages[0], documents, method=method)
    for mask in (None, allowed):
        one, two = (stage.find(Request(tuple(queries), k, allowed=mask)) for stage in stages)
        for column in ("starts", "documents", "scores"):
            assert getattr(one, column).tolist() == getattr(two, column).tolist()
        for i, query in enumerate(queries):
            found = one.documents[one.starts[i] : one.starts[i + 1]].tolist()
            if not stages[0].tokens_of(query):
                assert not found
                continue
            scores = one.scores[one.starts[i] : one.starts[i + 1]]
            expected = bare.scores(query)[found]
            if method in {"bm25l", "bm25+"}:
                # Added in double precision here, in single precision there: near scores may tie there and not here.
                np.testing.assert_allclose(scores, expected, rtol=1e-6)
            else:
                assert scores.tolist() == expected.tolist()
                assert found == bare.ranking(query, np.ones(len(documents), bool) if mask is None else mask)[:k]


@settings(max_examples=30)
@given(documents=st.lists(texts, min_size=1, max_size=12), queries=st.lists(texts, min_size=1, max_size=5))
def test_a_query_finds_the_same_alone_as_in_a_batch(documents: list[str], queries: list[str]) -> None:
    for backend in ("numpy", "numba"):
        stage = made(documents, backend=backend, method="bm25+")
        together = stage.find(Request(tuple(queries), 3))
        alone = [stage.find(Request((query,), 3)) for query in queries]
        assert together.documents.tolist() == [d for found in alone for d in found.documents.tolist()]
        assert together.scores.tolist() == [score for found in alone for score in found.scores.tolist()]


@pytest.mark.parametrize("method", ["lucene", "bm25+"])
def test_backends_agree_bit_for_bit_on_a_corpus_of_many_blocks(method: str) -> None:
    # Long queries of common and rare words, so that both ways of choosing the best are taken, and ties abound.
    rng = np.random.default_rng(5)
    words = np.array([f"w{i}" for i in range(400)])
    chance = 1 / np.arange(1, 401)
    chance /= chance.sum()
    documents = [" ".join(rng.choice(words, rng.integers(0, 12), p=chance)) for _ in range(3000)]
    queries = [" ".join(rng.choice(words, rng.integers(1, 12), p=chance)) for _ in range(60)]
    queries += [" ".join(rng.choice(words[100:], 2)) for _ in range(60)]
    allowed = rng.random(3000) < 0.3
    stages = [made(documents, backend=backend, method=method) for backend in ("numpy", "numba")]
    bare = Bare(stages[0], documents, method=method)
    for mask, k in ((None, 10), (allowed, 10), (None, 2999), (allowed, 500)):
        one, two = (stage.find(Request(tuple(queries), k, allowed=mask)) for stage in stages)
        assert np.array_equal(one.starts, two.starts)
        assert np.array_equal(one.documents, two.documents)
        assert np.array_equal(one.scores, two.scores)
        if method == "lucene":
            every = np.ones(3000, dtype=bool) if mask is None else mask
            expected = [bare.ranking(query, every)[:k] for query in queries]
            assert [part.tolist() for part in np.split(one.documents, one.starts[1:-1])] == expected


@pytest.mark.realdata
@pytest.mark.parametrize("backend", ["numpy", "numba"])
def test_cranfield_ranks_as_bare_bm25s_does(realdata: Path, backend: str) -> None:
    text = (realdata / "cranfield" / "cran.all.1400").read_text(encoding="utf-8", errors="replace")
    documents = [part.split("\n.W\n", 1)[-1] for part in text.split("\n.I ")]
    asked = (realdata / "cranfield" / "cran.qry").read_text(encoding="utf-8", errors="replace")
    queries = [part.split("\n.W\n", 1)[-1] for part in asked.split("\n.I ")]
    assert (len(documents), len(queries)) == (1400, 225)
    stage = made(documents, backend=backend, stem="english")
    bare = Bare(stage, documents)
    found = stage.find(Request(tuple(queries), 100))
    peer = bare.index.retrieve([stage.tokens_of(query) for query in queries], k=100, show_progress=False)
    assert np.array_equal(np.diff(found.starts), np.minimum((peer.scores > 0).sum(axis=1), 100))
    assert np.array_equal(found.scores, peer.scores[peer.scores > 0])
    for i, query in enumerate(queries):
        expected = bare.ranking(query, np.ones(1400, dtype=bool))[:100]
        assert found.documents[found.starts[i] : found.starts[i + 1]].tolist() == expected
