"""Conditions on metadata, the filter stage, filters of the command line.

Operators are gte, gt, lte, lt. `meta.year` is a field inside a field; `id` and `title` are fields as well. Numbers
compare as numbers (1 and 1.0 are equal, 1 and True are not), ISO dates as dates, other text exactly, by its characters.
A date stands for its whole day or month, so that `lte: 2020-12-31` holds until midnight of the last day; a whole number
of four digits stands for the year where the metadata has dates. Values of different kinds never match. Metadata that is
a list matches if any of its items does; a missing field matches nothing, nor does an unknown document.

A field that no document has is an error, and so is a value of a kind that the field never holds: the empty result would
look like an answer.

The source gets the filters, so that it cuts at k after filtering; its answer is checked all the same, since a retriever
of the user's may ignore them. In the language a range is one word: `2019..2021`, `2019..` or `..2021`, of numbers,
dates or text. Text that only looks like a range is written as a list of one.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from goldproof.errors import InputError, UnknownNameError
from goldproof.retrieve.document_index import document_value, field_names, value_of
from goldproof.retrieve.stage import Step, stage
from goldproof.retrieve.stages.times import parse_date, parse_turn, year_span

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from goldproof.records.arrays import BoolArray
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.retriever import Filters
    from goldproof.retrieve.stage import Request, Stage
    from goldproof.retrieve.stages.times import Span

Operator: TypeAlias = Literal["eq", "gte", "gt", "lte", "lt"]

_PLAIN: dict[Operator, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "gte": operator.ge,
    "gt": operator.gt,
    "lte": operator.le,
    "lt": operator.lt,
}


def holds(value: object, test: Operator, wanted: object) -> bool:
    """Say whether a value of the metadata is equal to, at least, ... that of a filter."""
    if type(value) is str and value == wanted and test == "eq":
        return True
    moment = parse_date(value)
    if moment is not None and (span := _span(wanted)) is not None:
        return _holds_in_time(moment.start, test, span)
    if _kind(value) is None or _kind(value) != _kind(wanted):
        return False
    return bool(_PLAIN[test](value, wanted))


def comparable(value: object, wanted: object) -> bool:
    """Say whether two values are of kinds that can be compared at all."""
    if parse_date(value) is not None and _span(wanted) is not None:
        return True
    return _kind(value) is not None and _kind(value) == _kind(wanted)


def _holds_in_time(moment: float, test: Operator, span: Span) -> bool:
    """Compare with a day, month or year as a whole: later than a day is from the next midnight on."""
    inside = moment == span.start or span.start <= moment < span.end
    before, after = moment < span.start, not inside and moment > span.start
    return {"eq": inside, "gte": not before, "gt": after, "lte": not after, "lt": before}[test]


def _span(value: object) -> Span | None:
    if isinstance(value, int | float) and 1000 <= value <= 9999 and value == int(value):
        return year_span(int(value))
    return parse_date(value)


def _kind(value: object) -> str | None:
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, date):
        return "date"
    return "text" if isinstance(value, str) else None


OPERATORS: tuple[Operator, ...] = ("gte", "gt", "lte", "lt")
_SEVERAL = (list, tuple, set, frozenset)


class Comparison(NamedTuple):
    """One test of a value."""

    operator: Operator
    value: object


# All tests of one of the alternatives must hold.
Condition: TypeAlias = tuple[tuple[Comparison, ...], ...]


def matches(filters: Filters, metadata: Mapping[str, object]) -> bool:
    """Say whether metadata satisfies all filters."""
    return all(satisfies(value_of(metadata, name), read_condition(name, wanted)) for name, wanted in filters.items())


def filter_mask(documents: DocumentIndex, filters: Filters) -> BoolArray:
    """Return, of each document of the corpus, whether it satisfies all filters."""
    mask = np.ones(documents.size, dtype=np.bool_)
    for name, wanted in filters.items():
        condition = read_condition(name, wanted)
        values = [document_value(document, name) for document in documents.corpus]
        _refuse_senseless(documents, values, name=name, condition=condition)
        mask &= np.fromiter((satisfies(value, condition) for value in values), dtype=np.bool_, count=documents.size)
    return mask


def satisfies(value: object, condition: Condition) -> bool:
    """Say whether a value of the metadata, or any item where it is a list, satisfies a condition."""
    if isinstance(value, _SEVERAL):
        return any(satisfies(item, condition) for item in value)
    return any(all(holds(value, test.operator, test.value) for test in tests) for tests in condition)


def read_condition(name: str, wanted: object) -> Condition:
    """Return the condition of a filter on a field."""
    if isinstance(wanted, Mapping):
        return (_range(name, wanted),)
    values = tuple(wanted) if isinstance(wanted, list | tuple) else (wanted,)
    if not values:
        raise InputError(f"filter: {name} has an empty list of values, so nothing could match; leave the filter out.")
    return tuple((Comparison("eq", _scalar(name, value)),) for value in values)


def _range(name: str, wanted: Mapping[object, object]) -> tuple[Comparison, ...]:
    if not wanted:
        raise InputError(f"filter: {name} has an empty range; expected some of {', '.join(OPERATORS)}.")
    tests = []
    for symbol, value in wanted.items():
        known = next((name for name in OPERATORS if name == symbol), None)
        if known is None:
            raise UnknownNameError(f"operator of filter {name}", str(symbol), OPERATORS)
        if isinstance(value, bool):
            raise InputError(f"filter: {name} {symbol} {value}: true and false have no order.")
        tests.append(Comparison(known, _scalar(name, value)))
    return tuple(tests)


def _scalar(name: str, value: object) -> object:
    if value is None or not isinstance(value, str | int | float | date):
        raise InputError(f"filter: {name} is compared with {value!r}; expected text, a number, a date or true/false.")
    return value


def _refuse_senseless(
    documents: DocumentIndex, values: list[object | None], *, name: str, condition: Condition
) -> None:
    """Refuse a filter that no document of the corpus could satisfy."""
    if not documents.size:
        return
    present = [value for value in values if value is not None]
    if not present:
        raise UnknownNameError("field of a filter", name, field_names(documents.corpus))
    if not any(all(any(_comparable(held, test.value) for held in present) for test in tests) for tests in condition):
        value = condition[0][0].value
        raise InputError(
            f"filter: {name} is compared with {value!r} ({type(value).__name__}), but documents hold values such "
            f"as {present[0]!r} ({type(present[0]).__name__}); write the value as the documents do."
        )


def _comparable(value: object, wanted: object) -> bool:
    return any(comparable(item, wanted) for item in value) if isinstance(value, _SEVERAL) else comparable(value, wanted)


# Neither a path such as ../docs nor an ellipsis.
_RANGE = re.compile(r"((?:[^./\\]|\.(?!\.))*)\.\.((?:[^./\\]|(?<!\.)\.(?!\.))*)")


@stage(
    "filter",
    summary="Keeps documents whose metadata matches.",
    fields="`field=value`, `field=[a, b]` (any of them) or `field=2019..2021`; all fields must match",
)
class Filter(Step):
    """Keep documents whose metadata satisfies all filters, given by field."""

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
        """The filters for the card, dates as text."""
        return {"filters": {name: _plain(wanted) for name, wanted in self.filters.items()}}

    def index(self, documents: DocumentIndex) -> None:
        """Make the mask of the filters, and get the source ready."""
        self._mask = filter_mask(documents, self.filters)
        super().index(documents)

    def find(self, request: Request) -> RankingBatch:
        """Narrow the request, and drop what the source returned all the same."""
        allowed = self._mask if request.allowed is None else self._mask & request.allowed
        # Where both name a field, a retriever of the user's sees ours only; the mask holds both.
        filters = {**(request.filters or {}), **self.filters}
        return only_allowed(self.source.find(replace(request, allowed=allowed, filters=filters)), allowed)


def only_allowed(ranking: RankingBatch, allowed: BoolArray) -> RankingBatch:
    """Drop rows of documents that are not allowed, and of unknown documents."""
    of_corpus = ranking.documents < len(allowed)
    rows = of_corpus.copy()
    rows[of_corpus] = allowed[ranking.documents[of_corpus]]
    return ranking.kept(rows)


def read_range(wanted: object) -> object:
    """Return a filter as it is, or as {"gte": a, "lte": b} where it is the word `a..b`."""
    bounds = _RANGE.fullmatch(wanted) if isinstance(wanted, str) else None
    if not bounds or wanted == "..":
        return wanted
    ends = (("gte", bounds[1]), ("lte", bounds[2]))
    return {operator: _end(text) for operator, text in ends if text}


def _plain(wanted: object) -> object:
    """Return a filter in values that JSON has."""
    if isinstance(wanted, Mapping):
        return {symbol: _plain(value) for symbol, value in wanted.items()}
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


def parse_filters(texts: Sequence[str]) -> Filters | None:
    """Return the filters of `--filter` options; None where there are none."""
    filters: dict[str, object] = {}
    for text in texts:
        field, separator, value = text.partition("=")
        if not separator or not field.strip() or not value.strip():
            raise InputError(f"--filter {text}: expected FIELD=VALUE, such as role=user or year=2019..2021.")
        if field.strip() in filters:
            raise InputError(f"--filter {text}: {field.strip()!r} is filtered twice; list its values: {field}=A,B.")
        filters[field.strip()] = _value(value.strip())
    return filters or None


def _value(text: str) -> object:
    bounds = read_range(text)
    if bounds != text:
        return bounds
    return [reading for part in text.split(",") for reading in _readings(part.strip())]


def _readings(text: str) -> list[object]:
    """Return a value as text and, where it looks like one, as a number or a flag: the metadata decide."""
    flags: dict[str, object] = {"true": True, "false": False}
    if text in flags:
        return [text, flags[text]]
    try:
        return [text, float(text)]
    except ValueError:
        return [text]
