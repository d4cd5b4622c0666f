"""The line to one model: what all who ask it at the same time share.

It belongs to one event loop, and so to one process: after a fork the child has its own. It is made and used in the
loop's thread only.
"""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError
from goldproof.llm.breaker import Breaker
from goldproof.llm.rate_limit import TokenBucket

if TYPE_CHECKING:
    from goldproof.llm.access import Access
    from goldproof.llm.answer_cache import KeptReply


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
        self._turn = asyncio.Lock()
        self._in_queue = 0

    @property
    def is_ours(self) -> bool:
        """Whether it was made in this process."""
        return self._process == os.getpid()

    async def wait_for_rate(self, until: float | None = None) -> bool:
        """Wait for the turn that the rate allows; False, at once, where it would come too late.

        until: on the clock `time.monotonic`. Only the first of the queue waits for a token, and takes it when it is
        there: who is interrupted takes none.
        """
        if self.bucket is None:
            return True
        if until is not None and time.monotonic() + self.bucket.wait(self._in_queue) >= until:
            return False
        self._in_queue += 1
        try:
            async with self._turn:
                await asyncio.sleep(self.bucket.wait())
                self.bucket.take()
        finally:
            self._in_queue -= 1
        return True


def line_to(model: str, access: Access, lines: dict[str, Line]) -> Line:
    """Return the line to a model among those that are open."""
    line = lines.get(model)
    if line is None or not line.is_ours:
        line = lines[model] = Line(access)
    return line
