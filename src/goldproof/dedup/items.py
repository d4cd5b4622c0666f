"""Results in comparable form: columns normalised at once, fields read by the rules of the result's type."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from goldproof.dedup.rules import canonical_names, fold
from goldproof.dedup.urls import normal_urls
from goldproof.dedup.values import Kind, canonical, several
from goldproof.records.traces import RESULT_COLUMNS
from goldproof.text.near_duplicates import normal_text, normal_texts, put_values, stripped_texts, where

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.dedup.rules import Rules, TypeRules
    from goldproof.dedup.values import Value
    from goldproof.records.arrays import IntArray
    from goldproof.records.traces import ResultTable


# Longer texts seldom occur again, and would fill the memory.
_KEPT_LENGTH = 200


class _Slot(NamedTuple):
    """A field of a result: its raw and its canonical name, its kind, and the texts of that kind read before."""

    raw: str
    name: str
    kind: Kind
    known: dict[str, Value | None]


class _Claim(NamedTuple):
    """A field of a result that claims a name of the rules; of several, the first in order gets it."""

    name: str
    rank: int
    raw: str


class Fields(dict[str, "Value"]):
    """Name -> value of the fields that have one, as the rules of the result's type read them."""

    __slots__ = ("_raw", "_reader")

    def __init__(self, values: Mapping[str, Value], *, raw: Mapping[str, object], reader: FieldReader) -> None:
        super().__init__(values)
        self._raw = raw
        self._reader = reader

    def under(self, rules: TypeRules) -> Fields:
        """Return the same fields as some other rules read them."""
        return self._reader.read(self._raw, rules)


class FieldReader:
    """Reads the fields of results by some rules.

    Where a result has a field under several of its names, the one that comes first in the rules counts and the others
    are fields of their own: the order in which a result lists its fields never matters.
    """

    def __init__(self, rules: Rules) -> None:
        self._names = canonical_names(rules)
        self._ranks = _ranks(rules)
        self._kinds = {id(typed): _kinds(typed) for typed in (*rules.types, rules.generic)}
        self._known: dict[Kind, dict[str, Value | None]] = {kind: {} for kind in Kind}
        self._layouts: dict[tuple[int, tuple[str, ...]], list[_Slot]] = {}
        self._nothing = Fields({}, raw={}, reader=self)

    def read(self, fields: Mapping[str, object] | None, rules: TypeRules) -> Fields:
        """Return name -> value of the fields that have a value. rules: those of the result's type."""
        if not fields:
            return self._nothing
        key = (id(rules), tuple(fields))
        layout = self._layouts.get(key)
        if layout is None:
            layout = self._layouts[key] = self._layout(list(fields), self._kinds[id(rules)])
        values: dict[str, Value] = {}
        for slot in layout:
            value = _read(fields[slot.raw], slot)
            if value is not None:
                values[slot.raw.lower() if slot.name in values else slot.name] = value
        return Fields(values, raw=fields, reader=self)

    def title(self, fields: Mapping[str, object] | None) -> str | None:
        """Return the title among the fields, under whichever name it has there."""
        for claim in self._claims(tuple(fields or ())):
            value = fields[claim.raw] if fields and claim.name == "title" else None
            if isinstance(value, str) and value.strip():
                return value
        return None

    def _layout(self, raws: Sequence[str], kinds: Mapping[str, Kind]) -> list[_Slot]:
        slots = [(claim, kinds.get(claim.name, Kind.TEXT)) for claim in self._claims(raws)]
        return [_Slot(claim.raw, claim.name, kind, self._known[kind]) for claim, kind in slots]

    def _claims(self, raws: Sequence[str]) -> list[_Claim]:
        return sorted(_Claim(self._names.get(fold(raw), fold(raw)), self._ranks.get(fold(raw), 0), raw) for raw in raws)


def _read(value: object, slot: _Slot) -> Value | None:
    """Return a value as it is compared; kept, since results of one conversation share senders, paths and times."""
    if isinstance(value, list) and all(isinstance(member, str) for member in value):
        return several([_read(member, slot) for member in value])
    if not isinstance(value, str) or len(value) > _KEPT_LENGTH:
        return canonical(value, slot.kind)
    known = slot.known
    if value not in known:
        known[value] = canonical(value, slot.kind)
    return known[value]


def _ranks(rules: Rules) -> dict[str, int]:
    return {
        fold(name): rank for head, aliases in rules.field_aliases.items() for rank, name in enumerate((head, *aliases))
    }


def _kinds(rules: TypeRules) -> dict[str, Kind]:
    identifying = [name for names in rules.ids for name in names]
    return {
        **dict.fromkeys(("id", *identifying, *rules.exact), Kind.EXACT),
        **dict.fromkeys(rules.addresses, Kind.ADDRESS),
        **dict.fromkeys(rules.times, Kind.TIME),
    }


_COLUMNS = frozenset(RESULT_COLUMNS) - {"url"}


class ComparedItem(NamedTuple):
    """One result: its columns in normal form, None where it lacks one, the rules of its type and its other fields.

    written: the title as it was given, where the type has it compared exactly.
    """

    id: str | int | None
    place: str | None
    params: str | None
    title: str | None
    snippet: str | None
    type: str | None
    written: str | None
    rules: TypeRules
    fields: Fields

    def under(self, rules: TypeRules) -> ComparedItem:
        """Return the same result with its fields as these rules read them."""
        return self if self.rules is rules or not self.fields else self._replace(fields=self.fields.under(rules))

    def value(self, name: str) -> Value | int | None:
        """Return a column or a field by its name in the rules."""
        if name in _COLUMNS:
            value: str | int | None = getattr(self, name)
            if value is not None:
                return value
        elif name == "url":
            return None if self.place is None else (self.place, self.params or "")
        return self.fields.get(name)


class Items:
    """The results of a table, normalised as whole columns; single items are made for those rows that need one.

    columns: id, place, params, title, snippet, type, written; null where a result lacks one.
    kinds: which rules each row has, as positions in `by_kind`.
    """

    def __init__(self, results: ResultTable, rules: Rules) -> None:
        self._results = results
        self._reader = FieldReader(rules)
        self.by_kind = (*rules.types, rules.generic)
        columns = _all_columns(results)
        urls = normal_urls(columns["url"], harmless=rules.harmless_parameters)
        names = {fold(name): n for n, typed in enumerate(rules.types) for name in (typed.name, *typed.aliases)}
        types = _TypeNames(columns["type"], names, self.by_kind)
        self.kinds = types.kinds
        titles = _titles(columns["title"], results, self._reader)
        self.columns = pl.DataFrame(
            {
                "id": stripped_texts(columns["id"]) if columns["id"].dtype == pl.String else columns["id"],
                "place": urls.place,
                "params": urls.params,
                "title": normal_texts(titles),
                "snippet": normal_texts(columns["snippet"]),
                "type": types.names,
                "written": self._written(titles),
            }
        )
        self._read: dict[int, Fields] = {}
        self._filled = {column.name for column in self.columns if column.null_count() < len(column)}

    def make(self, rows: IntArray) -> list[ComparedItem]:
        """Return the items of some rows."""
        some = self.columns[rows]
        columns = [some[name].to_list() if name in self._filled else repeat(None) for name in some.columns]
        rules = self._rules_of(rows)
        return list(map(ComparedItem._make, zip(*columns, rules, self._fields_of(rows, rules))))  # noqa: B905 - some go on forever

    def _written(self, titles: pl.Series) -> pl.Series:
        """Return the titles of those types that have them compared exactly, null elsewhere."""
        exact = self.kinds.is_in([kind for kind, rules in enumerate(self.by_kind) if "title" in rules.exact])
        nothing = pl.Series([None], dtype=pl.String).new_from_index(0, len(titles))
        return where(nothing, exact, lambda _: stripped_texts(titles.filter(exact)))

    def _rules_of(self, rows: IntArray) -> list[TypeRules]:
        if "type" not in self._filled:
            return [self.by_kind[-1]] * len(rows)
        return [self.by_kind[kind] for kind in self.kinds.gather(rows).to_list()]

    def _fields_of(self, rows: IntArray, rules: Sequence[TypeRules]) -> list[Fields]:
        fields = self._results.fields
        if fields is None:
            return [self._reader.read(None, self.by_kind[-1])] * len(rows)
        read, known = self._reader.read, self._read
        for row, row_rules in zip(rows.tolist(), rules, strict=True):
            if row not in known:
                known[row] = read(fields[row], row_rules)
        return [known[row] for row in rows.tolist()]


class _TypeNames:
    """The column of types: the rules of each row, and the name in which types are compared."""

    def __init__(self, types: pl.Series, known: Mapping[str, int], by_kind: tuple[TypeRules, ...]) -> None:
        generic = len(by_kind) - 1
        different = types.unique().drop_nulls().to_list()
        kinds = {text: known.get(fold(text), generic) for text in different}
        names = {text: by_kind[kind].name if kind != generic else normal_text(text) for text, kind in kinds.items()}
        if not different:
            self.kinds = pl.Series([generic], dtype=pl.Int32).new_from_index(0, len(types))
            self.names = types
        else:
            self.kinds = types.replace_strict(kinds, default=generic, return_dtype=pl.Int32)
            self.names = types.replace_strict(names, default=None, return_dtype=pl.String)


def _all_columns(results: ResultTable) -> dict[str, pl.Series]:
    """Return every column, of nulls where the table lacks it."""
    nothing = pl.Series([None], dtype=pl.String).new_from_index(0, len(results))
    return {name: results.columns[name] if name in results.columns.columns else nothing for name in RESULT_COLUMNS}


def _titles(titles: pl.Series, results: ResultTable, reader: FieldReader) -> pl.Series:
    """Return the titles; a mail's subject, or another name for it among the fields, stands in for a missing one."""
    fields = results.fields
    if fields is None or not titles.null_count():
        return titles
    rows = titles.is_null().arg_true()
    named = pl.Series([reader.title(fields[row]) for row in rows.to_list()], dtype=pl.String)
    return put_values(titles, rows, named)
