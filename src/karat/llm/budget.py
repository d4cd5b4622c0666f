"""What has been spent, and how much may be.

Before a call its estimated cost is reserved; after it what it really cost is settled. A reservation is refused where

    spent + reserved + cost of this call > max_cost

so that calls at the same time can go over the limit only by as much as their own estimates were too low. Sums are kept
in whole millionths of a millionth of a dollar: ten times 0.1 is 1.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass

from karat.core.errors import BudgetSpentError, InputError

_UNITS_PER_DOLLAR = 10**12
_GO_ON = "Raise --max-cost and run the same command: everything answered so far is kept."


class Budget:
    """A limit on what calls may cost, in dollars, and the sums so far; for any number of threads.

    max_cost: None without limit. 0 leaves only answers that are kept already, and calls that are known to be free.
    """

    def __init__(self, max_cost: float | None = None) -> None:
        if max_cost is not None and not (math.isfinite(max_cost) and max_cost >= 0):
            raise InputError(f"--max-cost {max_cost:g} is no limit; expected dollars, 0 or more.")
        self.max_cost = max_cost
        self._limit = None if max_cost is None else _units(max_cost)
        self._lock = threading.Lock()
        self._spent = self._reserved = 0
        self._counts = _Counts()

    @property
    def spent(self) -> float:
        """Dollars of all settled calls."""
        return self._spent / _UNITS_PER_DOLLAR

    @property
    def reserved(self) -> float:
        """Dollars that calls under way are expected to cost."""
        return self._reserved / _UNITS_PER_DOLLAR

    def reserve(self, cost: float | None, *, name: str) -> Reservation:
        """Set aside what a call is expected to cost.

        cost: None where the price is not known, which only goes without a limit. name: of the model, for messages.
        """
        if cost is None and self._limit:  # a limit of 0 leaves no call, whatever it costs
            raise InputError(
                f"model {name}: its price is not known, so --max-cost {self.max_cost:g} cannot be kept.\n"
                "  Give the price with --price IN,OUT (dollars per million tokens), or leave out --max-cost."
            )
        units = 0 if cost is None else _units(cost)
        with self._lock:
            if self._limit is not None and (cost is None or self._spent + self._reserved + units > self._limit):
                raise BudgetSpentError(self._refusal(cost, name))
            self._reserved += units
        return Reservation(self, units)

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

        cost: dollars of the calls whose price is known; `cost_unknown_calls` says of how many it is not.
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
                "cost": spent / _UNITS_PER_DOLLAR,
                "cost_unknown_calls": counts.cost_unknown_calls,
                "max_cost": self.max_cost,
            }

    def _count(self, what: str) -> None:
        with self._lock:
            setattr(self._counts, what, getattr(self._counts, what) + 1)

    def _refusal(self, cost: float | None, name: str) -> str:
        could = "could cost something" if cost is None else f"could cost {_dollars(_units(cost))}"
        under_way = f", {_dollars(self._reserved)} reserved for calls under way" if self._reserved else ""
        return (
            f"model {name}: the next call {could}, which --max-cost {self.max_cost:g} does not leave "
            f"({_dollars(self._spent)} spent{under_way}).\n  {_GO_ON}"
        )

    def _settle(self, reserved: int, cost: float | None, tokens: tuple[int, int]) -> None:
        # Where nobody knows what it cost, the estimate keeps the limit.
        units = reserved if cost is None else _units(cost)
        with self._lock:
            self._reserved -= reserved
            self._spent += units
            self._counts.calls += 1
            self._counts.tokens_in += tokens[0]
            self._counts.tokens_out += tokens[1]
            self._counts.cost_unknown_calls += cost is None

    def _give_back(self, reserved: int) -> None:
        with self._lock:
            self._reserved -= reserved


class Reservation:
    """What is set aside for one call, until it is settled or cancelled; what comes second does nothing."""

    def __init__(self, budget: Budget, units: int) -> None:
        self._budget = budget
        self._units = units
        self._lock = threading.Lock()
        self._open = True

    @property
    def cost(self) -> float:
        """The dollars set aside."""
        return self._units / _UNITS_PER_DOLLAR

    def settle(self, reply_cost: float | None, tokens_in: int, tokens_out: int) -> None:
        """Say what the call really cost, be it more or less; None where the price is not known."""
        if self._end():
            self._budget._settle(self._units, reply_cost, (tokens_in, tokens_out))  # noqa: SLF001

    def cancel(self) -> None:
        """Give everything back: the call was not made, or not charged."""
        if self._end():
            self._budget._give_back(self._units)  # noqa: SLF001

    def _end(self) -> bool:
        """Return whether this is the first end."""
        with self._lock:
            was_open, self._open = self._open, False
        return was_open


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


def _units(dollars: float) -> int:
    """Return an amount in units; a cost below 0 or without end is a defect of whoever computed it."""
    if not (math.isfinite(dollars) and dollars >= 0):
        raise ValueError(f"a cost of {dollars} dollars; expected a number, 0 or more")
    return round(dollars * _UNITS_PER_DOLLAR)


def _dollars(units: int) -> str:
    """Return an amount to the cent, smaller ones to two digits that say something."""
    dollars = units / _UNITS_PER_DOLLAR
    decimals = 2 if units == 0 else max(2, 1 - math.floor(math.log10(dollars)))
    return f"${dollars:.{decimals}f}"
