"""Names of things that came without one."""

from __future__ import annotations

from pathlib import PurePath

ENDINGS = (
    *(".gz", ".trec", ".run", ".qrels", ".txt", ".tsv", ".csv"),
    *(".jsonl", ".json", ".parquet", ".pq", ".yaml", ".yml"),
)


def file_stem(path: PurePath | str) -> str:
    """Return a file's name without its folder and known endings.

    `runs/bm25.trec.gz` is `bm25`, and `bm25.v2.csv` is `bm25.v2`: a point alone does not begin an ending.
    """
    name = PurePath(path).name
    while (shorter := _without_ending(name)) != name:
        name = shorter
    return name or str(path)


def _without_ending(name: str) -> str:
    """Return the name less its last ending; what is nothing but an ending stays."""
    ending = next((e for e in ENDINGS if name.lower().endswith(e) and len(name) > len(e)), "")
    return name[: len(name) - len(ending)]
