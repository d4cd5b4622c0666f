"""Measures bm25, dense and hybrid on Cranfield, HotpotQA and MuSiQue, and writes `comparison.md` as it comes out.

    python docs/measure_retrievers.py

The datasets are read in place (GOLDPROOF_REALDATA, default ../shared/data); the two multi-hop ones are built by
`goldproof.build` first, so that every question has its kernel. Takes some minutes: 4,284 documents are embedded once.
"""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import goldproof
from goldproof.report import render
from goldproof.study.tables import comparisons_table, results_table

if TYPE_CHECKING:
    from collections.abc import Iterable

DOCS = Path(__file__).resolve().parent
PAGE = DOCS / "concepts" / "comparison.md"
RETRIEVERS = {
    "bm25": "bm25",
    "bm25-stem": "bm25(stem=english)",
    "dense": "dense(minilm)",
    "hybrid": "hybrid(bm25, dense(minilm))",
}
RANKS = "nDCG@10, Hit@5, Hit@10"
SETS = "SetRecall@5, SetRecall@10, SetSuccess@5, SetSuccess@10"

HEAD = """# bm25, dense and hybrid compared

Four pipelines on three real collections, with nothing tuned on their questions. In short: by nDCG@10 `hybrid` is better
than `bm25` on Cranfield and MuSiQue, `dense` and stemming on Cranfield. Three more differences (`dense` on MuSiQue,
`hybrid` and stemming on HotpotQA) have a p below 0.05 but no verdict: they do not hold on the judged results alone.

Every retriever is asked for 100 documents and compared with `bm25` ([verdicts](verdicts.md)). nDCG@10 is tested, with
Holm's correction over the three comparisons of a collection; the other metrics are described. Set metrics ask whether
*all* passages that a question needs were found; Cranfield has no such sets. `python docs/measure_retrievers.py`
measures again and rewrites this page.

| retriever | pipeline |
| --- | --- |
"""


class Collection(NamedTuple):
    """A dataset, what is measured on it, and what it is."""

    title: str
    dataset: Path
    metrics: str
    text: str


def collections(data: Path, folder: Path) -> list[Collection]:
    """Return the three collections; those that must be built are built in the folder."""
    hotpot, musique = (_multihop(name, data, folder) for name in ("hotpotqa", "musique"))
    return [
        Collection(
            "Cranfield", data / "cranfield", RANKS, "1,400 abstracts on aerodynamics, 225 questions, graded judgments."
        ),
        Collection("HotpotQA", hotpot, f"{RANKS}, {SETS}", "994 passages, 100 questions that need two of them each."),
        Collection(
            "MuSiQue", musique, f"{RANKS}, {SETS}", "1,890 passages, 100 questions that need two to four of them each."
        ),
    ]


def measure(collection: Collection, names: Iterable[str] = RETRIEVERS) -> goldproof.Result:
    """Run and score some of the retrievers on one collection."""
    chosen = {name: RETRIEVERS[name] for name in names}
    return goldproof.evaluate(collection.dataset, retrievers=chosen, metrics=collection.metrics, baseline="bm25")


def _multihop(name: str, data: Path, folder: Path) -> Path:
    recipe = {
        "name": name,
        "sources": [{"adapter": name, "path": str(data / "multihop" / f"{name}_train.json")}],
        "quotas": {"clean_text": 100},
    }
    goldproof.build(recipe).save(folder / name)
    return folder / name / "beir"


def _section(collection: Collection) -> str:
    print(f"{collection.title} ...", file=sys.stderr, flush=True)  # noqa: T201 - a script
    result = measure(collection)
    both = (results_table(result.study, wide=True), comparisons_table(result.study, wide=True))
    tables = "\n".join(render(replace(table, notes=()), "markdown") for table in both)
    return f"## {collection.title}\n\n{collection.text}\n\n{tables}"


def main() -> None:
    """Measure, and write the page."""
    data = Path(os.environ.get("GOLDPROOF_REALDATA", DOCS.parent.parent / "shared" / "data"))
    head = HEAD + "".join(f"| {name} | `{spec}` |\n" for name, spec in RETRIEVERS.items())
    with tempfile.TemporaryDirectory() as folder:
        sections = [_section(collection) for collection in collections(data, Path(folder))]
    PAGE.write_text("\n".join([head, *sections]), encoding="utf-8")


if __name__ == "__main__":
    main()
