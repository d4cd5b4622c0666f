"""Cranfield collection: `cran.all.1400` (or `cran.all`), `cran.qry`, `cranqrel`.

Documents and queries stand one after the other, each begun by `.I NUMBER`, with fields begun by a line `.T` (title),
`.A` (author), `.B` (bibliography) or `.W` (text). Its conventions:

- Judgments number the queries by position, from 1, and not by `.I`. A question's id is that position; its `.I` is kept
  in its metadata as `number`.
- 1 is the best grade and 4 the weakest, 5 means of no interest: the gain is 5 - grade, 4 down to 0.
- Every query ends with a row of grade -1, which nothing defines. It is counted (`CranfieldJudgments.undefined`) and
  not scored.
- The text repeats the title. It is taken off, so that the title is not searched twice.
- A few documents are empty, and a few hold a field twice: the lines of both are kept.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from goldproof.errors import FileFormatError
from goldproof.io.datasets.beir import find_part
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.text_files import read_lines
from goldproof.io.values import BadValueError, parse_grade
from goldproof.records.entities import Dataset, Document, Question
from goldproof.records.tables import JudgmentTable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Part = Literal["documents", "questions", "judgments"]
_NAMES: dict[Part, tuple[str, ...]] = {
    "documents": ("cran.all.1400", "cran.all", "cran.1400"),
    "questions": ("cran.qry",),
    "judgments": ("cranqrel", "cranqrel.txt"),
}
_BEGINS = re.compile(r"\.I\s+(\S+)\s*")
_FIELD = re.compile(r"\.([TABW])\s*")
_UNDEFINED = -1
_WORST = 5


class CranfieldJudgments(NamedTuple):
    """Gains by question and document, and how many rows had the grade that nothing defines."""

    gains: dict[str, dict[str, int]]
    undefined: int


class _CranfieldRecord(NamedTuple):
    """One record begun by `.I`: its number and line, its fields, and the fields that occur twice."""

    number: str
    line: int
    fields: dict[str, list[str]]
    stray: list[str]


def cranfield_part(folder: Path, part: Part) -> Path:
    """Return one of the three files."""
    file = next((path for name in _NAMES[part] if (path := find_part(folder, name))), None)
    if file is None:
        raise FileFormatError(folder, f"holds no {_NAMES[part][0]}, so it has no {part} of the Cranfield collection.")
    return file


def is_cranfield(folder: Path) -> bool:
    """Return whether a folder holds the documents or the judgments of the Cranfield collection."""
    names = (*_NAMES["documents"], *_NAMES["judgments"])
    return any(find_part(folder, name) for name in names)


def read_cranfield(folder: Path, diagnostics: Diagnostics | None = None, *, documents: bool = True) -> Dataset:
    """Read the collection; the texts of documents only where they are asked for."""
    diagnostics = diagnostics or Diagnostics(folder)
    queries, qrels = cranfield_part(folder, "questions"), cranfield_part(folder, "judgments")
    questions = read_cranfield_questions(queries, diagnostics.of_part(queries))
    judged = read_cranfield_judgments(qrels, diagnostics.of_part(qrels), questions=len(questions))
    texts = read_cranfield_documents(cranfield_part(folder, "documents")) if documents else ()
    return Dataset(folder.resolve().name, JudgmentTable.from_dict(judged.gains), questions, texts)


def read_cranfield_questions(path: Path, diagnostics: Diagnostics | None = None) -> tuple[Question, ...]:
    """Read `cran.qry`; ids are positions."""
    diagnostics = diagnostics or Diagnostics(path)
    questions: list[Question] = []
    for item in _items(path, diagnostics):
        text = _joined(item, "W")
        if not text:
            diagnostics.report(f"query {item.number} has no text (.W).", line=item.line, hint="Give it one.")
        questions.append(Question(str(len(questions) + 1), " ".join(text.split()), metadata={"number": item.number}))
    return tuple(questions)


def read_cranfield_documents(path: Path, diagnostics: Diagnostics | None = None) -> tuple[Document, ...]:
    """Read the documents; ids are their numbers, author and bibliography are metadata."""
    diagnostics = diagnostics or Diagnostics(path)
    documents: dict[str, Document] = {}
    for item in _items(path, diagnostics):
        if item.number in documents:
            diagnostics.report(f"document {item.number!r} occurs twice.", line=item.line, hint="Keep one of them.")
        documents.setdefault(item.number, _document(item))
    return tuple(documents.values())


def read_cranfield_judgments(path: Path, diagnostics: Diagnostics, *, questions: int) -> CranfieldJudgments:
    """Read `cranqrel`: query position, document, grade."""
    gains: dict[str, dict[str, int]] = {}
    undefined = 0
    for line in read_lines(path, diagnostics):
        fields = line.text.split()
        problem = _problem(fields, questions)
        if problem:
            diagnostics.report(problem, line=line.number)
            continue
        query, document, grade = str(int(fields[0])), fields[1], parse_grade(fields[2])
        if grade == _UNDEFINED:
            undefined += 1
            continue
        known = gains.setdefault(query, {})
        if document in known:
            diagnostics.report(f"query {query}, document {document} is judged twice.", line=line.number)
        known.setdefault(document, _WORST - grade)
    return CranfieldJudgments(gains, undefined)


def cranfield_facts(path: Path) -> dict[str, int]:
    """Count the irregularities of a file of documents or, for a folder, of all its files."""
    if path.is_dir():
        queries, qrels = cranfield_part(path, "questions"), cranfield_part(path, "judgments")
        questions = len(read_cranfield_questions(queries))
        judged = read_cranfield_judgments(qrels, Diagnostics(qrels), questions=questions)
        counts = {"questions": questions, "judgments": sum(map(len, judged.gains.values()))}
        return {**counts, "undefined_rows": judged.undefined, **cranfield_facts(cranfield_part(path, "documents"))}
    items = tuple(_items(path, Diagnostics(path)))
    return {
        "documents": len(items),
        "documents_without_text": sum(not _joined(item, "W") for item in items),
        "titles_taken_off_texts": sum(_body_start(_joined(item, "T"), _joined(item, "W")) > 0 for item in items),
        "fields_twice": sum(len(item.stray) for item in items),
    }


def _problem(fields: list[str], questions: int) -> str:
    if len(fields) != 3:
        return f"found {len(fields)} columns, expected 3 (query, document, grade)."
    if not (fields[0].isascii() and fields[0].isdigit()) or not 1 <= int(fields[0]) <= questions:
        return f"query {fields[0]!r} is not the position of a query, 1 to {questions}."
    try:
        grade = parse_grade(fields[2])
    except BadValueError as error:
        return f"{error} (column 3 of 3)."
    known = grade == _UNDEFINED or 1 <= grade <= _WORST
    return "" if known else f"grade {grade} is unknown, expected 1 (best) to {_WORST}, or -1 (undefined)."


def _items(path: Path, diagnostics: Diagnostics) -> Iterator[_CranfieldRecord]:
    item: _CranfieldRecord | None = None
    lines: list[str] | None = None
    for line in read_lines(path, diagnostics):
        begins, field = _BEGINS.fullmatch(line.text), _FIELD.fullmatch(line.text)
        if begins:
            if item is not None:
                yield item
            item, lines = _CranfieldRecord(begins[1], line.number, {}, []), None
        elif item is None:
            raise diagnostics.error("does not begin with .I, so it is not a Cranfield file.", line=line.number)
        elif field:
            item.stray.extend([field[1]] * (field[1] in item.fields))
            lines = item.fields.setdefault(field[1], [])
        elif lines is None:
            diagnostics.report(f"text of {item.number} comes before any field (.T, .A, .B, .W).", line=line.number)
        else:
            lines.append(line.text)
    if item is not None:
        yield item


def _document(item: _CranfieldRecord) -> Document:
    title, text = " ".join(_joined(item, "T").split()), _joined(item, "W")
    known = {"author": " ".join(_joined(item, "A").split()), "bibliography": " ".join(_joined(item, "B").split())}
    body = text[_body_start(_joined(item, "T"), text) :].strip()
    return Document(item.number, body, title, {name: value for name, value in known.items() if value})


def _joined(item: _CranfieldRecord, field: str) -> str:
    return "\n".join(item.fields.get(field, ())).strip()


def _body_start(title: str, text: str) -> int:
    """Return the position after the title, 0 where the text does not begin with it.

    Only letters and digits are compared: blanks and points are set differently here and there.
    """
    at = 0
    for sign in filter(str.isalnum, title):
        while at < len(text) and not text[at].isalnum():
            at += 1
        if at == len(text) or text[at] != sign:
            return 0
        at += 1
    if at == 0 or (at < len(text) and text[at].isalnum()):
        return 0
    return at + len(text[at:]) - len(text[at:].lstrip(" .,\t\r\n"))
