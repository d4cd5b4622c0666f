"""The way to one model: a question goes out once, and a reply or an error comes back.

Nothing here waits, repeats, counts or keeps: `goldproof.llm.asked_model` does, alike for every transport.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from goldproof.llm.ask import Ask

MOST_TOKENS = 10**9
# How a reply ended: as it should, by the model or its filter refusing, or cut off at the limit of tokens.
Ended = Literal["", "refused", "length"]


@dataclass(frozen=True, slots=True)
class Turn:
    """A reply that was of no use, and what the model was told about it."""

    reply: str
    complaint: str


@dataclass(frozen=True, slots=True)
class RawReply:
    """What a model said, unread.

    tokens_in, tokens_out: 0 where the server does not say. model: as the server calls it.
    """

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    model: str = ""
    ended: Ended = ""


def sane_tokens(told: object) -> int:
    """Return a count of tokens as a server told it; 0, which is not said, where no call can have so many."""
    is_count = isinstance(told, int) and not isinstance(told, bool)
    return int(told) if is_count and 0 <= told <= MOST_TOKENS else 0  # type: ignore[operator, call-overload]


class TransportError(Exception):
    """No reply came; the message says why, in one line without secrets.

    kind: `passing` may go better the next time; `failed` holds for this question; `down` for every question. wait:
    seconds that the server asked for. advice: what to do where it holds for all. may_be_billed: the question was sent,
    and the server did not say that it failed.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: Literal["passing", "failed", "down"],
        wait: float | None = None,
        advice: str = "",
        may_be_billed: bool = False,
    ) -> None:
        self.kind, self.wait, self.advice, self.may_be_billed = kind, wait, advice, may_be_billed
        super().__init__(message)


class Transport(Protocol):
    """Something that can be asked."""

    @property
    def key(self) -> str:
        """The model's name, with all that changes its answers; never a secret."""

    @property
    def is_lasting(self) -> bool:
        """Whether the key will mean the same tomorrow: only then are answers kept on disk."""

    @property
    def provider(self) -> str | None:
        """Whose list price holds: the provider's name for pydantic-ai; None where a call costs nothing."""

    @property
    def model(self) -> str:
        """The model's name on that list."""

    async def send(
        self, ask: Ask, turns: tuple[Turn, ...], *, timeout: float, most_tokens: int | None = None
    ) -> RawReply:
        """Ask once, in Goldproof's event loop; TransportError where no reply comes within `timeout` seconds.

        turns: what was said before, where the form of the answer is asked for again. most_tokens: how long the answer
        may be at most; where nobody can be told so, it is left out.
        """
