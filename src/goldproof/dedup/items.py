"""Results in the form in which two of them are compared."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from goldproof.core.traces import RESULT_COLUMNS
from goldproof.dedup.fields import FieldReader
from goldproof.dedup.rules import fold
from goldproof.dedup.urls import normal_urls
from goldproof.text.normal_form import normal_text, normal_texts, put_values, stripped_texts, where

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.core.arrays import IntArray
    from goldproof.core.traces import ResultTable
    from goldproof.dedup.fields import Fields
    from goldproof.dedup.rules import Rules, TypeRules
    from goldproof.dedup.values import Value

_COLUMNS = frozenset(RESULT_COLUMNS) - {"url"}


class Item(NamedTuple):
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

    def under(self, rules: TypeRules) -> Item:
        """Return the same result with its fields as these rules read them."""
        return self if self.rules is rules or not self.fields else self._replace(fields=self.fields.under(rules))

    def value(self, name: str) -> Value | int | None:
        """Return a column or a field by its name in the rules."""
        if name in _COLUMNS:
            found: str | int | None = getattr(self, name)
            if found is not None:
                return found
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
        given = _given(results, len(results))
        urls = normal_urls(given["url"], harmless=rules.harmless_parameters)
        names = {fold(name): n for n, one in enumerate(rules.types) for name in (one.name, *one.aliases)}
        types = _TypeNames(given["type"], names, self.by_kind)
        self.kinds = types.kinds
        titles = _titles(given["title"], results, self._reader)
        self.columns = pl.DataFrame(
            {
                "id": stripped_texts(given["id"]) if given["id"].dtype == pl.String else given["id"],
                "place": urls.place,
                "params": urls.params,
                "title": normal_texts(titles),
                "snippet": normal_texts(given["snippet"]),
                "type": types.names,
                "written": self._written(titles),
            }
        )
        self._read: dict[int, Fields] = {}
        self._filled = {column.name for column in self.columns if column.null_count() < len(column)}

    def make(self, rows: IntArray) -> list[Item]:
        """Return the items of some rows."""
        some = self.columns[rows]
        columns = [some[name].to_list() if name in self._filled else repeat(None) for name in some.columns]
        rules = self._rules_of(rows)
        return list(map(Item._make, zip(*columns, rules, self._fields_of(rows, rules))))  # noqa: B905 - some go on forever

    def _written(self, titles: pl.Series) -> pl.Series:
        """Return the titles of those types that have them compared exactly, null elsewhere."""
        exact = self.kinds.is_in([kind for kind, one in enumerate(self.by_kind) if "title" in one.exact])
        nothing = pl.Series([None], dtype=pl.String).new_from_index(0, len(titles))
        return where(nothing, exact, lambda _: stripped_texts(titles.filter(exact)))

    def _rules_of(self, rows: IntArray) -> list[TypeRules]:
        if "type" not in self._filled:
            return [self.by_kind[-1]] * len(rows)
        return [self.by_kind[kind] for kind in self.kinds.gather(rows).to_list()]

    def _fields_of(self, rows: IntArray, rules: Sequence[TypeRules]) -> list[Fields]:
        found = self._results.fields
        if found is None:
            return [self._reader.read(None, self.by_kind[-1])] * len(rows)
        read, known = self._reader.read, self._read
        for row, one in zip(rows.tolist(), rules, strict=True):
            if row not in known:
                known[row] = read(found[row], one)
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


def _given(results: ResultTable, size: int) -> dict[str, pl.Series]:
    """Return every column, of nulls where the table lacks it."""
    nothing = pl.Series([None], dtype=pl.String).new_from_index(0, size)
    return {name: results.columns[name] if name in results.columns.columns else nothing for name in RESULT_COLUMNS}


def _titles(titles: pl.Series, results: ResultTable, reader: FieldReader) -> pl.Series:
    """Return the titles; a mail's subject, or another name for it among the fields, stands in for a missing one."""
    fields = results.fields
    if fields is None or not titles.null_count():
        return titles
    rows = titles.is_null().arg_true()
    found = pl.Series([reader.title(fields[row]) for row in rows.to_list()], dtype=pl.String)
    return put_values(titles, rows, found)
