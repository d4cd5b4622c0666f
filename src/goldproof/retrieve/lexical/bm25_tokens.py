"""From texts to token numbers for BM25: tokens, without stop words, stemmed, numbered in the order of their first use.

Stop words are taken out before stemming, from documents and queries alike. Only tokens of letters are stemmed; an
identifier whose parts become the same by stemming (`agents.agent`) counts that part once. A token that no document has
is dropped from a query; one that a query has twice counts twice.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from goldproof.errors import InputError, MissingExtraError, UnknownNameError
from goldproof.text.tokens import FUNCTION_WORDS, Remembered, Tokeniser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from goldproof.text.tokens import TokenKind


class Lexicon:
    """The tokens of a corpus with their numbers; it grows while documents are read."""

    def __init__(self, kind: TokenKind, *, stopwords: frozenset[str], stem: Callable[[str], str] | None) -> None:
        self.numbers: dict[str, int] = {}
        self._tokeniser = Tokeniser(kind)
        self._stopwords = stopwords
        self._stem = stem
        self._known = Remembered(self._number_known)

    def of_documents(self, texts: Iterable[str]) -> list[list[int]]:
        """Return the token numbers of each document; new tokens get the next number."""
        known, mentions = Remembered(self._number_anew), self._tokeniser.mentions
        return [known.joined(mentions(text)) for text in texts]

    def of_queries(self, texts: Iterable[str]) -> list[list[int]]:
        """Return the token numbers of each query, without the tokens that no document has."""
        known, mentions = self._known, self._tokeniser.mentions
        return [known.joined(mentions(text)) for text in texts]

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of a text as they are indexed, whether any document has them or not."""
        return [token for mention in self._tokeniser.mentions(text) for token in self._of_mention(mention)]

    def _number_anew(self, mention: str) -> tuple[int, ...]:
        numbers = self.numbers
        return tuple(numbers.setdefault(token, len(numbers)) for token in self._of_mention(mention))

    def _number_known(self, mention: str) -> tuple[int, ...]:
        numbers = self.numbers
        return tuple(numbers[token] for token in self._of_mention(mention) if token in numbers)

    def _of_mention(self, mention: str) -> Iterable[str]:
        tokens: Iterable[str] = self._tokeniser.of_mention(mention)
        if self._stopwords:
            tokens = [token for token in tokens if token not in self._stopwords]
        stem = self._stem
        if stem is None:
            return tokens
        return dict.fromkeys(stem(token) if token.isalpha() else token for token in tokens)


def stop_words(chosen: str | Sequence[str]) -> frozenset[str]:
    """Return the stop words: `english`, `none`, or a list of words."""
    if chosen == "english":
        return FUNCTION_WORDS
    if chosen == "none":
        return frozenset()
    if isinstance(chosen, str):
        wrong = UnknownNameError("stopwords", chosen, ("english", "none"))
        raise InputError(f"bm25: {wrong} A list of words is taken, too.")
    if not all(isinstance(word, str) for word in chosen):
        raise InputError(f"bm25: stopwords {chosen!r} must be words: give english, none, or a list of words.")
    return frozenset(word.casefold() for word in chosen)


def stemmer(language: str | None) -> Callable[[str], str] | None:
    """Return the Snowball stemmer of a language."""
    if language is None:
        return None
    try:
        snowball: Any = import_module("Stemmer")
    except ImportError as error:
        raise MissingExtraError("stemming", "bm25") from error
    known = snowball.algorithms()
    if language not in known:
        raise InputError(f"bm25: {UnknownNameError('language for stem', language, known)}")
    stem: Callable[[str], str] = snowball.Stemmer(language).stemWord
    return stem
