"""Whose words are these? Which content words stand in the questions about many subjects, and which about one only.

"Net income" is asked of every company, "smokeless products" of one: with another company's name the second question
contradicts itself. A word is ordinary for a kind of subject where questions about at least `_MANY` of its subjects hold
it (fewer in a small pool: a quarter of them). It is peculiar to one subject where at least `_OFTEN` questions about
this one hold it and none about others.

Memory is bounded by the number of words: of each, at most `_MANY` subjects are remembered.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldproof.jobs.build.unanswerables.terms import variants

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_MANY = 6
_PART = 4
_OFTEN = 4
_Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """subjects: kind -> number of its subjects. ordinary, peculiar: (kind, word), the second with its subject."""

    subjects: Mapping[str, int]
    ordinary: frozenset[_Key]
    peculiar: Mapping[_Key, str]

    def all_ordinary(self, kind: str, words: Iterable[str]) -> bool:
        """Whether questions about many subjects of this kind hold each word; true where there are too few to tell."""
        if self.subjects.get(kind, 0) < _PART * 2:
            return True
        return all(any((kind, form) in self.ordinary for form in variants(word)) for word in words)

    def any_peculiar(self, kind: str, words: Iterable[str], *, subject: str) -> bool:
        """Whether one of the words belongs to this subject alone."""
        return any(self.peculiar.get((kind, word)) == subject for word in words)


@dataclass(slots=True)
class VocabularyBuilder:
    """Collects the words of questions, in any order."""

    _subjects: dict[str, set[str]] = field(default_factory=dict)
    _holders: dict[_Key, Counter[str]] = field(default_factory=dict)

    def add(self, kind: str, subject: str, words: Iterable[str]) -> None:
        """Take the words of one question about a subject."""
        self._subjects.setdefault(kind, set()).add(subject)
        for word in words:
            holders = self._holders.setdefault((kind, word), Counter())
            # Which ones are remembered depends on the order; that there are `_MANY` does not.
            if subject in holders or len(holders) < _MANY:
                holders[subject] = min(holders[subject] + 1, _OFTEN)

    def build(self) -> Vocabulary:
        """Return what was collected."""
        needed = {kind: min(_MANY, max(2, len(found) // _PART)) for kind, found in self._subjects.items()}
        single = {key: next(iter(found.items())) for key, found in self._holders.items() if len(found) == 1}
        return Vocabulary(
            subjects={kind: len(found) for kind, found in sorted(self._subjects.items())},
            ordinary=frozenset(key for key, found in self._holders.items() if len(found) >= needed[key[0]]),
            peculiar={key: subject for key, (subject, count) in sorted(single.items()) if count >= _OFTEN},
        )
