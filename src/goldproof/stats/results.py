"""Results of statistics: Interval, TestResult, Effect, Bounds.

A value that does not exist is `None` and `note` says why; it is never NaN or a stand-in number. A value may have a
`note` too: a caveat, or how it was computed. Every note is a whole sentence, since reports print them in a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple, get_args

from goldproof.errors import UnknownNameError

Alternative = Literal["two-sided", "greater", "less"]

"""What the null hypothesis is tested against; "greater" means that a is greater than b."""

NO_PAIRS = "There are no pairs."

NO_DIFFERENCE = "No pair differs."


@dataclass(frozen=True, slots=True)
class TestResult:
    """The outcome of one test."""

    __test__: ClassVar[bool] = False  # pytest would collect the class by its name

    test: str
    """The test actually used, such as "sign-flip (exact)"."""
    statistic: float | None
    p_value: float | None
    n: int
    """Pairs, or the values of both samples together for an unpaired test."""
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """An estimate with its interval; `low` or `high` is None where that side has no bound."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    confidence: float
    note: str | None = None


def undefined_test(test: str, *, n: int, note: str) -> TestResult:
    """Return the result of a test that is undefined on these data."""
    return TestResult(test=test, statistic=None, p_value=None, n=n, note=note)


def check_alternative(alternative: str) -> None:
    """Raise if the alternative is not one of the three."""
    if alternative not in get_args(Alternative):
        raise UnknownNameError("alternative", alternative, get_args(Alternative))


class Bounds(NamedTuple):
    """Lower and upper end; both finite, low <= high."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its interval, or the reason why there is none.

    clusters: their number; None where no two values share one. note: a whole sentence.
    """

    estimate: float | None
    low: float | None
    high: float | None
    confidence: float
    method: str
    n: int
    clusters: int | None
    note: str | None
