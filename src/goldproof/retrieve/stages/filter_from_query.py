"""Narrow a query to documents whose metadata it mentions (English).

Of the named metadata fields, the values that a query mentions are found, and the search is narrowed to documents that
have them: of one field any of those mentioned, and all fields together. The values are those of the corpus.

    text values    by their words (`query_mentions.mentioned_values`)                        the opponent's claims
    numbers        only after the name of their field (`query_mentions.mentioned_numbers`)   turns 3 to 5
    pronouns       "you said", "my last question" (`query_words.sides_named`), where a field that says who spoke has
                   both sides of a conversation with a machine

True and false cannot be mentioned. Of a list every item counts. Text that is a number is looked for as one, and values
that read alike ("Opponent", "opponent") are found together.

A query that mentions nothing is passed on unchanged, and so is one whose filter no document passes (together with the
filters of the request): a filter that was only guessed must not silence a query. Where documents pass and none of them
is found, nothing is returned.

An unknown document has no metadata, so it is dropped from a narrowed search.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from threading import Lock
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from goldproof.errors import InputError, UnknownNameError
from goldproof.retrieve.document_index import document_value, field_names
from goldproof.retrieve.ranking import RankingPart, merged, subrequest
from goldproof.retrieve.stage import Step, stage
from goldproof.retrieve.stages.filters import only_allowed
from goldproof.retrieve.stages.query_mentions import is_speaker_field, mentioned_numbers, mentioned_values
from goldproof.retrieve.stages.query_words import ASSISTANT, USER, query_words, sides_named, value_words
from goldproof.retrieve.stages.times import parse_turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.records.arrays import BoolArray
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.ranking import RankingBatch
    from goldproof.retrieve.stage import Request, Stage
    from goldproof.retrieve.stages.query_words import Word

_SEVERAL = (list, tuple, set, frozenset)
Reading = tuple[str, ...] | float


class FieldValues:
    """The values of one field. name_words: how a query names the field; `meta.turn_id` is named "turn id"."""

    def __init__(self, name: str, documents: DocumentIndex) -> None:
        self.name = name
        self.name_words = value_words(name.rpartition(".")[2])
        self._size = documents.size
        self._places: dict[Reading, list[int]] = {}
        self._written: dict[Reading, dict[object, None]] = {}
        self.present = self._read(documents)
        self.by_first: dict[str, list[tuple[str, ...]]] = {}
        for reading in self._places:
            if isinstance(reading, tuple):
                self.by_first.setdefault(reading[0], []).append(reading)
        self.numbers = tuple(sorted(reading for reading in self._places if isinstance(reading, float)))

    def mask(self, readings: tuple[Reading, ...]) -> BoolArray:
        """Return, of each document, whether it has one of these values."""
        mask = np.zeros(self._size, dtype=np.bool_)
        for reading in readings:
            mask[self._places[reading]] = True
        return mask

    def written(self, readings: tuple[Reading, ...]) -> list[object]:
        """Return the values as the documents have them."""
        return [value for reading in readings for value in self._written[reading]]

    def has(self, word: str) -> bool:
        """Say whether a single word is a value."""
        return (word,) in self._places

    def _read(self, documents: DocumentIndex) -> bool:
        """Take in the values of all documents; return whether any has the field."""
        present = False
        for place, document in enumerate(documents.corpus):
            for value in _items(document_value(document, self.name)):
                present = True
                reading = _reading(value)
                if reading is not None:
                    self._places.setdefault(reading, []).append(place)
                    self._written.setdefault(reading, {})[value] = None
        return present


def _items(value: object) -> Iterator[object]:
    if isinstance(value, _SEVERAL):
        for item in value:
            yield from _items(item)
    elif value is not None and not isinstance(value, Mapping):
        yield value


def _reading(value: object) -> Reading | None:
    """Return the words or the number that a query names a value by; None where it cannot."""
    number = parse_turn(value)
    if number is not None:
        return number
    if isinstance(value, date):
        return value_words(value.isoformat())
    return value_words(value) or None if isinstance(value, str) else None


STAGE = "filter_from_query"
# The number of a field, and its values that a query mentions.
Wanted = tuple[tuple[int, "tuple[Reading, ...]"], ...]


class _Group(NamedTuple):
    """Queries that are asked together; allowed: None where they are not narrowed."""

    places: list[int]
    wanted: Wanted
    allowed: BoolArray | None


@stage(
    STAGE,
    summary="Keeps documents whose metadata the query mentions, where it mentions any.",
    fields="the metadata fields whose values are looked for in queries",
    pronouns='whether "you said" and "my question" name the assistant\'s and the user\'s side',
    missing="what happens if no document has a field: an error, or (keep) it narrows nothing",
)
class FilterFromQuery(Step):
    """Narrow each query to the documents whose metadata it mentions."""

    def __init__(
        self, source: Stage, /, *fields: str, pronouns: bool = True, missing: Literal["error", "keep"] = "error"
    ) -> None:
        if not fields:
            raise InputError(f"{STAGE}: no field is named; expected some, such as {STAGE}(role, turn).")
        for name in fields:
            if not name.strip():
                raise InputError(f"{STAGE}: a field is {name!r}, expected the name of a metadata field, such as role.")
        self.source = source
        self.fields = tuple(dict.fromkeys(fields))
        self.pronouns = pronouns
        self.missing = missing
        self._values: tuple[FieldValues, ...] | None = None
        self._lock = Lock()  # queries may be asked in several threads
        self._start_counting()

    @property
    def facts(self) -> dict[str, object]:
        """Its settings, for the card."""
        return {"fields": list(self.fields), "pronouns": self.pronouns, "missing": self.missing}

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many queries were narrowed, and by which fields."""
        asked, narrowed = len(self._asked), len(set().union(*self._narrowed.values()))
        by = ", ".join(f"{name} {len(queries)}" for name, queries in self._narrowed.items() if queries)
        remarks = [f"{STAGE}: {narrowed} of {asked} different queries narrowed (by {by})."] if narrowed else []
        if self._in_vain:
            were = "query was" if len(self._in_vain) == 1 else "queries were"
            remarks.append(
                f"{STAGE}: {len(self._in_vain)} {were} not narrowed, because no document has all the values mentioned."
            )
        return tuple(remarks)

    def index(self, documents: DocumentIndex) -> None:
        """Read the values of the fields, and get the source ready."""
        values = tuple(FieldValues(name, documents) for name in self.fields)
        for field in values:
            if documents.size and not field.present and self.missing == "error":
                raise UnknownNameError(f"field of {STAGE}", field.name, field_names(documents.corpus))
        self._start_counting()
        self._values = values
        super().index(documents)

    def find(self, request: Request) -> RankingBatch:
        """Ask the source once for each set of values that queries mention."""
        parts = []
        for group in self._groups(request):
            asked = subrequest(request, group.places)
            if group.allowed is None:
                parts.append(RankingPart(group.places, self.source.find(asked)))
                continue
            filters = {**(request.filters or {}), **self._filters(group.wanted)}
            ranking = self.source.find(replace(asked, allowed=group.allowed, filters=filters))
            parts.append(RankingPart(group.places, only_allowed(ranking, group.allowed)))
        return merged(parts, len(request.queries))

    def mentioned(self, query: str) -> dict[str, list[object]]:
        """Return the values that a query mentions by field, as the documents have them."""
        return self._filters(self._wanted(query))

    def _groups(self, request: Request) -> list[_Group]:
        """Group the queries that are narrowed alike."""
        groups: dict[Wanted, _Group] = {}
        for place, query in enumerate(request.queries):
            wanted = self._wanted(query)
            if wanted not in groups:
                groups[wanted] = _Group([], wanted, self._allowed(wanted, request.allowed))
            groups[wanted].places.append(place)
            self._count(query, groups[wanted])
        narrowed = [group for group in groups.values() if group.allowed is not None]
        rest = sorted(place for group in groups.values() if group.allowed is None for place in group.places)
        return [*narrowed, _Group(rest, (), None)] if rest else narrowed

    def _wanted(self, query: str) -> Wanted:
        words = query_words(query)
        texts = dict(mentioned_values(words, self._indexed))
        wanted = []
        for number, field in enumerate(self._indexed):
            spoken = self._spoken(words, field)
            readings: Sequence[Reading] = (*texts.get(field, ()), *spoken, *mentioned_numbers(words, field))
            if readings:
                wanted.append((number, tuple(dict.fromkeys(readings))))
        return tuple(wanted)

    def _spoken(self, words: Sequence[Word], field: FieldValues) -> tuple[Reading, ...]:
        """Return the roles that pronouns name, where the field has both sides."""
        if not self.pronouns or not is_speaker_field(field):
            return ()
        sides = {"assistant": _of_side(field, ASSISTANT), "user": _of_side(field, USER)}
        if not all(sides.values()):
            return ()
        return tuple(role for side in sides_named(words) for role in sides[side])

    def _allowed(self, wanted: Wanted, allowed: BoolArray | None) -> BoolArray | None:
        mask = allowed
        for number, readings in wanted:
            of_field = self._indexed[number].mask(readings)
            mask = of_field if mask is None else mask & of_field
        return mask if wanted and mask is not None and mask.any() else None

    def _filters(self, wanted: Wanted) -> dict[str, list[object]]:
        return {self.fields[number]: self._indexed[number].written(readings) for number, readings in wanted}

    @property
    def _indexed(self) -> tuple[FieldValues, ...]:
        if self._values is None:
            raise InputError(f"{STAGE}: index the documents before searching.")
        return self._values

    def _start_counting(self) -> None:
        self._asked: set[str] = set()
        self._in_vain: set[str] = set()
        self._narrowed: dict[str, set[str]] = {name: set() for name in self.fields}

    def _count(self, query: str, group: _Group) -> None:
        """Count the query for the remarks; by text, since it may be asked more than once to be timed."""
        with self._lock:
            self._asked.add(query)
            if group.allowed is None:
                self._in_vain.update([query] if group.wanted else ())
                return
            for number, _ in group.wanted:
                self._narrowed[self.fields[number]].add(query)


def _of_side(field: FieldValues, side: frozenset[str]) -> tuple[tuple[str, ...], ...]:
    return tuple((role,) for role in sorted(side) if field.has(role))
