"""Answers of an unfinished run on disk.

One file per run in `GOLDPROOF_HOME/runs`, named by a key of all that decides its answers (corpus, pipeline, k, filters,
now). Only answers are kept: what failed is tried again. The file is deleted when the run has been written, or after 30
days.
"""

from __future__ import annotations

import hashlib
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import orjson

from goldproof.io.storage import KeyedStore
from goldproof.io.storage.home import make_home

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from goldproof.records.entities import Question

OLD = 30 * 24 * 3600.0


class UnfinishedRun:
    """A file with the items so far of one run, bytes by key.

    key: the content key of all that decides the items. fresh: delete those that are there.
    """

    def __init__(self, key: str, *, fresh: bool = False) -> None:
        folder = make_home() / "runs"
        folder.mkdir(exist_ok=True)
        _remove_old(folder)
        self.path: Path = folder / f"{key[:32]}.sqlite"
        if fresh:
            self._remove()
        self._store = KeyedStore(self.path)

    def read(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the items that are there."""
        return self._store.get_many(keys)

    def add(self, items: Mapping[bytes, bytes]) -> None:
        """Add some items."""
        self._store.put_many(items)

    def close(self) -> None:
        """Close the file; it stays, unless it is empty."""
        empty = not len(self._store)
        self._store.close()
        if empty:
            self._remove()

    def forget(self) -> None:
        """Delete the items: the run is written."""
        self._store.close()
        self._remove()

    def _remove(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            with suppress(OSError):  # another process may have it open: it is only a cache
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)


def _remove_old(folder: Path) -> None:
    """Remove the files of runs that were never resumed."""
    for path in folder.glob("*.sqlite*"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > OLD:
                path.unlink()


Answer = tuple[list[str], list[float]]


class ProgressFile:
    """The answers so far of one run, by question; the parameters are those of `UnfinishedRun`."""

    def __init__(self, key: str, *, fresh: bool = False) -> None:
        self._run = UnfinishedRun(key, fresh=fresh)

    @property
    def path(self) -> Path:
        """The file."""
        return self._run.path

    def read(self, questions: Iterable[Question]) -> dict[str, Answer]:
        """Return the answers that are there."""
        keys = {_key(question): question.id for question in questions}
        return {keys[key]: tuple(orjson.loads(value)) for key, value in self._run.read(keys).items()}

    def add(self, answers: Iterable[tuple[Question, Answer]]) -> None:
        """Add some answers."""
        self._run.add({_key(question): orjson.dumps(answer) for question, answer in answers})

    def close(self) -> None:
        """Close the file; it stays, unless it is empty."""
        self._run.close()

    def forget(self) -> None:
        """Delete the answers: the run is written."""
        self._run.forget()


def _key(question: Question) -> bytes:
    return hashlib.sha256(f"{question.id}\0{question.text}".encode("utf-8", "surrogatepass")).digest()
