"""The words of a query, as what it mentions is read from them.

A word is a run of letters and digits in lower case, with the marks of `C++` and `C#`; `_`, `-` and all other marks
stand between words. A possessive `'s` is taken off and remembered; contractions are two words (`I've`: i have,
`didn't`: did not). A number may have a decimal point.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"\d+\.\d+|[^\W_]+(?:'[^\W_]+)*(?:\+\+|#)?")
_QUOTED = re.compile(r'"[^"]*"|\N{LEFT DOUBLE QUOTATION MARK}[^\N{RIGHT DOUBLE QUOTATION MARK}]*')
_CONTRACTIONS = {"'ve": "have", "'d": "had", "'re": "are", "'m": "am", "'ll": "will", "n't": "not"}
_CLAUSE = re.compile(r"[,.;:?!()\n]")


class Word(NamedTuple):
    """One word of a query; gap: what stands between it and the word before."""

    text: str
    gap: str
    capital: bool = False
    possessive: bool = False
    quoted: bool = False

    @property
    def begins_clause(self) -> bool:
        """Whether a mark such as a comma stands before it."""
        return _CLAUSE.search(self.gap) is not None


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list written with blanks."""
    return frozenset(text.split())


def text_at(words: Sequence[Word], at: int) -> str:
    """Return the word at a place, empty where there is none."""
    return words[at].text if 0 <= at < len(words) else ""


def query_words(text: str) -> tuple[Word, ...]:
    """Return the words of a text in their order."""
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    quotes = [quote.span() for quote in _QUOTED.finditer(text)]
    found: list[Word] = []
    end = 0
    for word in _WORD.finditer(text):
        quoted = any(start < word.start() < stop for start, stop in quotes)
        found.extend(_parts(word[0], text[end : word.start()], quoted=quoted))
        end = word.end()
    return tuple(found)


def value_words(text: str) -> tuple[str, ...]:
    """Return the words of a value of the metadata, to be looked for in queries."""
    return tuple(word.text for word in query_words(text))


def singulars(word: str) -> tuple[str, ...]:
    """Return the word, and what it may be the plural of."""
    found = [word]
    if word.endswith("ies"):
        found.append(f"{word[:-3]}y")
    if word.endswith("es"):
        found.append(word[:-2])
    if word.endswith("s") and not word.endswith("ss"):
        found.append(word[:-1])
    return tuple(found)


def _parts(written: str, gap: str, *, quoted: bool) -> list[Word]:
    word, capital = written.casefold(), written[0].isupper()
    if word.endswith("'s"):
        return [Word(word[:-2], gap, capital, possessive=True, quoted=quoted)]
    for suffix, second in _CONTRACTIONS.items():
        if word.endswith(suffix) and len(word) > len(suffix):
            return [Word(word.removesuffix(suffix), gap, capital, quoted=quoted), Word(second, "", quoted=quoted)]
    return [Word(word, gap, capital, quoted=quoted)]
