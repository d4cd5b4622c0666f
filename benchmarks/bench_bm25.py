"""Batches of BM25 queries against bare bm25s on the same tokens, and tokenisation beside `bm25s.tokenize`; CPU time.

40,000 and 100,000 documents of 20 to 100 words, drawn from 50,000 by Zipf's law, and 1,000 queries of 3 to 8 such words
(200 for numpy); k = 100. Both sides are given the queries as text. Bare is `bm25s.tokenize` and `bm25s.BM25.retrieve`,
without progress bars; it returns positions. Ours is `Pipeline.search_many`: it returns a table of ids, breaks ties by
id also across the cut at k, and drops what has no token of the query. `common` draws query words as documents do, so
that a query touches more postings than there are documents; `rare` draws them from the 49,000 rarest. Interleaved, best
of seven; that tokens are the same and scores bit-equal is checked before times are taken.

The second table is what a process pays once, from two documents to the first answer: bm25s compiles in every process,
ours is kept on disk after the first.

The third is texts per CPU second over 20,000 such documents, and over the Python sources of the standard library.

    python -P benchmarks/bench_bm25.py [--documents 40000 100000] [--queries 1000]
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import bm25s
import numpy as np

from goldproof.records.entities import Document
from goldproof.retrieve import bm25
from goldproof.text.tokens import Tokeniser

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.records.tables import RankingTable
    from goldproof.retrieve import Pipeline

ROUNDS = 7
VOCABULARY = 50_000
COMMON = 1000
K = 100
FIRST = """
import time
from goldproof.records.entities import Document
from goldproof.retrieve.stages.bm25 import Bm25
from goldproof.retrieve.document_index import DocumentIndex
from goldproof.retrieve.stage import Request
import bm25s
{made}
start = time.process_time()
{asked}
print(time.process_time() - start)
"""
OURS = (
    "stage = Bm25(backend='numba')",
    "stage.index(DocumentIndex([Document('a', 'cat'), Document('b', 'dog')])); stage.find(Request(('cat',), 1))",
)
BARE = (
    "index = bm25s.BM25(backend='numba')",
    "index.index([['cat'], ['dog']], show_progress=False); index.retrieve([['cat']], k=1, show_progress=False)",
)


class Maker:
    """Draws words by Zipf's law."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(7)
        letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
        self.words = np.array(["x" + "".join(letters[(i // 26**j) % 26] for j in range(4)) for i in range(VOCABULARY)])
        self.chance = 1 / np.arange(1, VOCABULARY + 1)

    def texts(self, count: int, *, least: int, most: int, rare: bool = False) -> list[str]:
        chance = np.where(np.arange(VOCABULARY) < COMMON, 0, self.chance) if rare else self.chance
        lengths = self.rng.integers(least, most + 1, count)
        drawn = self.words[self.rng.choice(VOCABULARY, lengths.sum(), p=chance / chance.sum())]
        return [" ".join(part) for part in np.split(drawn, np.cumsum(lengths)[:-1])]


def best_times(sides: dict[str, Callable[[], object]]) -> dict[str, float]:
    times: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(ROUNDS):
        for name, side in sides.items():
            gc.collect()
            start = time.process_time()
            side()
            times[name].append(time.process_time() - start)
    return {name: min(found) for name, found in times.items()}


def bare_tokens(texts: list[str]) -> list[list[str]]:
    found: list[list[str]] = bm25s.tokenize(texts, stopwords=None, return_ids=False, show_progress=False)
    return found


def search_row(name: str, texts: list[str], *, pipeline: Pipeline, bare: bm25s.BM25) -> str:
    queries = {f"q{i}": text for i, text in enumerate(texts)}

    def retrieved() -> bm25s.Results:
        return bare.retrieve(bare_tokens(texts), k=K, show_progress=False)

    def searched() -> RankingTable:
        return pipeline.search_many(queries, K)

    assert bare_tokens(texts) == [*map(Tokeniser("code").tokens, texts)], "the tokens differ"
    found, peer = searched(), retrieved()
    assert np.array_equal(found.scores, peer.scores[peer.scores > 0]), "the scores differ"
    times = best_times({"bare": retrieved, "ours": searched})
    rates = " | ".join(f"{len(texts) / times[side]:,.0f}" for side in ("bare", "ours"))
    ratio = times["ours"] / times["bare"]
    return f"| {len(pipeline.documents.texts):,} | {bare.backend} | {name} | {len(texts):,} | {rates} | {ratio:.2f} |"


def search_rows(maker: Maker, texts: list[str], *, queries: int) -> list[str]:
    asked = {
        "common": maker.texts(queries, least=3, most=8),
        "rare": maker.texts(queries, least=3, most=8, rare=True),
    }
    rows = []
    for backend, part in (("numba", 1), ("numpy", 5)):
        pipeline = bm25(backend=backend)  # type: ignore[arg-type]
        pipeline.index(Document(f"d{i}", text) for i, text in enumerate(texts))
        bare = bm25s.BM25(backend=backend)
        bare.index(bare_tokens(texts), show_progress=False)
        rows += [search_row(name, drawn[::part], pipeline=pipeline, bare=bare) for name, drawn in asked.items()]
    return rows


def first_rows() -> list[str]:
    def seconds(made: str, asked: str, home: str) -> float:
        command = [sys.executable, "-P", "-c", FIRST.format(made=made, asked=asked)]
        environment = {**os.environ, "GOLDPROOF_HOME": home}
        environment.pop("NUMBA_CACHE_DIR", None)
        return float(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)

    with tempfile.TemporaryDirectory() as home:
        first, again = seconds(*OURS, home), seconds(*OURS, home)
        return [f"| {seconds(*BARE, home):.1f} | {first:.1f} | {again:.2f} |"]


def token_row(name: str, texts: list[str]) -> str:
    words = sum(len(text.split()) for text in texts)
    times = best_times(
        {
            "bare": lambda: bare_tokens(texts),
            "words": lambda: [*map(Tokeniser("words").tokens, texts)],
            "code": lambda: [*map(Tokeniser("code").tokens, texts)],
        }
    )
    rates = " | ".join(f"{len(texts) / times[side]:,.0f}" for side in times)
    ratios = " | ".join(f"{times[side] / times['bare']:.2f}" for side in ("words", "code"))
    return f"| {name} | {len(texts):,} | {words / len(texts):.0f} | {rates} | {ratios} |"


def sources() -> list[str]:
    folder = Path(sysconfig.get_paths()["stdlib"])
    return [path.read_text(encoding="utf-8", errors="replace") for path in sorted(folder.glob("*.py"))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, nargs="+", default=[40_000, 100_000])
    parser.add_argument("--queries", type=int, default=1000)
    options = parser.parse_args()
    maker = Maker()
    print(f"CPU time, best of {ROUNDS}\n")
    print("| documents | backend | words | queries | bare queries per CPU second | ours | time ratio |")
    print("| ---: | --- | --- | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as home:
        os.environ.setdefault("GOLDPROOF_HOME", home)
        for count in options.documents:
            texts = maker.texts(count, least=20, most=100)
            print(*search_rows(maker, texts, queries=options.queries), sep="\n")
    print("\n| first answer: bare CPU seconds | ours, first process | ours, later ones |")
    print("| ---: | ---: | ---: |")
    print(*first_rows(), sep="\n")
    print("\n| texts | count | words each | bm25s.tokenize per CPU second | words | code | time ratio words | code |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    print(token_row("Zipf", maker.texts(20_000, least=20, most=100)), token_row("Python", sources()), sep="\n")


if __name__ == "__main__":
    main()
