"""What one call may cost, how that is kept, and what it did cost: once for each attempt, since each may be billed.

Where the budget has a limit, a call sets aside what it reads, generously estimated, and the most that it may write:

    reserved = cost(most tokens read, R),  R = min(8192, what the money that is left affords)

R is sent to the provider as the limit of the answer, so that the call costs no more than is set aside, however much the
model would like to say. A call that could not even write what such an answer is expected to take is not made. Without a
limit, and where a call is free, nothing is sent and nobody waits.

An attempt that was sent and got no answer (past its deadline, cut off, interrupted) may be billed: it counts with its
estimate. One that the server answered with an error costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from goldproof.core.blotting import without_secrets
from goldproof.llm.answer_cache import KeptReply
from goldproof.llm.prices import count_tokens, most_tokens

if TYPE_CHECKING:
    from types import TracebackType

    from goldproof.llm.budget import Budget, Reservation
    from goldproof.llm.prices import Price
    from goldproof.llm.transport import RawReply

MOST_WRITTEN = 8192
_AROUND = 32  # tokens that a provider puts around a conversation: roles, the name of the form


@dataclass(frozen=True, slots=True)
class Fare:
    """What each attempt at a call may cost.

    price: None where nobody knows. name: of the model. texts: what it reads. expected: tokens that it probably writes.
    """

    budget: Budget
    price: Price | None
    name: str
    texts: tuple[str, ...]
    expected: int

    @property
    def tokens_in(self) -> int:
        """What it reads, as an estimate."""
        return sum(map(count_tokens, self.texts))

    def cost(self, tokens_in: int, tokens_out: int) -> float | None:
        """Return the dollars of a call; None where the price is not known."""
        return None if self.price is None else self.price.cost(tokens_in, tokens_out)

    async def reserve(self) -> Payment:
        """Wait until the budget has the money for an attempt, and set it aside."""
        if self.budget.max_cost is None or self.price is None:
            cost = self.cost(self.tokens_in, self.expected)
            return Payment(self, await self.budget.reserve_when_free(cost, name=self.name))
        reads = _AROUND + sum(map(most_tokens, self.texts))
        least, most = (self.price.cost(reads, tokens) for tokens in (self.expected, max(self.expected, MOST_WRITTEN)))
        reservation = await self.budget.reserve_when_free(least, most=most, name=self.name)
        return Payment(self, reservation, self._affordable(reads, reservation.cost))

    def _affordable(self, reads: int, dollars: float) -> int | None:
        """Return how many tokens may be written for the money; None where writing is free."""
        if self.price is None:
            return None
        nothing = self.price.cost(reads, 0)
        each = (self.price.cost(reads, MOST_WRITTEN) - nothing) / MOST_WRITTEN
        # A little is added so that rounding takes no whole token away.
        return int((dollars - nothing) / each + 1e-6) if each > 0 else None


class Payment:
    """The money for one attempt; what is not settled when the block ends goes back.

    most_written: the limit of the answer; None without one.
    """

    def __init__(self, fare: Fare, reservation: Reservation, most_written: int | None = None) -> None:
        self._fare, self._reservation = fare, reservation
        self.most_written = most_written

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._reservation.cancel()  # does nothing to one that is settled

    def settle(self, raw: RawReply) -> KeptReply:
        """Pay for a reply, and return it as it is kept."""
        tokens_in, tokens_out = raw.tokens_in or self._fare.tokens_in, raw.tokens_out or count_tokens(raw.text)
        cost = self._fare.cost(tokens_in, tokens_out)
        self._reservation.settle(cost, tokens_in, tokens_out)
        ended = "capped" if raw.ended == "length" and self.most_written is not None else raw.ended
        return KeptReply(_writable(raw.text), tokens_in, tokens_out, cost, _writable(raw.model), ended)

    def settle_unanswered(self) -> None:
        """Count an attempt that got no answer and may be billed."""
        tokens_in, tokens_out = self._fare.tokens_in, self._fare.expected
        self._reservation.settle(self._fare.cost(tokens_in, tokens_out), tokens_in, tokens_out, certain=False)


def _writable(text: str) -> str:
    """Return a text as it may be written to disk: without keys, which providers repeat, and half characters."""
    return without_secrets(text).encode("utf-8", "replace").decode("utf-8")
