"""Make the two runs of the bundled demo dataset with BM25.

`titles` indexes the title of each page, `fulltext` the title and the text. Both use bm25s as it comes (Lucene's
formula, k1 = 1.5, b = 0.75, lower case, English stop words, no stemming) and keep the first 20 documents. A document
that shares no word with the question has score 0 and is left out, so a question may have fewer results or none.

Scores are rounded before they are sorted, so that the order in the file is the order a reader of the file computes:
score descending, then document id descending (trec_eval's rule).

    python benchmarks/make_demo_runs.py            write src/goldproof/data/demo/runs/*.trec
    python benchmarks/make_demo_runs.py --check    exit with 1 if the files there differ from what would be written
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import NamedTuple

import bm25s

DEMO = Path(__file__).resolve().parent.parent / "src" / "goldproof" / "data" / "demo"
DEPTH = 20
DIGITS = 6


class Hit(NamedTuple):
    score: float
    doc_id: str


def read_jsonl(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def tokens(texts: list[str]) -> list[list[str]]:
    split: list[list[str]] = bm25s.tokenize(texts, stopwords="english", return_ids=False, show_progress=False)
    return split


def search(texts: dict[str, str], questions: dict[str, str]) -> dict[str, list[Hit]]:
    # The numpy backend is pinned: numba may add in another order and so change the last digits.
    index = bm25s.BM25(dtype="float64", backend="numpy")
    index.index(tokens(list(texts.values())), show_progress=False)
    return {
        question_id: best(dict(zip(texts, index.get_scores(words).tolist(), strict=True)))
        for question_id, words in zip(questions, tokens(list(questions.values())), strict=True)
    }


def best(scores: dict[str, float]) -> list[Hit]:
    hits = (Hit(round(score, DIGITS), doc_id) for doc_id, score in scores.items())
    return sorted((hit for hit in hits if hit.score > 0), reverse=True)[:DEPTH]


def trec(run: dict[str, list[Hit]], *, tag: str) -> str:
    return "".join(
        f"{question_id} Q0 {hit.doc_id} {rank} {hit.score:.{DIGITS}f} {tag}\n"
        for question_id, hits in run.items()
        for rank, hit in enumerate(hits, start=1)
    )


def make_runs() -> dict[str, str]:
    corpus = read_jsonl(DEMO / "corpus.jsonl")
    questions = {row["_id"]: row["text"] for row in read_jsonl(DEMO / "queries.jsonl")}
    indexed = {
        "titles": {row["_id"]: row["title"] for row in corpus},
        "fulltext": {row["_id"]: f"{row['title']} {row['text']}" for row in corpus},
    }
    return {name: trec(search(texts, questions), tag=name) for name, texts in indexed.items()}


def main() -> int:
    differing = 0
    for name, content in make_runs().items():
        path = DEMO / "runs" / f"{name}.trec"
        if "--check" not in sys.argv[1:]:
            path.parent.mkdir(exist_ok=True)
            path.write_text(content, encoding="utf-8", newline="\n")
        same = path.exists() and path.read_text(encoding="utf-8") == content
        differing += not same
        print(f"{path.name}: {content.count(chr(10))} lines, {'up to date' if same else 'differs'}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
