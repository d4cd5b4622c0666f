"""Values by key in a SQLite file, shared between threads and processes; objects that reset after a fork.

The first value of a key wins; nothing is changed or deleted, except that a value which its owner cannot read may be
replaced. What `put_many` has returned from is on disk, whichever process is killed afterwards, and a transaction that
was cut off leaves no trace. Any number of processes and threads may read and write the same file at once: transactions
are short, and a process that meets a lock waits for it.

The file is marked as ours (`application_id`), so that another program's database is never written to.

A lock that another thread held at the fork stays locked in the child for ever, and that thread is not there to release
it. So the child makes its own before anything else runs in it. Where there is no fork, nothing is to be done.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import weakref
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar
from weakref import WeakSet

from goldproof.closeable import Closeable
from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping


T = TypeVar("T")

_APPLICATION = 0x4B415254  # "KART"

_VERSION = 1

_ROWS_PER_TRANSACTION = 1000

_KEYS_PER_QUERY = 500

_PATIENCE_S = 60.0

_FAULTY_FILE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}

_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}

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
        deadline = time.monotonic() + _PATIENCE_S
        with self._lock:
            while True:
                try:
                    return work(self._open())
                except sqlite3.Error as error:
                    if not _is_locked(error) or time.monotonic() > deadline:
                        self._drop()
                        raise _store_error(self._path, error) from error
                time.sleep(0.01)

    def _open(self) -> sqlite3.Connection:
        if self._closed:
            raise InputError(f"{self._path}: the store is closed; open it again.")
        if self._connection is None:
            self._connection = _connect(self._path)
            self._ended = weakref.finalize(self, self._connection.close)
        return self._connection

    def _drop(self) -> None:
        if self._ended is not None:
            self._ended()  # closes the connection
        self._connection = self._ended = None


def _connect(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}.") from error
    connection = sqlite3.connect(path, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False)
    try:
        _prepare(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Make the table in a new file; refuse a file of another program."""
    # In this order: another process may be making the table at this moment.
    is_empty = connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()[0] == 0
    owner = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if is_empty and owner in (0, _APPLICATION):
        connection.execute("PRAGMA journal_mode = WAL")
        _create(connection)
    elif (owner, version) != (_APPLICATION, _VERSION):
        kind = f"a store of version {version}" if owner == _APPLICATION else "a database of another program"
        raise InputError(
            f"{path}: is {kind}, not a store of version {_VERSION} of Goldproof's.\n"
            "  Delete it if nobody needs it, or choose another folder."
        )
    connection.execute("PRAGMA synchronous = FULL")


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute("CREATE TABLE IF NOT EXISTS items (key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL)")
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {_VERSION}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _select_one(connection: sqlite3.Connection, key: bytes) -> bytes | None:
    row = connection.execute("SELECT value FROM items WHERE key = ?", (key,)).fetchone()
    return None if row is None else row[0]


def _select(connection: sqlite3.Connection, keys: list[bytes]) -> list[tuple[bytes, bytes]]:
    marks = ",".join("?" * len(keys))
    return connection.execute(f"SELECT key, value FROM items WHERE key IN ({marks})", keys).fetchall()  # noqa: S608


def _insert(connection: sqlite3.Connection, pairs: list[tuple[bytes, bytes]]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany("INSERT OR IGNORE INTO items VALUES (?, ?)", pairs)
        connection.execute("COMMIT")
    finally:
        # Some failures (a full disk) have already ended the transaction.
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _update(connection: sqlite3.Connection, key: bytes, *, damaged: bytes, value: bytes) -> None:
    connection.execute("UPDATE items SET value = ? WHERE key = ? AND value = ?", (value, key, damaged))


def _parts(items: Iterable[T], size: int) -> Iterator[list[T]]:
    iterator = iter(items)
    while part := list(islice(iterator, size)):
        yield part


def _primary_code(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _is_locked(error: sqlite3.Error) -> bool:
    return _primary_code(error) in _LOCKED


def _store_error(path: Path, error: sqlite3.Error) -> InputError:
    code = _primary_code(error)
    if code in _FAULTY_FILE:
        return InputError(
            f"{path}: is damaged, or not a store of Goldproof's ({error}).\n"
            f"  Move it away, with {path.name}-wal and {path.name}-shm beside it if they are there, and run again; "
            f"`sqlite3 {path.name} .recover` may save what it holds, so delete nothing that was paid for."
        )
    if code in _LOCKED:
        return InputError(f"{path}: another process has kept it locked for {_PATIENCE_S:.0f} s; wait for it or end it.")
    return InputError(f"{path}: cannot be used: {error}; check the folder's permissions and the space on the disk.")


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
