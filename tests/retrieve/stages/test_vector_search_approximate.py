"""Approximate search against exact search on fixed seeds."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from goldproof.errors import MissingExtraError
from goldproof.retrieve.stages.vector_search import ApproximateSearch, ExactSearch

if TYPE_CHECKING:
    from goldproof.embed.embedder import Vectors
    from goldproof.retrieve.ranking import RankingBatch

DOCUMENTS = 6000


def drawn(rows: int, *, seed: int, columns: int = 48) -> Vectors:
    """Directions spread evenly: the hardest case for a graph of neighbours, since nothing is near to anything."""
    matrix = np.random.default_rng(seed).standard_normal((rows, columns))
    unit: Vectors = (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)
    return unit


@pytest.fixture(scope="module")
def graph() -> ApproximateSearch:
    return ApproximateSearch(drawn(DOCUMENTS, seed=0), np.random.default_rng(1).permutation(DOCUMENTS))


def rows_of(found: RankingBatch) -> list[list[tuple[int, float]]]:
    pairs = list(zip(found.documents.tolist(), found.scores.tolist(), strict=True))
    return [pairs[a:b] for a, b in zip(found.starts[:-1], found.starts[1:], strict=True)]


def recall(found: RankingBatch, truth: RankingBatch) -> float:
    shared = [
        len({d for d, _ in ours} & {d for d, _ in right})
        for ours, right in zip(rows_of(found), rows_of(truth), strict=True)
    ]
    return sum(shared) / len(truth.documents)


def test_recall_at_10_of_evenly_spread_vectors_is_at_least_95_percent(graph: ApproximateSearch) -> None:
    queries = drawn(200, seed=2)
    found, truth = graph.find(queries, k=10), graph.exact.find(queries, k=10)
    assert np.diff(found.starts).tolist() == [10] * 200
    assert recall(found, truth) >= 0.95
    # The graph did answer: on these vectors it misses something.
    assert recall(found, truth) < 1


def test_scores_are_those_of_exact_search_to_the_last_bit(graph: ApproximateSearch) -> None:
    queries = drawn(20, seed=3)
    everything = graph.exact.find(queries, k=DOCUMENTS)
    scores = [dict(row) for row in rows_of(everything)]
    for query, row in enumerate(rows_of(graph.find(queries, k=10))):
        assert [score for _, score in row] == [scores[query][document] for document, _ in row]


def test_equal_scores_are_ordered_by_id() -> None:
    vectors = np.repeat(drawn(1000, seed=4), 2, axis=0)
    id_order = np.random.default_rng(5).permutation(2000)
    found = ApproximateSearch(vectors, id_order).find(drawn(30, seed=6), k=8)
    for row in rows_of(found):
        assert row == sorted(row, key=lambda pair: (-pair[1], -id_order[pair[0]]))
    assert len(set(found.scores.tolist())) < len(found.scores)


def test_a_query_has_the_same_answer_alone_and_in_a_batch(graph: ApproximateSearch) -> None:
    queries = drawn(30, seed=7)
    together = rows_of(graph.find(queries, k=10))
    assert [rows_of(graph.find(queries[i : i + 1], k=10))[0] for i in range(30)] == together


def test_building_again_gives_the_same_answers(graph: ApproximateSearch) -> None:
    queries = drawn(50, seed=8)
    again = ApproximateSearch(graph.exact.vectors.copy(), graph.exact.id_order)
    assert rows_of(again.find(queries, k=10)) == rows_of(graph.find(queries, k=10))


@pytest.mark.parametrize("share", [0.0, 0.001, 0.02, 0.5, 0.9])
def test_only_allowed_documents_come_back_and_as_many_as_there_are(graph: ApproximateSearch, share: float) -> None:
    allowed = np.random.default_rng(9).random(DOCUMENTS) < share
    queries = drawn(40, seed=10)
    found = graph.find(queries, k=10, allowed=allowed)
    assert allowed[found.documents].all()
    assert np.diff(found.starts).tolist() == [min(10, int(allowed.sum()))] * 40
    truth = graph.exact.find(queries, k=10, allowed=allowed)
    assert recall(found, truth) >= 0.95 if len(truth.documents) else not len(found.documents)


def test_few_allowed_documents_are_searched_exactly(graph: ApproximateSearch) -> None:
    allowed = np.zeros(DOCUMENTS, dtype=np.bool_)
    allowed[::100] = True
    queries = drawn(40, seed=11)
    found = graph.find(queries, k=10, allowed=allowed)
    assert rows_of(found) == rows_of(graph.exact.find(queries, k=10, allowed=allowed))


def test_a_query_whose_neighbours_are_not_allowed_is_answered_exactly() -> None:
    # Half of the corpus lies around the query and is not allowed: the graph proposes only that half.
    rng = np.random.default_rng(12)
    centre = drawn(1, seed=13)
    near = centre + 0.02 * rng.standard_normal((2000, 48))
    near = (near / np.linalg.norm(near, axis=1, keepdims=True)).astype(np.float32)
    vectors = np.vstack([near, drawn(2000, seed=14)])
    graph = ApproximateSearch(vectors, np.arange(4000))
    allowed = np.arange(4000) >= 2000
    found = graph.find(centre, k=10, allowed=allowed)
    assert rows_of(found) == rows_of(graph.exact.find(centre, k=10, allowed=allowed))


@pytest.mark.parametrize(
    ("documents", "queries", "k"), [(0, 3, 5), (1, 2, 5), (4, 0, 5), (2000, 2, 0), (2000, 2, 3000)]
)
def test_grid_of_nothing_and_of_more_than_there_is(documents: int, queries: int, k: int) -> None:
    search = ApproximateSearch(drawn(documents, seed=15), np.arange(documents))
    found = search.find(drawn(queries, seed=16), k=k)
    assert np.diff(found.starts).tolist() == [min(k, documents)] * queries
    assert rows_of(found) == rows_of(
        ExactSearch(drawn(documents, seed=15), np.arange(documents)).find(drawn(queries, seed=16), k=k)
    )


def test_vectors_of_zeros_are_found_with_cosine_0() -> None:
    vectors = drawn(1000, seed=17)
    vectors[::2] = 0
    found = ApproximateSearch(vectors, np.arange(1000)).find(drawn(5, seed=18), k=10)
    assert np.isfinite(found.scores).all()
    nothing = ApproximateSearch(vectors, np.arange(1000)).find(np.zeros((1, 48), dtype=np.float32), k=10)
    assert nothing.scores.tolist() == [0.0] * 10


def test_without_usearch_the_extra_is_named() -> None:
    # In a process of its own, where the package cannot be imported.
    script = """
import sys
sys.modules["usearch"] = None
from goldproof.retrieve.stages.vector_search import load_usearch
try:
    load_usearch()
except Exception as error:
    print(type(error).__name__, error)
"""
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout.strip() == f"MissingExtraError {MissingExtraError('approximate search', 'ann')}"


def test_the_offline_model_can_be_loaded_after_usearch() -> None:
    script = """
import numpy as np
from goldproof.retrieve.stages.vector_search import ApproximateSearch
ApproximateSearch(np.eye(4, dtype=np.float32), np.arange(4))
import onnxruntime
print("alive")
"""
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout.strip() == "alive"
