"""The contexts of a row of a user's table as documents, and which of them are gold.

A context column holds a text, a list of texts, an object {id, title, text}, or a list of such objects; in a cell of
text also any of these written as JSON, or a list as Python or numpy prints it. Contexts of several columns follow each
other.

- An id is that of the object, else the one at the same place in the document_id column, else made of the content. Ids
  that only number the contexts of a row (0, 1, 2 or 1, 2, 3) are places and no ids: another row has them as well. A
  number of 2**53 or more that is held as a float is no id: its neighbours are the same number.
- `gold` names ids where there are ids, else places from 0, or the text or title itself; a list of true and false is
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
class Given:
    """One context as it is given: `id` may be absent, or name nothing outside of the row."""

    text: str
    title: str = ""
    id: str | None = None


def read_contexts(record: JsonObject, columns: TableColumns) -> list[Given]:
    """Return the contexts of a row in their order, blank ones among them."""
    found = [given for name in columns.context for given in _given(record.get(name))]
    ids = [id_text(item) for name in columns.document_id for item in opened_list(record.get(name))]
    if ids and len(ids) != len(found):
        raise BadRowError("document ids do not match the contexts", f"{len(ids)} ids for {len(found)} contexts")
    titles = opened_list(record.get(columns.title)) if columns.title else []
    if len(titles) == 1:
        titles = titles * len(found)
    if titles and len(titles) != len(found):
        raise BadRowError("titles do not match the contexts", f"{len(titles)} titles for {len(found)} contexts")
    return [
        Given(
            given.text,
            given.title or (plain_text(titles[place]) if titles else ""),
            given.id or (ids[place] if ids else "") or None,
        )
        for place, given in enumerate(found)
    ]


def to_documents(contexts: Sequence[Given], *, prefix: str) -> list[Document | None]:
    """Return each context as a document, None for a blank one."""
    numbered = _are_places([given.id for given in contexts])
    return [_document(given, prefix=prefix, trust_id=not numbered) if given.text else None for given in contexts]


def gold_places(value: object, contexts: Sequence[Given]) -> list[int]:
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
    """Return what a cell holds, also where it is written as JSON or as Python prints a list."""
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    found = parsed(value)
    return found if found is not value else _printed_list(value.strip())


def opened_list(value: object) -> list[object]:
    """Return a list as it is, nothing for an absent value, and anything else as the only element of a list."""
    found = opened(value)
    if found is None or found == "":
        return []
    return found if isinstance(found, list) else [found]


def plain_text(value: object) -> str:
    """Return a value as text: yes and no for true and false, "" for what is neither text nor a number."""
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
    found = _literal(text)
    return found if isinstance(found, list) and repr(found) == text else text


def _literal(text: str) -> object:
    """Return the Python value that is written, None where it is none."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _given(value: object) -> list[Given]:
    """Return the contexts of a cell; a text that only looks like JSON, such as a configuration file, is itself one."""
    found = opened(value)
    items = found if isinstance(found, list) else [found]
    if isinstance(value, str) and not all(map(_is_context, items)):
        items = [value]
    return [_context(item) for item in items] if items != [None] else []


def _is_context(item: object) -> bool:
    return isinstance(item, str) or (isinstance(item, Mapping) and any(key in item for key in _TEXT))


def _context(item: object) -> Given:
    if not isinstance(item, Mapping):
        return Given(item.strip() if isinstance(item, str) else "")
    text = next((text for key in _TEXT if (text := _whole_text(item.get(key)))), "")
    own_id = next((found for key in _ID if (found := id_text(item.get(key)))), None)
    return Given(text, plain_text(item.get("title")), own_id)


def _document(given: Given, *, prefix: str, trust_id: bool) -> Document:
    made = passage_id(prefix, title=given.title, text=given.text)
    return Document(f"{prefix}:{safe_id(given.id)}" if given.id and trust_id else made, given.text, given.title)


def _are_places(ids: Sequence[str | None]) -> bool:
    numbers = [str(number) for number in range(len(ids) + 1)]
    return len(ids) > 1 and list(ids) in (numbers[:-1], numbers[1:])


def _names(contexts: Sequence[Given]) -> dict[str, int]:
    """Return what gold may call the contexts that have text -> their places; the first of equal names is meant."""
    with_text = [(place, given) for place, given in reversed(list(enumerate(contexts))) if given.text]
    if any(given.id for _, given in with_text):
        return {given.id: place for place, given in with_text if given.id}
    names = {given.title: place for place, given in with_text if given.title}
    names |= {given.text: place for place, given in with_text}
    return names | {str(place): place for place, _ in with_text}
