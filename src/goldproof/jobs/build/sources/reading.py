"""Reading the sources of a recipe into the pool, with a count of everything that was dropped and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import InputError, UnknownNameError
from goldproof.jobs.build.adapters.catalogue import get_adapter
from goldproof.jobs.build.example import Dropped
from goldproof.jobs.build.output.distribution_report import SourceFacts
from goldproof.jobs.build.pool.classified import classified
from goldproof.jobs.build.sources.source_files import locate, read_examples, source_hashes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from goldproof.jobs.build.adapters.adapter import AdapterInfo
    from goldproof.jobs.build.example import Example
    from goldproof.jobs.build.pool.spool import Spool
    from goldproof.jobs.build.questions.types import Classifier
    from goldproof.jobs.build.recipes.recipe import Recipe, SourceSpec
    from goldproof.jobs.build.sample import Sample
    from goldproof.jobs.build.sources.source_files import FoundSource

_TICK = 1_000


@dataclass(frozen=True, slots=True)
class ReadSource:
    """One source after reading: its records, the examples they gave, and the reasons of those that were dropped."""

    name: str
    info: AdapterInfo
    found: FoundSource
    hashes: Mapping[str, str]
    records: int
    usable: int
    dropped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SourceReadings:
    """All sources, in the order of the recipe; repeated: samples whose id the pool already had."""

    sources: tuple[ReadSource, ...]
    repeated: int

    def facts(self, used: Mapping[str, int]) -> tuple[SourceFacts, ...]:
        """Return what the report shows; used: source -> samples of the benchmark."""
        return tuple(
            SourceFacts(
                name=one.name,
                licence=one.info.licence,
                revision=one.found.revision,
                sha256=one.hashes,
                read=one.records,
                usable=one.usable,
                used=used.get(one.name, 0),
            )
            for one in self.sources
        )

    def dropped(self) -> dict[str, dict[str, int]]:
        """Return source -> reason -> count."""
        return {one.name: dict(sorted(one.dropped.items())) for one in self.sources if one.dropped}

    def hashes(self) -> dict[str, str]:
        """Return the sha256 of every file that was read."""
        return {f"{one.name}/{name}": digest for one in self.sources for name, digest in one.hashes.items()}

    def revisions(self) -> list[str | None]:
        """Return the commit of each source that is of the hub."""
        return [one.found.revision for one in self.sources]

    def licence(self) -> str:
        """Return the licences of all sources."""
        return "; ".join(sorted({f"{one.info.title}: {one.info.licence}" for one in self.sources}))

    def remarks(self, *, named_only: int) -> tuple[str, ...]:
        """Say which files were passed over, how many records were dropped, and what else a reader should know.

        named_only: how many samples have a document of which only the name is known.
        """
        return (*(sentence for one in self.sources for sentence in _remarks(one)), *self._notices(named_only))

    def _notices(self, named_only: int) -> Iterator[str]:
        if self.repeated:
            yield (
                f"{self.repeated} samples left out: their id occurs more than once. Tables of your own that number "
                "their rows alike need a `name:` each, in a recipe."
            )
        if named_only:
            yield (
                f"{named_only} samples have documents of which only the name is known: they have no context, and "
                "unanswerables made from them were checked against the answers that cite these documents."
            )


def read_sources(
    recipe: Recipe, spool: Spool, *, classifier: Classifier, progress: Callable[[str, int], None] | None
) -> SourceReadings:
    """Read every source; all are located first, so that a missing one is found before the work begins."""
    located = _located(recipe.sources)
    reader = _Reader(recipe, spool, classifier, progress)
    names = _names([found.spec.adapter for found in located])
    readings = tuple(reader.read(name, found) for name, found in zip(names, located, strict=True))
    reader.check_strata()
    spool.close_pool()
    repeated = sum(one.usable for one in readings) - sum(spool.sizes().values())
    return SourceReadings(readings, repeated)


def _located(specs: Sequence[SourceSpec]) -> list[FoundSource]:
    """Find the files of all sources; those on this machine first: a misspelt path should not cost a download."""
    found = {}
    for number in sorted(range(len(specs)), key=lambda number: specs[number].path is None):
        spec = specs[number]
        found[number] = locate(spec, get_adapter(spec.adapter), base=Path())
    return [found[number] for number in range(len(specs))]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads sources into the pool."""

    recipe: Recipe
    spool: Spool
    classifier: Classifier
    progress: Callable[[str, int], None] | None
    fields: dict[str, set[str]] = field(default_factory=dict)

    def read(self, name: str, found: FoundSource) -> ReadSource:
        adapter = get_adapter(found.spec.adapter)
        reading = read_examples(found, adapter)
        dropped: Counter[str] = Counter()
        usable, first = 0, ""
        for number, one in enumerate(reading, start=1):
            if self.progress is not None and number % _TICK == 0:
                self.progress(name, reading.records)
            reason = one if isinstance(one, Dropped) else self._add(one, adapter.info, source=name)
            if reason is None:
                usable += 1
            else:
                dropped[reason.reason] += 1
                first = first or f"{reason.reason} ({reason.detail})" * bool(reason.detail) or reason.reason
        if not usable:
            raise InputError(_nothing(name, found, records=reading.records, first=first))
        return ReadSource(name, adapter.info, found, source_hashes(found.local), reading.records, usable, dropped)

    def _add(self, example: Example, info: AdapterInfo, *, source: str) -> Dropped | None:
        """Put an example into the pool; what no file could hold (half a character, endless numbers) is dropped."""
        sample = classified(example, adapter=info.name, doc_type=info.doc_type, classifier=self.classifier)
        self.fields.setdefault(sample.doc_type, set()).update(sample.metadata)
        try:
            self.spool.add(sample, example.documents, source=source, stratum=self._stratum(sample))
        except (TypeError, UnicodeEncodeError) as error:
            return Dropped("cannot be written as JSON", str(error), original_id=example.original_id)
        return None

    def check_strata(self) -> None:
        """Refuse a field that no sample has: spreading over it would do nothing, silently."""
        for doc_type, name in self.recipe.strata.items():
            known = self.fields.get(doc_type)
            if known is not None and name not in known:
                raise UnknownNameError(f"metadata field of {doc_type} in strata:", name, known)

    def _stratum(self, sample: Sample) -> str:
        named = self.recipe.strata.get(sample.doc_type)
        value = None if named is None else sample.metadata.get(named)
        return "" if value is None else str(value)


def _names(adapters: list[str]) -> list[str]:
    """Return a name for each source: its adapter, numbered where it is used more than once."""
    total, seen = Counter(adapters), Counter[str]()
    names = []
    for adapter in adapters:
        seen[adapter] += 1
        names.append(adapter if total[adapter] == 1 else f"{adapter}-{seen[adapter]}")
    return names


def _nothing(name: str, found: FoundSource, *, records: int, first: str) -> str:
    files = ", ".join(path.name for path in found.local.files[:3])
    why = f"; the first was dropped: {first}" if first else ""
    return (
        f"source {name} ({files}): none of its {records} records can be used{why}.\n"
        f"  Is it really in the format of {found.spec.adapter}? goldproof build --list shows the others."
    )


def _remarks(one: ReadSource) -> Iterator[str]:
    for file in one.found.passed_over:
        yield f"{one.name}: {file.name} was passed over: {file.reason}"
    if one.dropped:
        reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(one.dropped.items()))
        yield f"{one.name}: {sum(one.dropped.values())} dropped: {reasons}."
