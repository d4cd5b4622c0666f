"""The further fields of a result, under the names of the rules and with values that can be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goldproof.dedup.rules import canonical_names, fold
from goldproof.dedup.values import Kind, canonical, several

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.dedup.rules import Rules, TypeRules
    from goldproof.dedup.values import Value

# Longer texts seldom occur again, and would fill the memory.
_KEPT_LENGTH = 200


class _Slot(NamedTuple):
    """Where a field of a result goes, what it holds, and the texts of that kind that were read before."""

    raw: str
    name: str
    kind: Kind
    known: dict[str, Value | None]


class _Claim(NamedTuple):
    """A field of a result that wants the name of the rules; of several, the first in order gets it."""

    name: str
    rank: int
    raw: str


class Fields(dict[str, "Value"]):
    """Name -> value of the fields that have one, as the rules of the result's type read it; others may differ."""

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
        self._kinds = {id(one): _kinds(one) for one in (*rules.types, rules.generic)}
        self._known: dict[Kind, dict[str, Value | None]] = {kind: {} for kind in Kind}
        self._layouts: dict[tuple[int, tuple[str, ...]], list[_Slot]] = {}
        self._nothing = Fields({}, raw={}, reader=self)

    def read(self, fields: Mapping[str, object] | None, rules: TypeRules) -> Fields:
        """Return name -> value, of those that have a value. rules: those of the result's type."""
        if not fields:
            return self._nothing
        key = (id(rules), tuple(fields))
        layout = self._layouts.get(key)
        if layout is None:
            layout = self._layouts[key] = self._layout(list(fields), self._kinds[id(rules)])
        found: dict[str, Value] = {}
        for slot in layout:
            value = _read(fields[slot.raw], slot)
            if value is not None:
                found[slot.raw.lower() if slot.name in found else slot.name] = value
        return Fields(found, raw=fields, reader=self)

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
    """Return a value as it is compared; results of one conversation share senders, paths and times."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return several([_read(one, slot) for one in value])
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


def _kinds(one: TypeRules) -> dict[str, Kind]:
    identifying = [name for names in one.ids for name in names]
    return {
        **dict.fromkeys(("id", *identifying, *one.exact), Kind.EXACT),
        **dict.fromkeys(one.addresses, Kind.ADDRESS),
        **dict.fromkeys(one.times, Kind.TIME),
    }
