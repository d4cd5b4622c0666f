"""Numbers that a query names with the name of their field: "turn 3", "turns 3 and 5", "turn 3 to 5".

    turn 3, turn #3, turn number three                  that one
    turns 3, 5 and 7; turn 3 or turn 5                  these
    turns 3-5, turn 3 to 5, between turns 3 and 5       from the first to the last
    before, after, since, until turn 5                  what lies there
    up to turn 5, turn 5 or later, from turn 5 on       and so do these

Several such bounds hold together, and whatever is named singly is allowed besides. "Around turn 5", "about turn 5" and
"except in turn 5" name nothing. A number that no document has is no value of the field.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from goldproof.retrieve.wording.query_words import singulars, text_at, word_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.retrieve.filtering.field_values import FieldValues
    from goldproof.retrieve.wording.query_words import Word

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_NUMBER_WORDS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty
"""
_NAMED = {word: float(number) for number, word in enumerate(_NUMBER_WORDS.split())}
_TO = word_set("to through till until")
_DASHES = ("-", "\N{EN DASH}", "\N{EM DASH}")
_FITTING = frozenset({"", ":", "#", "=", ",", "&", "/", *_DASHES})
_SKIPPED = word_set("the our in at during")
_BEFORE = {"before": "<", "after": ">", "since": ">=", "until": "<=", "till": "<=", "by": "<="}
_PAIRS = {("up", "to"): "<=", ("prior", "to"): "<", ("earlier", "than"): "<", ("later", "than"): ">"}
_LATER, _EARLIER = word_set("later after onward onwards"), word_set("earlier before")
_VAGUE = word_set("around near about approximately roughly except excluding not without besides than but of")


class _Named(NamedTuple):
    """Numbers after a name: a list, or the two ends of a range; end: the place after them."""

    numbers: tuple[float, ...]
    is_range: bool
    end: int


class _Link(NamedTuple):
    """How a further number is joined, and where it would stand."""

    word: str
    place: int


def mentioned_numbers(words: Sequence[Word], field: FieldValues) -> tuple[float, ...]:
    """Return the values of a field that a query names, ascending."""
    single: set[float] = set()
    bounds: list[tuple[str, float]] = []
    for at in range(len(words) if field.numbers else 0):
        named = _named_at(words, at, field)
        how = _relation(words, at, named) if named else ""
        if named and how == "=":
            single.update(_chosen(named, field))
        elif named and how:
            bounds.append((how, named.numbers[0]))
    return tuple(
        number
        for number in field.numbers
        if number in single or (bounds and all(_holds(number, *bound) for bound in bounds))
    )


def _chosen(named: _Named, field: FieldValues) -> list[float]:
    if named.is_range:
        low, high = min(named.numbers), max(named.numbers)
        return [number for number in field.numbers if low <= number <= high]
    return [number for number in field.numbers if number in named.numbers]


def _relation(words: Sequence[Word], at: int, named: _Named) -> str:
    """Return how the numbers after a name are meant: "=", a comparison, or "" where they name nothing."""
    while text_at(words, at - 1) in _SKIPPED:
        at -= 1
    before = text_at(words, at - 1)
    bound = _PAIRS.get((text_at(words, at - 2), before)) or _BEFORE.get(before)
    if before in _VAGUE and bound is None:
        return "" if before != "of" or text_at(words, at - 2) == "as" else "="
    if len(named.numbers) > 1:
        return "=" if bound is None else ""
    return bound or _open_end(words, named.end, before=before) or "="


def _open_end(words: Sequence[Word], at: int, *, before: str) -> str:
    first, second = text_at(words, at), text_at(words, at + 1)
    if first in ("onward", "onwards") or (first == "on" and before == "from"):
        return ">="
    if first not in ("or", "and"):
        return ""
    return ">=" if second in _LATER else "<=" if second in _EARLIER else ""


def _holds(number: float, how: str, bound: float) -> bool:
    return {"<": number < bound, "<=": number <= bound, ">": number > bound, ">=": number >= bound}[how]


def _named_at(words: Sequence[Word], at: int, field: FieldValues) -> _Named | None:
    """Return the numbers after the field's name, where it stands here; a name inside a list is part of the list."""
    start = _after_name(words, at, field)
    first = _number(words, start) if start else None
    if first is None or _continues(words, at):
        return None
    numbers, end = [first], start + 1
    while (more := _number(words, (link := _link(words, end, field)).place)) is not None and link.word:
        is_range = len(numbers) == 1 and (link.word == "to" or text_at(words, at - 1) == "between")
        if link.word == "to" and not is_range:
            break
        numbers.append(more)
        end = link.place + 1
        if is_range:
            return _Named(tuple(numbers), is_range=True, end=end)
    return _Named(tuple(numbers), is_range=False, end=end)


def _continues(words: Sequence[Word], at: int) -> bool:
    """Say whether a number is joined to a name here: "turn 3 to turn 5" is read at its first word."""
    joins = text_at(words, at - 1) in ("and", "or", *_TO)
    return joins and (_NUMBER.fullmatch(text_at(words, at - 2)) is not None or text_at(words, at - 2) in _NAMED)


def _after_name(words: Sequence[Word], at: int, field: FieldValues) -> int:
    """Return the place after the field's name, 0 where it does not stand here."""
    name = field.name_words
    here = [word.text for word in words[at : at + len(name)]]
    if not name or len(here) < len(name) or here[:-1] != list(name[:-1]) or name[-1] not in singulars(here[-1]):
        return 0
    end = at + len(name)
    return end + 1 if text_at(words, end) == "number" else end


def _link(words: Sequence[Word], at: int, field: FieldValues) -> _Link:
    """Return how a further number is joined here; its word is "and", "to", or "" where none is."""
    gap = words[at].gap.strip() if at < len(words) else "."
    if gap in _DASHES:
        return _Link("to", at)
    if text_at(words, at) in _TO:
        return _Link("to", _after_name(words, at + 1, field) or at + 1)
    if text_at(words, at) in ("and", "or") and gap in ("", ","):
        return _Link("and", _after_name(words, at + 1, field) or at + 1)
    return _Link("and" if gap in (",", "&", "/") else "", _after_name(words, at, field) or at)


def _number(words: Sequence[Word], at: int) -> float | None:
    if not 0 <= at < len(words) or words[at].gap.strip() not in _FITTING:
        return None
    text = words[at].text
    return float(text) if _NUMBER.fullmatch(text) else _NAMED.get(text)
