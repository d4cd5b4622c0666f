"""Corpora of records that are not split into chunks: BEIR, JSON lines and tables, Cranfield, datasets.

A record of a `jsonl:` file (JSON lines or an array, CSV, TSV, Parquet, each also gzipped where it is text) has `_id` or
`id`, `text`, perhaps `title`; its `metadata` is kept, or else every other field is. Ids are text and occur once.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.corpus.corpus import Corpus, corpus_remarks
from goldproof.corpus.folder_files import check_folder
from goldproof.errors import FileFormatError
from goldproof.io import read_dataset, read_documents, sha256_file
from goldproof.io.columns import shown_names
from goldproof.io.datasets.beir import find_part, record_id
from goldproof.io.datasets.cranfield import cranfield_facts, cranfield_part, read_cranfield_documents
from goldproof.io.datasets.dataset import locate_dataset
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.json_files import BadRecordError, json_kind
from goldproof.io.record_files import read_records
from goldproof.io.text_files import check_file
from goldproof.plugins import check_options
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from goldproof.io.json_files import JsonObject


_OWN_KEYS = ("_id", "id", "text", "title", "metadata")


def beir_corpus(rest: str, options: Mapping[str, str]) -> Corpus:
    """Open the documents of a BEIR folder; its questions and judgments need not be there."""
    check_options(options, (), of="beir:")
    folder = check_folder(Path(rest))
    path = find_part(folder, "corpus.jsonl")
    if path is None:
        raise FileFormatError(folder, "holds no corpus.jsonl, so it has no texts of documents.")
    return _corpus(f"beir:{rest}", tuple(read_documents(path)), path, kind="beir")


def jsonl_corpus(rest: str, options: Mapping[str, str]) -> Corpus:
    """Open a file of records."""
    check_options(options, (), of="jsonl:")
    path = check_file(rest)
    return _corpus(f"jsonl:{rest}", tuple(_documents(path)), path, kind="jsonl")


def cranfield_corpus(rest: str, options: Mapping[str, str]) -> Corpus:
    """Open the documents of the Cranfield collection."""
    check_options(options, (), of="cranfield:")
    folder = check_folder(Path(rest))
    path = cranfield_part(folder, "documents")
    corpus = _corpus(f"cranfield:{rest}", read_cranfield_documents(path), path, kind="cranfield")
    return Corpus(corpus.name, corpus.documents, {**corpus.facts, **cranfield_facts(path)}, corpus.remarks)


def dataset_corpus(rest: str, options: Mapping[str, str]) -> Corpus:
    """Open the documents of any dataset that has their texts."""
    check_options(options, (), of="dataset:")
    kind, path = locate_dataset(rest)
    if kind == "beir":
        corpus = beir_corpus(str(path), {})
    elif kind == "cranfield":
        corpus = cranfield_corpus(str(path), {})
    else:
        documents = read_dataset(path, documents=True).documents
        corpus = _corpus("", documents, path, kind="dataset")
    return Corpus(f"dataset:{rest}", corpus.documents, {**corpus.facts, "kind": "dataset"}, corpus.remarks)


def _corpus(name: str, documents: tuple[Document, ...], path: Path, *, kind: str) -> Corpus:
    if not documents:
        raise FileFormatError(path, "holds no documents.", hint="Expected records with an id and a text.")
    facts: dict[str, object] = {"kind": kind, "files": 1, "documents": len(documents), "sha256": sha256_file(path)}
    return Corpus(name, documents, facts, corpus_remarks(documents))


def _documents(path: Path) -> Iterator[Document]:
    diagnostics = Diagnostics(path)
    seen: set[str] = set()
    for number, record in read_records(path, diagnostics):
        try:
            document = _document(record)
        except BadRecordError as error:
            diagnostics.report(str(error), line=number, unit="record")
            continue
        if document.id in seen:
            diagnostics.report(f"document {document.id!r} occurs twice.", line=number, hint="Keep one of them.")
        seen.add(document.id)
        yield document


def _document(record: JsonObject) -> Document:
    if "text" not in record:
        raise BadRecordError(f"no key 'text' (found {shown_names(list(record)) or 'no key'}).")
    metadata = record.get("metadata")
    if not isinstance(metadata, dict):
        metadata = {key: value for key, value in record.items() if key not in _OWN_KEYS and value is not None}
    return Document(record_id(record), _text(record, "text"), _text(record, "title"), metadata)


def _text(record: JsonObject, key: str) -> str:
    value = record.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadRecordError(f"key {key!r} is {json_kind(value)}, expected text.")
    return value
