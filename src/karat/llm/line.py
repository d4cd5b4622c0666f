"""The line to one model: what all who ask it at the same time share.

It belongs to one event loop, and so to one process: after a fork the child has its own. It is made and used in the
loop's thread only.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from karat.core.errors import InputError
from karat.llm.breaker import Breaker
from karat.llm.rate_limit import TokenBucket

if TYPE_CHECKING:
    from karat.llm.access import Access
    from karat.llm.answer_cache import KeptReply


class Line:
    """slots: calls at once. flights: questions that are being asked right now, by their keys."""

    def __init__(self, access: Access) -> None:
        if access.concurrency < 1:
            raise InputError(f"{access.concurrency} calls at once; expected at least 1.")
        self.slots = asyncio.Semaphore(access.concurrency)
        self.bucket = None if access.rate is None else TokenBucket(access.rate)
        self.breaker = Breaker()
        self.flights: dict[bytes, asyncio.Future[KeptReply]] = {}
        self._process = os.getpid()

    @property
    def is_ours(self) -> bool:
        """Whether it was made in this process."""
        return self._process == os.getpid()

    async def wait_for_rate(self) -> None:
        """Wait for the turn that the rate allows."""
        wait = 0.0 if self.bucket is None else self.bucket.take()
        if wait > 0:
            await asyncio.sleep(wait)


def line_to(model: str, access: Access, lines: dict[str, Line]) -> Line:
    """Return the line to a model among those that are open."""
    line = lines.get(model)
    if line is None or not line.is_ours:
        line = lines[model] = Line(access)
    return line
