"""Which files a dataset is read from: what a card must name."""

from __future__ import annotations

from pathlib import Path

from karat.io.beir import find_part, pick_split

_YAML_NAME = "retrieval_dataset.yaml"


def dataset_files(path: Path | str, *, split: str | None = None) -> tuple[Path, ...]:
    """Return the files that `read_dataset` reads, without the texts of documents."""
    path = Path(path)
    if not path.is_dir():
        return (path,)
    if not (path / "qrels").is_dir() and (path / _YAML_NAME).is_file():
        return (path / _YAML_NAME,)
    parts = (find_part(path, name) for name in ("queries.jsonl", "kernels.jsonl"))
    return (pick_split(path, split), *(part for part in parts if part is not None))
