"""The step that lets only documents pass whose metadata satisfies filters.

The source is told beforehand, so that it cuts at k after filtering; what came back is checked all the same, since a
retriever of the user's may take no notice of filters. In the language a range is one word: `2019..2021`, `2019..` or
`..2021`, of numbers, dates or text. Text that only looks like a range is written as a list of one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from math import isfinite
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from goldproof.errors import InputError
from goldproof.retrieve.filtering.filters import filter_mask, read_condition
from goldproof.retrieve.timing.moments import parse_turn

if TYPE_CHECKING:
    from goldproof.records.arrays import BoolArray
    from goldproof.retrieve.found import Found
    from goldproof.retrieve.retriever import Filters
    from goldproof.retrieve.shelf import Shelf
    from goldproof.retrieve.stage import Request, Stage

# Neither a path such as ../docs nor an ellipsis.
_RANGE = re.compile(r"((?:[^./\\]|\.(?!\.))*)\.\.((?:[^./\\]|(?<!\.)\.(?!\.))*)")


class Filter:
    """Returns only documents that satisfy all filters, given by field."""

    kind: ClassVar[Literal["source", "step", "query step"]] = "step"

    def __init__(self, source: Stage, /, **fields: object) -> None:
        if not fields:
            raise InputError("filter: no field is given; expected some, such as filter(year=2019..2021).")
        self.source = source
        self.filters: Filters = {name: read_range(wanted) for name, wanted in fields.items()}
        for name, wanted in self.filters.items():
            read_condition(name, wanted)
        self._mask: BoolArray = np.empty(0, dtype=np.bool_)

    @property
    def facts(self) -> dict[str, object]:
        """What decides its results; dates as text."""
        return {"filters": {name: _plain(wanted) for name, wanted in self.filters.items()}}

    def index(self, shelf: Shelf) -> None:
        """Find out which documents match, and get the source ready."""
        self._mask = filter_mask(shelf, self.filters)
        self.source.index(shelf)

    def find(self, request: Request) -> Found:
        """Narrow the request, and drop what does not match all the same."""
        allowed = self._mask if request.allowed is None else self._mask & request.allowed
        # Where both name a field, a retriever of the user's sees ours only; the mask holds both.
        filters = {**(request.filters or {}), **self.filters}
        return only_allowed(self.source.find(replace(request, allowed=allowed, filters=filters)), allowed)


def only_allowed(found: Found, allowed: BoolArray) -> Found:
    """Drop rows of documents that are not allowed, and of strangers."""
    of_corpus = found.documents < len(allowed)
    rows = of_corpus.copy()
    rows[of_corpus] = allowed[found.documents[of_corpus]]
    return found.kept(rows)


def read_range(wanted: object) -> object:
    """Return a filter as it is, or as {"gte": a, "lte": b} where it is the word `a..b`."""
    found = _RANGE.fullmatch(wanted) if isinstance(wanted, str) else None
    if not found or wanted == "..":
        return wanted
    ends = (("gte", found[1]), ("lte", found[2]))
    return {operator: _end(text) for operator, text in ends if text}


def _plain(wanted: object) -> object:
    """Return a filter in values that JSON has."""
    if isinstance(wanted, Mapping):
        return {operator: _plain(value) for operator, value in wanted.items()}
    if isinstance(wanted, list | tuple):
        return [_plain(value) for value in wanted]
    if isinstance(wanted, float):
        return float(wanted) if isfinite(wanted) else str(float(wanted))
    return wanted.isoformat() if isinstance(wanted, date) else wanted


def _end(text: str) -> object:
    number = parse_turn(text)
    if number is None:
        return text
    return int(number) if number.is_integer() and "." not in text else number
