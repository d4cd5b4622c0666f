"""What came and was not expected: copies, other roles than the query names, older ones than it asks for.

named     a field (role, topic, type, turn, ...) has one and the same value in all expected memories, the query says
          that value, and the item has another: a metadata filter would have kept it out (remedy B). Text is said where
          all its words are in the query; a number where the name of the field stands before it (turn 3).
older     a temporal or update query, and the item is older than all expected memories (remedy F)
copy      its content is that of an item before it
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from goldproof.jobs.memory.analysis.diagnosis import Intruder
from goldproof.jobs.memory.analysis.floors import reference_similarity
from goldproof.jobs.memory.analysis.remedy import Advice
from goldproof.jobs.memory.analysis.stored import fields_of, memories_of
from goldproof.jobs.memory.timeline import moments_of
from goldproof.text.tokens import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.jobs.memory.analysis.came import Item
    from goldproof.jobs.memory.analysis.reference import Ranks
    from goldproof.jobs.memory.answered import Answered

RECENT_KINDS = ("temporal", "update")
MOST_KEPT = 20  # of what came unexpected to one query, in a diagnosis


class Intruders(NamedTuple):
    """Those that came unexpected (the first of them, and how many in all), and the advice that rests on them."""

    found: tuple[Intruder, ...]
    in_all: int
    advice: tuple[Advice, ...]


def intruders_of(row: Answered, items: Sequence[Item], ranks: Mapping[str, Ranks]) -> Intruders:
    """Return what came unexpected, with what is odd about it; ranks: by the reference, for similarities."""
    unexpected = [item for item in items if not item.grade]
    named = _named_fields(row)
    marks = {item.place: tuple(_marks(item, row, named=named)) for item in unexpected}
    copies = _copies(items)
    found = tuple(
        Intruder(
            place=item.place,
            id=item.match.hit.doc_id,
            memories=item.match.memories,
            role=item.role,
            content=item.content,
            similarity=item.match.hit.similarity,
            reference=reference_similarity(item, ranks),
            marks=(*(mark.text for mark in marks[item.place]), *copies.get(item.place, ())),
        )
        for item in unexpected[:MOST_KEPT]
    )
    return Intruders(found, len(unexpected), tuple(_advice(row, marks, named)))


class _Mark(NamedTuple):
    letter: str
    text: str


def _marks(item: Item, row: Answered, *, named: Mapping[str, object]) -> Iterator[_Mark]:
    stored = memories_of(row)
    sources = [stored[memory] for memory in item.match.memories if memory in stored]
    if not sources:
        return
    for name, value in named.items():
        values = [fields_of(memory).get(name) for memory in sources]
        if all(one != value for one in values):
            yield _Mark("B", f"its {name} is {values[0]!r}, the query says {value!r}")
    if wants_recent(row):
        moments = moments_of(row.pool)
        oldest = min(moments[memory] for memory in row.query.expected)
        if all(moments[memory.id] < oldest for memory in sources):
            yield _Mark("F", "older than all expected")


def _advice(row: Answered, marks: Mapping[int, Sequence[_Mark]], named: Mapping[str, object]) -> Iterator[Advice]:
    def share(letter: str) -> str:
        hit = sum(any(mark.letter == letter for mark in found) for found in marks.values())
        return f"{hit} of {len(marks)}" if hit else ""

    if share("B"):
        fields = " and ".join(f"{name} = {value!r}" for name, value in named.items())
        left = sum(all(fields_of(memory).get(name) == value for name, value in named.items()) for memory in row.pool)
        yield Advice(
            "B",
            f"the query names what all expected have, {fields}; a filter on it would keep out {share('B')} of what was "
            f"not expected, and leave {left} of {len(row.pool)} memories",
        )
    if share("F"):
        wanted = f"of kind {row.query.kind}" if row.query.kind in RECENT_KINDS else "for the newest first"
        yield Advice(
            "F", f"the query is {wanted}, and {share('F')} of what was not expected is older than all expected"
        )


def wants_recent(row: Answered) -> bool:
    """Say whether a query asks for what is new."""
    query = row.query
    return bool(query.expected) and query.order != "oldest" and (query.kind in RECENT_KINDS or query.order == "newest")


def _named_fields(row: Answered) -> dict[str, object]:
    """Return the fields that a caller could have filtered by: the query says the value that all expected have."""
    stored = memories_of(row)
    expected = [fields_of(stored[memory]) for memory in row.query.expected if memory in stored]
    if not expected:
        return {}
    said = words(row.query.text)
    already = row.query.filters or {}
    fields = {"role": None, **expected[0]}  # the role first
    return {
        name: value
        for name, value in fields.items()
        if name not in already and all(one.get(name) == value for one in expected) and _is_said(name, value, said)
    }


def _is_said(name: str, value: object, said: Sequence[str]) -> bool:
    if isinstance(value, str):
        parts = words(value.replace("_", " "))
        return bool(parts) and all(part in said for part in parts)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return any(pair == (name.casefold(), str(value)) for pair in pairwise(said))


def _copies(items: Sequence[Item]) -> dict[int, tuple[str]]:
    seen: dict[str, Item] = {}
    copies: dict[int, tuple[str]] = {}
    for item in items:
        text = item.match.hit.text or item.content
        plain = " ".join(text.casefold().split())
        if plain and plain in seen:
            copies[item.place] = (f"a copy of {seen[plain].name}",)
        seen.setdefault(plain, item)
    return copies
