"""BEIR folders: `corpus.jsonl`, `queries.jsonl`, `qrels/<split>.tsv`, and our `kernels.jsonl`.

Queries and corpus may be absent or gzipped. In `queries.jsonl`, `answerable`, `cluster` and `split` may stand at the
top or in `metadata`. The qrels may lack their header, may have four columns as TREC's, and may hold rows of grade 0.
What belongs to which split: `goldproof.io.splits`. The corpus is read only where documents are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goldproof.core.records import Document, Question
from goldproof.io.complaints import Complaints
from goldproof.io.jsonl import BadRecordError, JsonObject, get_id, read_objects

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Kernels = dict[str, tuple[tuple[str, ...], ...]]


class KernelFile(NamedTuple):
    """The kernels of a file, and the line of each question."""

    kernels: Kernels
    lines: dict[str, int]


def find_part(folder: Path, name: str) -> Path | None:
    """Return `name` in the folder, or its gzipped form, or None."""
    return next((p for p in (folder / name, folder / f"{name}.gz") if p.is_file()), None)


def read_queries(path: Path, complaints: Complaints) -> tuple[Question, ...]:
    """Read `queries.jsonl`."""
    questions: dict[str, Question] = {}
    for number, record in read_objects(path, complaints):
        try:
            question = _question(record)
        except BadRecordError as error:
            complaints.add(str(error), line=number)
            continue
        if question.id in questions:
            complaints.add(f"query {question.id!r} occurs twice.", line=number, hint="Keep one of them.")
        questions.setdefault(question.id, question)
    return tuple(questions.values())


def read_documents(path: Path, complaints: Complaints | None = None) -> Iterator[Document]:
    """Yield the documents of a `corpus.jsonl` (or its gzipped form), one at a time; an id occurs once."""
    complaints = complaints or Complaints(path)
    seen: set[str] = set()
    for number, record in read_objects(path, complaints):
        try:
            document = _document(record)
        except BadRecordError as error:
            complaints.add(str(error), line=number)
            continue
        if document.id in seen:
            complaints.add(f"document {document.id!r} occurs twice.", line=number, hint="Keep one of them.")
            continue
        seen.add(document.id)
        yield document


def read_document_ids(path: Path, complaints: Complaints) -> Iterator[str]:
    """Yield the ids of a `corpus.jsonl`, one at a time."""
    for number, record in read_objects(path, complaints):
        try:
            yield record_id(record)
        except BadRecordError as error:
            complaints.add(str(error), line=number)


def read_kernels(path: Path, complaints: Complaints) -> KernelFile:
    """Read `kernels.jsonl`: {"query_id": ..., "kernels": [[doc_id, ...], ...]}."""
    kernels: Kernels = {}
    lines: dict[str, int] = {}
    for number, record in read_objects(path, complaints):
        try:
            query, found = get_id(record, "query"), parse_kernels(record.get("kernels"))
        except BadRecordError as error:
            complaints.add(str(error), line=number)
            continue
        if query in kernels:
            complaints.add(f"query {query!r} occurs twice.", line=number, hint="List its alternatives in one line.")
        kernels.setdefault(query, found)
        lines.setdefault(query, number)
    return KernelFile(kernels, lines)


def parse_kernels(value: object) -> tuple[tuple[str, ...], ...]:
    """Read alternative sets of document ids; a set names a document once and is not empty."""
    if not isinstance(value, list):
        raise BadRecordError("key 'kernels' is missing or not a list, expected [[doc_id, ...], ...].")
    return tuple(_kernel(kernel, position) for position, kernel in enumerate(value, start=1))


def _kernel(value: object, position: int) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise BadRecordError(f"kernel {position} is not a list of document ids.")
    documents = tuple(get_id({"doc_id": document}, "document") for document in value)
    if len(set(documents)) < len(documents):
        raise BadRecordError(f"kernel {position} names a document twice.")
    return documents


def _question(record: JsonObject) -> Question:
    metadata = record.get("metadata")
    if metadata is not None and not isinstance(metadata, dict):
        raise BadRecordError("key 'metadata' is not an object.")
    fields: JsonObject = dict(metadata or {})
    if isinstance(record.get("split"), str):
        fields["split"] = record["split"]
    cluster = record.get("cluster", fields.get("cluster"))
    answer = record.get("answer", fields.get("answer"))
    return Question(
        id=record_id(record),
        text=_text(record, "text"),
        answer=answer if isinstance(answer, str) else None,
        cluster=None if cluster is None else str(cluster),
        answerable=_answerable(record, fields),
        metadata=fields,
    )


def _answerable(record: JsonObject, metadata: JsonObject) -> bool:
    marks = [parse_answerable(place["answerable"]) for place in (record, metadata) if "answerable" in place]
    if len(set(marks)) > 1:
        raise BadRecordError(
            f"answerable is {str(marks[0]).lower()} at the top but {str(marks[1]).lower()} in 'metadata'."
        )
    return marks[0] if marks else True


def _document(record: JsonObject) -> Document:
    metadata = record.get("metadata")
    return Document(
        id=record_id(record),
        text=_text(record, "text"),
        title=_text(record, "title"),
        metadata=metadata if isinstance(metadata, dict) else {},
    )


def record_id(record: JsonObject) -> str:
    """Return the id of a query or document: `_id`, or `id`."""
    key = "_id" if "_id" in record or "id" not in record else "id"
    if key not in record:
        raise BadRecordError("no key '_id'.")
    return get_id({"id": record[key]}, "id")


def parse_answerable(value: object) -> bool:
    """Read the mark of an unanswerable question: only true and false will do."""
    if not isinstance(value, bool):
        raise BadRecordError(f"answerable is {value!r}, expected true or false.")
    return value


def _text(record: JsonObject, key: str) -> str:
    value = record.get(key, "")
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadRecordError(f"key {key!r} is not text.")
    return value
