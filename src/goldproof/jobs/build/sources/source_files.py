"""The files of a source, and the examples in them.

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

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goldproof.errors import FileFormatError, InputError, UnknownNameError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.record_files import read_records
from goldproof.io.storage.cards import sha256_file
from goldproof.io.text_files import check_file
from goldproof.jobs.build.adapters.adapter import LocalSource, Place
from goldproof.jobs.build.example import Dropped, Example
from goldproof.jobs.build.sources.fitting import advice, misfit
from goldproof.jobs.build.sources.hub import fetch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.jobs.build.adapters.adapter import Adapter
    from goldproof.jobs.build.recipes.recipe import SourceSpec

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
            yield from self._adapt(record, Place(path, number))
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

    def add(self, problem: str, *, line: int | None, hint: str | None = None, what: str = "line") -> None:  # noqa: ARG002
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
