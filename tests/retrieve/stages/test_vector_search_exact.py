"""Exact search against a plain full reference in float64, whatever the blocks, batches and ties."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.retrieve.stages.vector_search import ExactSearch, pair_scores

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.embed.embedder import Vectors
    from goldproof.records.arrays import BoolArray, FloatArray, IntArray
    from goldproof.retrieve.ranking import RankingBatch

Rows = list[tuple[int, float]]


def unit(matrix: Vectors | FloatArray) -> Vectors:
    """Rows of length 1; rows of zeros stay."""
    lengths = np.linalg.norm(matrix.astype(np.float64), axis=1, keepdims=True)
    return (matrix / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def drawn(rows: int, columns: int, *, seed: int = 0) -> Vectors:
    return unit(np.random.default_rng(seed).standard_normal((rows, columns)))


def reference(
    vectors: Vectors, queries: Vectors, *, k: int, id_order: IntArray, allowed: BoolArray | None = None
) -> list[Rows]:
    """Every pair in float64 as numpy sums one row, then sorted whole."""
    found = []
    for query in queries.astype(np.float64):
        scores = [float((row * query).sum()) for row in vectors.astype(np.float64)]
        rows = [i for i in range(len(vectors)) if allowed is None or allowed[i]]
        rows.sort(key=lambda i: (-scores[i], -id_order[i]))
        found.append([(i, scores[i]) for i in rows[:k]])
    return found


def rows_of(found: RankingBatch) -> list[Rows]:
    pairs = list(zip(found.documents.tolist(), found.scores.tolist(), strict=True))
    return [pairs[a:b] for a, b in zip(found.starts[:-1], found.starts[1:], strict=True)]


@st.composite
def corpora(draw: st.DrawFn) -> tuple[Vectors, Vectors, IntArray, BoolArray | None]:
    """Few distinct vectors, so that ties abound; some differ in the last bit only, some are zero."""
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    columns = draw(st.integers(1, 20))
    distinct = unit(rng.standard_normal((draw(st.integers(1, 8)), columns)))
    distinct = np.vstack([distinct, np.nextafter(distinct, np.float32(2)), np.zeros((1, columns), np.float32)])
    vectors = distinct[rng.integers(0, len(distinct), draw(st.integers(0, 60)))]
    queries = distinct[rng.integers(0, len(distinct), draw(st.integers(0, 7)))]
    allowed = rng.random(len(vectors)) < draw(st.sampled_from([0.0, 0.1, 0.5, 1.0]))
    return vectors, queries, rng.permutation(len(vectors)), allowed if draw(st.booleans()) else None


@given(corpora(), st.integers(0, 70), st.integers(1, 40), st.integers(1, 4))
def test_result_is_the_reference_whatever_the_block_sizes(
    corpus: tuple[Vectors, Vectors, IntArray, BoolArray | None], k: int, scores: int, queries: int
) -> None:
    vectors, asked, id_order, allowed = corpus
    search = ExactSearch(vectors, id_order, scores_per_block=scores, queries_per_block=queries)
    found = search.find(asked, k=k, allowed=allowed)
    assert rows_of(found) == reference(vectors, asked, k=k, id_order=id_order, allowed=allowed)
    assert found.similarity is not None
    assert found.similarity.tolist() == found.scores.tolist()


def test_hand_computed_order_with_a_tie_across_the_cut() -> None:
    # q = (1, 0): scores 0.6, 1, 0.6, 0, 0.6; of the three at 0.6 the greater ids come first, and k = 3 leaves one out.
    vectors = np.array([[0.6, 0.8], [1, 0], [0.6, -0.8], [0, 1], [0.6, 0.8]], dtype=np.float32)
    search = ExactSearch(vectors, np.array([4, 0, 1, 2, 3]))
    found = search.find(np.array([[1, 0]], dtype=np.float32), k=3)
    assert found.documents.tolist() == [1, 0, 4]
    assert found.scores.tolist() == [1.0, float(np.float32(0.6)), float(np.float32(0.6))]


def test_order_is_decided_by_what_float32_products_cannot_tell() -> None:
    # 400 rows within a few last bits of each other: a float32 product sees them in an order that depends on shapes.
    base = drawn(1, 384)
    noise = np.random.default_rng(1).integers(-3, 4, (400, 384)).astype(np.float32)
    vectors = (base + noise * np.float32(2**-27)).astype(np.float32)
    queries = np.vstack([base, drawn(5, 384, seed=2)])
    id_order = np.arange(400)
    found = ExactSearch(vectors, id_order).find(queries, k=10)
    assert rows_of(found) == reference(vectors, queries, k=10, id_order=id_order)
    # The same by the float32 product is another order: without the second scoring this test would fail.
    rough = np.argsort(-(queries @ vectors.T), axis=1, kind="stable")[:, :10]
    assert found.documents.reshape(6, 10).tolist() != rough.tolist()


def test_a_query_gets_the_same_bits_alone_and_in_any_batch() -> None:
    vectors, queries = drawn(3000, 96), drawn(70, 96, seed=3)
    search = ExactSearch(vectors, np.arange(3000))
    together = rows_of(search.find(queries, k=20))
    assert [rows_of(search.find(queries[i : i + 1], k=20))[0] for i in range(70)] == together
    backwards = rows_of(search.find(queries[::-1], k=20))
    assert backwards[::-1] == together


def test_documents_in_ascending_order_of_score_are_found_too() -> None:
    # The worst order: every block beats all before it.
    vectors = drawn(5000, 16)
    query = drawn(1, 16, seed=4)
    vectors = vectors[np.argsort(vectors @ query[0])]
    search = ExactSearch(vectors, np.arange(5000), scores_per_block=100)
    assert rows_of(search.find(query, k=7)) == reference(vectors, query, k=7, id_order=np.arange(5000))


@pytest.mark.parametrize("k", [1, 10, 4000])
def test_thousands_of_copies_of_one_vector_are_ordered_by_id(k: int) -> None:
    vectors = np.repeat(drawn(2, 32), [20_000, 5], axis=0)
    id_order = np.random.default_rng(5).permutation(len(vectors))
    found = ExactSearch(vectors, id_order).find(np.repeat(vectors[:1], 3, axis=0), k=k)
    expected = np.flatnonzero(np.arange(20_005) < 20_000)
    expected = expected[np.argsort(-id_order[expected])][:k]
    assert found.documents.reshape(3, k).tolist() == [expected.tolist()] * 3


def test_memory_is_bounded_when_everything_is_tied() -> None:
    # 300,000 documents and 64 queries have 19 million pairs: 300 MB as numbers of row and column, and all are tied.
    vectors = np.ones((300_000, 1), dtype=np.float32)
    search, queries = ExactSearch(vectors, np.arange(300_000)), np.ones((64, 1), dtype=np.float32)
    tracemalloc.start()
    found = search.find(queries, k=5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.documents.reshape(64, 5).tolist() == [[299_999, 299_998, 299_997, 299_996, 299_995]] * 64
    assert peak < 100e6


@pytest.mark.parametrize(("documents", "queries", "k"), [(0, 3, 5), (4, 0, 5), (0, 0, 5), (4, 3, 0), (4, 3, 9)])
def test_grid_of_nothing(documents: int, queries: int, k: int) -> None:
    search = ExactSearch(drawn(documents, 8), np.arange(documents))
    found = search.find(drawn(queries, 8, seed=1), k=k)
    assert found.queries == queries
    assert np.diff(found.starts).tolist() == [min(k, documents)] * queries


def test_only_allowed_documents_are_read_where_few_are_allowed() -> None:
    # A row that is not allowed could not be scored: it would turn up as a NaN, which sorts before every number.
    vectors = drawn(1000, 8)
    vectors[::2] = np.nan
    allowed = np.zeros(1000, dtype=np.bool_)
    allowed[[1, 501, 999]] = True
    found = ExactSearch(vectors, np.arange(1000)).find(drawn(2, 8, seed=6), k=10, allowed=allowed)
    assert np.diff(found.starts).tolist() == [3, 3]
    assert sorted(found.documents[:3].tolist()) == [1, 501, 999]
    assert np.isfinite(found.scores).all()


def test_a_memory_mapped_matrix_gives_the_same(tmp_path: Path) -> None:
    vectors, queries = drawn(2000, 24), drawn(4, 24, seed=7)
    np.save(tmp_path / "m.npy", vectors)
    mapped = np.load(tmp_path / "m.npy", mmap_mode="r")
    assert rows_of(ExactSearch(mapped, np.arange(2000)).find(queries, k=9)) == rows_of(
        ExactSearch(vectors, np.arange(2000)).find(queries, k=9)
    )


def test_pair_scores_do_not_depend_on_the_other_pairs() -> None:
    vectors, queries = drawn(5000, 384), drawn(3, 384, seed=8)
    documents, query_of_row = np.tile(np.arange(5000), 3), np.repeat(np.arange(3), 5000)
    together = pair_scores(vectors, queries, documents=documents, query_of_row=query_of_row)
    for row in (0, 1, 2730, 2731, 9999, 14_999):
        one = slice(row, row + 1)
        alone = pair_scores(vectors, queries, documents=documents[one], query_of_row=query_of_row[one])
        assert alone.tolist() == together[one].tolist()


def test_threads_of_the_matrix_product_do_not_change_a_bit() -> None:
    script = """
import hashlib, numpy as np
from goldproof.retrieve.stages.vector_search import ExactSearch
rng = np.random.default_rng(9)
vectors = rng.standard_normal((4000, 64)).astype(np.float32)
vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
found = ExactSearch(vectors, np.arange(4000)).find(vectors[:50], k=30)
print(hashlib.sha256(found.documents.tobytes() + found.scores.tobytes()).hexdigest())
"""
    digests = set()
    for threads in ("1", "2"):
        environment = os.environ | {"OPENBLAS_NUM_THREADS": threads, "MKL_NUM_THREADS": threads}
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True, check=True
        )
        digests.add(done.stdout)
    assert len(digests) == 1


def test_more_may_be_asked_for_than_any_array_holds() -> None:
    vectors, queries = drawn(5, 4), drawn(2, 4, seed=1)
    search = ExactSearch(vectors, np.arange(5))
    every, huge = search.find(queries, k=5), search.find(queries, k=10**30)
    assert huge.documents.tolist() == every.documents.tolist()
    assert huge.starts.tolist() == [0, 5, 10]
