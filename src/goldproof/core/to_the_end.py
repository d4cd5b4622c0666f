"""Several things at once, all of them to the end, also where one of them fails.

A call to a model that is under way when another one fails is paid for: its answer must be kept, so nothing is
cancelled. What the first of them raised is raised when all are done.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable

T = TypeVar("T")


async def all_of(work: Iterable[Awaitable[T]]) -> list[T]:
    """Do all of it at once and return the results in the order given; raise what the first of them raised."""
    results = []
    for one in await asyncio.gather(*work, return_exceptions=True):
        if isinstance(one, BaseException):
            raise one
        results.append(one)
    return results
