"""Grades and scores from text or JSON, single values or whole columns.

A judgment has a whole grade, a ranking a finite score. Text is what trec_eval would read: ASCII digits, a sign, a
point, an exponent. `1.0` is the whole grade 1; `0.5` is refused, and so is a grade of 2^31 or more either way: no scale
is that long, but ids and times in the wrong column are. `nan`, `inf` and numbers beyond double precision are refused:
they cannot be ranked or averaged.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from goldproof.errors import shortened

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.records.arrays import FloatArray, IntArray

MAX_GRADE = 2**31


class BadValueError(ValueError):
    """A value of the wrong kind for its column; the text is a sentence without a full stop."""


@dataclass(frozen=True, slots=True)
class ValueKind:
    """Kind of the third column: how one value is parsed, and how a whole column of numbers is checked."""

    name: str
    dtype: pl.DataType
    parse: Callable[[object], float]
    check_column: Callable[[pl.Series], FloatArray | IntArray | None]
    array: Callable[[list[float]], FloatArray | IntArray]


def parse_score(value: object) -> float:
    """Read a finite number."""
    number = _number(value, "score")
    if not math.isfinite(number):
        raise BadValueError(f"score {_shown(value)} is not finite")
    return number


def parse_grade(value: object) -> int:
    """Read a whole number."""
    number = _number(value, "grade")
    if not math.isfinite(number) or number != int(number):
        raise BadValueError(f"grade {_shown(value)} is not a whole number")
    if abs(number) >= MAX_GRADE:
        bound = MAX_GRADE - 1 if number > 0 else 1 - MAX_GRADE
        raise BadValueError(f"grade {_shown(value)} is out of range, beyond {bound}")
    return int(number)


def _number(value: object, name: str) -> float:
    if isinstance(value, str):
        text = value.strip(" \t")
        if text.isascii() and "_" not in text:
            try:
                return float(text)
            except ValueError:
                pass
    elif isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            return math.inf
    raise BadValueError(f"{name} {_shown(value)} is not a number")


def _shown(value: object) -> str:
    return shortened(repr(value), longest=60)


def _score_column(numbers: pl.Series) -> FloatArray | None:
    scores = numbers.cast(pl.Float64).to_numpy()
    return scores if bool(np.isfinite(scores).all()) else None


def _grade_column(numbers: pl.Series) -> IntArray | None:
    whole = numbers.cast(pl.Int64, strict=False)
    grades = whole.to_numpy()
    in_range = whole.null_count() == 0 and bool(((grades > -MAX_GRADE) & (grades < MAX_GRADE)).all())
    return grades if in_range else None


SCORE = ValueKind(
    "score", pl.Float64(), parse_score, _score_column, lambda values: np.asarray(values, dtype=np.float64)
)
GRADE = ValueKind("grade", pl.Int64(), parse_grade, _grade_column, lambda values: np.asarray(values, dtype=np.int64))
