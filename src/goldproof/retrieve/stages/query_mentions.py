"""Values and numbers that a query mentions (English).

A text value is mentioned by all of its words in a row, the last of which may be a plural or a possessive; of two that
overlap, in whatever field, the longer one counts. A value of one or two letters, or one that is a function word ("it",
"will", "other"), counts only with a capital inside the query or after its field's name ("topic other").

A mention after `not`, `except`, `without`, `other than` and the like names nothing. A field that says who spoke
(`query_words.SPEAKER_FIELDS`) asks for more:

- One who is spoken to or about is not named ("respond to the opponent", "asked the doctor", "the doctor was told"),
  unless the query compares; nor is "the second agent", who may be another.
- A role that is an everyday word counts only where it speaks: "the user said", "the user's question", "suggested by the
  assistant", but not "the user interface".

Values joined by "and", "or" or a comma are judged together: what holds for one holds for all.

A number is mentioned after the name of its field only:

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
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from goldproof.retrieve.stages.query_words import (
    EVERYDAY,
    NOUNS,
    PAST,
    SPEAKER_FIELDS,
    VERBS,
    singulars,
    text_at,
    word_set,
)
from goldproof.text.tokens import FUNCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.retrieve.stages.filter_from_query import FieldValues
    from goldproof.retrieve.stages.query_words import Word

_DETERMINERS = word_set("the our this that these those a an each every both my your their his her its")
_NEGATIONS = word_set("not except excluding without besides neither nor no than never")
_NEGATING_PAIRS = frozenset({("apart", "from"), ("aside", "from"), ("instead", "of"), ("but", "not")})
_TOWARDS = word_set("to against about with for at toward towards regarding concerning on")
_GIVING_TOWARDS = frozenset({"according", "attributed", "thanks"})
_COMPARING = word_set(
    "compare compared comparing contrast versus vs differ differs difference differences agree agrees agreed disagree "
    "disagrees disagreed"
)
_ADVERBS = word_set(
    "also already actually ever first finally initially just last later once originally previously recently then have "
    "has had was were been not"
)
_ADJECTIVES = word_set(
    "earlier first former initial last latest newest original past previous prior recent second third two three four "
    "five main most own final closing opening"
)
_BEING = word_set("was were is are be been being got")
_OTHERS = word_set("other another second third fourth next new different former")
_SHORT = 2


@dataclass(frozen=True, slots=True)
class Mention:
    """A value at a place of a query: words[start:end]."""

    field: FieldValues
    value: tuple[str, ...]
    start: int
    end: int


def mentioned_values(
    words: Sequence[Word], fields: Sequence[FieldValues]
) -> list[tuple[FieldValues, tuple[tuple[str, ...], ...]]]:
    """Return the values that a query mentions, by field; fields of which it mentions none are left out."""
    mentions = _longest([mention for field in fields for mention in _mentions(words, field)])
    by_field = []
    for field in fields:
        groups = _groups(words, [mention for mention in mentions if mention.field is field])
        values = dict.fromkeys(mention.value for group in groups if _counts(words, group) for mention in group)
        if values:
            by_field.append((field, tuple(values)))
    return by_field


def is_speaker_field(field: FieldValues) -> bool:
    """Say whether a field says who spoke."""
    return field.name.rpartition(".")[2].casefold() in SPEAKER_FIELDS


def _mentions(words: Sequence[Word], field: FieldValues) -> list[Mention]:
    texts = tuple(word.text for word in words)
    mentions = [
        Mention(field, value, start, start + len(value))
        for start, text in enumerate(texts)
        for first in singulars(text)
        for value in field.by_first.get(first, ())
        if _matches(texts[start : start + len(value)], value)
    ]
    return [mention for mention in mentions if _stands_out(words, mention)]


def _matches(here: tuple[str, ...], value: tuple[str, ...]) -> bool:
    """Say whether these words are the value, the last one perhaps in the plural."""
    if len(here) < len(value) or here[:-1] != value[:-1]:
        return False
    return here[-1] == value[-1] or (len(value[-1]) > _SHORT and value[-1] in singulars(here[-1]))


def _stands_out(words: Sequence[Word], mention: Mention) -> bool:
    """Say whether a value that is hardly a word is meant as one."""
    value = mention.value
    hardly = all(word in FUNCTION_WORDS for word in value) or (len(value) == 1 and len(value[0]) <= _SHORT)
    if not hardly or _follows_name(words, mention) or (value[0] in EVERYDAY and is_speaker_field(mention.field)):
        return True
    return words[mention.start].capital and mention.start > 0


def _longest(mentions: list[Mention]) -> list[Mention]:
    """Leave out what overlaps a longer mention, in whatever field."""
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda mention: (mention.start - mention.end, mention.start)):
        overlaps = [other for other in kept if other.start < mention.end and mention.start < other.end]
        if all((other.start, other.end) == (mention.start, mention.end) for other in overlaps):
            kept.append(mention)
    return sorted(kept, key=lambda mention: mention.start)


def _groups(words: Sequence[Word], mentions: list[Mention]) -> list[list[Mention]]:
    """Put mentions together that are joined by `and`, `or` or a comma."""
    groups: list[list[Mention]] = []
    for mention in mentions:
        at = _before(words, mention.start)
        joined = words[at].text in ("and", "or", "nor") if at >= 0 else False
        comma = any("," in words[i].gap for i in range(at + 1, mention.start + 1))
        last = groups[-1][-1].end - 1 if groups else None
        near = last is not None and ((joined and at - 1 == last) or (comma and at == last))
        if near:
            groups[-1].append(mention)
        else:
            groups.append([mention])
    return groups


def _counts(words: Sequence[Word], group: list[Mention]) -> bool:
    if any(_negated(words, mention) for mention in group):
        return False
    if any(_follows_name(words, mention) for mention in group) or not is_speaker_field(group[0].field):
        return True
    compares = any(word.text in _COMPARING for word in words)
    if not compares and any(_spoken_to(words, mention) for mention in group):
        return False
    if any(_is_another(words, mention) for mention in group):
        return False
    everyday = all(mention.value[-1] in EVERYDAY for mention in group)
    return not everyday or any(_speaks(words, mention) for mention in group)


def _negated(words: Sequence[Word], mention: Mention) -> bool:
    at = _before(words, mention.start)
    if (text_at(words, at - 1), text_at(words, at)) in _NEGATING_PAIRS:
        return True
    at = at - 1 if text_at(words, at) in ("by", "from", "of") else at  # "not by the opponent"
    return text_at(words, at) in _NEGATIONS


def _spoken_to(words: Sequence[Word], mention: Mention) -> bool:
    at = _before(words, mention.start)
    if text_at(words, at) in _TOWARDS:
        return text_at(words, at - 1) not in _GIVING_TOWARDS
    return text_at(words, at) in VERBS or _is_told(words, mention)


def _is_told(words: Sequence[Word], mention: Mention) -> bool:
    """Say whether somebody else spoke: "the customer was told", "what was the customer told"."""
    if words[mention.end - 1].possessive:
        return False
    turned = text_at(words, _before(words, mention.start)) in _BEING
    at = mention.end
    between = []
    while text_at(words, at) in _ADVERBS or text_at(words, at) in _BEING:
        between.append(text_at(words, at))
        at += 1
    return (turned or any(word in _BEING for word in between)) and text_at(words, at) in PAST


def _is_another(words: Sequence[Word], mention: Mention) -> bool:
    """Say whether one is set apart from the one of this name: "the second agent", which may be `agent_2`."""
    return text_at(words, mention.start - 1) in _OTHERS and text_at(words, mention.end) not in NOUNS


def _speaks(words: Sequence[Word], mention: Mention) -> bool:
    """Say whether one who is named by an everyday word says something."""
    after = mention.end
    if (
        words[after - 1].possessive
        or words[after - 1].text != mention.value[-1]
        or text_at(words, after) in _ADJECTIVES
    ):
        while text_at(words, after) in _ADJECTIVES:
            after += 1
        return text_at(words, after) in NOUNS or (not words[after - 1].possessive and _verb_at(words, after))
    if _verb_at(words, after) or text_at(words, after) in NOUNS:
        return True
    at = _before(words, mention.start)
    if (text_at(words, at - 1), text_at(words, at)) == ("according", "to"):
        return _ends(words, after)
    speech_before = any(word.text in VERBS or word.text in NOUNS for word in words[:at])
    return text_at(words, at) in ("by", "from") and speech_before and _ends(words, after)


def _verb_at(words: Sequence[Word], at: int) -> bool:
    while text_at(words, at) in _ADVERBS:
        at += 1
    return text_at(words, at) in VERBS


def _ends(words: Sequence[Word], at: int) -> bool:
    return at >= len(words) or words[at].begins_clause or words[at].text in FUNCTION_WORDS


def _follows_name(words: Sequence[Word], mention: Mention) -> bool:
    name = mention.field.name_words
    end = mention.start - 1 if text_at(words, mention.start - 1) in ("is", "was", "of") else mention.start
    return bool(name) and tuple(word.text for word in words[max(end - len(name), 0) : end]) == name


def _before(words: Sequence[Word], at: int) -> int:
    """Return the place of the word before, leaving out articles and the like; -1 where there is none."""
    at -= 1
    while at >= 0 and words[at].text in _DETERMINERS:
        at -= 1
    return at


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
    """Return the numbers after the field's name at this place; a name inside a list is part of the list."""
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
