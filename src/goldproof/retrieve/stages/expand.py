"""Query expansion from a list, a model or embeddings.

The added words are neighbours of the query's words by an embedder (`expand(minilm)`), or come from a model
(`expand("llm:NAME")`) or from a list (a mapping, or a YAML file of `word: [synonym, ...]`). At most `terms` are added
in all, best first, none that the query already has. `expanded(query)` returns the longer query. A query for which the
model failed has failed, with the reason; the others are asked.

Neighbours: the words of the corpus are embedded once. Each content word of the query proposes those whose cosine with
it is at least `least`; the best of all proposals are taken. A word that differs from one of the query's by its ending
only (`wing`, `wings`) is no synonym.

The words of the corpus are content words (`goldproof.text.tokens`) of at least three letters in at least two documents,
the most frequent first; of equally frequent ones, in alphabetical order. Words with figures are names and have no
synonyms; compounds with a hyphen are left out too, since they would only bring back the word that they hold
(`wing-body` for `wing`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from goldproof.checks import whole_number
from goldproof.closeable import HasClose
from goldproof.errors import FileFormatError, InputError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.yaml_files import line_of, load_yaml, shown
from goldproof.records.keys import content_key
from goldproof.retrieve.parallel import ask_all
from goldproof.retrieve.ranking import RankingBatch, starts_of
from goldproof.retrieve.stage import QueryStep, param, stage
from goldproof.text.tokens import content_words, words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.embed import Embedder, Vectors
    from goldproof.llm import TextModel
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.stage import Request

LEAST_DOCUMENTS = 2
MOST_WORDS = 20_000
_SHORTEST = 3


def vocabulary(texts: Iterable[str], *, least: int = LEAST_DOCUMENTS, most: int = MOST_WORDS) -> tuple[str, ...]:
    """Return the words of at least `least` texts, at most `most`."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(word for word in content_words(text) if is_word(word))
    kept = ((-count, word) for word, count in counts.items() if count >= least)
    return tuple(word for _, word in sorted(kept)[:most])


def is_word(word: str) -> bool:
    """Say whether a word can have synonyms."""
    return len(word) >= _SHORTEST and word.isalpha()


PROMPT_VERSION = "expand-1"
PROMPT = """\
A search engine that matches words will be asked the query below. Name up to {terms} other words or short phrases that \
documents which answer it may use instead of the words of the query: synonyms, spelt-out abbreviations, technical terms.
Answer with the words alone, one per line, the most useful first.

Query: {query}
"""
_MOST_WORDS = 4
_HEADING = re.compile(r"^.*:(?:\s+|$)")
_MARKS = re.compile(r"^(?:[-*•]|\d+[.)])\s+|[\"`\[\]*\u201c\u201d]")
_NOTHING = ("none", "n/a")


class Synonyms(Protocol):
    """A source of words for a query."""

    @property
    def facts(self) -> Mapping[str, object]:
        """What decides its words, for the card."""

    @property
    def concurrency(self) -> int | None:
        """How many queries may be asked at once of a model; None where none is waited for."""

    def index(self, documents: DocumentIndex) -> None:
        """Get ready for the documents that will be searched."""

    def of(self, query: str, *, terms: int) -> tuple[str, ...]:
        """Return at most `terms` words for a query, the best first; raises what a model raises."""


class ListedSynonyms:
    """Synonyms from a list; a query has a word of the list where it holds it, or all words of a phrase in a row."""

    concurrency = None

    def __init__(self, table: Mapping[str, Sequence[str] | str]) -> None:
        self._table = {
            tuple(words(key)): (terms,) if isinstance(terms, str) else tuple(terms) for key, terms in table.items()
        }
        self._longest = max(map(len, self._table), default=0)
        content = sorted([list(key), list(terms)] for key, terms in self._table.items())
        self.facts: Mapping[str, object] = {"synonyms": len(self._table), "sha256": content_key(content)}

    def index(self, documents: DocumentIndex) -> None:
        """Nothing depends on the documents."""

    def of(self, query: str, *, terms: int) -> tuple[str, ...]:
        """Return the synonyms of the query's words, in the order of the query."""
        present = words(query)
        phrases = (
            tuple(present[i : i + n])
            for i in range(len(present))
            for n in range(self._longest, 0, -1)
            if i + n <= len(present)
        )
        return _new(query, (term for phrase in phrases for term in self._table.get(phrase, ())), most=terms)


class ModelSynonyms:
    """Synonyms that a model names."""

    concurrency = 4

    def __init__(self, model: TextModel) -> None:
        self._model = model
        self.facts: Mapping[str, object] = {"model": model.key, "prompt": PROMPT_VERSION}

    def index(self, documents: DocumentIndex) -> None:
        """Nothing depends on the documents."""

    def of(self, query: str, *, terms: int) -> tuple[str, ...]:
        """Ask the model."""
        return _new(query, read_terms(self._model.ask(PROMPT.format(terms=terms, query=query))), most=terms)


class Neighbours:
    """Words of the corpus that are near to the query's words by an embedder."""

    concurrency = None

    def __init__(self, embedder: Embedder, *, least: float) -> None:
        self._embedder = embedder
        self._least = least
        self._words: tuple[str, ...] = ()
        self._vectors: Vectors = np.empty((0, 0), dtype=np.float32)
        self._known: dict[str, tuple[tuple[float, str], ...]] = {}

    @property
    def facts(self) -> Mapping[str, object]:
        """The embedder, and how many words it chooses from."""
        return {"embedder": self._embedder.key, "words": len(self._words), "least": self._least}

    def index(self, documents: DocumentIndex) -> None:
        """Embed the words of the corpus."""
        self._words = vocabulary(documents.texts)
        self._known = {}
        self._vectors = self._embedder.embed(self._words, "document") if self._words else np.empty((0, 0), np.float32)

    def of(self, query: str, *, terms: int) -> tuple[str, ...]:
        """Return the nearest words of all the query's words."""
        asked = [word for word in content_words(query) if is_word(word)]
        near = sorted({pair for word in asked for pair in self.near(word)})
        others = (word for _, word in near if not any(is_inflection(word, query_word) for query_word in asked))
        return _new(query, others, most=terms)

    def close(self) -> None:
        """Close the file of vectors until a word is embedded."""
        if isinstance(self._embedder, HasClose):
            self._embedder.close()

    def near(self, word: str) -> tuple[tuple[float, str], ...]:
        """Return (minus the cosine, word of the corpus) of all that are near enough, nearest first."""
        if word not in self._known and self._words:
            # One word at a time: a product of matrices rounds by its shape, and so by the batch.
            cosines = self._vectors @ self._embedder.embed([word], "document")[0]
            rows = np.flatnonzero(cosines >= self._least).tolist()
            self._known[word] = tuple(sorted((-float(cosines[row]), self._words[row]) for row in rows))
        return self._known.get(word, ())


def is_inflection(word: str, other: str) -> bool:
    """Say whether two words differ by an ending only: they share all but the last three letters, and at least three."""
    shared = next((i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    return shared >= 3 and max(len(word), len(other)) - shared <= 3


def read_terms(answer: str) -> list[str]:
    """Return the words of a model's answer: lines or a comma list, with or without bullets, numbers and quotes."""
    lines = [_HEADING.sub("", line) for line in answer.splitlines() if not line.strip().startswith("```")]
    terms = [_MARKS.sub("", term.strip()).strip(" .'\t") for line in lines for term in re.split(r"[,;]", line)]
    # A sentence is no term: the model talks.
    return [term for term in terms if 0 < len(term.split()) <= _MOST_WORDS and term.casefold() not in _NOTHING]


def read_synonyms(path: Path) -> dict[str, tuple[str, ...]]:
    """Read a YAML file of `word: [synonym, ...]`."""
    table = load_yaml(path, Diagnostics(path))
    if not isinstance(table, dict):
        raise FileFormatError(path, "is not a mapping.", hint="Expected lines such as car: [automobile, vehicle].")
    return {key: _listed(path, key, table) for key in table}


def _listed(path: Path, key: str, table: dict[str, object]) -> tuple[str, ...]:
    terms = [table[key]] if isinstance(table[key], str) else table[key]
    if not isinstance(terms, list) or not all(isinstance(term, str) for term in terms):
        problem = f"{key} is {shown(table[key])}, expected a list of words, such as [automobile, vehicle]."
        raise FileFormatError(path, problem, line=line_of(table, key))
    return tuple(terms)


def _new(query: str, proposed: Iterable[str], *, most: int) -> tuple[str, ...]:
    """Return the first proposals that the query does not have, each once."""
    present = f" {' '.join(words(query))} "
    chosen: dict[str, str] = {}
    for term in proposed:
        key = " ".join(words(term))
        if key and f" {key} " not in present:
            chosen.setdefault(key, term)
        if len(chosen) == most:
            break
    return tuple(chosen.values())


# Chosen for minilm: below it, neighbours tend to be related words rather than synonyms (subsonic for supersonic).
LEAST = 0.85
_MODEL = "llm:"


@stage("expand", summary="Adds words to the query.")
class Expand(QueryStep):
    """Add words to queries before they are asked."""

    by: str | Embedder | TextModel | Mapping[str, Sequence[str]] = param(
        "an embedder or its name, `llm:NAME` or a model, a mapping of synonyms or a path to a YAML file of them",
        default="minilm",
        kw_only=False,
    )
    terms: int = param("how many words are added to a query at most", default=5)
    least: float = param("the cosine that a neighbour must have; for embedders only", default=LEAST)

    def __post_init__(self) -> None:
        whole_number(self.terms, "terms", stage=self.name)
        if not -1 < self.least <= 1:
            raise InputError(f"expand: least is {self.least!r}, expected a cosine above -1 and of at most 1.")
        self.synonyms = self._open(self.by)

    @property
    def facts(self) -> Mapping[str, object]:
        """Its settings, for the card."""
        return {**self.synonyms.facts, "terms": self.terms}

    @property
    def concurrency(self) -> int | None:
        """How many queries may be asked at once; None where no model is waited for."""
        return self.synonyms.concurrency

    def index(self, documents: DocumentIndex) -> None:
        """Get the words of the corpus and the source ready."""
        self.synonyms.index(documents)
        super().index(documents)

    def find(self, request: Request) -> RankingBatch:
        """Ask the source the longer queries."""
        queries, failed = self._expand_all(request.queries)
        rows = [i for i in range(len(queries)) if i not in failed]
        ids = tuple(request.ids[i] for i in rows) if request.ids else ()
        asked = replace(request, queries=tuple(queries[i] for i in rows), ids=ids)
        ranking = self.source.find(asked) if rows else RankingBatch.nothing(0)
        return _spread(ranking, rows, failed) if failed else ranking

    def close(self) -> None:
        """Close the file of vectors until a word is embedded."""
        if isinstance(self.synonyms, HasClose):
            self.synonyms.close()

    def expanded(self, query: str) -> str:
        """Return the query with the added words."""
        return " ".join((query, *self.synonyms.of(query, terms=self.terms)))

    def _expand_all(self, queries: tuple[str, ...]) -> tuple[list[str], dict[int, str]]:
        if self.synonyms.concurrency is None:
            return [self.expanded(query) for query in queries], {}
        answers = ask_all(self.expanded, queries, concurrency=self.synonyms.concurrency)
        failed = {i: f"expand: {answer.failure}" for i, answer in enumerate(answers) if answer.failure is not None}
        return [answer.value or "" for answer in answers], failed

    def _open(self, by: str | Embedder | TextModel | Mapping[str, Sequence[str]]) -> Synonyms:
        if isinstance(by, Mapping):
            return ListedSynonyms(by)
        if isinstance(by, str) and by.endswith((".yaml", ".yml")):
            return ListedSynonyms(read_synonyms(Path(by)))
        if (isinstance(by, str) and by.startswith(_MODEL)) or hasattr(by, "ask"):
            from goldproof.llm import open_model  # noqa: PLC0415 - loads the models only where one is asked

            return ModelSynonyms(open_model(by.removeprefix(_MODEL) if isinstance(by, str) else by))
        from goldproof.embed import open_embedder  # noqa: PLC0415 - loads the embedders only where one is needed

        return Neighbours(open_embedder(by), least=self.least)


def _spread(ranking: RankingBatch, rows: list[int], failed: Mapping[int, str]) -> RankingBatch:
    """Put the answers to some queries in their places among all."""
    lengths = np.zeros(len(rows) + len(failed), dtype=np.int64)
    lengths[rows] = np.diff(ranking.starts)
    reasons = {**failed, **{rows[i]: reason for i, reason in ranking.failed.items()}}
    return replace(ranking, starts=starts_of(lengths), failed=dict(sorted(reasons.items())))
