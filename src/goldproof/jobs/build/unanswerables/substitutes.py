"""Substitutes for a name: the entities that the pool itself mentions, by kind.

Built in one pass. Of each kind at most `AT_MOST` entities stay, those with the smallest number drawn from seed and
name; so memory is bounded and neither the order of the samples nor that of the files matters. An entity is identified
by its words ("American Tower" and "american-tower-corporation" are one), and is written as people write it in
questions.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING

from goldproof.jobs.build.unanswerables.proposal import draw, other_words
from goldproof.jobs.build.unanswerables.subjects import (
    GROUP_OF,
    bare_title,
    founded,
    head_noun,
    identifier_home,
    is_name,
    named_identifiers,
    named_subjects,
)
from goldproof.jobs.build.unanswerables.words import (
    Vocabulary,
    VocabularyBuilder,
    core_words,
    find_mentions,
    is_whole_name,
    is_written_out,
)
from goldproof.jobs.build.unanswerables.years import year_mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.jobs.build.records import Sample

AT_MOST = 2000
_NEWEST_SHARE = 0.95
_UNKNOWN_NEWEST = 2020


@dataclass(frozen=True, slots=True)
class Entity:
    """A named entity.

    head: the exact noun ("actress"), or the sector of a company. doc_type and source: where in the pool it was met.
    since: the year from which on it is known to exist; 0 where nothing tells it.
    """

    name: str
    key: str
    kind: str
    head: str
    doc_type: str
    source: str
    since: int = 0


@dataclass(frozen=True, slots=True)
class Substitutes:
    """Entities by kind and by (kind, head), each sorted by its drawn number, and facts on the pool as a whole.

    labels: document id -> names that its samples give it, which its text often lacks.
    vocabulary: whose words are whose.
    """

    entities: Mapping[str, tuple[Entity, ...]]
    by_head: Mapping[tuple[str, str], tuple[Entity, ...]]
    newest_year: int
    doc_types: tuple[str, ...]
    labels: Mapping[str, tuple[str, ...]]
    vocabulary: Vocabulary

    def of(self, kind: str, *, head: str | None = None) -> tuple[Entity, ...]:
        """Return the entities of a kind, or those of them with one head."""
        return self.entities.get(kind, ()) if head is None else self.by_head.get((kind, head), ())


def rotated(entities: Sequence[Entity], number: int) -> Iterator[Entity]:
    """Yield all entities, beginning at a drawn position: each question meets them in its own order."""
    start = number % len(entities) if entities else 0
    yield from entities[start:]
    yield from entities[:start]


_Entry = tuple[int, tuple[bool, int, int], Entity]


@dataclass(slots=True)
class SubstitutesBuilder:
    """Collects entities from samples, in any order."""

    seed: int
    _kept: dict[str, dict[str, _Entry]] = field(default_factory=dict)
    _years: Counter[int] = field(default_factory=Counter)
    _doc_types: set[str] = field(default_factory=set)
    _labels: dict[str, set[str]] = field(default_factory=dict)
    _vocabulary: VocabularyBuilder = field(default_factory=VocabularyBuilder)

    def add(self, sample: Sample, titles: Sequence[str]) -> None:
        """Add the entities of a sample; titles are parallel to its contexts."""
        self._doc_types.add(sample.doc_type)
        self._years.update({mention.year for mention in year_mentions(sample.question)[-1:]})
        self._add_subjects(sample)
        for title, text in zip(titles, sample.contexts, strict=True):
            self._add_title(sample, title, text=text)
        for identifier in named_identifiers(sample):
            self._keep(sample, identifier.text, kind=identifier.kind, head=identifier_home(sample))

    def build(self) -> Substitutes:
        """Return the substitutes collected so far."""
        entities = {kind: tuple(entry[2] for _, entry in _smallest(kept)) for kind, kept in sorted(self._kept.items())}
        by_head: dict[tuple[str, str], list[Entity]] = {}
        for entity in (entity for kept in entities.values() for entity in kept):
            by_head.setdefault((entity.kind, entity.head), []).append(entity)
        labels = {document: tuple(sorted(names)) for document, names in self._labels.items()}
        return Substitutes(
            entities=entities,
            by_head={key: tuple(members) for key, members in by_head.items()},
            newest_year=self._newest(),
            doc_types=tuple(sorted(self._doc_types)),
            labels=labels,
            vocabulary=self._vocabulary.build(),
        )

    def _add_subjects(self, sample: Sample) -> None:
        for kind, name in named_subjects(sample):
            for document in sample.context_ids:
                self._labels.setdefault(document, set()).add(name)
            key = " ".join(core_words(name))
            self._vocabulary.add(kind, key, other_words(sample.question, taken=set(core_words(name))))
            head = str(sample.metadata.get("company_sector") or "") if kind == "company" else ""
            for surface in _spellings(sample.question, name, kind=kind):
                self._keep(sample, surface, kind=kind, head=head)

    def _add_title(self, sample: Sample, title: str, *, text: str) -> None:
        name, head = bare_title(title), head_noun(text)
        if head is not None and name and name[0].isupper():
            self._keep(sample, name, kind=f"title:{GROUP_OF[head]}", head=head)

    def _keep(self, sample: Sample, name: str, *, kind: str, head: str) -> None:
        key = " ".join(core_words(name)) if not kind.startswith("identifier") else name
        if not key:
            return
        since = founded(sample) if kind == "company" else 0
        entity = Entity(name, key, kind, head, sample.doc_type, sample.source_dataset, since)
        kept = self._kept.setdefault(kind, {})
        # Of several spellings, one with a capital; then the shortest, which fits most sentences; then the draw decides.
        better = (name == name.lower(), len(name), draw(self.seed, *astuple(entity)))
        entry = (draw(self.seed, kind, key), better, entity)
        if key not in kept or entry[:2] < kept[key][:2]:
            kept[key] = entry
        if len(kept) > 2 * AT_MOST:
            self._kept[kind] = dict(_smallest(kept))

    def _newest(self) -> int:
        total, seen = sum(self._years.values()), 0
        for year in sorted(self._years):
            seen += self._years[year]
            if seen >= _NEWEST_SHARE * total:
                return year
        return _UNKNOWN_NEWEST


def _smallest(kept: dict[str, _Entry]) -> list[tuple[str, _Entry]]:
    return sorted(kept.items(), key=lambda item: (item[1][0], item[0]))[:AT_MOST]


def _spellings(question: str, name: str, *, kind: str) -> list[str]:
    mentions = [mention for mention in find_mentions(question, name) if is_whole_name(question, mention)]
    if kind == "repository":
        # Many libraries write themselves in small letters; which word is a name shows only in some places.
        return [m.surface for m in mentions if is_name(question, m, kind=kind)] or [name.rsplit("/", 1)[-1]]
    surfaces = [mention.surface for mention in mentions]
    return [surface.rstrip(",") for surface in [*surfaces, name.rsplit("/", 1)[-1]] if is_written_out(surface)]
