"""Cache of model answers, on disk or in memory: batched writes, and claims between processes.

An answer is JSON under the key of its question. The first one stays: a second caller gets it back and goes on with it.
Any number of processes may share the file, and one that is killed loses no answer whose `put` had returned. Entries
that cannot be read count as not there (`damaged` says how many) and are replaced. Readers never wait for the writer:
each has a connection of its own.

A put is over when it is on disk, which takes a disk some milliseconds; the event loop does other work meanwhile. Puts
that arrive while the thread writes are written with the next transaction. Where writing fails, every caller of that
transaction gets the error, and none waits for ever.

A claim is a lock on one byte of a file that all processes share; the key decides which byte. The system frees the locks
of a process that ends, however it ends. Such locks hold between processes, not inside of one: there a set of the bytes
that are taken tells callers apart. Two keys may fall on one byte (1 in 2 thousand million): then one waits for the
other, which costs time and nothing else. Where a file system knows no locks, claims hold inside of one process only.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import json
import os
import sys
import threading
import time
import weakref
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Protocol

import orjson

from goldproof.closeable import Closeable
from goldproof.errors import InputError
from goldproof.io.storage import KeyedStore
from goldproof.io.storage.keyed_store import reset_after_fork

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager


_FIRST_LOOK_S, _LONGEST_LOOK_S = 0.01, 0.25
PATIENCE_S = 900.0  # a call takes two minutes at most, but may have to wait for its turn under a low rate


@dataclass(frozen=True, slots=True)
class KeptReply:
    """An answer as it is kept.

    cost: in dollars, None where the price is not known. model: the one that gave it. ended: `refused`, `length` (cut
    off at the provider's limit of tokens), `capped` (at ours, which a budget sets), or nothing.
    """

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    model: str = ""
    ended: str = ""


class Answers(Protocol):
    """A store of answers, on disk or in memory; `AnswerCache` documents the methods."""

    def get(self, key: bytes) -> KeptReply | None:
        """Return the answer that is kept; None where there is none."""

    async def put(self, key: bytes, reply: KeptReply) -> KeptReply:
        """Keep an answer and return the one that counts."""

    def claim(self, key: bytes) -> AbstractAsyncContextManager[KeptReply | None]:
        """Wait until no other caller is asking this question; then yield the answer, if one has arrived meanwhile."""


class MemoryAnswers:
    """Answers by key, in memory."""

    def __init__(self) -> None:
        self._kept: dict[bytes, KeptReply] = {}

    def get(self, key: bytes) -> KeptReply | None:
        """Return the answer that is kept; None where there is none."""
        return self._kept.get(key)

    async def put(self, key: bytes, reply: KeptReply) -> KeptReply:
        """Keep an answer and return the one that counts: the first."""
        return self._kept.setdefault(key, reply)

    @asynccontextmanager
    async def claim(self, key: bytes) -> AsyncIterator[KeptReply | None]:
        """Yield the answer at once: the channel to a model lets each question through once."""
        yield self._kept.get(key)


class AnswerCache(Closeable):
    """Answers by key, for any number of threads, event loops and processes; `shared_cache` is the usual way to one.

    patience: seconds to wait for another process that asks the same question. One that was stopped would hold its
    claims for ever; after that time the question is asked all the same.
    """

    def __init__(self, path: Path | None = None, *, patience: float = PATIENCE_S) -> None:
        path = _default_path() if path is None else path
        self.path = path
        self.damaged = 0
        self._patience = patience
        self._kept = KeyedStore(path)
        self._writer = BatchedWriter(KeyedStore(path), is_whole=_is_whole)
        self._claims = Claims(path.with_suffix(".claims"))
        self._close = weakref.finalize(self, _close, self._kept, self._writer)

    def get(self, key: bytes) -> KeptReply | None:
        """Return the answer that is kept; None where there is none."""
        value = self._kept.get(key)
        if value is None:
            return None
        reply = _decoded(value)
        if reply is None:
            self.damaged += 1
        return reply

    async def put(self, key: bytes, reply: KeptReply) -> KeptReply:
        """Keep an answer; once it is on disk return the one that counts: this, or one that was there before."""
        return _decoded(await self._writer.put(key, _encoded(reply))) or reply

    @asynccontextmanager
    async def claim(self, key: bytes) -> AsyncIterator[KeptReply | None]:
        """Wait until no other caller is asking this question; then yield the answer, if one has arrived meanwhile.

        Where it is None the question is the caller's to ask, and to put, before the block ends.
        """
        taken = await self._take(key)
        try:
            # Another may have answered while this one waited, or between the caller's look and the claim.
            yield self.get(key)
        finally:
            if taken:
                self._claims.release(key)

    async def _take(self, key: bytes) -> bool:
        """Return whether the claim was taken; False where the answer has arrived, or patience has ended."""
        wait, end = _FIRST_LOOK_S, time.monotonic() + self._patience
        while not self._claims.try_take(key):
            if time.monotonic() >= end:
                return False
            await asyncio.sleep(wait)
            wait = min(wait * 1.5, _LONGEST_LOOK_S)
            if self.get(key) is not None:
                return False
        return True

    @property
    def is_closed(self) -> bool:
        """Whether it has been closed."""
        return not self._close.alive

    def close(self) -> None:
        """Write all waiting answers and close the files."""
        self._close()


def _close(kept: KeyedStore, writer: BatchedWriter) -> None:
    writer.close()
    kept.close()


class _Shared:
    """The caches of this process by their files; each ends with its last user."""

    def __init__(self) -> None:
        self._caches: weakref.WeakValueDictionary[str, AnswerCache] = weakref.WeakValueDictionary()
        self.start_anew()
        reset_after_fork(self)

    def start_anew(self) -> None:
        self._lock = Lock()

    def get(self, path: Path) -> AnswerCache:
        with self._lock:
            cache = self._caches.get(str(path))
            if cache is None or cache.is_closed:
                cache = self._caches[str(path)] = AnswerCache(path)
            return cache


_SHARED = _Shared()


def shared_cache(path: Path | None = None) -> AnswerCache:
    """Return this process's cache of a file, so that all models write with one thread."""
    return _SHARED.get(_default_path() if path is None else path)


def _default_path() -> Path:
    from goldproof.io.storage.home import make_home  # noqa: PLC0415 - its package takes half a second

    return make_home() / "answers.sqlite"


def _encoded(reply: KeptReply) -> bytes:
    try:
        return orjson.dumps(reply)
    except orjson.JSONEncodeError:  # half of a surrogate pair, which a broken answer may hold
        return json.dumps(asdict(reply)).encode("ascii")


def _decoded(value: bytes) -> KeptReply | None:
    """Return the answer of an entry; None where it is damaged."""
    try:
        return _reply(orjson.loads(value))
    except orjson.JSONDecodeError:
        pass
    try:
        return _reply(json.loads(value))
    except ValueError:
        return None


def _reply(fields: object) -> KeptReply | None:
    # By hand: a match statement takes four times as long, and this is done for every hit.
    if (
        isinstance(fields, dict)
        and isinstance(text := fields.get("text"), str)
        and isinstance(tokens_in := fields.get("tokens_in"), int)
        and isinstance(tokens_out := fields.get("tokens_out"), int)
        and isinstance(cost := fields.get("cost"), float | int | None)
        and isinstance(model := fields.get("model"), str)
    ):
        return KeptReply(text, tokens_in, tokens_out, cost, model, str(fields.get("ended", "")))
    return None


def _is_whole(value: bytes) -> bool:
    return _decoded(value) is not None


@dataclass(frozen=True, slots=True)
class _Put:
    key: bytes
    value: bytes
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[bytes]


class BatchedWriter:
    """Writes to a store in one thread, many puts in one transaction; the store belongs to it from then on.

    is_whole: tells values that can be read from damaged ones, which are replaced.
    """

    def __init__(self, store: KeyedStore, *, is_whole: Callable[[bytes], bool]) -> None:
        self._store = store
        self._is_whole = is_whole
        self._closed = False
        self.start_anew()
        reset_after_fork(self)

    def start_anew(self) -> None:
        """Begin with nothing to do: puts that wait in a parent process are written there."""
        self._changed = threading.Condition()
        self._waiting: list[_Put] = []
        self._thread: threading.Thread | None = None

    async def put(self, key: bytes, value: bytes) -> bytes:
        """Return the value of the key on disk: this one, or the one that was there first."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[bytes] = loop.create_future()
        with self._changed:
            if self._closed:
                raise InputError(f"{self._store.path}: the store is closed; open it again.")
            self._waiting.append(_Put(key, value, loop, future))
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="goldproof-writer", daemon=True)
                self._thread.start()
            self._changed.notify()
        return await future

    def close(self) -> None:
        """Write all waiting puts and close the file."""
        with self._changed:
            self._closed = True
            thread = self._thread
            self._changed.notify()
        if thread is None:
            self._store.close()
        elif thread is not threading.current_thread():  # garbage is collected in any thread
            thread.join()

    def _work(self) -> None:
        while batch := self._next_batch():
            _wake(batch, self._outcome(batch))
        self._store.close()

    def _next_batch(self) -> list[_Put]:
        """Wait for puts; return none when closed."""
        with self._changed:
            while not self._waiting and not self._closed:
                self._changed.wait()
            batch, self._waiting = self._waiting, []
            return batch

    def _outcome(self, batch: list[_Put]) -> dict[bytes, bytes] | Exception:
        try:
            return self._write({put.key: put.value for put in reversed(batch)})  # reversed: the first of a key stays
        except Exception as error:  # noqa: BLE001 - whatever it is, the callers that wait must get it
            return error

    def _write(self, items: dict[bytes, bytes]) -> dict[bytes, bytes]:
        self._store.put_many(items)
        kept = self._store.get_many(items)
        damaged = [(key, value) for key, value in kept.items() if not self._is_whole(value)]
        for key, value in damaged:
            self._store.replace(key, damaged=value, value=items[key])
        return {**kept, **self._store.get_many(key for key, _ in damaged)}


def _wake(batch: list[_Put], outcome: dict[bytes, bytes] | Exception) -> None:
    """Resolve the future of every caller in its own event loop; a loop that has ended has no caller left."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Put]] = {}
    for put in batch:
        by_loop.setdefault(put.loop, []).append(put)
    for loop, puts in by_loop.items():
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_resolve, puts, outcome)


def _resolve(puts: list[_Put], outcome: dict[bytes, bytes] | Exception) -> None:
    for put in puts:
        if put.future.done():  # its caller was cancelled; the value is kept all the same
            continue
        if isinstance(outcome, InputError):
            put.future.set_exception(InputError(str(outcome)))  # one for each: raising adds its trace to it
        elif isinstance(outcome, Exception):
            put.future.set_exception(outcome)
        else:
            put.future.set_result(outcome[put.key])


_BYTES = 2**31 - 1  # the farthest that Windows can lock
_HELD = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}


class Claims:
    """Claims on keys, by one file; all objects of one file in one process share them."""

    def __init__(self, path: Path | str) -> None:
        self._file = _FILES.open(Path(path))

    def try_take(self, key: bytes) -> bool:
        """Take a claim if it is free, and return whether it was; never waits."""
        return self._file.take(_place(key))

    def release(self, key: bytes) -> None:
        """Give back a claim that was taken."""
        self._file.give_back(_place(key))


class _LockFile:
    """One open file. Closing any handle of a file frees all locks that the process has on it: so it is never closed."""

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
        except OSError as error:
            raise InputError(
                f"{path}: cannot be written: {error.strerror or error}; check the folder's permissions, "
                "or set GOLDPROOF_HOME to another one."
            ) from error
        self.start_anew()
        reset_after_fork(self)

    def start_anew(self) -> None:
        """Hold nothing: a child does not inherit the locks."""
        self._lock = threading.Lock()
        self._taken: set[int] = set()

    def take(self, place: int) -> bool:
        with self._lock:
            if place in self._taken or not _lock_byte(self._handle, place):
                return False
            self._taken.add(place)
            return True

    def give_back(self, place: int) -> None:
        with self._lock:
            if place in self._taken:
                self._taken.remove(place)
                _unlock_byte(self._handle, place)


class _LockFiles:
    """The open files of this process by their names."""

    def __init__(self) -> None:
        self._files: dict[str, _LockFile] = {}
        self.start_anew()
        reset_after_fork(self)

    def start_anew(self) -> None:
        self._lock = threading.Lock()

    def open(self, path: Path) -> _LockFile:
        name = os.path.realpath(path)
        with self._lock:
            if name not in self._files:
                self._files[name] = _LockFile(path)
            return self._files[name]


_FILES = _LockFiles()


def _place(key: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "big") % _BYTES


def _lock_byte(handle: int, place: int) -> bool:
    try:
        _set_lock(handle, place, locked=True)
    except OSError as error:
        if error.errno in _HELD:
            return False
        if error.errno not in _NO_LOCKS:
            raise
    return True


def _unlock_byte(handle: int, place: int) -> None:
    try:
        _set_lock(handle, place, locked=False)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise


if sys.platform == "win32":
    import msvcrt

    def _set_lock(handle: int, place: int, *, locked: bool) -> None:
        os.lseek(handle, place, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK if locked else msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _set_lock(handle: int, place: int, *, locked: bool) -> None:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB if locked else fcntl.LOCK_UN, 1, place, os.SEEK_SET)
