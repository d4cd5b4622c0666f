"""Asking many things of code that is not ours, on threads where it waits; the answers come in the order asked.

This is the boundary where a crash becomes a failed query: whatever the user's code raises is kept as its reason, so one
query cannot take the others with it; an attempt to exit is one too. An interrupt passes, and so does what holds for
every further query alike: a model that is down, a budget that is spent. Reasons reach run files, so secrets are blotted
out of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Generic, TypeVar

from goldproof.errors import BudgetSpentError, ModelDownError, reason_of, redact
from goldproof.retrieve.at_once import AtOnce

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Asked = TypeVar("Asked")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What came, or why nothing did."""

    value: T | None
    failure: str | None = None


class FailedAnswer(Exception):  # noqa: N818 - it is not an error of the program: its message is the reason as it stands
    """What came cannot be used; the message is the whole reason."""


def attempt(ask: Callable[[Asked], T], asked: Asked) -> Answer[T]:
    """Ask once; a crash is an answer too."""
    try:
        return Answer(ask(asked))
    except FailedAnswer as failure:
        return Answer(None, redact(str(failure)))
    except (BudgetSpentError, ModelDownError):
        raise  # to ask on would fail every query that is left
    # The user's code may raise anything, and may try to exit; here it becomes a failed query.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        return Answer(None, reason_of(error))


def ask_all(ask: Callable[[Asked], T], asked: Sequence[Asked], *, concurrency: int) -> list[Answer[T]]:
    """Ask each, at most `concurrency` at once, and return the answers in the order asked."""
    if concurrency == 1 or len(asked) < 2:
        return [attempt(ask, one) for one in asked]
    work = AtOnce(lambda place: attempt(ask, asked[place]), range(len(asked)), threads=min(concurrency, len(asked)))
    return [answer for _, answer in sorted(work.results(), key=itemgetter(0))]
