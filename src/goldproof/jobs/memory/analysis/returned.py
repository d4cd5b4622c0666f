"""Faults of the returned items: would a floor help, which are unexpected and why, is their order wrong.

A floor keeps items that are at least as similar. It separates where every expected item is more similar than every
unexpected one: any floor above the highest of the unexpected, up to the lowest of the expected, does. The similarities
are the system's own where it returns all of them; the scores of a pipeline that searches words alone; else the cosines
of the reference embedder, where they lie at least 0.1 apart. A verdict holds for this one query: the same floor may
lose what other queries need.

An unexpected item is marked by what is odd about it:

    named     a field (role, topic, type, turn, ...) has the same value in all expected memories, the query says that
              value, and the item has another: a metadata filter would have kept it out (remedy B). Text is said where
              all its words are in the query; a number where the name of the field comes before it (turn 3).
    older     a temporal or update query, and the item is older than all expected memories (remedy F)
    copy      its content is that of an item before it
    function  a memory of the user's, all of whose items share a word with the query: this one shares function words
              alone (remedy H)

A memory of the highest expected grade should come first. One of a lower grade, such as an outdated fact, is wrong in
that place although it is expected.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from goldproof.jobs.memory.analysis.findings import Advice, Intruder, fields_of, memories_by_id
from goldproof.jobs.memory.timeline import moments_of
from goldproof.text.tokens import content_words, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.jobs.memory.analysis.deeper_search import SystemKind
    from goldproof.jobs.memory.analysis.findings import ReturnedItem
    from goldproof.jobs.memory.analysis.reference_ranks import Ranks
    from goldproof.jobs.memory.records import Answered
    from goldproof.metrics.memory.outcome import Order

_OWN = "its own similarities"
_SCORES = "its own scores: floor(N, of=score)"
_REFERENCE = "cosines of minilm, since it returns no similarities; its own scale differs"
_WIDE = 0.1
RECENT_KINDS = ("temporal", "update")
MOST_KEPT = 20  # unexpected items in a diagnosis


class Similarities(NamedTuple):
    """The similarity of each returned item, and whether they are the system's or the reference's."""

    values: tuple[float, ...]
    whose: str


class Observation(NamedTuple):
    """A remark on the returned items, in a sentence, and the advice that follows; both may be empty."""

    remark: str = ""
    advice: tuple[Advice, ...] = ()


def similarities_of(
    items: Sequence[ReturnedItem], ranks: Mapping[str, Ranks], *, kind: SystemKind = "unknown"
) -> Similarities | None:
    """Return the similarities of the items; None where neither the system nor the reference knows all of them.

    kind: how the system searches; a floor of one that searches words alone is on its scores.
    """
    own = [item.match.hit.similarity for item in items]
    if all(value is not None for value in own):
        return Similarities(tuple(value for value in own if value is not None), _OWN)
    if kind == "lexical":
        return Similarities(tuple(item.match.hit.score for item in items), _SCORES)
    reference = [reference_similarity(item, ranks) for item in items]
    if all(value is not None for value in reference):
        return Similarities(tuple(value for value in reference if value is not None), _REFERENCE)
    return None


def floor_verdict(items: Sequence[ReturnedItem], similarities: Similarities | None) -> Observation:
    """Say whether a floor separates the expected items from the others."""
    unexpected = [place for place, item in enumerate(items) if not item.grade]
    if not unexpected:
        return Observation()
    if similarities is None:
        return Observation("It is unknown whether a floor would help: some similarities are missing.")
    values, whose = similarities
    highest = max(values[place] for place in unexpected)
    kept = [value for place, value in enumerate(values) if place not in unexpected]
    if not kept:
        return Observation()
    lowest = min(kept)
    if whose == _REFERENCE and lowest - highest < _WIDE:
        return Observation()  # on the scale of another system a narrow band says nothing
    if lowest > highest:
        because = f"a floor above {_between(highest, lowest)} keeps what was expected and drops the rest ({whose})"
        return Observation(advice=(Advice("E", because),))
    below = sum(values[place] < lowest for place in unexpected)
    return Observation(
        f"No floor drops all unexpected items: one has {highest:.3f}, an expected one {lowest:.3f}; a floor of "
        f"{lowest:.3f} would drop {below} of {len(unexpected)} ({whose})."
    )


def silence_verdict(items: Sequence[ReturnedItem], similarities: Similarities | None) -> Observation:
    """Say which floor would have kept everything out, where nothing should come."""
    if not items:
        return Observation()
    if similarities is None:
        return Observation("It is unknown which floor would drop all of it: some similarities are missing.")
    highest = max(similarities.values)
    return Observation(
        advice=(
            Advice("E", f"with a floor above {rounded_up(highest)} nothing would have come ({similarities.whose})"),
        )
    )


def rounded_up(value: float, *, digits: int = 3) -> str:
    """Format a number, rounded up: a floor above the result keeps it out."""
    return f"{math.ceil(round(value * 10**digits, 6)) / 10**digits:.{digits}f}"


def rounded_down(value: float, *, digits: int = 3) -> str:
    """Format a number, rounded down: a floor of the result lets it pass."""
    return f"{math.floor(round(value * 10**digits, 6)) / 10**digits:.{digits}f}"


def _between(highest: float, lowest: float) -> str:
    """Format an interval with as many digits as it needs; it lies within the true one."""
    for digits in (3, 6):
        low, high = rounded_up(highest, digits=digits), rounded_down(lowest, digits=digits)
        if float(low) < float(high):
            return f"{low} up to {high}"
    return f"{highest!r} up to {lowest!r}"


def reference_similarity(item: ReturnedItem, ranks: Mapping[str, Ranks]) -> float | None:
    """Return the highest similarity of the memories an item stands for, by the reference; None where it has none."""
    known = [ranks[memory].similarity for memory in item.match.memories if memory in ranks]
    return max((value for value in known if value is not None), default=None)


class Intruders(NamedTuple):
    """Unexpected items (the first of them, and how many in all), and the advice that follows."""

    first: tuple[Intruder, ...]
    in_all: int
    advice: tuple[Advice, ...]


def intruders_of(
    row: Answered, items: Sequence[ReturnedItem], ranks: Mapping[str, Ranks], *, takes: frozenset[str] | None = None
) -> Intruders:
    """Return the unexpected items, with what is odd about each.

    ranks: by the reference, for similarities. takes: what the methods of a memory of the user's take.
    """
    unexpected = [item for item in items if not item.grade]
    named = _named_fields(row)
    function_words = {} if takes is None else _function_words(row, items)
    marks = {item.place: (*_marks(item, row, named=named), *function_words.get(item.place, ())) for item in unexpected}
    copies = _copies(items)
    first = tuple(
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
    return Intruders(first, len(unexpected), tuple(_advice(row, marks, named, takes=takes)))


class _Mark(NamedTuple):
    letter: str
    text: str


def _marks(item: ReturnedItem, row: Answered, *, named: Mapping[str, object]) -> Iterator[_Mark]:
    stored = memories_by_id(row)
    sources = [stored[memory] for memory in item.match.memories if memory in stored]
    if not sources:
        return
    for name, value in named.items():
        values = [fields_of(memory).get(name) for memory in sources]
        if all(other != value for other in values):
            yield _Mark("B", f"its {name} is {values[0]!r}, the query says {value!r}")
    if wants_recent(row):
        moments = moments_of(row.pool)
        oldest = min(moments[memory] for memory in row.query.expected)
        if all(moments[memory.id] < oldest for memory in sources):
            yield _Mark("F", "older than all expected")


def _function_words(row: Answered, items: Sequence[ReturnedItem]) -> dict[int, tuple[_Mark]]:
    """Mark the items that share function words alone with the query.

    None is marked where an item shares no word at all, so that it cannot have been found by its words, or where the
    query has no content words.
    """
    stored, asked, content = memories_by_id(row), set(words(row.query.text)), set(content_words(row.query.text))
    marks: dict[int, tuple[_Mark]] = {}
    for item in items:
        text = " ".join(stored[memory].content for memory in item.match.memories if memory in stored)
        shared = [word for word in dict.fromkeys(words(text)) if word in asked]
        if not shared or not content:
            return {}
        if content.isdisjoint(content_words(text)):
            marks[item.place] = (_Mark("H", f"shares only function words with the query: {', '.join(shared)}"),)
    return marks


def _advice(
    row: Answered,
    marks: Mapping[int, Sequence[_Mark]],
    named: Mapping[str, object],
    *,
    takes: frozenset[str] | None,
) -> Iterator[Advice]:
    def share(letter: str) -> str:
        marked = sum(any(mark.letter == letter for mark in item_marks) for item_marks in marks.values())
        return f"{marked} of {len(marks)}" if marked else ""

    if share("B"):
        fields = " and ".join(f"{name} = {value!r}" for name, value in named.items())
        left = sum(all(fields_of(memory).get(name) == value for name, value in named.items()) for memory in row.pool)
        fields_taken = {"role" if name == "role" else "metadata" for name in named}
        needed = set() if takes is None else fields_taken - takes
        first = f"let add() take {' and '.join(sorted(needed))}, and " if needed else ""
        yield Advice(
            "B",
            f"the query names {fields}, which all expected memories have; {first}filter on it: that drops {share('B')} "
            f"unexpected items and leaves {left} of {len(row.pool)} memories",
            choice=f"a filter on {' and '.join(named)}",
        )
    if share("F"):
        asks = f"is of kind {row.query.kind}" if row.query.kind in RECENT_KINDS else "asks for the newest first"
        yield Advice("F", f"the query {asks}, and {share('F')} unexpected items are older than all expected memories")
    if share("H"):
        yield Advice(
            "H", f"{share('H')} unexpected items share only function words with the query; do not match on stopwords"
        )


def wants_recent(row: Answered) -> bool:
    """Whether a query asks for the newest memories."""
    query = row.query
    return bool(query.expected) and query.order != "oldest" and (query.kind in RECENT_KINDS or query.order == "newest")


def _named_fields(row: Answered) -> dict[str, object]:
    """Return the fields to filter by: the query says the value that all expected memories have."""
    stored = memories_by_id(row)
    expected = [fields_of(stored[memory]) for memory in row.query.expected if memory in stored]
    if not expected:
        return {}
    query_words = words(row.query.text)
    filters = row.query.filters or {}
    fields = {"role": None, **expected[0]}  # the role first
    return {
        name: value
        for name, value in fields.items()
        if name not in filters
        and all(memory.get(name) == value for memory in expected)
        and _is_said(name, value, query_words)
    }


def _is_said(name: str, value: object, query_words: Sequence[str]) -> bool:
    if isinstance(value, str):
        parts = words(value.replace("_", " "))
        return bool(parts) and all(part in query_words for part in parts)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return any(pair == (name.casefold(), str(value)) for pair in pairwise(query_words))


def _copies(items: Sequence[ReturnedItem]) -> dict[int, tuple[str]]:
    seen: dict[str, ReturnedItem] = {}
    copies: dict[int, tuple[str]] = {}
    for item in items:
        text = item.match.hit.text or item.content
        plain = " ".join(text.casefold().split())
        if plain and plain in seen:
            copies[item.place] = (f"a copy of {seen[plain].name}",)
        seen.setdefault(plain, item)
    return copies


def not_first(row: Answered, items: Sequence[ReturnedItem], similarities: Similarities | None) -> Observation:
    """Say which item came first instead of a memory of the highest expected grade, and what may mend it.

    The remark is empty where such a memory came first, or where none came and the first item was not expected at all.
    """
    highest = max(row.query.expected.values(), default=0)
    first = next((item for item in items if item.grade == highest), None)
    if not items or items[0].grade == highest:
        return Observation()
    lower, advice = _lower_first(row, items[0], highest=highest)
    if first is None:
        return Observation(f"{lower} Nothing of grade {highest} came." if lower else "", advice)
    return Observation(f"{lower} {_behind(row, items, first=first, similarities=similarities)}".strip(), advice)


def _lower_first(row: Answered, item: ReturnedItem, *, highest: int) -> Observation:
    """Say that the first item is expected, but with a lower grade; older than all of the highest, decay may mend it."""
    if not item.grade:
        return Observation()
    remark = f"{item.named} came first, with grade {item.grade}; one of grade {highest} should."
    moments = moments_of(row.pool)
    best = [moments[memory] for memory, grade in row.query.expected.items() if grade == highest]
    if not wants_recent(row) or _moment(item, moments, row) >= min(best):
        return Observation(remark)
    older = f"{item.name} came first and is older than the memories of grade {highest}"
    return Observation(remark, (Advice("F", older),))


def _behind(
    row: Answered, items: Sequence[ReturnedItem], *, first: ReturnedItem, similarities: Similarities | None
) -> str:
    """Name the items before the first one of the highest grade."""
    moments = moments_of(row.pool)
    before = ", ".join(
        _compared(item, first, moments=moments, similarities=similarities) for item in items[: first.place - 1]
    )
    own = f" (similarity {similarities.values[first.place - 1]:.3f})" if similarities else ""
    whose = f"; {similarities.whose}" if similarities else ""
    return f"{first.name}{own} came at {first.place}, after {before}{whose}."


def out_of_order(row: Answered, items: Sequence[ReturnedItem], *, order: Order | None) -> Observation:
    """Say which expected memories came in the wrong order of time, and what may mend it."""
    if order is None:
        return Observation()
    moments = moments_of(row.pool)
    dated = [(item, _moment(item, moments, row)) for item in items if item.grade]
    wrong = [
        f"{a.name} before {b.name}"
        for (a, first), (b, then) in pairwise(dated)
        if (first < then if order == "newest" else first > then)
    ]
    if not wrong:
        return Observation()
    because = f"asked for {order} first, but {', '.join(wrong)}"
    advice = (Advice("F", because),) if order == "newest" else ()
    return Observation(f"{because[0].upper()}{because[1:]}.", advice)


def _moment(item: ReturnedItem, moments: Mapping[str, float], row: Answered) -> float:
    return max(moments[memory] for memory in item.match.memories if memory in row.query.expected)


def _compared(
    item: ReturnedItem, first: ReturnedItem, *, moments: Mapping[str, float], similarities: Similarities | None
) -> str:
    facts = [f"grade {item.grade}"] if item.grade else []
    if similarities:
        facts.append(f"similarity {similarities.values[item.place - 1]:.3f}")
    mine = [moments[memory] for memory in item.match.memories if memory in moments]
    theirs = [moments[memory] for memory in first.match.memories if memory in moments]
    if mine and theirs and max(mine) != max(theirs):
        facts.append("older" if max(mine) < max(theirs) else "newer")
    return f"{item.named} ({', '.join(facts)})" if facts else item.named
