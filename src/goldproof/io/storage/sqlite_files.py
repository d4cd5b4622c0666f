"""Goldproof's SQLite files: opening and marking them, transactions, waiting for locks, error messages.

A file is marked as ours (`application_id`), so that another program's database is never written to.
"""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

T = TypeVar("T")

_PATIENCE_S = 60.0
_WAIT_S = 5.0  # of one statement, in SQLite itself
_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_FAULTY_FILE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


@dataclass(frozen=True, slots=True)
class SqliteKind:
    """A kind of file: what messages call it, how it is marked, and the statement that makes its table.

    if_other, if_damaged: how the sentence ends that refuses a file; `{name}` is that of the file.
    """

    noun: str
    application: int
    version: int
    table: str
    synchronous: Literal["FULL", "NORMAL"]
    if_other: str
    if_damaged: str

    def connect(self, path: Path | None) -> sqlite3.Connection:
        """Open a file, which is made where there is none; without a path, in memory."""
        if path is not None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"{path}: cannot be written: {error.strerror or error}.") from error
        connection = sqlite3.connect(path or ":memory:", timeout=_WAIT_S, isolation_level=None, check_same_thread=False)
        try:
            self._prepare(connection, path)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection, path: Path | None) -> None:
        """Make the table in a new file; refuse the file of another program or version."""
        # In this order: another process may be making the table at this moment.
        is_empty = connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()[0] == 0
        owner = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if is_empty and owner in (0, self.application):
            connection.execute("PRAGMA journal_mode = WAL")
            in_transaction(connection, self._create)
        elif (owner, version) != (self.application, self.version):
            kind = (
                f"a {self.noun} of version {version}" if owner == self.application else "a database of another program"
            )
            raise InputError(
                f"{path}: is {kind}, not a {self.noun} of version {self.version} of Goldproof's{self.if_other}"
            )
        connection.execute(f"PRAGMA synchronous = {self.synchronous}")

    def _create(self, connection: sqlite3.Connection) -> None:
        connection.execute(self.table)
        connection.execute(f"PRAGMA application_id = {self.application}")
        connection.execute(f"PRAGMA user_version = {self.version}")

    def patiently(self, work: Callable[[], T], path: Path | None) -> T:
        """Do some work, and again while another process has the lock; InputError where it cannot be done."""
        deadline = time.monotonic() + _PATIENCE_S
        while True:
            try:
                return work()
            except sqlite3.Error as error:
                if _code(error) not in _LOCKED or time.monotonic() > deadline:
                    raise InputError(f"{path}: {self._complaint(path, error)}") from error
            time.sleep(0.01)

    def _complaint(self, path: Path | None, error: sqlite3.Error) -> str:
        code = _code(error)
        if code in _FAULTY_FILE:
            ending = self.if_damaged.format(name="" if path is None else path.name)
            return f"is damaged, or not a {self.noun} of Goldproof's ({error}){ending}"
        if code in _LOCKED:
            return f"another process has kept it locked for {_PATIENCE_S:.0f} s; wait for it or end it."
        return f"cannot be used: {error}; check the folder's permissions and the space on the disk."


def _code(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def in_transaction(
    connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], T], *, begin: str = "BEGIN IMMEDIATE"
) -> T:
    """Do some work in one transaction."""
    connection.execute(begin)
    try:
        result = work(connection)
        connection.execute("COMMIT")
    finally:
        # Some failures (a full disk) have already ended the transaction.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return result
