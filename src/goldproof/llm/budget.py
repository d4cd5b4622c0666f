"""The budget of a command: money reserved before a call, settled after it, and the cost of one call.

Before a call the most that it may cost is reserved; after it what it really cost is settled. A reservation is refused
where

    spent + reserved + cost of this call > max_cost

so that no number of calls at the same time goes over the limit, as long as none costs more than it reserved
(`CallCost` ensures that). Money held by calls under way may come back: a caller that can wait for it does, and is
refused only when nothing is reserved any more. Sums are kept in whole millionths of a millionth of a dollar: ten times
0.1 is 1.

Where the budget has a limit, a call sets aside what it reads, generously estimated, and the most that it may write:

    reserved = cost(most tokens read, R),  R = min(8192, what the money that is left affords)

R is sent to the provider as the limit of the answer, so that the call costs no more than is set aside, however much the
model would like to write. A call that could not even write what such an answer is expected to take is not made. Without
a limit, and where a call is free, nothing is sent and no caller waits.

An attempt that was sent and got no answer (past its deadline, cut off, interrupted) may be billed: it counts with its
estimate. One that the server answered with an error costs nothing.
"""

from __future__ import annotations

import asyncio
import math
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from goldproof.errors import BudgetSpentError, InputError, redact
from goldproof.io.storage.keyed_store import reset_after_fork
from goldproof.llm.answer_cache import KeptReply
from goldproof.llm.prices import count_tokens, most_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from goldproof.llm.model import RawReply
    from goldproof.llm.prices import Price


_UNITS_PER_DOLLAR = 10**12
HIGHEST_LIMIT = 1e9
_GO_ON = "Raise --max-cost and run the same command: all answers so far are kept."
MOST_WRITTEN = 8192
_AROUND = 32  # tokens that a provider puts around a conversation: roles, the name of the form


class Budget:
    """A limit on what calls may cost, in dollars, and the sums so far; for any number of threads and event loops.

    max_cost: None without limit. 0 leaves only answers that are kept already, and calls that are known to be free.
    """

    def __init__(self, max_cost: float | None = None) -> None:
        if max_cost is not None and not (math.isfinite(max_cost) and max_cost >= 0):
            raise InputError(f"--max-cost {max_cost:g} is not valid; expected dollars, 0 or more.")
        if max_cost is not None and max_cost > HIGHEST_LIMIT:
            raise InputError(f"--max-cost {max_cost:g} is too high; expected dollars, {HIGHEST_LIMIT:,.0f} at most.")
        self.max_cost = max_cost
        self._limit = None if max_cost is None else _units(max_cost)
        self._spent = 0
        self._counts = _Counts()
        self.start_anew()
        reset_after_fork(self)

    def start_anew(self) -> None:
        """Hold nothing: calls that are under way in a parent process end there."""
        # Garbage may be collected in any thread, and end the reservation of a call whose caller is gone.
        self._lock = threading.RLock()
        self._reserved = 0
        self._open: set[Reservation] = set()
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def spent(self) -> float:
        """Dollars of all settled calls."""
        return self._spent / _UNITS_PER_DOLLAR

    @property
    def reserved(self) -> float:
        """Dollars that calls under way may cost."""
        return self._reserved / _UNITS_PER_DOLLAR

    def reserve(self, cost: float | None, *, name: str) -> Reservation:
        """Set aside the cost of a call, or refuse at once.

        cost: None where the price is not known, which only goes without a limit. name: of the model, for messages.
        """
        self._check_price(cost, name)
        with self._lock:
            reservation = self._try(cost, cost)
            if reservation is None:
                raise BudgetSpentError(self._refusal(cost, name))
            return reservation

    async def reserve_when_free(self, cost: float | None, *, most: float | None = None, name: str) -> Reservation:
        """Set aside `most` or, when no other call is under way, as much of it as is left, if that is `cost` at least.

        Until then it waits for the others to end: what they do not use may be what is missing.
        """
        self._check_price(cost, name)
        while True:
            with self._lock:
                alone = not self._reserved
                reservation = self._try(cost if alone else most or cost, most or cost)
                if reservation is not None:
                    return reservation
                if alone or cost is None:
                    raise BudgetSpentError(self._refusal(cost, name))
                ended = asyncio.get_running_loop().create_future()
                self._waiting.append(ended)
            await self._wait(ended)

    def note_cached(self) -> None:
        """Count an answer that was kept already."""
        self._count("cached")

    def note_failed(self) -> None:
        """Count a question that got no answer."""
        self._count("failed")

    def note_repair(self) -> None:
        """Count an answer whose form was asked for again."""
        self._count("repairs")

    def note_retry(self) -> None:
        """Count a call that was made again."""
        self._count("retries")

    def facts(self) -> dict[str, int | float | None]:
        """Return the sums so far, for `run.json`.

        calls: those that got an answer. cost: dollars of the calls whose price is known, None where there were calls
        and it is known of none; `cost_unknown_calls` says of how many it is not. uncertain_calls: those that were sent
        and got no answer; they may be billed, so that their estimates are in the tokens and the cost.
        """
        with self._lock:
            counts, spent = self._counts, self._spent
            return {
                "calls": counts.calls,
                "cached": counts.cached,
                "failed": counts.failed,
                "repairs": counts.repairs,
                "retries": counts.retries,
                "tokens_in": counts.tokens_in,
                "tokens_out": counts.tokens_out,
                "cost": None if counts.nothing_is_known else spent / _UNITS_PER_DOLLAR,
                "cost_unknown_calls": counts.cost_unknown_calls,
                "uncertain_calls": counts.uncertain_calls,
                "max_cost": self.max_cost,
            }

    def _count(self, event: str) -> None:
        with self._lock:
            setattr(self._counts, event, getattr(self._counts, event) + 1)

    def _refusal(self, cost: float | None, name: str) -> str:
        could = "could cost something" if cost is None else f"could cost {_dollars(_units(cost))}"
        under_way = f", {_dollars(self._reserved)} reserved for calls under way" if self._reserved else ""
        return (
            f"model {name}: the next call {could}, more than --max-cost {self.max_cost:g} leaves "
            f"({_dollars(self._spent)} spent{under_way}).\n  {_GO_ON}"
        )

    def _check_price(self, cost: float | None, name: str) -> None:
        if cost is None and self._limit:  # a limit of 0 leaves no call, whatever it costs
            raise InputError(
                f"model {name}: its price is unknown, so --max-cost {self.max_cost:g} cannot be enforced.\n"
                "  Give the price with --price IN,OUT (dollars per million tokens), or leave out --max-cost."
            )

    def _try(self, least: float | None, most: float | None) -> Reservation | None:
        """Return a reservation of as much as is free between the two; None where that is less. The lock is held."""
        units = 0 if most is None else _units(most)
        if self._limit is not None:
            free = self._limit - self._spent - self._reserved
            if least is None or _units(least) > max(free, 0):
                return None
            units = min(units, max(free, 0))
        self._reserved += units
        reservation = Reservation(self, units)
        self._open.add(reservation)
        return reservation

    async def _wait(self, ended: asyncio.Future[None]) -> None:
        try:
            await ended
        finally:
            with self._lock, suppress(ValueError):  # it is not there any more where it was woken
                self._waiting.remove(ended)

    def _end(self, reservation: Reservation, bill: _Bill | None) -> None:
        """Close a reservation, count its cost, and wake all callers that wait; of several ends the first counts."""
        # Where the cost is not known, the reserved sum counts as spent.
        cost = None if bill is None or bill.cost is None else _units(bill.cost)
        with self._lock:
            if reservation not in self._open:
                return
            self._open.remove(reservation)
            self._reserved -= reservation.units
            if bill is not None:
                self._spent += reservation.units if cost is None else cost
                self._counts.add(bill)
            waiting, self._waiting = self._waiting, []
        for ended in waiting:
            with suppress(RuntimeError):  # a loop that is closed has no caller left
                ended.get_loop().call_soon_threadsafe(_wake, ended)


class Reservation:
    """Money set aside for one call, until it is settled or cancelled; a second end does nothing."""

    def __init__(self, budget: Budget, units: int) -> None:
        self._budget = budget
        self.units = units

    @property
    def cost(self) -> float:
        """The dollars set aside."""
        return self.units / _UNITS_PER_DOLLAR

    def settle(self, reply_cost: float | None, tokens_in: int, tokens_out: int, *, certain: bool = True) -> None:
        """Settle the real cost of the call, be it more or less; None where the price is not known.

        certain: False where no answer came, but the call may be billed: it then counts with these numbers.
        """
        self._budget._end(self, _Bill(reply_cost, tokens_in, tokens_out, certain))  # noqa: SLF001

    def cancel(self) -> None:
        """Give everything back: the call was not made, or not charged."""
        self._budget._end(self, None)  # noqa: SLF001


@dataclass(frozen=True, slots=True)
class _Bill:
    cost: float | None
    tokens_in: int
    tokens_out: int
    certain: bool


@dataclass(slots=True)
class _Counts:
    calls: int = 0
    cached: int = 0
    failed: int = 0
    repairs: int = 0
    retries: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_unknown_calls: int = 0
    uncertain_calls: int = 0

    def add(self, bill: _Bill) -> None:
        self.calls += bill.certain
        self.uncertain_calls += not bill.certain
        self.tokens_in += bill.tokens_in
        self.tokens_out += bill.tokens_out
        self.cost_unknown_calls += bill.cost is None

    @property
    def nothing_is_known(self) -> bool:
        """Whether there were calls, and the cost of none of them is known."""
        return 0 < self.cost_unknown_calls == self.calls + self.uncertain_calls


def _wake(ended: asyncio.Future[None]) -> None:
    if not ended.done():  # its caller was interrupted
        ended.set_result(None)


def _units(dollars: float) -> int:
    """Return an amount in units; a cost below 0 or without end is a defect of the caller."""
    if not (math.isfinite(dollars) and dollars >= 0):
        raise ValueError(f"a cost of {dollars} dollars; expected a number, 0 or more")
    return round(dollars * _UNITS_PER_DOLLAR)


def _dollars(units: int) -> str:
    """Return an amount to the cent, smaller ones to two significant digits."""
    dollars = units / _UNITS_PER_DOLLAR
    decimals = 2 if units == 0 else max(2, 1 - math.floor(math.log10(dollars)))
    return f"${dollars:.{decimals}f}"


@dataclass(frozen=True, slots=True)
class CallCost:
    """The cost of each attempt at a call.

    price: None where it is not known. name: of the model. texts: what it reads. expected: tokens it probably writes.
    """

    budget: Budget
    price: Price | None
    name: str
    texts: tuple[str, ...]
    expected: int

    @property
    def tokens_in(self) -> int:
        """Estimated tokens that it reads."""
        return sum(map(count_tokens, self.texts))

    def cost(self, tokens_in: int, tokens_out: int) -> float | None:
        """Return the dollars of a call; None where the price is not known."""
        return None if self.price is None else self.price.cost(tokens_in, tokens_out)

    async def reserve(self) -> CallPayment:
        """Wait until the budget has the money for an attempt, and set it aside."""
        if self.budget.max_cost is None or self.price is None:
            cost = self.cost(self.tokens_in, self.expected)
            return CallPayment(self, await self.budget.reserve_when_free(cost, name=self.name))
        reads = _AROUND + sum(map(most_tokens, self.texts))
        least, most = (self.price.cost(reads, tokens) for tokens in (self.expected, max(self.expected, MOST_WRITTEN)))
        reservation = await self.budget.reserve_when_free(least, most=most, name=self.name)
        return CallPayment(self, reservation, self._affordable(reads, reservation.cost))

    def _affordable(self, reads: int, dollars: float) -> int | None:
        """Return how many tokens may be written for the money; None where writing is free."""
        if self.price is None:
            return None
        nothing = self.price.cost(reads, 0)
        each = (self.price.cost(reads, MOST_WRITTEN) - nothing) / MOST_WRITTEN
        # A little is added so that rounding takes no whole token away.
        return int((dollars - nothing) / each + 1e-6) if each > 0 else None


class CallPayment:
    """The money for one attempt; what is not settled when the block ends goes back.

    most_written: the limit of the answer; None without one.
    """

    def __init__(self, call_cost: CallCost, reservation: Reservation, most_written: int | None = None) -> None:
        self._call_cost, self._reservation = call_cost, reservation
        self.most_written = most_written

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._reservation.cancel()  # does nothing to one that is settled

    def settle(self, raw: RawReply) -> KeptReply:
        """Pay for a reply, and return it as it is kept."""
        tokens_in, tokens_out = raw.tokens_in or self._call_cost.tokens_in, raw.tokens_out or count_tokens(raw.text)
        cost = self._call_cost.cost(tokens_in, tokens_out)
        self._reservation.settle(cost, tokens_in, tokens_out)
        ended = "capped" if raw.ended == "length" and self.most_written is not None else raw.ended
        return KeptReply(_writable(raw.text), tokens_in, tokens_out, cost, _writable(raw.model), ended)

    def settle_unanswered(self) -> None:
        """Count an attempt that got no answer and may be billed."""
        tokens_in, tokens_out = self._call_cost.tokens_in, self._call_cost.expected
        self._reservation.settle(self._call_cost.cost(tokens_in, tokens_out), tokens_in, tokens_out, certain=False)


def _writable(text: str) -> str:
    """Return a text that may be written to disk: without keys, which providers repeat, and without half characters."""
    return redact(text).encode("utf-8", "replace").decode("utf-8")


def spent_text(facts: Mapping[str, object]) -> str:
    """Return the calls and their cost, of `Budget.facts`, in words: "3 calls, at least $0.2500"."""
    cost = facts["cost"]
    if not isinstance(cost, int | float):
        return f"{facts['calls']:,} calls, cost unknown"
    return f"{facts['calls']:,} calls, {'at least ' if facts['cost_unknown_calls'] else ''}${cost:.4f}"
