"""Contexts of a row of a user's table: read as documents, and which of them are gold.

A context column holds a text, a list of texts, an object {id, title, text}, or a list of such objects; in a cell of
text also any of these written as JSON, or a list as Python or numpy prints it. Contexts of several columns follow each
other.

- An id is that of the object, else the one at the same place in the document_id column, else made of the content. Ids
  that only number the contexts of a row (0, 1, 2 or 1, 2, 3) are positions and no ids: another row has them as well. A
  number of 2**53 or more that is held as a float is no id: its neighbours are the same number.
- `gold` names ids where there are ids, else positions from 0, or the text or title itself; a list of true and false is
  read in parallel. Without the column all contexts are gold.
- A context without text is none; equal ones are one document.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.build.adapters.adapter import parsed, passage_id, safe_id
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.build.adapters.adapter import JsonObject
    from goldproof.jobs.build.adapters.table import TableColumns

_TEXT = ("text", "content", "page_content", "passage", "body")
_ID = ("id", "_id", "doc_id", "document_id")
_EXACT = 2.0**53
_QUOTED = re.compile(r"'(?:[^'\\\n]|\\.)*+'|\"(?:[^\"\\\n]|\\.)*+\"")
_NUMPY_LIST = re.compile(rf"\[(?:{_QUOTED.pattern})(?:\s+(?:{_QUOTED.pattern}))+\]")


class BadRowError(ValueError):
    """A row that cannot be used: the reason, without values, and what exactly was found."""

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class RowContext:
    """One context of a row; `id` may be absent, or mean something only within the row."""

    text: str
    title: str = ""
    id: str | None = None


def read_contexts(record: JsonObject, columns: TableColumns) -> list[RowContext]:
    """Return the contexts of a row in their order, blank ones among them."""
    contexts = [context for name in columns.context for context in _given(record.get(name))]
    ids = [id_text(item) for name in columns.document_id for item in opened_list(record.get(name))]
    if ids and len(ids) != len(contexts):
        raise BadRowError("document ids do not match the contexts", f"{len(ids)} ids for {len(contexts)} contexts")
    titles = opened_list(record.get(columns.title)) if columns.title else []
    if len(titles) == 1:
        titles = titles * len(contexts)
    if titles and len(titles) != len(contexts):
        raise BadRowError("titles do not match the contexts", f"{len(titles)} titles for {len(contexts)} contexts")
    return [
        RowContext(
            context.text,
            context.title or (plain_text(titles[place]) if titles else ""),
            context.id or (ids[place] if ids else "") or None,
        )
        for place, context in enumerate(contexts)
    ]


def to_documents(contexts: Sequence[RowContext], *, prefix: str) -> list[Document | None]:
    """Return each context as a document, None for a blank one."""
    numbered = _are_places([context.id for context in contexts])
    return [_document(context, prefix=prefix, trust_id=not numbered) if context.text else None for context in contexts]


def gold_places(value: object, contexts: Sequence[RowContext]) -> list[int]:
    """Return the places of the contexts that a gold column names."""
    marks = opened_list(value)
    if not marks:
        raise BadRowError("no gold context marked")
    if all(isinstance(mark, bool) for mark in marks):
        places = [place for place, mark in enumerate(marks) if mark]
        if len(marks) != len(contexts) or not places:
            raise BadRowError("no gold context marked", f"{marks} for {len(contexts)} contexts")
        return places
    names = _names(contexts)
    unknown = [mark for mark in marks if id_text(mark) not in names]
    if unknown:
        shown = str(unknown[0])[:60]
        raise BadRowError("gold context does not exist", f"{shown!r}, of {len(contexts)} contexts")
    return list(dict.fromkeys(names[id_text(mark)] for mark in marks))


def opened(value: object) -> object:
    """Return the value of a cell, parsed where it is JSON or a list as Python prints it."""
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    decoded = parsed(value)
    return decoded if decoded is not value else _printed_list(value.strip())


def opened_list(value: object) -> list[object]:
    """Return the value of a cell as a list: [] for an absent value, a single element for any other that is no list."""
    content = opened(value)
    if content is None or content == "":
        return []
    return content if isinstance(content, list) else [content]


def plain_text(value: object) -> str:
    """Return a value as text: yes and no for true and false, "" for anything that is neither text nor a number."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).strip() if isinstance(value, str | int | float) else ""


def id_text(value: object) -> str:
    """Return an id as text; one that other ids were rounded to as well drops the row."""
    if isinstance(value, float) and abs(value) >= _EXACT:
        raise BadRowError("id is a number too large to be exact", f"{value!r}; write it as text")
    return _whole_text(value)


def _whole_text(value: object) -> str:
    """Return a value as text; a whole number that a table holds as 17.0, since other rows have none, is 17."""
    return plain_text(int(value) if isinstance(value, float) and value.is_integer() else value)


def _printed_list(text: str) -> object:
    """Read a list as pandas writes it to CSV: with commas, or an array (['a' 'b']) with blanks and line breaks.

    Only what prints back the same was printed.
    """
    if _NUMPY_LIST.fullmatch(text):
        quoted = _QUOTED.findall(text)
        items = [_literal(item) for item in quoted]
        return items if list(map(repr, items)) == quoted else text
    literal = _literal(text)
    return literal if isinstance(literal, list) and repr(literal) == text else text


def _literal(text: str) -> object:
    """Return the value of a Python literal, None where the text is none."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _given(value: object) -> list[RowContext]:
    """Return the contexts of a cell; a text that only looks like JSON, such as a configuration file, is itself one."""
    content = opened(value)
    items = content if isinstance(content, list) else [content]
    if isinstance(value, str) and not all(map(_is_context, items)):
        items = [value]
    return [_context(item) for item in items] if items != [None] else []


def _is_context(item: object) -> bool:
    return isinstance(item, str) or (isinstance(item, Mapping) and any(key in item for key in _TEXT))


def _context(item: object) -> RowContext:
    if not isinstance(item, Mapping):
        return RowContext(item.strip() if isinstance(item, str) else "")
    text = next((text for key in _TEXT if (text := _whole_text(item.get(key)))), "")
    own_id = next((name for key in _ID if (name := id_text(item.get(key)))), None)
    return RowContext(text, plain_text(item.get("title")), own_id)


def _document(context: RowContext, *, prefix: str, trust_id: bool) -> Document:
    content_name = passage_id(prefix, title=context.title, text=context.text)
    return Document(
        f"{prefix}:{safe_id(context.id)}" if context.id and trust_id else content_name, context.text, context.title
    )


def _are_places(ids: Sequence[str | None]) -> bool:
    numbers = [str(number) for number in range(len(ids) + 1)]
    return len(ids) > 1 and list(ids) in (numbers[:-1], numbers[1:])


def _names(contexts: Sequence[RowContext]) -> dict[str, int]:
    """Return the names that gold may use -> position, of contexts with text; the first of equal names is meant."""
    with_text = [(place, context) for place, context in reversed(list(enumerate(contexts))) if context.text]
    if any(context.id for _, context in with_text):
        return {context.id: place for place, context in with_text if context.id}
    names = {context.title: place for place, context in with_text if context.title}
    names |= {context.text: place for place, context in with_text}
    return names | {str(place): place for place, _ in with_text}
