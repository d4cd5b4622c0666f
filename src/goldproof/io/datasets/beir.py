"""BEIR folders, read and written, with `kernels.jsonl`.

Reading: queries and corpus may be absent or gzipped. In `queries.jsonl`, `answerable`, `cluster` and `split` may stand
at the top or in `metadata`. The qrels may lack their header, may have four columns as TREC's, and may hold rows of
grade 0. The corpus is read only where documents are asked for. Splits are in `goldproof.io.datasets.splits`.

Writing: of a question, `answer`, `cluster` and `answerable` stand at the top of its line, the latter only where it is
false; its metadata stands as it is, so that `--cluster FIELD` finds the fields. A document that comes several times
with the same title and text is written once; with another title or text it is refused. `kernels.jsonl` is written only
where some question has kernels. `goldproof.read_dataset` reads back what went in, except a question's options, which
the format has no place for. Questions are passed through once for each file, so they come as a function. Memory: an id
and a hash per document.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import InputError
from goldproof.io.atomic_files import remove_leftovers, write_hashed
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.json_files import BadRecordError, JsonObject, get_id, json_line, read_objects
from goldproof.records.entities import Document, Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping


Kernels = dict[str, tuple[tuple[str, ...], ...]]
CORPUS = "corpus.jsonl"
QUERIES = "queries.jsonl"
QRELS = "qrels/test.tsv"
KERNELS = "kernels.jsonl"
BEIR_FILES = (CORPUS, QUERIES, QRELS, KERNELS)
_CUTS = ("\t", "\n", "\r", "\x00")


class KernelFile(NamedTuple):
    """The kernels of a file, and the line of each question."""

    kernels: Kernels
    lines: dict[str, int]


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question with its judgments: document -> grade, and alternative sets that suffice."""

    question: Question
    grades: Mapping[str, int] = field(default_factory=dict)
    kernels: tuple[tuple[str, ...], ...] = ()


def find_part(folder: Path, name: str) -> Path | None:
    """Return `name` in the folder, or its gzipped form; None where neither is there."""
    return next((p for p in (folder / name, folder / f"{name}.gz") if p.is_file()), None)


def read_queries(path: Path, diagnostics: Diagnostics) -> tuple[Question, ...]:
    """Read `queries.jsonl`."""
    questions: dict[str, Question] = {}
    for number, record in read_objects(path, diagnostics):
        try:
            question = _question(record)
        except BadRecordError as error:
            diagnostics.report(str(error), line=number)
            continue
        if question.id in questions:
            diagnostics.report(f"query {question.id!r} occurs twice.", line=number, hint="Keep one of them.")
        questions.setdefault(question.id, question)
    return tuple(questions.values())


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


def read_documents(path: Path, diagnostics: Diagnostics | None = None) -> Iterator[Document]:
    """Yield the documents of a `corpus.jsonl` (or its gzipped form), one at a time; an id occurs once."""
    diagnostics = diagnostics or Diagnostics(path)
    seen: set[str] = set()
    for number, record in read_objects(path, diagnostics):
        try:
            document = _document(record)
        except BadRecordError as error:
            diagnostics.report(str(error), line=number)
            continue
        if document.id in seen:
            diagnostics.report(f"document {document.id!r} occurs twice.", line=number, hint="Keep one of them.")
            continue
        seen.add(document.id)
        yield document


def _document(record: JsonObject) -> Document:
    metadata = record.get("metadata")
    return Document(
        id=record_id(record),
        text=_text(record, "text"),
        title=_text(record, "title"),
        metadata=metadata if isinstance(metadata, dict) else {},
    )


def read_document_ids(path: Path, diagnostics: Diagnostics) -> Iterator[str]:
    """Yield the ids of a `corpus.jsonl`, one at a time."""
    for number, record in read_objects(path, diagnostics):
        try:
            yield record_id(record)
        except BadRecordError as error:
            diagnostics.report(str(error), line=number)


def record_id(record: JsonObject) -> str:
    """Return the id of a query or document: `_id`, or `id`."""
    key = "_id" if "_id" in record or "id" not in record else "id"
    if key not in record:
        raise BadRecordError("no key '_id'.")
    return get_id({"id": record[key]}, "id")


def parse_answerable(value: object) -> bool:
    """Return the mark of an unanswerable question, which must be true or false."""
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


def read_kernels(path: Path, diagnostics: Diagnostics) -> KernelFile:
    """Read `kernels.jsonl`: {"query_id": ..., "kernels": [[doc_id, ...], ...]}."""
    kernels: Kernels = {}
    lines: dict[str, int] = {}
    for number, record in read_objects(path, diagnostics):
        try:
            query, alternatives = get_id(record, "query"), parse_kernels(record.get("kernels"))
        except BadRecordError as error:
            diagnostics.report(str(error), line=number)
            continue
        if query in kernels:
            diagnostics.report(f"query {query!r} occurs twice.", line=number, hint="List its alternatives in one line.")
        kernels.setdefault(query, alternatives)
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


def write_beir(
    folder: Path | str, *, documents: Iterable[Document], questions: Callable[[], Iterable[JudgedQuestion]]
) -> dict[str, str]:
    """Write the folder; return file name -> sha256. Each file is whole, or is not there."""
    folder = Path(folder)
    for part in (folder, (folder / QRELS).parent):
        remove_leftovers(part)
    written = {
        CORPUS: write_hashed(folder / CORPUS, _corpus_lines(documents)),
        QUERIES: write_hashed(folder / QUERIES, query_lines(questions())),
        QRELS: write_hashed(folder / QRELS, qrels_lines(questions())),
    }
    kernels = kernel_lines(questions())
    first = next(kernels, None)
    if first is None:
        (folder / KERNELS).unlink(missing_ok=True)  # of an earlier benchmark, about other questions
        return written
    return written | {KERNELS: write_hashed(folder / KERNELS, chain([first], kernels))}


def _corpus_lines(documents: Iterable[Document]) -> Iterator[bytes]:
    seen: dict[str, bytes] = {}
    for document in documents:
        check_id("document", document.id)
        content = _content(document)
        known = seen.setdefault(document.id, content)
        if known is not content:
            if known != content:
                raise InputError(f"document {document.id!r} has two different texts; give each its own id.")
            continue
        record = {
            "_id": document.id,
            "title": document.title,
            "text": document.text,
            "metadata": document.metadata,
        }
        yield json_line(record, where=f"document {document.id!r}")


def _content(document: Document) -> bytes:
    text = f"{document.title}\x00{document.text}"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def query_lines(questions: Iterable[JudgedQuestion]) -> Iterator[bytes]:
    """Yield the lines of `queries.jsonl`."""
    seen: set[str] = set()
    for judged in questions:
        question = judged.question
        check_id("question", question.id)
        if question.id in seen:
            raise InputError(f"question {question.id!r} occurs twice; question ids are unique.")
        seen.add(question.id)
        _check_contradictions(judged)
        yield json_line(_query_record(question), where=f"question {question.id!r}")


def _query_record(question: Question) -> dict[str, object]:
    known = (("answer", question.answer), ("cluster", question.cluster))
    # A null at the top keeps the reader from taking the value of the same name in the metadata.
    labels = {key: value for key, value in known if value is not None or key in question.metadata}
    mark = {} if question.answerable else {"answerable": False}
    return {"_id": question.id, "text": question.text, **labels, **mark, "metadata": question.metadata}


def _check_contradictions(judged: JudgedQuestion) -> None:
    """Refuse contradictions that the reader would refuse."""
    question = judged.question
    if question.metadata.get("answerable", question.answerable) is not question.answerable:
        raise InputError(f"question {question.id!r}: its metadata contradict its answerable mark.")
    if question.answerable:
        return
    if judged.kernels or any(grade > 0 for grade in judged.grades.values()):
        raise InputError(f"question {question.id!r} is unanswerable, but has a relevant document or a kernel.")


def qrels_lines(questions: Iterable[JudgedQuestion]) -> Iterator[bytes]:
    """Yield the lines of `qrels/test.tsv`, its header first."""
    yield b"query-id\tcorpus-id\tscore\n"
    for judged in questions:
        for document, grade in judged.grades.items():
            check_id("document", document)
            yield f"{judged.question.id}\t{document}\t{grade}\n".encode()


def kernel_lines(questions: Iterable[JudgedQuestion]) -> Iterator[bytes]:
    """Yield the lines of `kernels.jsonl`; none where no question has kernels."""
    for judged in questions:
        if judged.kernels:
            name = judged.question.id
            yield json_line({"query_id": name, "kernels": judged.kernels}, where=f"kernels of question {name!r}")


def check_id(kind: str, name: str) -> None:
    """Refuse an id that a line of tab-separated columns could not hold."""
    if not name or name != name.strip(" \t") or any(cut in name for cut in _CUTS):
        raise InputError(
            f"{kind} id {name!r} cannot be written to qrels; expected text without tabs, line breaks and outer blanks."
        )
