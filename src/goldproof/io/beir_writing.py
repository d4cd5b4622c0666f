"""Writing a BEIR folder as a stream: `corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv` and our `kernels.jsonl`.

Of a question, `answer`, `cluster` and `answerable` stand at the top of its line, the latter only where it is false; its
metadata stands as it is, so that `--cluster FIELD` finds the fields. A document that comes several times with the same
title and text is written once; with another title or text it is refused. `kernels.jsonl` is written only where some
question has kernels. What `goldproof.read_dataset` reads back is what went in, except a question's options, which the
format has no place for.

Questions are passed through once for each file, so they come as a function. Memory: an id and a hash per document.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError
from goldproof.io.hashed_writing import write_hashed
from goldproof.io.json_line import json_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from goldproof.core.records import Document, Question

CORPUS = "corpus.jsonl"
QUERIES = "queries.jsonl"
QRELS = "qrels/test.tsv"
KERNELS = "kernels.jsonl"
BEIR_FILES = (CORPUS, QUERIES, QRELS, KERNELS)
_CUTS = ("\t", "\n", "\r", "\x00")


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question with what is known about documents: document -> grade, and alternative sets that suffice."""

    question: Question
    grades: Mapping[str, int] = field(default_factory=dict)
    kernels: tuple[tuple[str, ...], ...] = ()


def write_beir(
    folder: Path | str, *, documents: Iterable[Document], questions: Callable[[], Iterable[JudgedQuestion]]
) -> dict[str, str]:
    """Write the folder; return the name of each file in it -> its sha256. Each file is whole, or is not there."""
    folder = Path(folder)
    written = {
        CORPUS: write_hashed(folder / CORPUS, _corpus_lines(documents)),
        QUERIES: write_hashed(folder / QUERIES, query_lines(questions())),
        QRELS: write_hashed(folder / QRELS, qrels_lines(questions())),
    }
    kernels = kernel_lines(questions())
    first = next(kernels, None)
    if first is None:
        (folder / KERNELS).unlink(missing_ok=True)  # of an earlier benchmark: it would speak of other questions
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
                raise InputError(
                    f"document {document.id!r} comes with two different texts; give each an id of its own."
                )
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
            raise InputError(f"question {question.id!r} comes twice; an id belongs to one question.")
        seen.add(question.id)
        _check_contradictions(judged)
        yield json_line(_query_record(question), where=f"question {question.id!r}")


def _query_record(question: Question) -> dict[str, object]:
    known = (("answer", question.answer), ("cluster", question.cluster))
    # A null at the top keeps the reader from taking the value of the same name in the metadata.
    said = {key: value for key, value in known if value is not None or key in question.metadata}
    mark = {} if question.answerable else {"answerable": False}
    return {"_id": question.id, "text": question.text, **said, **mark, "metadata": question.metadata}


def _check_contradictions(judged: JudgedQuestion) -> None:
    """Refuse what the reader would refuse."""
    question = judged.question
    if question.metadata.get("answerable", question.answerable) is not question.answerable:
        raise InputError(f"question {question.id!r}: its metadata say otherwise about whether it is answerable.")
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
            f"{kind} id {name!r} cannot stand in qrels; expected text without tabs, line breaks and edges of blanks."
        )
