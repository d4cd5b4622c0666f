"""Exact search over a million vectors against a bare numpy product and argpartition, on CPU time of all threads.

1,000,000 vectors of 384 float32 (1.5 GB) of length 1 in 2,000 clusters, in a file; queries lie near documents. Bare
numpy is `queries @ vectors.T`, `argpartition` at 100 and a sort of those 100: once over the whole matrix in memory, and
once over the mapped file as it stands. It breaks ties as they fall, its last digits depend on the batch, and it holds
all scores at once (256 MB for 64 queries). Ours is `ExactSearch` over the mapped file and over the matrix in memory: in
blocks, scores in float64 that do not depend on the batch, ties by id. Interleaved, best of five; that both find the
same documents (but for float32 ties) is checked before times are taken. `peak` is our memory beside the matrix.

The second table is usearch through `ApproximateSearch` at 20,000 of the vectors with harder queries (halfway between
two documents): the build by one thread, and recall@10 against exact search.

    python -P benchmarks/bench_dense.py [--documents 1000000] [--graph 20000]
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from goldproof.retrieve.stages.vector_search import ApproximateSearch, ExactSearch

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.embed.embedder import Vectors
    from goldproof.records.arrays import IntArray

ROUNDS = 5
COLUMNS = 384
CLUSTERS = 2000
PIECE = 50_000
K = 100


def unit(matrix: Vectors) -> Vectors:
    rows: Vectors = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    return rows


def write_vectors(path: Path, *, documents: int) -> None:
    rng = np.random.default_rng(7)
    centres = rng.standard_normal((CLUSTERS, COLUMNS), dtype=np.float32)
    written = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(documents, COLUMNS))
    for start in range(0, documents, PIECE):
        size = min(PIECE, documents - start)
        noise = rng.standard_normal((size, COLUMNS), dtype=np.float32)
        written[start : start + size] = unit(centres[rng.integers(0, CLUSTERS, size)] + noise)
    written.flush()


def near_documents(vectors: Vectors, *, count: int) -> Vectors:
    rng = np.random.default_rng(8)
    chosen = np.asarray(vectors[np.sort(rng.integers(0, len(vectors), count))])
    return unit(chosen + 0.03 * rng.standard_normal(chosen.shape, dtype=np.float32))


def between_documents(vectors: Vectors, *, count: int) -> Vectors:
    rng = np.random.default_rng(9)
    return unit(vectors[rng.integers(0, len(vectors), count)] + vectors[rng.integers(0, len(vectors), count)])


def bare(vectors: Vectors, queries: Vectors) -> IntArray:
    scores = queries @ vectors.T
    best = np.argpartition(scores, -K, axis=1)[:, -K:]
    order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1)
    return np.take_along_axis(best, order, axis=1)


def ours(vectors: Vectors, queries: Vectors) -> IntArray:
    search = ExactSearch(vectors, np.arange(len(vectors)))
    return search.find(queries, k=K).documents.reshape(len(queries), K)


def check(found: IntArray, expected: IntArray) -> None:
    same = np.mean([len(np.intersect1d(a, b)) / K for a, b in zip(found, expected, strict=True)])
    assert same > 0.999, f"only {same:.4%} of the documents are the same"


def best_times(sides: dict[str, Callable[[], object]]) -> dict[str, float]:
    times: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(ROUNDS):
        for name, side in sides.items():
            gc.collect()
            start = time.process_time()
            side()
            times[name].append(time.process_time() - start)
    return {name: min(found) for name, found in times.items()}


def peak_of(side: Callable[[], object]) -> int:
    tracemalloc.start()
    side()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def exact_rows(mapped: Vectors, queries: Vectors) -> list[str]:
    whole = np.array(mapped)
    check(ours(mapped, queries), bare(whole, queries))
    peak = peak_of(lambda: ours(mapped, queries))
    times = best_times(
        {
            "bare in memory": lambda: bare(whole, queries),
            "ours in memory": lambda: ours(whole, queries),
            "bare mapped": lambda: bare(mapped, queries),
            "ours mapped": lambda: ours(mapped, queries),
        }
    )
    return [
        f"| {len(mapped):,} | {len(queries)} | {where} | {1e3 * times[f'bare {where}']:,.0f} "
        f"| {1e3 * times[f'ours {where}']:,.0f} | {times[f'ours {where}'] / times[f'bare {where}']:.2f} "
        f"| {peak / 1e6:.0f} MB |"
        for where in ("in memory", "mapped")
    ]


def graph_row(vectors: Vectors) -> str:
    queries, id_order = between_documents(vectors, count=256), np.arange(len(vectors))
    start = time.process_time()
    graph = ApproximateSearch(vectors, id_order)
    build = time.process_time() - start
    found, truth = graph.find(queries, k=10), graph.exact.find(queries, k=10)
    pairs = zip(found.documents.reshape(-1, 10), truth.documents.reshape(-1, 10), strict=True)
    recall = np.mean([len(np.intersect1d(a, b)) / 10 for a, b in pairs])
    times = best_times({"exact": lambda: graph.exact.find(queries, k=10), "usearch": lambda: graph.find(queries, k=10)})
    each = {name: 1e3 * seconds / len(queries) for name, seconds in times.items()}
    return f"| {len(vectors):,} | {build:,.0f} s | {each['exact']:.2f} | {each['usearch']:.2f} | {recall:.4f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--graph", type=int, default=20_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.npy"
        write_vectors(path, documents=asked.documents)
        mapped = np.load(path, mmap_mode="r")
        print(f"CPU time, best of {ROUNDS}, k = {K}\n")
        print("| documents | queries | vectors | bare numpy, ms | ours, ms | ratio | peak |")
        print("| ---: | ---: | --- | ---: | ---: | ---: | ---: |")
        for queries in (64, 1):
            print("\n".join(exact_rows(mapped, near_documents(mapped, count=queries))), flush=True)
        few = np.array(mapped[: asked.graph])
        del mapped
    print("\n| documents | build | exact, ms a query | usearch, ms a query | recall@10 |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    print(graph_row(few))


if __name__ == "__main__":
    main()
