"""Memories in one SQLite file; the check of one entry.

Dates and times in metadata become ISO text, so that an entry read from disk equals the one that was stored. The fields
of an entry, for filters and ages, are its metadata with `role`, and with `turn`: its number, from 1, where the metadata
has none.

    memories(place, role, content, metadata)      metadata is JSON

A place is never given twice, also after `clear`, so that the first and the last place identify the rows: a reader of
the table needs only these two to know what is new. A memory's number is its place among the rows, from 1.

Once `add` returns, every other process sees the row, and it survives the death of this one; a loss of power may take
the last few rows with it. Not for several threads at once: `Memory` has the lock.
"""

from __future__ import annotations

import json
import math
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from goldproof.errors import InputError, kind_of, shown
from goldproof.io.storage.sqlite_files import SqliteKind, in_transaction
from goldproof.retrieve.document_index import can_be_written

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from pathlib import Path

# Made once: json.dumps would make one for every call.
_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """One stored utterance; number: its place since the last `clear`, from 1."""

    number: int
    role: str
    content: str
    metadata: Mapping[str, object] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Its id."""
        return memory_id(self.number)

    @property
    def fields(self) -> dict[str, object]:
        """The fields that filters and ages are read from."""
        turn = self.metadata.get("turn")
        return {**self.metadata, "role": self.role, "turn": self.number if turn is None else turn}


def memory_id(number: int) -> str:
    """Return the id of a memory by its number; ids sort by age."""
    return f"m{number:06d}"


def checked_entry(number: int, role: object, *, content: object, metadata: object) -> Entry:
    """Return the entry; InputError where something cannot be stored."""
    for name, value in {"role": role, "content": content}.items():
        if not isinstance(value, str):
            raise InputError(f"the memory's {name} is {kind_of(value)} ({shown(value)}), expected text.")
        if not can_be_written(value):
            raise InputError(
                f"the memory's {name} ({shown(value)}) has half a surrogate pair, which UTF-8 cannot hold."
            )
    if metadata is not None and not isinstance(metadata, Mapping):
        raise InputError(f"the memory's metadata is {kind_of(metadata)} ({shown(metadata)}), expected a mapping.")
    return Entry(number, str(role), str(content), _plain(metadata or {}, "metadata"))


def metadata_text(metadata: Mapping[str, object]) -> str:
    """Return metadata as JSON."""
    return _JSON.encode(metadata)


def _plain(metadata: Mapping[object, object], where: str) -> dict[str, object]:
    """Return the mapping with values that JSON has."""
    for key in metadata:
        if not isinstance(key, str) or not can_be_written(key):
            raise InputError(f"the memory's {where} has the key {shown(key)}, expected text.")
    return {str(key): _plain_value(value, f"{where}.{key}") for key, value in metadata.items()}


def _plain_value(value: object, where: str) -> object:
    if isinstance(value, Mapping):
        return _plain(value, where)
    if isinstance(value, list | tuple):
        return [_plain_value(item, where) for item in value]
    if isinstance(value, date):
        return value.isoformat()
    if value is None or isinstance(value, bool | int | float | str):
        return _writable(value, where)
    raise InputError(
        f"the memory's {where} is {kind_of(value)} ({shown(value)}), which JSON does not have; expected text, numbers, "
        "true or false, lists and mappings."
    )


def _writable(value: float | str | None, where: str) -> object:
    not_finite = isinstance(value, float) and not math.isfinite(value)
    if not_finite or (isinstance(value, str) and not can_be_written(value)):
        raise InputError(f"the memory's {where} is {shown(value)}, which JSON does not have.")
    return value


T = TypeVar("T")

_MEMORIES = SqliteKind(
    "memory",
    application=0x4B41524D,  # "KARM"
    version=1,
    table="CREATE TABLE IF NOT EXISTS memories (place INTEGER PRIMARY KEY AUTOINCREMENT, role TEXT NOT NULL, "
    "content TEXT NOT NULL, metadata TEXT NOT NULL)",
    synchronous="NORMAL",
    if_other="; choose another file.",
    if_damaged="; choose another file.",
)
_RANGE = "SELECT (SELECT MIN(place) FROM memories), (SELECT MAX(place) FROM memories)"


class RowRange(NamedTuple):
    """The rows of the table: the first and the last place, 0 and 0 where there are none; none between is missing."""

    first: int = 0
    last: int = 0

    @property
    def size(self) -> int:
        """How many rows there are."""
        return self.last - self.first + 1 if self.last else 0


class MemoryTable:
    """The table of memories in a file, which is made where there is none; without a path, in memory."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._closed = False
        self.rows()

    def add(self, role: str, content: str, *, metadata: str) -> int:
        """Add a row; return its number."""

        def work(connection: sqlite3.Connection) -> int:
            insert = "INSERT INTO memories (role, content, metadata) VALUES (?, ?, ?)"
            place = connection.execute(insert, (role, content, metadata)).lastrowid or 0
            return place - int(connection.execute(_RANGE).fetchone()[0]) + 1

        return self._run(work if self._path is None else lambda connection: in_transaction(connection, work))

    def clear(self) -> None:
        """Remove every row."""
        self._run(lambda connection: in_transaction(connection, lambda c: c.execute("DELETE FROM memories")))

    def rows(self) -> RowRange:
        """Return the range of the rows as of now."""
        first, last = self._run(lambda connection: connection.execute(_RANGE).fetchone())
        return RowRange(first or 0, last or 0)

    def after(self, place: int) -> tuple[RowRange, list[Entry]]:
        """Return the range of the rows, and the entries after a place, both of one moment."""
        select = "SELECT place, role, content, metadata FROM memories WHERE place > ? ORDER BY place"

        def work(connection: sqlite3.Connection) -> tuple[RowRange, list[Entry]]:
            first, last = connection.execute(_RANGE).fetchone()
            rows = connection.execute(select, (place,)).fetchall()
            return RowRange(first or 0, last or 0), [_entry(row, first) for row in rows]

        return self._run(lambda connection: in_transaction(connection, work, begin="BEGIN"))

    def close(self) -> None:
        """Close the file."""
        self._closed = True
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return _MEMORIES.patiently(lambda: work(self._open()), self._path)

    def _open(self) -> sqlite3.Connection:
        if self._closed:
            raise InputError("the memory is closed; open it again.")
        if self._connection is None:
            self._connection = _MEMORIES.connect(self._path)
            weakref.finalize(self, self._connection.close)  # so that a scratch memory need not be closed
        return self._connection


def _entry(row: tuple[int, str, str, str], first: int) -> Entry:
    place, role, content, metadata = row
    return Entry(place - first + 1, role, content, json.loads(metadata))
