"""Does the question describe what its identifier names? Then another identifier would contradict the description.

"Why does the key lookup in CaseInsensitiveDict slow down case-insensitive dictionaries" says itself what the class is:
a word of the name stands in the sentence, whole ("cookies" and merge_cookies), begun ("func" and "functions") or inside
("marker" and accessmarker). Words that any name may hold ("test", "get") do not count. A long question describes it
too, in other words than the name's.
"""

from __future__ import annotations

import re

from goldproof.jobs.build.unanswerables.proposal import other_words

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_IN_ANY_NAME = "test tests class get set from with for and base main init type"
_ANY_NAME = frozenset(_IN_ANY_NAME.split())
_LONG = 4
_MOST_WORDS = 10
_BEGUN = 3


def describes(question: str, name: str) -> bool:
    """Whether the question, outside the name itself, holds a word of the name or tells much."""
    rest = re.sub(rf"`?{re.escape(name)}`?", " ", question)
    parts = [part.casefold() for part in _PARTS.findall(name)]
    telling = [part for part in parts if len(part) >= _BEGUN and part not in _ANY_NAME]
    words = other_words(rest, taken=set(_ANY_NAME))
    joined = "".join(parts)
    return len(words) > _MOST_WORDS or any(_same(word, telling, joined=joined) for word in words)


def _same(word: str, parts: list[str], *, joined: str) -> bool:
    if any(word.startswith(part) or (len(word) >= _LONG and part.startswith(word)) for part in parts):
        return True
    stem = re.sub(r"(?:ing|ed|es|s)$", "", word)
    return len(stem) >= _BEGUN and stem in joined
