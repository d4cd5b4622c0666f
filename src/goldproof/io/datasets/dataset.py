"""Read a dataset of any format, recognised by its path and content."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from goldproof.errors import FileFormatError, InputError
from goldproof.io.datasets.beir import (
    KernelFile,
    find_part,
    read_document_ids,
    read_documents,
    read_kernels,
    read_queries,
)
from goldproof.io.datasets.cranfield import cranfield_part, is_cranfield, read_cranfield, read_cranfield_documents
from goldproof.io.datasets.pairs import read_pairs
from goldproof.io.datasets.qrels_and_runs import judgment_rows
from goldproof.io.datasets.splits import (
    check_kernels,
    check_unanswerable,
    pick_split,
    report_unknown_questions,
    unknown_questions,
    within_split,
)
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.file_layout import sniff
from goldproof.io.storage.cards import labelling_judge
from goldproof.io.text_files import file_stem
from goldproof.records.entities import Dataset
from goldproof.records.tables import JudgmentTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.records.entities import Document


_YAML_NAME = "retrieval_dataset.yaml"
_BEIR_NAME = "beir"


class DatasetPlace(NamedTuple):
    """The format and path to read: a BEIR folder, a Cranfield folder, or one file of any format."""

    kind: Literal["beir", "cranfield", "file"]
    path: Path


def read_judgments(path: Path | str, *, split: str | None = None) -> JudgmentTable:
    """Read judgments from a file of any known format, or from a BEIR folder (where `split` picks the qrels)."""
    return read_dataset(path, split=split).judgments


def read_dataset(path: Path | str, *, split: str | None = None, documents: bool = False) -> Dataset:
    """Read a dataset; the texts of its documents only where they are asked for.

    questions are all those of the file, judged in this split or not; judgments, kernels and unanswerable questions are
    those of the split (see `goldproof.io.datasets.splits`).
    """
    path = Path(path)
    diagnostics = Diagnostics(path).of_part(path)  # so that remarks name the file
    dataset = load_dataset(path, diagnostics, split=split, documents=documents)
    judge = labelling_judge(dataset_files(path, split=split)[0])
    return replace(dataset, remarks=diagnostics.remarks, judge=judge)


def load_dataset(path: Path, diagnostics: Diagnostics, *, split: str | None = None, documents: bool = False) -> Dataset:
    """Read a dataset, reporting problems to `diagnostics`."""
    kind, root = locate_dataset(path)
    if kind == "beir":
        return _read_beir(root, diagnostics, split=split, documents=documents)
    if kind == "cranfield":
        _refuse_split(root, split, source="the Cranfield collection")
        return read_cranfield(root, diagnostics, documents=documents)
    if root != path:
        diagnostics = diagnostics.of_part(root)
    return _read_file(root, diagnostics, split=split, documents=documents)


def _read_file(path: Path, diagnostics: Diagnostics, *, split: str | None, documents: bool) -> Dataset:
    sniffed = sniff(path)
    _refuse_split(path, split, source="a single file")
    if sniffed.format == "yaml":
        return _read_yaml(path, diagnostics, documents=documents)
    rows = judgment_rows(path, diagnostics, sniffed=sniffed)
    return Dataset(name=file_stem(path), judgments=rows.judgments(diagnostics))


def _refuse_split(path: Path, split: str | None, *, source: str) -> None:
    if split is not None:
        raise InputError(f"{path}: {source} has no splits; leave --split {split} out, or give a BEIR folder.")


def _read_beir(folder: Path, diagnostics: Diagnostics, *, split: str | None, documents: bool) -> Dataset:
    chosen = pick_split(folder, split)
    queries, kernels, corpus = (find_part(folder, f"{name}.jsonl") for name in ("queries", "kernels", "corpus"))
    questions = read_queries(queries, diagnostics.of_part(queries)) if queries else ()
    about_qrels, about_queries = diagnostics.of_part(chosen.qrels), diagnostics.of_part(queries or folder)
    about_kernels = diagnostics.of_part(kernels or folder)
    kernel_file = read_kernels(kernels, about_kernels) if kernels else KernelFile({}, {})
    judged = judgment_rows(chosen.qrels, about_qrels).judgments(about_qrels)
    judgments = within_split(
        judged, chosen, questions=questions, kernels=kernel_file.kernels, diagnostics=about_queries
    )
    check_unanswerable(judgments, about_queries)
    check_kernels(judgments, kernel_file.lines, about_kernels)
    unknown = unknown_questions(kernel_file.kernels, judgments, split=chosen, questions=questions)
    report_unknown_questions(unknown, kernel_file.lines, about_kernels)
    texts = _read_corpus(folder, corpus) if documents else ()
    return Dataset(folder.resolve().name, judgments, questions, texts, beir=folder)


def _read_corpus(folder: Path, corpus: Path | None) -> tuple[Document, ...]:
    if corpus is None:
        raise FileFormatError(folder, "holds no corpus.jsonl, so it has no texts of documents.")
    return tuple(read_documents(corpus))


def _read_yaml(path: Path, diagnostics: Diagnostics, *, documents: bool) -> Dataset:
    pairs = read_pairs(path, diagnostics)
    judgments = JudgmentTable.from_dict(
        {pair.question.id: pair.grades for pair in pairs if pair.grades},
        kernels={pair.question.id: pair.kernels for pair in pairs if pair.kernels},
        unanswerable=(pair.question.id for pair in pairs if not pair.question.answerable),
    )
    texts: dict[str, Document] = {}
    if documents:
        for pair in pairs:
            for document in pair.documents:
                texts.setdefault(document.id, document)
    return Dataset(file_stem(path), judgments, tuple(pair.question for pair in pairs), tuple(texts.values()))


def locate_dataset(path: Path | str) -> DatasetPlace:
    """Return the format and the files that a path stands for.

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


def corpus_ids(path: Path | str) -> Iterator[str] | None:
    """Yield the ids of a folder's documents while reading them; None where the path holds no corpus.

    Damaged lines are skipped here; reading the texts reports them.
    """
    kind, root = locate_dataset(path)
    if kind == "cranfield":
        return _cranfield_ids(root)
    corpus = find_part(root, "corpus.jsonl") if kind == "beir" else None
    return None if corpus is None else read_document_ids(corpus, Diagnostics(corpus, keep=0))


def _cranfield_ids(folder: Path) -> Iterator[str]:
    for document in read_cranfield_documents(cranfield_part(folder, "documents")):
        yield document.id
