"""Answers of models on disk, so that no question is paid for twice: one file, `GOLDPROOF_HOME/answers.sqlite`.

An answer stands there as JSON under the key of its question. The first one stays: whoever comes second gets it back
and goes on with it. Any number of processes may share the file, and one that is killed loses no answer whose `put` had
returned. Entries that cannot be read count as not there (`damaged` says how many) and are replaced.

Readers never wait for the writer: each has a connection of its own.
"""

from __future__ import annotations

import asyncio
import json
import time
import weakref
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from threading import Lock
from typing import TYPE_CHECKING

import orjson

from goldproof.core.closing import Closing
from goldproof.llm.batched_writer import BatchedWriter
from goldproof.llm.claims import Claims
from goldproof.store.forking import start_anew_in_child
from goldproof.store.keyed import KeyedStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

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


class AnswerCache(Closing):
    """Answers by key, for any number of threads, event loops and processes; `shared_cache` is the usual way to one.

    patience: seconds for which another process is waited for that asks the same question. One that was stopped would
    hold its claims for ever; after that time the question is asked all the same.
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
        """Keep an answer and return, once it is on disk, the one that counts: it, or one that was there before."""
        return _decoded(await self._writer.put(key, _encoded(reply))) or reply

    @asynccontextmanager
    async def claim(self, key: bytes) -> AsyncIterator[KeptReply | None]:
        """Wait until nobody else is asking this question; then the answer, if one has come meanwhile.

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
        """Return whether the claim was taken; False where the answer has come, or patience has ended."""
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
        """Whether it can be used no more."""
        return not self._close.alive

    def close(self) -> None:
        """Write what waits and let go of the files."""
        self._close()


class _Shared:
    """The caches of this process by their files; each ends with its last user."""

    def __init__(self) -> None:
        self._caches: weakref.WeakValueDictionary[str, AnswerCache] = weakref.WeakValueDictionary()
        self.start_anew()
        start_anew_in_child(self)

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
    from goldproof.io.home import make_home  # noqa: PLC0415 - its package takes half a second

    return make_home() / "answers.sqlite"


def _close(kept: KeyedStore, writer: BatchedWriter) -> None:
    writer.close()
    kept.close()


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
