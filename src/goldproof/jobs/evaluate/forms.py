"""Small questions about what a caller handed over: is it a frame, a list of ids, a list of records?"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import polars as pl

from goldproof.errors import InputError
from goldproof.records.tables import JudgmentTable, RankingTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

T = TypeVar("T")


def is_frame(given: object) -> bool:
    """Whether it looks like a polars or pandas frame."""
    # A lazy frame is asked first: looking at its columns makes it warn.
    return isinstance(given, pl.LazyFrame) or (hasattr(given, "columns") and hasattr(given, "shape"))


def as_ids(given: Iterable[str], *, what: str) -> frozenset[str]:
    """Accept a collection of question ids, but not one id: its characters are not what was meant."""
    if isinstance(given, str):
        raise InputError(f"{what}: found the text {given!r}; expected a list of question ids.")
    return frozenset(given)


def checked_records(given: Iterable[object], kind: type[T], *, what: str) -> list[T]:
    """Accept records of one kind only."""
    records = []
    for item in given:
        if not isinstance(item, kind):
            raise InputError(f"{what}: found a {type(item).__name__} among the records; expected {kind.__name__}.")
        records.append(item)
    return records


def plain_rows(
    given: JudgmentTable | RankingTable | Mapping[str, Mapping[str, float]],
) -> dict[str, dict[str, float]]:
    """Return {question: {document: number}} with every number a float, so that equal content has an equal key."""
    rows: Mapping[str, Mapping[str, float]]
    rows = given.to_dict() if isinstance(given, JudgmentTable | RankingTable) else given
    return {question: {d: float(value) for d, value in documents.items()} for question, documents in rows.items()}
