"""SQLite key-value store shared between threads and processes; objects that reset after a fork.

The first value of a key wins; nothing is changed or deleted, except that a value which its owner cannot read may be
replaced. What `put_many` has returned from is on disk, whichever process is killed afterwards, and a transaction that
was cut off leaves no trace. Any number of processes and threads may read and write the same file at once: transactions
are short, and a process that meets a lock waits for it.

A lock that another thread held at the fork stays locked in the child for ever, and that thread is not there to release
it. So the child makes its own before anything else runs in it. Where there is no fork, nothing is to be done.
"""

from __future__ import annotations

import os
import threading
import weakref
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar
from weakref import WeakSet

from goldproof.closeable import Closeable
from goldproof.errors import InputError
from goldproof.io.storage.sqlite_files import SqliteKind, in_transaction

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Mapping


T = TypeVar("T")

_ROWS_PER_TRANSACTION = 1000

_KEYS_PER_QUERY = 500

_STORE = SqliteKind(
    "store",
    application=0x4B415254,  # "KART"
    version=1,
    table="CREATE TABLE IF NOT EXISTS items (key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL)",
    synchronous="FULL",
    if_other=".\n  Delete it if it is not needed, or choose another folder.",
    if_damaged=".\n  Move it away, with {name}-wal and {name}-shm if there are any, and run again; "
    "`sqlite3 {name} .recover` may recover what was paid for, so do not delete it.",
)

# Connections that came through a fork. SQLite forbids every use of them, closing as well, so they are never let go of.
_INHERITED: list[sqlite3.Connection] = []


class KeyedStore(Closeable):
    """Values by key in one file, which is made if it is missing.

    `close` closes the file, or the end of a `with` block; failing both, the end of the store itself.
    """

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._ended: weakref.finalize[[], KeyedStore] | None = None
        self._closed = False
        reset_after_fork(self)
        self._run(lambda connection: connection.execute("SELECT 1 FROM items LIMIT 1").fetchone())

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def get(self, key: bytes) -> bytes | None:
        """Return the value of a key; None where there is none."""
        return self._run(partial(_select_one, key=key))

    def get_many(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the values of the keys that are there, in the order asked."""
        wanted = list(dict.fromkeys(keys))
        values: dict[bytes, bytes] = {}
        for part in _parts(wanted, _KEYS_PER_QUERY):
            values.update(self._run(partial(_select, keys=part)))
        return {key: values[key] for key in wanted if key in values}

    def put_many(self, items: Mapping[bytes, bytes] | Iterable[tuple[bytes, bytes]]) -> None:
        """Add values; a key that is there keeps the value it has."""
        pairs = items.items() if hasattr(items, "items") else items
        # Taken whole before a transaction opens: a slow iterator must not hold the lock.
        for part in _parts(pairs, _ROWS_PER_TRANSACTION):
            self._run(partial(_insert, pairs=part))

    def replace(self, key: bytes, *, damaged: bytes, value: bytes) -> None:
        """Replace a value that its owner cannot read, unless another process has done so meanwhile."""
        self._run(partial(_update, key=key, damaged=damaged, value=value))

    def __len__(self) -> int:
        return int(self._run(lambda connection: connection.execute("SELECT COUNT(*) FROM items").fetchone()[0]))

    def close(self) -> None:
        """Close the file; the store cannot be used afterwards."""
        with self._lock:
            self._closed = True
            self._drop()

    def release(self) -> None:
        """Close the file until the store is used again."""
        with self._lock:
            self._drop()

    def start_anew(self) -> None:
        """Open a connection of its own in a forked child, with a lock that no thread holds."""
        self._lock = threading.RLock()
        if self._connection is not None:
            _INHERITED.append(self._connection)
        if self._ended is not None:
            self._ended.detach()
        self._connection = self._ended = None

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do one piece of work; retry while another process has the lock."""
        with self._lock:
            try:
                return _STORE.patiently(lambda: work(self._open()), self._path)
            except InputError:
                self._drop()
                raise

    def _open(self) -> sqlite3.Connection:
        if self._closed:
            raise InputError(f"{self._path}: the store is closed; open it again.")
        if self._connection is None:
            self._connection = _STORE.connect(self._path)
            self._ended = weakref.finalize(self, self._connection.close)
        return self._connection

    def _drop(self) -> None:
        if self._ended is not None:
            self._ended()  # closes the connection
        self._connection = self._ended = None


def _select_one(connection: sqlite3.Connection, key: bytes) -> bytes | None:
    row = connection.execute("SELECT value FROM items WHERE key = ?", (key,)).fetchone()
    return None if row is None else row[0]


def _select(connection: sqlite3.Connection, keys: list[bytes]) -> list[tuple[bytes, bytes]]:
    marks = ",".join("?" * len(keys))
    return connection.execute(f"SELECT key, value FROM items WHERE key IN ({marks})", keys).fetchall()  # noqa: S608


def _insert(connection: sqlite3.Connection, pairs: list[tuple[bytes, bytes]]) -> None:
    in_transaction(connection, lambda c: c.executemany("INSERT OR IGNORE INTO items VALUES (?, ?)", pairs))


def _update(connection: sqlite3.Connection, key: bytes, *, damaged: bytes, value: bytes) -> None:
    connection.execute("UPDATE items SET value = ? WHERE key = ? AND value = ?", (value, key, damaged))


def _parts(items: Iterable[T], size: int) -> Iterator[list[T]]:
    iterator = iter(items)
    while part := list(islice(iterator, size)):
        yield part


class ForkAware(Protocol):
    """An object that resets itself in a forked child."""

    def start_anew(self) -> None:
        """Forget everything that belongs to the parent; called in the child, before anything else runs."""


_FORK_AWARE: WeakSet[ForkAware] = WeakSet()


def reset_after_fork(target: ForkAware) -> None:
    """Call `start_anew` of an object in every child that is forked while it lives."""
    _FORK_AWARE.add(target)


def _reset_all() -> None:
    for target in list(_FORK_AWARE):
        target.start_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_all)
