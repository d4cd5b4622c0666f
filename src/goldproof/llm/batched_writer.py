"""Puts of many callers in few transactions: one thread writes all that waits at once, then wakes those who wait.

A put is over when it is on disk, which takes a disk some milliseconds; the event loop does other work meanwhile. What
comes while the thread writes is written with the next transaction. Where writing fails, every caller of that
transaction hears why; nobody waits for ever.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError
from goldproof.store.forking import start_anew_in_child

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.store.keyed import KeyedStore


@dataclass(frozen=True, slots=True)
class _Put:
    key: bytes
    value: bytes
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[bytes]


class BatchedWriter:
    """Writes to a store, which belongs to it from then on.

    is_whole: tells values that can be read from damaged ones, which are replaced.
    """

    def __init__(self, store: KeyedStore, *, is_whole: Callable[[bytes], bool]) -> None:
        self._store = store
        self._is_whole = is_whole
        self._closed = False
        self.start_anew()
        start_anew_in_child(self)

    def start_anew(self) -> None:
        """Begin with nothing to do: what waits in a parent process is written there."""
        self._changed = threading.Condition()
        self._waiting: list[_Put] = []
        self._thread: threading.Thread | None = None

    async def put(self, key: bytes, value: bytes) -> bytes:
        """Return the value that the key has on disk: this one, or the one that was there first."""
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
        """Write what waits and let go of the file."""
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
        """Wait for something to do; return nothing when closed."""
        with self._changed:
            while not self._waiting and not self._closed:
                self._changed.wait()
            batch, self._waiting = self._waiting, []
            return batch

    def _outcome(self, batch: list[_Put]) -> dict[bytes, bytes] | Exception:
        try:
            return self._write({put.key: put.value for put in reversed(batch)})  # reversed: the first of a key stays
        except Exception as error:  # noqa: BLE001 - whatever it is, those who wait must hear of it
            return error

    def _write(self, items: dict[bytes, bytes]) -> dict[bytes, bytes]:
        self._store.put_many(items)
        kept = self._store.get_many(items)
        damaged = [(key, value) for key, value in kept.items() if not self._is_whole(value)]
        for key, value in damaged:
            self._store.replace(key, damaged=value, value=items[key])
        return {**kept, **self._store.get_many(key for key, _ in damaged)}


def _wake(batch: list[_Put], outcome: dict[bytes, bytes] | Exception) -> None:
    """Tell every caller in its own event loop; a loop that has ended has nobody left to tell."""
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
