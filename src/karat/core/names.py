"""Names of things that came without one."""

from __future__ import annotations

from pathlib import PurePath

ENDINGS = (".gz", ".trec", ".run", ".txt", ".tsv", ".csv", ".jsonl", ".json", ".parquet")


def file_stem(path: PurePath | str) -> str:
    """Return a file's name without its folder and endings: `runs/bm25.trec.gz` is `bm25`."""
    name = PurePath(path).name
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return name or str(path)
