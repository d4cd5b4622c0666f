"""Your own questions: JSON lines, JSON, CSV, TSV or Parquet, by a mapping of columns.

`goldproof.jobs.build.adapters.columns` says how columns are found, `goldproof.jobs.build.adapters.table_contexts` how
contexts are read. An answer that is a list has the other answers as aliases. Metadata are the columns named under
`metadata`, or every other column that has a name and a plain value. A row is known by its id column, else by its
content. `name` is put before all ids, for several tables that number their rows alike.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.record_files import read_records
from goldproof.jobs.build.adapters.adapter import Adapter, AdapterInfo, JsonObject, LocalSource, Place
from goldproof.jobs.build.adapters.columns import choose_columns, lacks, named_columns
from goldproof.jobs.build.adapters.ids import content_id, safe_id
from goldproof.jobs.build.adapters.table_contexts import (
    BadRowError,
    gold_places,
    id_text,
    opened_list,
    plain_text,
    read_contexts,
    to_documents,
)
from goldproof.jobs.build.example import Dropped, Example

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from goldproof.jobs.build.adapters.adapter import Adapt
    from goldproof.jobs.build.adapters.columns import TableColumns

_HEAD_RECORDS = 1_000  # optional keys may show up late in JSON lines

INFO = AdapterInfo(
    name="table",
    title="own table",
    doc_type="clean_text",
    licence="stated by the user",
    citation="own data",
    needs=(),
)


def open_table(source: LocalSource) -> Adapt:
    """Find the columns of each file, and return the function for the rows."""
    named = named_columns(source.options)
    by_file = {path: choose_columns(named, read_header(path), where=path.name) for path in source.files}
    name = _name(source.options.get("name"))

    def adapt(record: JsonObject, place: Place) -> Iterator[Example | Dropped]:
        columns = by_file[place.path]
        try:
            yield _example(record, columns, name=name)
        except BadRowError as error:
            yield Dropped(error.reason, error.detail, original_id=_known_id(record, columns, name=name))

    return adapt


def misfit(path: Path, options: Mapping[str, object]) -> str | None:
    """Say why a file is no table of questions; None if it is one."""
    return lacks(named_columns(options), read_header(path))


def read_header(path: Path) -> list[str]:
    """Return the names of the columns of a file, by its first records, in the order in which they are met."""
    header: dict[str, None] = {}
    for found in islice(read_records(path, Diagnostics(path, keep=0)), _HEAD_RECORDS):
        header.update(dict.fromkeys(found.record))
    return list(header)


def _example(record: JsonObject, columns: TableColumns, *, name: str) -> Example:
    question = plain_text(record.get(columns.question))
    answers = [text for item in _answers(record.get(columns.answer)) if (text := plain_text(item))]
    contexts = read_contexts(record, columns)
    for part, there in {"question": question, "answer": answers, "context": any(one.text for one in contexts)}.items():
        if not there:
            raise BadRowError(f"no {part}")
    documents = to_documents(contexts, prefix=f"{INFO.name}:{name}" if name else INFO.name)
    places = gold_places(record.get(columns.gold), contexts) if columns.gold else range(len(documents))
    given = {document.id: document for document in documents if document is not None}
    gold = [document.id for place in places if (document := documents[place]) is not None]
    return Example(
        original_id=_own_id(record, columns, name=name) or _made_id(name, question, answers[0], sorted(given)),
        question=question,
        answer=answers[0],
        documents=tuple(given.values()),
        gold=tuple(dict.fromkeys(gold)),
        aliases=_aliases(record, columns, answers=answers),
        metadata=_metadata(record, columns),
    )


def _answers(value: object) -> list[object]:
    """Return the answers of a cell; SQuAD's `{"text": [...], "answer_start": [...]}` holds them under `text`."""
    found = opened_list(value)
    return opened_list(found[0].get("text")) if len(found) == 1 and isinstance(found[0], dict) else found


def _aliases(record: JsonObject, columns: TableColumns, *, answers: list[str]) -> tuple[str, ...]:
    more = opened_list(record.get(columns.aliases)) if columns.aliases else []
    texts = [*answers[1:], *map(plain_text, more)]
    return tuple(dict.fromkeys(text for text in texts if text and text != answers[0]))


def _metadata(record: JsonObject, columns: TableColumns) -> dict[str, object]:
    if columns.metadata is not None:
        return {name: record[name] for name in columns.metadata if record.get(name) not in (None, "")}
    return {
        name: value
        for name, value in record.items()
        if name and not columns.is_used(name) and isinstance(value, str | int | float) and value != ""
    }


def _own_id(record: JsonObject, columns: TableColumns, *, name: str) -> str | None:
    own = id_text(record.get(columns.id)) if columns.id else ""
    return (f"{name}/{own}" if name else own) if own else None


def _known_id(record: JsonObject, columns: TableColumns, *, name: str) -> str | None:
    try:
        return _own_id(record, columns, name=name)
    except BadRowError:
        return None


def _made_id(name: str, *parts: object) -> str:
    return f"{name}/{content_id(*parts)}" if name else content_id(*parts)


def _name(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or not value or safe_id(value) != value:
        raise InputError(f"option 'name' of the adapter 'table' is {value!r}, expected a word without blanks.")
    return value


ADAPTER = Adapter(info=INFO, open=open_table, options=frozenset({"columns", "metadata", "name"}), misfit=misfit)
