"""Sources of a recipe: locate their files, check that they fit the adapter, yield their examples.

A source is a file, a folder or a dataset of the hub. A folder is searched recursively for data files, in the order of
their names written with slashes, so that the result does not depend on the file system. Hidden files and folders are
left alone, as are suffixes that no reader knows. A file whose first records have none of the key sets that the dataset
needs, or that is no file of records at all, is passed over and reported, as is one that the adapter does not want while
it takes others; a source with no other file is an error. A single file that is named is read whatever its suffix is.

A damaged record is dropped and counted like any other. A truncated file stops the build: half a download would make
half a benchmark. A file that no adapter can read is refused with its own reason: it is empty, it is not UTF-8, its
columns are separated by semicolons.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import FileFormatError, InputError, UnknownNameError
from goldproof.io import Diagnostic, sha256_file
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.file_layout import sniff
from goldproof.io.record_files import read_records, record_format
from goldproof.io.text_files import check_file
from goldproof.jobs.build.adapters.adapter import ADAPTERS, LocalSource, RecordPlace, get_adapter
from goldproof.jobs.build.hub import fetch
from goldproof.jobs.build.output.report import SourceFacts
from goldproof.jobs.build.records import Dropped, Example
from goldproof.progress import OnProgress, Progress, ignore

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from goldproof.jobs.build.adapters.adapter import Adapter
    from goldproof.jobs.build.recipe import SourceSpec

SUFFIXES = (".csv", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".tsv")
SPLITS = (".dev", ".test", ".train", ".val", ".valid", ".validation")  # may follow: LogQA has `qa.json.train`
UNREADABLE = "record cannot be read"
_HEAD_RECORDS = 20
_SHOWN = 5
_SAVE_ANEW = "Save it with commas between the columns, or as JSON lines."
_TICK = 1_000


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file that is not read, by its name relative to the source, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class LocatedSource:
    """The files of a source on this machine, those passed over, and the commit where it is from the hub."""

    spec: SourceSpec
    local: LocalSource
    passed_over: tuple[PassedOver, ...] = ()
    hub: str | None = None
    revision: str | None = None


@dataclass(slots=True)
class Source:
    """One source of the recipe: yields its examples once and counts what it read, yielded and dropped.

    name: its adapter, numbered where the recipe uses an adapter more than once. hashes: of its files, once they were
    read. dropped: reason -> records.
    """

    name: str
    adapter: Adapter
    located: LocatedSource
    records: int = 0
    usable: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    hashes: Mapping[str, str] = field(default_factory=dict)
    _first_dropped: str = ""

    def examples(self, on_progress: OnProgress = ignore) -> Iterator[Example]:
        """Yield the examples; InputError at the end if none was usable.

        on_progress: called with the records read so far, now and then.
        """
        reader = ExampleReader(self.located, self.adapter)
        for number, item in enumerate(reader, start=1):
            self.records = reader.records
            if number % _TICK == 0:
                on_progress(Progress(f"{self.name}: records read", self.records))
            if isinstance(item, Dropped):
                self._count(item)
            else:
                self.usable += 1
                yield item
        self.records = reader.records
        on_progress(Progress(f"{self.name}: records read", self.records, self.records))
        if not self.usable:
            raise InputError(self._nothing_usable())
        self.hashes = source_hashes(self.located.local)

    def drop(self, dropped: Dropped) -> None:
        """Count an example that was yielded as dropped after all."""
        self.usable -= 1
        self._count(dropped)

    def facts(self, *, used: int) -> SourceFacts:
        """Return what the report shows; used: samples of the benchmark."""
        return SourceFacts(
            name=self.name,
            licence=self.adapter.info.licence,
            revision=self.located.revision,
            sha256=self.hashes,
            read=self.records,
            usable=self.usable,
            used=used,
        )

    def remarks(self) -> Iterator[str]:
        """Say which files were passed over and how many records were dropped."""
        for file in self.located.passed_over:
            yield f"{self.name}: {file.name} was passed over: {file.reason}"
        if self.dropped:
            reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(self.dropped.items()))
            yield f"{self.name}: {self.dropped.total()} dropped: {reasons}."

    def _count(self, dropped: Dropped) -> None:
        self.dropped[dropped.reason] += 1
        detail = f" ({dropped.detail})" if dropped.detail else ""
        self._first_dropped = self._first_dropped or f"{dropped.reason}{detail}"

    def _nothing_usable(self) -> str:
        files = ", ".join(path.name for path in self.located.local.files[:3])
        why = f"; the first was dropped: {self._first_dropped}" if self._first_dropped else ""
        return (
            f"source {self.name} ({files}): none of its {self.records} records can be used{why}.\n"
            f"  Is it really in the format of {self.located.spec.adapter}? goldproof build --list shows the others."
        )


def locate_sources(specs: Sequence[SourceSpec]) -> tuple[Source, ...]:
    """Find the files of all sources; those on this machine first: a misspelt path should not cost a download."""
    located = {}
    for number in sorted(range(len(specs)), key=lambda number: specs[number].path is None):
        spec = specs[number]
        located[number] = locate(spec, get_adapter(spec.adapter), base=Path())
    names = _names([spec.adapter for spec in specs])
    return tuple(Source(name, get_adapter(specs[n].adapter), located[n]) for n, name in enumerate(names))


def source_licences(sources: Iterable[Source]) -> str:
    """Return the licences of all sources, each once."""
    infos = (source.adapter.info for source in sources)
    return "; ".join(sorted({f"{info.title}: {info.licence}" for info in infos}))


def source_remarks(sources: Iterable[Source], *, repeated: int, named_only: int) -> tuple[str, ...]:
    """Say which files were passed over, what was dropped, and what else a reader should know about the sources.

    repeated: samples whose id the pool already had. named_only: samples with a document that is only named.
    """
    return (*(remark for source in sources for remark in source.remarks()), *_notices(repeated, named_only))


def _notices(repeated: int, named_only: int) -> Iterator[str]:
    if repeated:
        yield (
            f"{repeated} samples left out: their id occurs more than once. If several tables number their rows alike, "
            "give each a `name:` in the recipe."
        )
    if named_only:
        yield (
            f"{named_only} samples cite documents without a text: these are not in the contexts, and unanswerables "
            "made from them were checked against the answers that cite them."
        )


def _names(adapters: list[str]) -> list[str]:
    """Return a name for each source: its adapter, numbered where it is used more than once."""
    total, seen = Counter(adapters), Counter[str]()
    names = []
    for adapter in adapters:
        seen[adapter] += 1
        names.append(adapter if total[adapter] == 1 else f"{adapter}-{seen[adapter]}")
    return names


class ExampleReader:
    """Iterates once over the examples of a source and the records it drops.

    The adapter checks its options when the reader is made. `records` counts those read so far, damaged ones included.
    """

    def __init__(self, located: LocatedSource, adapter: Adapter) -> None:
        self.records = 0
        self._local = located.local
        self._doc_type = located.spec.doc_type
        self._adapt = adapter.open(located.local)

    def __iter__(self) -> Iterator[Example | Dropped]:
        for path in self._local.files:
            for item in self._read(path):
                if self._doc_type is not None and isinstance(item, Example):
                    yield replace(item, doc_type=self._doc_type)
                else:
                    yield item

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


class _Damaged(Diagnostics):
    """Diagnostics that are taken out as they come, so that any number of them needs no memory."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._waiting: list[str] = []

    def report(self, problem: str, *, line: int | None, hint: str | None = None, unit: str = "line") -> None:  # noqa: ARG002
        """Keep the problem with its line."""
        self._waiting.append(f": {problem}" if line is None else f":{line}: {problem}")

    def take(self) -> list[str]:
        """Return the problems added since the last call."""
        waiting, self._waiting = self._waiting, []
        return waiting


def locate(spec: SourceSpec, adapter: Adapter, *, base: Path) -> LocatedSource:
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
    fetched = fetch(hub_id, revision=spec.revision or pinned, patterns=adapter.info.hub_files or _any_data_file())
    local, passed_over = _usable(LocalSource(fetched.folder, tuple(fetched.files), spec.options), adapter)
    _check_any(local, passed_over, adapter, where=f"dataset {hub_id!r} of the hub")
    return LocatedSource(spec, local, passed_over, hub_id, fetched.revision)


def source_hashes(source: LocalSource) -> dict[str, str]:
    """Return the sha256 of each file that is read, by its name relative to the source."""
    return {_name(path, source.root): sha256_file(path) for path in source.files}


def _check_options(spec: SourceSpec, adapter: Adapter) -> None:
    for option in sorted(spec.options):
        if option not in adapter.options:
            raise UnknownNameError(f"option of the adapter {spec.adapter!r}:", option, adapter.options)


def _on_disk(spec: SourceSpec, adapter: Adapter, *, path: Path) -> LocatedSource:
    if not path.is_dir():
        file = check_file(path)
        reason = misfit(file, adapter)
        if reason is not None:
            raise FileFormatError(file, reason, hint=advice(spec.adapter, file))
        return LocatedSource(spec, LocalSource(file.parent, (file,), spec.options))
    local, passed_over = _usable(LocalSource(path, _data_files(path), spec.options), adapter)
    _check_any(local, passed_over, adapter, where=str(path))
    return LocatedSource(spec, local, passed_over)


def _data_files(folder: Path) -> tuple[Path, ...]:
    """Return the files in a folder that are data by their suffix, sorted by their names relative to it."""
    # A link that leads nowhere is kept: it is refused when it is read, not lost.
    paths = [path for path in folder.rglob("*") if _is_data(path.relative_to(folder)) and not path.is_dir()]
    return tuple(sorted(paths, key=lambda path: _name(path, folder)))


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
    more = f" ({len(passed_over) - 1} more cannot be read either)" if len(passed_over) > 1 else ""
    raise InputError(
        f"{where}: no file that the adapter {adapter.info.name!r} can read; {first.name}: {first.reason[:-1]}{more}.\n"
        f"  {next_step}"
    )


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def misfit(file: Path, adapter: Adapter) -> str | None:
    """Say why a file is not of the adapter's dataset, by the first records that can be read; None if it is."""
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
    """Say what to do where a source has no readable file; file: the first that cannot be read."""
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
    diagnostics = Diagnostics(file, keep=1)
    head = [row.record for row in islice(read_records(file, diagnostics), _HEAD_RECORDS)]
    if head:
        return head
    first = next(iter(diagnostics.findings), Diagnostic(None, "there is none."))
    at = f"line {first.line}: " if first.line is not None else ""
    return replace(first, problem=f"it holds no record that can be read: {at}{first.problem}")


def _has_semicolons(header: str) -> bool:
    """Return whether a header has one column by its commas or tabs, and three or more by its semicolons."""
    return header.count(";") > 1 and "," not in header and "\t" not in header


def _needs(adapter: Adapter) -> str:
    return " or ".join(" + ".join(sorted(keys)) for keys in adapter.info.needs) or "any columns"


def _fitting(file: Path) -> list[str]:
    """Return the adapters whose dataset has records like these."""
    return [name for name in ADAPTERS if ADAPTERS.get(name).info.needs and not misfit(file, ADAPTERS.get(name))]
