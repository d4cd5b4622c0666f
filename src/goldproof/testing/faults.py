"""Faults at random around a good script, the same ones every time.

Whether a request fails, and how, follows from the seed, from what is asked and from how often that was asked: not from
the order in which requests come. So a run with many at once meets the same faults as one without, and a client that
asks again gets through: after `at_most` faults the same content is answered well.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError
from goldproof.testing.script import Player
from goldproof.testing.steps import CutConnection, InvalidJson, RateLimited, SchemaViolation, ServerError, Slow, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.testing.request import Request
    from goldproof.testing.script import Script

# What a client gets over by waiting and asking again.
PASSING: tuple[Step, ...] = (
    RateLimited(retry_after=0),
    ServerError(500),
    ServerError(503),
    CutConnection(),
    CutConnection(after_bytes=200),
    Slow(0.02),
)
# What a client gets over by asking for the right form.
MALFORMED: tuple[Step, ...] = (InvalidJson(), SchemaViolation())


class Faults:
    """A script that fails on average at one of `every` requests.

    then: the good script. kinds: the faults, each as likely; Slow and CutConnection without a `then` of their own take
    the good answer. at_most: how often the same content may fail. injected: what was injected, by name.
    """

    def __init__(
        self,
        then: Script = None,
        *,
        every: float = 3,
        kinds: Sequence[Step] = PASSING,
        seed: int = 0,
        at_most: int = 2,
    ) -> None:
        if every < 1 or not kinds:
            raise InputError("Faults: expected every >= 1 (on average one of so many requests fails) and some kinds.")
        self._good, self._kinds, self._seed = Player(then), tuple(kinds), seed
        self._share, self._at_most = 1 / every, at_most
        self._failed: Counter[str] = Counter()
        self.injected: Counter[str] = Counter()

    async def __call__(self, request: Request) -> Step:
        """Return the fault, or what the good script answers."""
        fault = self._fault(request)
        if fault is None:
            return await self._good.step(request)
        self._failed[request.content] += 1
        self.injected[type(fault).__name__] += 1
        if isinstance(fault, Slow | CutConnection) and fault.then is None:
            return replace(fault, then=await self._good.step(request))
        return fault

    def _fault(self, request: Request) -> Step | None:
        if self._failed[request.content] >= self._at_most:
            return None
        digest = hashlib.sha256(f"{self._seed} {request.content} {request.nth}".encode()).digest()
        if int.from_bytes(digest[:8]) / 2**64 >= self._share:
            return None
        return self._kinds[int.from_bytes(digest[8:16]) % len(self._kinds)]
