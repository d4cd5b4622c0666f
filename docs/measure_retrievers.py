"""Measures bm25, dense and hybrid on Cranfield, HotpotQA and MuSiQue, and writes `comparison.md` as it comes out.

    python docs/measure_retrievers.py

The datasets are read in place (KARAT_REALDATA, default ../shared/data); the two multi-hop ones are built by
`karat.build` first, so that every question has its kernel. Takes some minutes: 4,284 documents are embedded once.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import karat
from karat.report import render
from karat.study import study_tables

DOCS = Path(__file__).resolve().parent
DATA = Path(os.environ.get("KARAT_REALDATA", DOCS.parent.parent / "shared" / "data"))
RETRIEVERS = {
    "bm25": "bm25",
    "bm25-stem": "bm25(stem=english)",
    "dense": "dense(minilm)",
    "hybrid": "hybrid(bm25, dense(minilm))",
}
SETS = "SetRecall@5, SetRecall@10, SetSuccess@5, SetSuccess@10"
RANKS = "nDCG@10, Hit@5, Hit@10"

HEAD = """# bm25, dense and hybrid on three real collections

As it came out; nothing was tuned on these questions. `python docs/measure_retrievers.py` measures again and rewrites
this page. Every retriever is asked for 100 documents. Each is compared with `bm25` by the paired tests of
[verdicts](verdicts.md), all comparisons of one collection in one corrected family.

| retriever | pipeline |
| --- | --- |
"""


def main() -> None:
    """Measure, and write the page."""
    parts = [HEAD + "".join(f"| {name} | `{spec}` |\n" for name, spec in RETRIEVERS.items())]
    with tempfile.TemporaryDirectory() as folder:
        for title, dataset, metrics, text in collections(Path(folder)):
            print(f"{title} ...", file=sys.stderr, flush=True)  # noqa: T201 - a script
            result = karat.evaluate(dataset, retrievers=RETRIEVERS, metrics=metrics, baseline="bm25")
            tables = "\n".join(render(table, "markdown") for table in study_tables(result.study, narrow=True))
            parts.append(f"## {title}\n\n{text}\n\n{tables}")
    (DOCS / "comparison.md").write_text("\n".join(parts), encoding="utf-8")


def collections(folder: Path) -> list[tuple[str, Path, str, str]]:
    """Return title, dataset, metrics and what it is."""
    hotpot, musique = (multihop(name, folder) for name in ("hotpotqa", "musique"))
    return [
        ("Cranfield", DATA / "cranfield", RANKS, "1,400 abstracts on aerodynamics, 225 questions, graded judgments."),
        ("HotpotQA", hotpot, f"{RANKS}, {SETS}", "994 passages, 100 questions that need two of them each."),
        ("MuSiQue", musique, f"{RANKS}, {SETS}", "1,890 passages, 100 questions that need two to four of them each."),
    ]


def multihop(name: str, folder: Path) -> Path:
    """Build a BEIR folder of all questions of one source."""
    recipe = {
        "name": name,
        "sources": [{"adapter": name, "path": str(DATA / "multihop" / f"{name}_train.json")}],
        "quotas": {"clean_text": 100},
    }
    karat.build(recipe).save(folder / name)
    return folder / name / "beir"


if __name__ == "__main__":
    main()
