"""Tables of the user: which column holds what, and how a row becomes an example.

    columns: {question: Frage, answer: Antwort, context: [abstract, body], gold: relevant}
    metadata: [department]

Roles: question, answer, context (one column or several), id, document_id (one or several, parallel to context), title,
gold, aliases. Usual names are compared without regard to case, blanks and hyphens; the first that is there wins.
question, answer and context must be found; the others may be absent. Each file has its own columns. Named columns must
be in each file that is read; a file of a folder that lacks a needed column altogether is passed over, as long as
another has them.

`goldproof.jobs.build.adapters.table_contexts` says how contexts are read. An answer that is a list has the other
answers as aliases. Metadata are the columns named under `metadata`, or every other column that has a name and a plain
value. A row is identified by its id column, else by its content. `name` is put before all ids, for several tables that
number their rows alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from goldproof.errors import InputError, UnknownNameError
from goldproof.io.columns import normal_name, shown_names
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.record_files import read_records
from goldproof.jobs.build.adapters.adapter import (
    Adapter,
    AdapterInfo,
    JsonObject,
    LocalSource,
    RecordPlace,
    content_id,
    safe_id,
)
from goldproof.jobs.build.adapters.table_contexts import (
    BadRowError,
    gold_places,
    id_text,
    opened_list,
    plain_text,
    read_contexts,
    to_documents,
)
from goldproof.jobs.build.records import Dropped, Example

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from goldproof.jobs.build.adapters.adapter import Adapt

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

    def adapt(record: JsonObject, place: RecordPlace) -> Iterator[Example | Dropped]:
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
    for row in islice(read_records(path, Diagnostics(path, keep=0)), _HEAD_RECORDS):
        header.update(dict.fromkeys(row.record))
    return list(header)


def _example(record: JsonObject, columns: TableColumns, *, name: str) -> Example:
    question = plain_text(record.get(columns.question))
    answers = [text for item in _answers(record.get(columns.answer)) if (text := plain_text(item))]
    contexts = read_contexts(record, columns)
    for part, there in {
        "question": question,
        "answer": answers,
        "context": any(context.text for context in contexts),
    }.items():
        if not there:
            raise BadRowError(f"no {part}")
    documents = to_documents(contexts, prefix=f"{INFO.name}:{name}" if name else INFO.name)
    places = gold_places(record.get(columns.gold), contexts) if columns.gold else range(len(documents))
    by_id = {document.id: document for document in documents if document is not None}
    gold = [document.id for place in places if (document := documents[place]) is not None]
    return Example(
        original_id=_own_id(record, columns, name=name) or _made_id(name, question, answers[0], sorted(by_id)),
        question=question,
        answer=answers[0],
        documents=tuple(by_id.values()),
        gold=tuple(dict.fromkeys(gold)),
        aliases=_aliases(record, columns, answers=answers),
        metadata=_metadata(record, columns),
    )


def _answers(value: object) -> list[object]:
    """Return the answers of a cell; SQuAD's `{"text": [...], "answer_start": [...]}` holds them under `text`."""
    items = opened_list(value)
    return opened_list(items[0].get("text")) if len(items) == 1 and isinstance(items[0], dict) else items


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


USUAL: Mapping[str, tuple[str, ...]] = {
    "question": ("question", "query", "user_input"),
    "answer": ("answer", "ground_truth", "reference", "expected_answer", "answers", "ground_truths", "response"),
    "context": (
        *("context", "contexts", "reference_contexts", "documents", "document"),
        *("passages", "passage"),
    ),
    "id": ("id", "_id", "question_id", "query_id", "qid", "sample_id"),
    "document_id": (
        *("document_id", "document_ids", "doc_id", "doc_ids", "context_id", "context_ids", "passage_id", "passage_ids"),
    ),
    "title": ("title", "titles", "document_title"),
    "gold": ("gold", "gold_ids", "gold_documents", "gold_contexts"),
    "aliases": ("aliases", "answer_aliases"),
}
NEEDED = ("question", "answer", "context")
SEVERAL = ("context", "document_id")


@dataclass(frozen=True, slots=True)
class TableColumns:
    """The columns of a table by role; metadata: None for every column that plays no role."""

    question: str
    answer: str
    context: tuple[str, ...]
    id: str | None = None
    document_id: tuple[str, ...] = ()
    title: str | None = None
    gold: str | None = None
    aliases: str | None = None
    metadata: tuple[str, ...] | None = None

    def is_used(self, name: str) -> bool:
        """Return whether a column has a role."""
        single = (self.question, self.answer, self.id, self.title, self.gold, self.aliases)
        return name in single or name in self.context or name in self.document_id


def named_columns(options: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """Return the columns that the recipe names: role -> columns, `metadata` among the roles."""
    columns = options.get("columns") or {}
    if not isinstance(columns, Mapping):
        raise InputError(f"option 'columns' of the adapter 'table' is {columns!r}, expected role: column pairs.")
    for role in columns:
        if role not in USUAL:
            raise UnknownNameError("role of a column", str(role), USUAL, hint="Other columns go under `metadata:`.")
    named = {role: _names(role, value) for role, value in columns.items()}
    if "metadata" in options:
        named["metadata"] = _names("metadata", options["metadata"])
    return named


def lacks(named: Mapping[str, tuple[str, ...]], header: Sequence[str]) -> str | None:
    """Say which needed column a table lacks altogether, so that it is no table of questions; None if none."""
    free = _free(named, header)
    for role in NEEDED:
        columns = named.get(role)
        if columns is None and not _usual(role, free):
            return f"it has no column for the {role} ({', '.join(USUAL[role][:4])}, ...); found {shown_names(header)}."
        if columns is not None and not any(name in header for name in columns):
            return f"it has no column {columns[0]!r} for the {role}; found {shown_names(header)}."
    return None


def choose_columns(named: Mapping[str, tuple[str, ...]], header: Sequence[str], *, where: str) -> TableColumns:
    """Return the columns that are named, and those with usual names for the other roles."""
    for names in named.values():
        for name in names:
            if name not in header:
                raise UnknownNameError("column", name, header, hint=f"{where} has {shown_names(header)}.")
    free = _free(named, header)
    chosen = {role: named.get(role) or _usual(role, free) for role in USUAL}
    for role in NEEDED:
        if not chosen[role]:
            raise InputError(
                f"{where}: no column for the {role} ({', '.join(USUAL[role][:4])}, ...); found {shown_names(header)}.\n"
                f"  Say which one it is: `columns: {{{role}: NAME}}` in the recipe's source."
            )
    single = {role: next(iter(names), None) for role, names in chosen.items() if role not in (*SEVERAL, *NEEDED)}
    return TableColumns(
        question=chosen["question"][0],
        answer=chosen["answer"][0],
        context=chosen["context"],
        document_id=chosen["document_id"],
        metadata=named.get("metadata"),
        **single,
    )


def _free(named: Mapping[str, tuple[str, ...]], header: Sequence[str]) -> list[str]:
    taken = {name for names in named.values() for name in names}
    return [name for name in header if name not in taken]


def _usual(role: str, header: Sequence[str]) -> tuple[str, ...]:
    by_name = {normal_name(name): name for name in reversed(header)}
    return next(((by_name[name],) for name in USUAL[role] if name in by_name), ())


def _names(role: str, value: object) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise InputError(f"the column for {role!r} is {value!r}, expected the name of a column.")
    if role in USUAL and (not names or (len(names) > 1 and role not in SEVERAL)):
        raise InputError(f"the column for {role!r} is {list(names)}, expected one name.")
    return tuple(names)


ADAPTER = Adapter(info=INFO, open=open_table, options=frozenset({"columns", "metadata", "name"}), misfit=misfit)
