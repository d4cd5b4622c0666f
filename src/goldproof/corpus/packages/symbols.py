"""Ranked search for names: from a typed or half-remembered name to definitions.

A query is matched in these ways, best first; a definition counts by its best way:

    the whole path, where it is defined or re-exported     1.00   google.adk.agents.LlmAgent
    the end of such a path                                 0.95   LlmAgent, agents.LlmAgent, Runner.run
    the same, in other letters                             0.90   llmagent
    a member that a class inherits                         0.85   LlmAgent.run_async (of BaseAgent)
    the beginning of a name                          0.60 to 0.80  LlmAg
    words: parts of names, modules and the docstring    up to 0.60  "stream partial responses"
    a name that is spelt nearly so                      up to 0.55  LlmAgnt

Words weigh by how rare they are, and more in a name (1) than in a module (0.6) or the first lines of a docstring (0.5).
Equal scores: public before private, attributes last, the shorter path before the deeper one, then by path.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from goldproof.corpus.packages.names import DefinitionKind, definition_kind
from goldproof.errors import InputError
from goldproof.text.tokens import FUNCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from goldproof.corpus.packages.names import Definition, Names

_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)
_DOCSTRING_LOOKED_AT = 400
_LOOKED_AT_CLOSELY = 60
_LEAST_LIKENESS = 0.7
_PRIVATE = 0.3  # so much more alike a private path must be to be suggested before a public one


@dataclass(frozen=True, slots=True)
class Match:
    """A definition that a query found. how: path, end, letters, inherited, beginning, words or near."""

    path: str
    score: float
    how: str
    kind: DefinitionKind
    public: bool
    summary: str
    exported_as: tuple[str, ...]


class SymbolIndex:
    """Every definition of a package, searched by name and by words."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._by_last: dict[str, list[str]] = {}
        self._paths: dict[str, str] = {}
        self._words: dict[str, dict[str, float]] = {}
        self._trigrams: dict[str, list[str]] = {}
        self._depth: dict[str, tuple[bool, bool, int, int]] = {}
        for path, definition in names.definitions.items():
            self._add(path, definition)
        for last in self._by_last:
            for trigram in sorted(_trigrams(last)):
                self._trigrams.setdefault(trigram, []).append(last)

    def _add(self, path: str, definition: Definition) -> None:
        exports = self._names.exported_as(path)
        for form in (path, *exports):
            self._paths.setdefault(form, path)
            known = self._by_last.setdefault(form.rpartition(".")[2].lower(), [])
            if path not in known[-1:]:
                known.append(path)
        shortest = min((path, *exports), key=lambda form: (form.count("."), len(form)))
        private, minor = not self._names.is_public(path), definition_kind(definition) == "attribute"
        self._depth[path] = (private, minor, shortest.count("."), len(shortest))
        for word, weight in _weighted_words(path, definition):
            postings = self._words.setdefault(word, {})
            postings[path] = max(weight, postings.get(path, 0.0))

    def search(self, query: str, k: int = 10) -> tuple[Match, ...]:
        """Return at most k definitions, best first."""
        if k < 1:
            raise InputError(f"symbol search: k is {k}; expected 1 or more.")
        return self._best(self._ways(query.strip()), k)

    def near(self, path: str, k: int = 3) -> tuple[str, ...]:
        """Return paths close to a misspelt one: of like names, whatever words they share."""
        last = path.rpartition(".")[2]
        matches = self._best((*self._by_name(last), *self._by_likeness(last)), 12) if _NAME.fullmatch(last) else ()
        likest: list[tuple[float, str]] = []
        for match in matches:
            alike, form = max((_path_likeness(path, form), form) for form in (*match.exported_as, match.path))
            likest.append((alike if match.public else alike - _PRIVATE, form))
        return tuple(form for _, form in sorted(likest, key=lambda pair: (-pair[0], pair[1]))[:k])

    def _best(self, ways: Iterable[tuple[str, float, str]], k: int) -> tuple[Match, ...]:
        best: dict[str, tuple[float, str]] = {}
        for path, score, how in ways:
            if score > best.get(path, (0.0, ""))[0]:
                best[path] = (score, how)
        ordered = sorted(best, key=lambda path: (-best[path][0], *self._depth[path], path))
        return tuple(self._match(path, *best[path]) for path in ordered[:k])

    def _match(self, path: str, score: float, how: str) -> Match:
        definition = self._names.definitions[path]
        about = definition.item.docstring.value.strip() if definition.item.docstring else ""
        return Match(
            path=path,
            score=round(score, 6),
            how=how,
            kind=definition_kind(definition),
            public=not self._depth[path][0],
            summary=about.partition("\n")[0],
            exported_as=self._names.exported_as(path),
        )

    def _ways(self, query: str) -> Iterator[tuple[str, float, str]]:
        if _NAME.fullmatch(query):
            yield from self._by_name(query)
        yield from self._by_words(".".join(query.split(".")[-2:]) if _NAME.fullmatch(query) else query)
        if _NAME.fullmatch(query):
            yield from self._by_likeness(query)

    def _by_name(self, query: str) -> Iterator[tuple[str, float, str]]:
        if query in self._paths:
            yield self._paths[query], 1.0, "path"
        last = query.rpartition(".")[2].lower()
        for path in self._by_last.get(last, ()):
            forms = [f".{form}" for form in (path, *self._names.exported_as(path))]
            if any(form.endswith(f".{query}") for form in forms):
                yield path, 0.95, "end"
            elif any(form.lower().endswith(f".{query.lower()}") for form in forms):
                yield path, 0.9, "letters"
        yield from self._inherited(query)
        if "." not in query and len(last) > 1:
            for name, paths in self._by_last.items():
                if name.startswith(last) and name != last:
                    score = 0.6 + 0.2 * len(last) / len(name)
                    yield from ((path, score, "beginning") for path in paths)

    def _inherited(self, query: str) -> Iterator[tuple[str, float, str]]:
        outer, _, last = query.rpartition(".")
        for cls in self._by_last.get(outer.rpartition(".")[2].lower(), ()) if outer else ():
            forms = (f".{form}" for form in (cls, *self._names.exported_as(cls)))
            if self._names.item(cls).is_class and any(form.endswith(f".{outer}") for form in forms):
                target = self._names.resolve(f"{cls}.{last}")
                if target is not None and target.rpartition(".")[0] != cls:
                    yield target, 0.85, "inherited"

    def _by_words(self, query: str) -> Iterator[tuple[str, float, str]]:
        total, scores = 0.0, dict[str, float]()
        for word in dict.fromkeys(words_of(query)):
            postings = self._words.get(word, {})
            rarity = math.log(1 + len(self._depth) / (1 + len(postings)))
            total += rarity
            for path, weight in postings.items():
                scores[path] = scores.get(path, 0.0) + weight * rarity
        for path, score in scores.items():
            private = 0.9 if self._depth[path][0] else 1.0
            yield path, round(0.6 * private * score / total, 9), "words"

    def _by_likeness(self, query: str) -> Iterator[tuple[str, float, str]]:
        last = query.rpartition(".")[2].lower()
        shared: dict[str, int] = {}
        for trigram in sorted(_trigrams(last)):
            for name in self._trigrams.get(trigram, ()):
                shared[name] = shared.get(name, 0) + 1
        likely = sorted(shared, key=lambda name: (-shared[name] / (len(name) + len(last)), name))
        for name in likely[:_LOOKED_AT_CLOSELY]:
            likeness = _likeness(last, name)
            if likeness >= _LEAST_LIKENESS and name != last:
                yield from ((path, 0.55 * likeness, "near") for path in self._by_last[name])


def words_of(text: str) -> list[str]:
    """Return the words of a text or a name: LlmAgent and llm_agent are llm and agent; a plural is its singular."""
    parts = (part.lower() for part in _PART.findall(text))
    kept = (word for word in parts if word not in FUNCTION_WORDS)
    return [word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in kept]


def _weighted_words(path: str, definition: Definition) -> Iterator[tuple[str, float]]:
    outer, _, last = path.rpartition(".")
    for word in words_of(last):
        yield word, 1.0
    for word in words_of(outer):
        yield word, 0.6
    about = definition.item.docstring.value if definition.item.docstring else ""
    for word in words_of(about[:_DOCSTRING_LOOKED_AT]):
        yield word, 0.5


def _likeness(name: str, other: str) -> float:
    return SequenceMatcher(None, name, other, autojunk=False).ratio()


def _path_likeness(path: str, other: str) -> float:
    """Compare paths, their last names above all: the beginning is often left out."""
    lasts = _likeness(path.rpartition(".")[2], other.rpartition(".")[2])
    return round(2 * lasts + _likeness(path, other), 6)


def _trigrams(name: str) -> set[str]:
    padded = f"  {name} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}
