"""Answers in memory, where nothing may be kept on disk: the same as `goldproof.llm.answer_cache`, for one process."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

    from goldproof.llm.answer_cache import KeptReply


class Answers(Protocol):
    """Where answers are kept; `goldproof.llm.answer_cache.AnswerCache` says what each does."""

    def get(self, key: bytes) -> KeptReply | None:
        """Return the answer that is kept; None where there is none."""

    async def put(self, key: bytes, reply: KeptReply) -> KeptReply:
        """Keep an answer and return the one that counts."""

    def claim(self, key: bytes) -> AbstractAsyncContextManager[KeptReply | None]:
        """Wait until nobody else is asking this question; then the answer, if one has come meanwhile."""


class MemoryAnswers:
    """Answers by key."""

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
        """Nobody else can ask: a line to a model lets each question through once."""
        yield self._kept.get(key)
