"""Locate the files of a source, check that they fit the adapter, stream its examples.

A file that no adapter at all can read says why by itself: it is empty, it is not UTF-8, its columns are separated by
semicolons.

A source is a file, a folder or a dataset of the hub. A folder is searched with all that is in it for data files, in the
order of their names written with slashes, so that no file system has a say in the result. Hidden files and
folders are left alone, as is what no reader knows by its suffix. A file whose first records have none of the key sets
that the dataset needs, or that is no file of records at all, is passed over and reported, as is one that the adapter
does not want while it takes others; a source with no other file is an error. A single file that is named is read
whatever its suffix is.

A record that is damaged is dropped and counted like any other. A file that breaks off stops the build: nobody wants a
benchmark of half a download.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import FileFormatError, InputError, UnknownNameError
from goldproof.io.diagnostics import Diagnostic, Diagnostics
from goldproof.io.file_layout import sniff
from goldproof.io.record_files import read_records, record_format
from goldproof.io.storage.cards import sha256_file
from goldproof.io.text_files import check_file
from goldproof.jobs.build.adapters.adapter import ADAPTERS, LocalSource, RecordPlace, get_adapter
from goldproof.jobs.build.classification import classified
from goldproof.jobs.build.hub import fetch
from goldproof.jobs.build.output.report import SourceFacts
from goldproof.jobs.build.records import Dropped, Example

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from goldproof.jobs.build.adapters.adapter import Adapter, AdapterInfo
    from goldproof.jobs.build.pool import Pool
    from goldproof.jobs.build.question_types import Classifier
    from goldproof.jobs.build.recipe import Recipe, SourceSpec
    from goldproof.jobs.build.records import Sample

_HEAD_RECORDS = 20
_SHOWN = 5
_SAVE_ANEW = "Save it with commas between the columns, or as JSON lines."


def misfit(file: Path, adapter: Adapter) -> str | None:
    """Say why this is no file of the dataset, by the first records that can be read; None if it is one."""
    head = _read_head(file)
    if isinstance(head, Diagnostic):
        return head.problem
    needs = adapter.info.needs
    if not needs or any(keys <= record.keys() for record in head for keys in needs):
        return None
    keys = sorted(head[0])
    shown = ", ".join(keys[:_SHOWN]) + (", ..." if len(keys) > _SHOWN else "")
    return f"the first records have {shown or 'no keys'}, but {adapter.info.title} has {_needs(adapter)}."


def advice(name: str, file: Path | None = None) -> str:
    """Say what to do where a source has no file to read; file: the first that cannot be."""
    head = _read_head(file) if file is not None else []
    if isinstance(head, Diagnostic) and head.hint:
        return head.hint
    fitting = [] if file is None or isinstance(head, Diagnostic) else _fitting(file)
    if fitting:
        return f"These records fit the adapter {' or '.join(map(repr, fitting))}."
    return f"Check the path of --source {name}=PATH, or choose the adapter that fits these files."


def _read_head(file: Path) -> list[dict[str, object]] | Diagnostic:
    """Return the first records, or why no adapter at all can read the file."""
    layout = record_format(file)
    if layout is None:
        return Diagnostic(None, "it is empty, or no file of records.")
    if layout in ("csv", "tsv") and _has_semicolons(sniff(file).first_line):
        return Diagnostic(
            1, "its columns look separated by ';', but CSV is read with ',' and TSV with tabs.", _SAVE_ANEW
        )
    complaints = Diagnostics(file, keep=1)
    head = [found.record for found in islice(read_records(file, complaints), _HEAD_RECORDS)]
    if head:
        return head
    first = next(iter(complaints.findings), Diagnostic(None, "there is none."))
    at = f"line {first.line} " if first.line is not None else ""
    return replace(first, problem=f"it holds no record that can be read: {at}{first.problem}")


def _has_semicolons(header: str) -> bool:
    """Say whether a header has one column by its commas or tabs, and three or more by its semicolons."""
    return header.count(";") > 1 and "," not in header and "\t" not in header


def _needs(adapter: Adapter) -> str:
    return " or ".join(" + ".join(sorted(keys)) for keys in adapter.info.needs) or "any columns"


def _fitting(file: Path) -> list[str]:
    """Return the adapters whose dataset has records like these."""
    return [name for name in ADAPTERS if ADAPTERS.get(name).info.needs and not misfit(file, ADAPTERS.get(name))]


SUFFIXES = (".csv", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".tsv")
SPLITS = (".dev", ".test", ".train", ".val", ".valid", ".validation")  # may follow: LogQA has `qa.json.train`
UNREADABLE = "record cannot be read"


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file that is not read, by its name relative to the source, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class FoundSource:
    """A source that is on this machine: what to read, what is passed over, and the commit where it is of the hub."""

    spec: SourceSpec
    local: LocalSource
    passed_over: tuple[PassedOver, ...] = ()
    hub: str | None = None
    revision: str | None = None


def locate(spec: SourceSpec, adapter: Adapter, *, base: Path) -> FoundSource:
    """Find the files of a source, fetching them from the hub if need be.

    base: what a path in the recipe is relative to.
    """
    _check_options(spec, adapter)
    if spec.path is not None:
        return _on_disk(spec, adapter, path=base / spec.path.expanduser())
    hub_id = spec.hub or adapter.info.hub_id
    if hub_id is None:
        raise InputError(
            f"source {spec.adapter!r} has no path, and no dataset of the hub is known for it; "
            f"give one with --source {spec.adapter}=PATH, or `path:` or `hub:` in the recipe."
        )
    pinned = adapter.info.revision if hub_id == adapter.info.hub_id else None
    found = fetch(hub_id, revision=spec.revision or pinned, patterns=adapter.info.hub_files or _any_data_file())
    local, passed_over = _usable(LocalSource(found.folder, tuple(found.files), spec.options), adapter)
    _check_any(local, passed_over, adapter, where=f"dataset {hub_id!r} of the hub")
    return FoundSource(spec, local, passed_over, hub_id, found.revision)


def source_hashes(source: LocalSource) -> dict[str, str]:
    """Return the sha256 of each file that is read, by its name relative to the source."""
    return {_name(path, source.root): sha256_file(path) for path in source.files}


class SourceReading:
    """The examples of a source, read once; `records` counts what was read so far, damaged records included."""

    def __init__(self, found: FoundSource, adapter: Adapter) -> None:
        self.records = 0
        self._local = found.local
        self._doc_type = found.spec.doc_type
        self._adapt = adapter.open(found.local)

    def __iter__(self) -> Iterator[Example | Dropped]:
        for path in self._local.files:
            for found in self._read(path):
                if self._doc_type is not None and isinstance(found, Example):
                    yield replace(found, doc_type=self._doc_type)
                else:
                    yield found

    def _read(self, path: Path) -> Iterator[Example | Dropped]:
        damaged = _Damaged(path)
        for number, record in read_records(path, damaged):
            yield from self._dropped(damaged, path)
            self.records += 1
            yield from self._adapt(record, RecordPlace(path, number))
        yield from self._dropped(damaged, path)

    def _dropped(self, damaged: _Damaged, path: Path) -> Iterator[Dropped]:
        for detail in damaged.take():
            self.records += 1
            yield Dropped(UNREADABLE, f"{_name(path, self._local.root)}{detail}")


def read_examples(found: FoundSource, adapter: Adapter) -> SourceReading:
    """Open a source: its options are looked at now, its records when the result is iterated over."""
    return SourceReading(found, adapter)


class _Damaged(Diagnostics):
    """Complaints that are taken out one by one, so that any number of them needs no memory."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._waiting: list[str] = []

    def report(self, problem: str, *, line: int | None, hint: str | None = None, unit: str = "line") -> None:  # noqa: ARG002
        """Keep where and what."""
        self._waiting.append(f": {problem}" if line is None else f":{line}: {problem}")

    def take(self) -> list[str]:
        """Return what was added since the last time."""
        waiting, self._waiting = self._waiting, []
        return waiting


def _check_options(spec: SourceSpec, adapter: Adapter) -> None:
    for option in sorted(spec.options):
        if option not in adapter.options:
            raise UnknownNameError(f"option of the adapter {spec.adapter!r}:", option, adapter.options)


def _on_disk(spec: SourceSpec, adapter: Adapter, *, path: Path) -> FoundSource:
    if not path.is_dir():
        file = check_file(path)
        reason = misfit(file, adapter)
        if reason is not None:
            raise FileFormatError(file, reason, hint=advice(spec.adapter, file))
        return FoundSource(spec, LocalSource(file.parent, (file,), spec.options))
    local, passed_over = _usable(LocalSource(path, _data_files(path), spec.options), adapter)
    _check_any(local, passed_over, adapter, where=str(path))
    return FoundSource(spec, local, passed_over)


def _data_files(folder: Path) -> tuple[Path, ...]:
    """Return the files in a folder that are data by their suffix, sorted by their names relative to it."""
    # A link that leads nowhere is kept: it is refused when it is read, not lost.
    found = [path for path in folder.rglob("*") if _is_data(path.relative_to(folder)) and not path.is_dir()]
    return tuple(sorted(found, key=lambda path: _name(path, folder)))


def _is_data(path: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.parts)
    name = path.name.lower().removesuffix(".gz")
    plain = next((name.removesuffix(split) for split in SPLITS if name.endswith(split)), name)
    return not hidden and plain.endswith(SUFFIXES)


def _any_data_file() -> tuple[str, ...]:
    return tuple(
        f"*{suffix}{split}{packed}" for suffix in SUFFIXES for split in ("", *SPLITS) for packed in ("", ".gz")
    )


def _usable(source: LocalSource, adapter: Adapter) -> tuple[LocalSource, tuple[PassedOver, ...]]:
    """Part the files into those that the adapter can read and the others."""
    reasons = {file: misfit(file, adapter) for file in source.files}
    if adapter.misfit is not None:
        more = {file: adapter.misfit(file, source.options) for file, reason in reasons.items() if reason is None}
        # Where none is left the adapter itself says best what is wrong with its options or the files.
        reasons |= more if None in more.values() else {}
    usable = tuple(file for file, reason in reasons.items() if reason is None)
    passed_over = tuple(PassedOver(_name(file, source.root), reason) for file, reason in reasons.items() if reason)
    return replace(source, files=usable), passed_over


def _check_any(local: LocalSource, passed_over: tuple[PassedOver, ...], adapter: Adapter, *, where: str) -> None:
    if local.files:
        return
    if not passed_over:
        kinds = " ".join(SUFFIXES)
        raise InputError(f"{where}: found no data file ({kinds}, each also with .gz).\n  {advice(adapter.info.name)}")
    first = passed_over[0]
    next_step = advice(adapter.info.name, local.root / first.name)
    more = f", nor can {len(passed_over) - 1} more" if len(passed_over) > 1 else ""
    raise InputError(
        f"{where}: no file that the adapter {adapter.info.name!r} can read; {first.name} cannot be: {first.reason[:-1]}"
        f"{more}.\n  {next_step}"
    )


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


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
    recipe: Recipe, spool: Pool, *, classifier: Classifier, progress: Callable[[str, int], None] | None
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
    spool: Pool
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
