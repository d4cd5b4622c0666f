"""Which files a dataset is read from: what a card must name."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

from goldproof.io.beir import find_part
from goldproof.io.cranfield import cranfield_part, is_cranfield
from goldproof.io.splits import pick_split

_YAML_NAME = "retrieval_dataset.yaml"
_BEIR_NAME = "beir"


class DatasetPlace(NamedTuple):
    """What is to be read: a BEIR folder, a Cranfield folder, or one file of any format."""

    kind: Literal["beir", "cranfield", "file"]
    path: Path


def locate_dataset(path: Path | str) -> DatasetPlace:
    """Say what a path stands for.

    A folder without qrels is the BEIR folder in it, if it holds one: `goldproof mine` and `goldproof build` write one,
    with the whole corpus. Else it is its `retrieval_dataset.yaml`.
    """
    path = Path(path)
    if not path.is_dir():
        return DatasetPlace("file", path)
    if not (path / "qrels").is_dir():
        if (path / _BEIR_NAME / "qrels").is_dir():
            return DatasetPlace("beir", path / _BEIR_NAME)
        if (path / _YAML_NAME).is_file():
            return DatasetPlace("file", path / _YAML_NAME)
        if is_cranfield(path):
            return DatasetPlace("cranfield", path)
    return DatasetPlace("beir", path)


def dataset_files(path: Path | str, *, split: str | None = None) -> tuple[Path, ...]:
    """Return the files that decide what `read_dataset` returns, without the texts of documents."""
    kind, root = locate_dataset(path)
    if kind == "file":
        return (root,)
    if kind == "cranfield":
        return (cranfield_part(root, "judgments"), cranfield_part(root, "questions"))
    parts = (find_part(root, name) for name in ("queries.jsonl", "kernels.jsonl"))
    return (pick_split(root, split).qrels, *(part for part in parts if part is not None))
