"""Words of a text, for comparing what texts speak of.

A word is a run of letters and digits in lower case; points and commas inside a number, and apostrophes and hyphens
inside a word, belong to it ("1,234.5", "don't", "year-end"). A character of a script written without blanks is a word.
Content words are those that carry meaning: function words and question words are left out.
"""

from __future__ import annotations

import re

_UNSPACED = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_PART = rf"[^\W_{_UNSPACED}]"
_WORD = re.compile(rf"[{_UNSPACED}]|\d+(?:[.,]\d+)+|{_PART}+(?:['\u2019-]{_PART}+)*")

_FUNCTION_WORDS = """
    a about above after again all also am an and any are aren't as at be because been before being below between both
    but by can can't could did didn't do does doesn't doing don't down during each either for from further had has have
    having he her here hers him his how i if in into is isn't it it's its itself just let may me might more most must my
    no nor not of off on once only or other our ours out over own please same shall she should so some such than that
    that's the their theirs them then there these they this those through to too under until up upon us very was wasn't
    we were weren't what what's when where which while who whom whose why will with within without would you your yours
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


def words(text: str) -> list[str]:
    """Return the words of a text in order, in lower case."""
    return _WORD.findall(text.casefold().replace("\u2019", "'"))


def content_words(text: str) -> tuple[str, ...]:
    """Return the words that carry meaning, each once, in order; a possessive 's is taken off."""
    found = (word.removesuffix("'s") for word in words(text))
    return tuple(dict.fromkeys(word for word in found if word and word not in FUNCTION_WORDS))
