"""Does a text hold this name, phrase or identifier, as whole words?

"art" is not in "start", and `get_proxy` not in `get_proxy_url`. Case, blanks, quotation marks and dashes may differ
(`goldproof.text.spans`), and an article before the phrase or a full stop after it may be missing. Case counts for code
identifiers (`get_proxy`, `requests.get`, `getProxy`, `LlmAgent`, `src/app.py`), for abbreviations (up to four capital
letters: "US" is not "us") and for names that are function words: "May" is not in "it may rain". At the start of a
sentence every word has a capital letter, so there such a name is found only where no word follows it directly ("May
2019", "May: 12").
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from goldproof.text.spans import Span, find_words
from goldproof.text.words import FUNCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

_ARTICLE: Final = re.compile(r"(?:the|an?)\s+(?=\S)", re.IGNORECASE)
_WRAPPED: Final = " \t\r\n\"'`\u201c\u201d\u2018\u2019"
_ENDS: Final = ".,;:!? \t\r\n"
_ABBREVIATION: Final = re.compile(r"[A-Z][A-Z0-9&]{0,3}")
_OPENING: Final = " \t\"'([\u201c\u2018"
_SENTENCE_ENDS: Final = ("", "\n", "\r", ".", "!", "?")
_LOOK_BACK: Final = 8
_WORD_FOLLOWS: Final = re.compile(r"[^\S\n]+[^\W\d_]")
_IDENTIFIER: Final = re.compile(
    r"(?=\S*[a-z])(?:[\w./:-]*\w_\w[\w./:-]*|_+\w+|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[a-z_]\w+(?:(?:\.|::|->)[A-Za-z_]\w+)+|[\w.-]*/[\w./-]+\.\w+|[A-Za-z_][\w.]*\(\))"
)


class Phrase(NamedTuple):
    """What to look for, and how."""

    text: str
    how: Literal["text", "identifier"]
    same_case: bool
    function_word: bool = False


def find_phrase(answer: str, context: str) -> tuple[Span, Literal["text", "identifier"]] | None:
    """Return where the answer stands as whole words, and what it was taken for; None where it does not stand."""
    phrase = phrase_of(answer)
    if phrase.function_word:
        return next(((span, phrase.how) for span in _as_a_name(phrase.text, context)), None)
    span = find_words(phrase.text, context, whole_words=True, same_case=phrase.same_case)
    return None if span is None else (span, phrase.how)


@lru_cache(maxsize=1024)
def phrase_of(answer: str) -> Phrase:
    """Return what of an answer must stand in a text: quotation marks, article and full stop taken off."""
    bare = answer.strip(_WRAPPED).rstrip(_ENDS) or answer.strip()
    if _IDENTIFIER.fullmatch(bare):
        return Phrase(bare.removesuffix("()"), "identifier", same_case=True)
    text = _ARTICLE.sub("", bare, count=1) if _ARTICLE.match(bare) else bare
    if _ABBREVIATION.fullmatch(text):
        return Phrase(text, "text", same_case=True)
    function_word = text.casefold() in FUNCTION_WORDS
    return Phrase(text, "text", same_case=function_word, function_word=function_word)


def _as_a_name(word: str, context: str) -> Iterator[Span]:
    """Yield where a word stands in its own case, and not merely since a sentence begins with it."""
    for found in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", context):
        if not (_begins_sentence(context, found.start()) and _WORD_FOLLOWS.match(context, found.end())):
            yield Span(*found.span())


def _begins_sentence(context: str, at: int) -> bool:
    before = context[max(0, at - _LOOK_BACK) : at].rstrip(_OPENING)
    return before[-1:] in _SENTENCE_ENDS
