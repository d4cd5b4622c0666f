"""BM25: parameters, tokens, search.

Tokens are those of `goldproof.text.tokens`. Stop words are removed before stemming, from documents and queries alike; a
query of stop words alone finds nothing, and `stopwords=none` keeps them. Only tokens of letters are stemmed; an
identifier whose parts become the same by stemming (`agents.agent`) counts that part once. A token that no document has
is dropped from a query; one that a query has twice counts twice.

A document is found if it has at least one token of the query, also where that token's weight is 0 (robertson: a token
that half of the documents have; atire: one that all have). A document that has none is never returned, also where a
method gives it a score (bm25l, bm25+). Rows are ordered by score, then by id, both descending, and the cut at k
respects that order.

Scores are those of bm25s on the same tokens, bit for bit (for bm25l and bm25+ to single precision: what they give for
absent tokens is added in double precision, see `bm25_search`). The backend changes the speed and nothing else: both add
the same weights in single precision in the order of the query. `auto` takes numba where it is installed and the corpus
is large enough to repay loading it.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from goldproof.errors import InputError, MissingExtraError, UnknownNameError
from goldproof.retrieve.ranking import RankingBatch, starts_of
from goldproof.retrieve.stage import Source, param, stage
from goldproof.retrieve.stages.bm25_search import best_by_numba, best_by_numpy, has_numba, load_kernel, weigh
from goldproof.text.tokens import FUNCTION_WORDS, Remembered, Tokeniser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from goldproof.records.arrays import IntArray
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.stage import Request
    from goldproof.retrieve.stages.bm25_search import Weights
    from goldproof.text.tokens import TokenKind


class Lexicon:
    """The vocabulary: tokens with their numbers; it grows while documents are read."""

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


# Weights in the index from which numba is loaded. Below, numpy needs so little a query that hundreds would have to be
# asked to win back what loading it takes, and more where it compiles first (benchmarks/bench_bm25.py).
LARGE = 1_000_000
LARGEST_K1 = 1000


@stage("bm25", summary="Finds documents that share words with the query, by BM25.")
class Bm25(Source):
    """Search by words: BM25."""

    searches_corpus: ClassVar[bool] = True

    k1: float = param("how soon further occurrences of a word stop counting", default=1.5)
    b: float = param("how much long documents are held back, from 0 to 1", default=0.75)
    method: Literal["lucene", "robertson", "atire", "bm25l", "bm25+"] = param(
        "the variant of the formula", default="lucene"
    )
    tokens: Literal["code", "words"] = param(
        "`code` also splits names such as `snake_case`, `CamelCase` and `dotted.paths`; or `words`", default="code"
    )
    stem: str | None = param("a language of the Snowball stemmers", default=None)
    stopwords: str | Sequence[str] = param("english, none, or a list of words", default="english")
    backend: Literal["auto", "numba", "numpy"] = param(
        "what computes the scores; `auto` takes numba where it is installed and worth loading", default="auto"
    )

    def __post_init__(self) -> None:
        if not 0 <= self.k1 <= LARGEST_K1:
            raise InputError(
                f"bm25: k1 {self.k1:g} must be a number of at least 0 and at most {LARGEST_K1}; 1.2 to 2 is usual."
            )
        if self.k1 == 0 and self.method == "bm25+":
            raise InputError("bm25: method bm25+ is not defined for k1=0 (0 / 0 for absent words); take k1 above 0.")
        if not 0 <= self.b <= 1:
            raise InputError(f"bm25: b {self.b:g} must be a number from 0 to 1; 0.75 is usual.")
        if self.backend == "numba" and not has_numba():
            raise MissingExtraError("bm25 with backend=numba", "bm25")
        self._words = stop_words(self.stopwords)
        self._new_lexicon = partial(Lexicon, self.tokens, stopwords=self._words, stem=stemmer(self.stem))
        self._lexicon = self._new_lexicon()
        self._backend = self.backend
        self._index: Weights | None = None
        self._order: IntArray = np.empty(0, dtype=np.int64)

    @property
    def facts(self) -> Mapping[str, object]:
        """What decides the results, for the card; a backend of `auto` is decided when documents are indexed."""
        versions = {"bm25s": version("bm25s")} | ({"numba": version("numba")} if self._backend == "numba" else {})
        stopwords = self.stopwords if isinstance(self.stopwords, str) else sorted(self._words)
        asked = {"method": self.method, "k1": self.k1, "b": self.b, "tokens": self.tokens, "stem": self.stem}
        return {"backend": self._backend, **versions, **asked, "stopwords": stopwords}

    def index(self, documents: DocumentIndex) -> None:
        """Get ready to search these documents."""
        self._lexicon = self._new_lexicon()
        numbers = self._lexicon.of_documents(documents.texts)
        self._index = weigh(numbers, self._lexicon.numbers, method=self.method, k1=self.k1, b=self.b)
        self._order = documents.id_order()
        self._backend = self.backend
        if self._backend == "auto":
            self._backend = "numba" if len(self._index.weights) >= LARGE and has_numba() else "numpy"
        if self._backend == "numba":
            load_kernel()

    def find(self, request: Request) -> RankingBatch:
        """Answer the queries."""
        index = self._index
        if index is None:
            raise InputError("bm25: there are no documents to search yet; call index first.")
        if request.k < 1 or not request.queries or not len(index.weights):
            return RankingBatch.nothing(len(request.queries))
        best = best_by_numba if self._backend == "numba" else best_by_numpy
        numbers = self._lexicon.of_queries(request.queries)
        rows = best(index, numbers, k=request.k, order=self._order, allowed=request.allowed)
        scores = rows.scores.astype(np.float64)
        if index.absent is not None:
            scores += np.repeat([index.absent[tokens].sum() for tokens in numbers], rows.lengths)
        return RankingBatch(starts_of(rows.lengths), rows.documents.astype(np.int64), scores)

    def tokens_of(self, text: str) -> list[str]:
        """Return the tokens of a text as they are indexed and searched."""
        return self._lexicon.tokens(text)
