"""How many tokens the server says it read and wrote: characters / 4, rounded up, so that tests can compute costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.testing.request import Request
    from goldproof.testing.saying import Saying


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens read (messages and instructions; schemas and tools count nothing) and written."""

    tokens_in: int
    tokens_out: int


def usage(request: Request, saying: Saying) -> Usage:
    """Return the tokens of an answer."""
    return Usage(_tokens(request.characters), _tokens(len(saying.text)))


def _tokens(characters: int) -> int:
    return (characters + 3) // 4
