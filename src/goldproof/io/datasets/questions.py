"""Questions from a file of any format.

- a dataset: a BEIR or Cranfield folder, a `retrieval_dataset.yaml`, with the texts of its questions
- JSON lines or a JSON array: `_id`, `id`, `query_id`, ... and `text`, `query` or `question`; of a BEIR `queries.jsonl`
  also `answerable`, `cluster` and `metadata`
- CSV, TSV, Parquet with such columns; two columns separated by a tab or comma need no header: id, then text
- `cran.qry`
- plain text: one question per line, its id the number of the line

Every question has a text, and an id that no other has. Where a file has no column for ids, the id of a question is `q`
and twelve digits of a hash of its text, blanks apart: the same question has the same id in any order and any file. A
row that repeats the text of such a question is passed over.
"""

from __future__ import annotations

import csv
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import counted
from goldproof.io.columns import find_key, normal_name, shown_names
from goldproof.io.datasets.beir import find_part, parse_answerable, read_queries
from goldproof.io.datasets.cranfield import cranfield_part, read_cranfield_questions
from goldproof.io.datasets.dataset import locate_dataset, read_dataset
from goldproof.io.delimited import csv_separator
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.file_layout import sniff
from goldproof.io.json_files import BadRecordError, get_id, json_kind
from goldproof.io.record_files import read_records, record_format
from goldproof.io.text_files import check_file, read_head, read_lines
from goldproof.records.entities import Question
from goldproof.records.keys import content_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from goldproof.io.json_files import JsonObject

_TEXTS = ("text", "query", "question", "query_text", "question_text")
_IDS = ("_id", "id")
_READABLE = (
    "Readable: queries.jsonl, a dataset, CSV or TSV or Parquet with an id and a text column, cran.qry, or plain text "
    "with one question per line."
)
_Numbered = tuple[int | None, Question]


def read_questions(path: Path | str, diagnostics: Diagnostics | None = None) -> tuple[Question, ...]:
    """Read questions; every one has a text and an id of its own.

    diagnostics: told of a bad line, which is then left out; without them it is an error. They may be of a file only.
    """
    path = Path(path)
    if path.is_dir():
        return _of_folder(path)
    diagnostics = diagnostics or Diagnostics(check_file(path))
    questions = _checked(_numbered(path, diagnostics), diagnostics)
    if not questions:
        if diagnostics.total:
            raise diagnostics.nothing_left(f"no question can be read ({diagnostics.total:,} bad)")
        raise diagnostics.error("holds no questions.", hint=_READABLE)
    return questions


def _of_folder(folder: Path) -> tuple[Question, ...]:
    """Read the questions of a dataset; its judgments need not be there."""
    kind, root = locate_dataset(folder)
    if kind == "file":
        return read_questions(root)
    queries = cranfield_part(root, "questions") if kind == "cranfield" else find_part(root, "queries.jsonl")
    if queries is None:
        raise Diagnostics(folder).error("holds no queries.jsonl, so it has no questions.", hint=_READABLE)
    return read_questions(queries)


def _numbered(path: Path, diagnostics: Diagnostics) -> Iterator[_Numbered]:
    if read_head(path, size=3, whole_line=False) == b".I ":
        return ((None, question) for question in read_cranfield_questions(path, diagnostics))
    kind = record_format(path)
    if kind == "lines" and _is_beir(path):
        return _beir(path, diagnostics)
    sniffed = sniff(path)
    if sniffed.format == "yaml":
        return ((None, question) for question in read_dataset(path).questions)
    if kind in ("csv", "tsv"):
        separator = "\t" if kind == "tsv" else csv_separator(sniffed.first_line)
        return _table(path, separator, diagnostics=diagnostics, first=sniffed.first_line)
    if kind is None:
        return _plain(path, diagnostics)
    return _records(path, diagnostics)


def _is_beir(path: Path) -> bool:
    first = next(iter(read_records(path, Diagnostics(path, keep=0))), None)
    return first is not None and "_id" in first.record and "text" in first.record


def _beir(path: Path, diagnostics: Diagnostics) -> Iterator[_Numbered]:
    # Read twice: the reader of queries refuses what it cannot read and a repeated id, but does not give lines.
    questions = read_queries(path, diagnostics)
    lines = {str(record.get("_id")): number for number, record in read_records(path, Diagnostics(path, keep=0))}
    return ((lines.get(question.id), question) for question in questions)


def _records(path: Path, diagnostics: Diagnostics) -> Iterator[_Numbered]:
    named: dict[str, tuple[int, Question]] = {}  # questions without an id of their own, by the one they get
    repeated = 0
    for number, record in read_records(path, diagnostics):
        try:
            question = _question(record)
        except BadRecordError as error:
            diagnostics.report(str(error), line=number)
            continue
        if question.id:
            yield number, question
            continue
        question = replace(question, id=stable_id(question.text))
        if (first := named.get(question.id)) is None:
            named[question.id] = number, question
            yield number, question
        elif question.answer == first[1].answer:
            repeated += 1
        else:
            problem = f"asks the question of line {first[0]} again, with another answer."
            diagnostics.report(problem, line=number, hint="Keep one of them, or give both an id (a column 'id').")
    if named:
        again = f"; {counted(repeated, 'row repeats', 'rows repeat')} one of them" if repeated else ""
        count = counted(len(named), "question has", "questions have")
        got = f"{count} no id and got one made from the text, such as {next(iter(named))}"
        diagnostics.remark(f"{got}: the same text always gets the same id{again}.")


def stable_id(text: str) -> str:
    """Return the id of a question that has none: the same for the same text, whatever its blanks."""
    return f"q{content_key(' '.join(unicodedata.normalize('NFC', text).split()))[:12]}"


def _table(path: Path, separator: str, *, diagnostics: Diagnostics, first: str) -> Iterator[_Numbered]:
    """Read a table; where the first line is no header, it has two columns: an id, then a text."""
    names = {normal_name(name.strip('"')) for name in first.split(separator)}
    if names & set(_TEXTS):
        return _records(path, diagnostics)
    if separator == "," and path.name.lower().removesuffix(".gz").endswith(".txt"):
        return _plain(path, diagnostics)  # a sentence with a comma
    cells = _cells(first, separator)
    if len(cells) != 2 or find_key({cells[0]: ""}, "id") or find_key({cells[0]: ""}, "query"):
        raise diagnostics.error(
            f"no column 'text', 'query' or 'question' (found {shown_names(cells)}).",
            line=1,
            hint="Name the columns in the first line. Without a header there are two: an id, then a text, in quotes "
            "where it holds a comma.",
        )
    return _two_columns(path, separator, diagnostics)


def _two_columns(path: Path, separator: str, diagnostics: Diagnostics) -> Iterator[_Numbered]:
    for line in read_lines(path, diagnostics):
        cells = _cells(line.text, separator)
        if len(cells) != 2 or not cells[0]:
            width = f"{len(cells)} column{'s' * (len(cells) != 1)}"
            problem = f"has {width}, expected two: an id, then a text, in quotes where it holds a comma."
            diagnostics.report(problem, line=line.number)
            continue
        yield line.number, Question(cells[0], cells[1])


def _cells(line: str, separator: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]


def _plain(path: Path, diagnostics: Diagnostics) -> Iterator[_Numbered]:
    for line in read_lines(path, diagnostics):
        yield line.number, Question(str(line.number), line.text.strip())


def _question(record: JsonObject) -> Question:
    key = next((k for wanted in _TEXTS for k in record if normal_name(k) == wanted), None)
    if key is None:
        raise BadRecordError(f"no key 'text', 'query' or 'question' (found {shown_names(list(record)) or 'no key'}).")
    text = record[key]
    if not isinstance(text, str):
        raise BadRecordError(f"key {key!r} is {json_kind(text)}, expected text.")
    others = {name: value for name, value in record.items() if name != key}
    own = next((name for name in _IDS if name in others), None) or find_key(others, "id")
    rest = {name: value for name, value in others.items() if name != own and value is not None}
    cluster, answer, metadata = rest.get("cluster"), rest.get("answer"), rest.get("metadata")
    return Question(
        id="" if own is None else get_id({"id": others[own]}, "id"),  # `_records` makes one
        text=text,
        answer=answer if isinstance(answer, str) else None,
        cluster=None if cluster is None else str(cluster),
        answerable=parse_answerable(rest.get("answerable", True)),
        metadata=metadata if isinstance(metadata, dict) else rest,
    )


def _checked(numbered: Iterable[_Numbered], diagnostics: Diagnostics) -> tuple[Question, ...]:
    questions: dict[str, Question] = {}
    for line, question in numbered:
        if not question.text.strip():
            diagnostics.report(
                f"question {question.id!r} has no text.", line=line, hint="Give it one, or leave it out."
            )
            continue
        if question.id in questions:
            diagnostics.report(f"question {question.id!r} occurs twice.", line=line, hint="Keep one of them.")
        questions.setdefault(question.id, question)
    return tuple(questions.values())
