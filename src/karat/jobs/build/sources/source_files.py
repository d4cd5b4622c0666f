"""The files of a source, and the examples in them.

A source is a file, a folder or a dataset of the hub. A folder is searched with all that is in it for data files, in the
order of their names written with slashes, so that no file system has a say in the result. Hidden files and
folders are left alone, as is what no reader knows by its suffix. A file whose first records have none of the key sets
that the dataset needs, or that is no file of records at all, is passed over and reported; a source with no other file
is an error. A single file that is named is read whatever its suffix is.

A record that is damaged is dropped and counted like any other. A file that breaks off stops the build: nobody wants a
benchmark of half a download.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from karat.core.errors import FileFormatError, InputError, UnknownNameError
from karat.io.cards import sha256_file
from karat.io.complaints import Complaints
from karat.io.opening import check_file
from karat.io.records import read_records, record_format
from karat.jobs.build.adapters.adapter import LocalSource, Place
from karat.jobs.build.adapters.catalogue import ADAPTERS
from karat.jobs.build.example import Dropped, Example
from karat.jobs.build.sources.hub import fetch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from karat.jobs.build.adapters.adapter import Adapter
    from karat.jobs.build.recipes.recipe import SourceSpec

SUFFIXES = (".csv", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".tsv")
SPLITS = (".dev", ".test", ".train", ".val", ".valid", ".validation")  # may follow: LogQA has `qa.json.train`
UNREADABLE = "record cannot be read"
_HEAD_RECORDS = 20
_SHOWN = 5


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
    usable, passed_over = _usable(found.files, adapter, root=found.folder)
    local = LocalSource(found.folder, usable, spec.options)
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


class _Damaged(Complaints):
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
        reason = _misfit(file, adapter)
        if reason is not None:
            raise FileFormatError(file, reason, hint=_advice(spec.adapter, file))
        return FoundSource(spec, LocalSource(file.parent, (file,), spec.options))
    usable, passed_over = _usable(_data_files(path), adapter, root=path)
    local = LocalSource(path, usable, spec.options)
    _check_any(local, passed_over, adapter, where=str(path))
    return FoundSource(spec, local, passed_over)


def _data_files(folder: Path) -> list[Path]:
    """Return the files in a folder that are data by their suffix, sorted by their names relative to it."""
    # A link that leads nowhere is kept: it is refused when it is read, not lost.
    found = [path for path in folder.rglob("*") if _is_data(path.relative_to(folder)) and not path.is_dir()]
    return sorted(found, key=lambda path: _name(path, folder))


def _is_data(path: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.parts)
    name = path.name.lower().removesuffix(".gz")
    plain = next((name.removesuffix(split) for split in SPLITS if name.endswith(split)), name)
    return not hidden and plain.endswith(SUFFIXES)


def _any_data_file() -> tuple[str, ...]:
    return tuple(
        f"*{suffix}{split}{packed}" for suffix in SUFFIXES for split in ("", *SPLITS) for packed in ("", ".gz")
    )


def _usable(files: Iterable[Path], adapter: Adapter, *, root: Path) -> tuple[tuple[Path, ...], tuple[PassedOver, ...]]:
    """Part the files into those that the adapter can read and the others."""
    usable: list[Path] = []
    passed_over: list[PassedOver] = []
    for file in files:
        reason = _misfit(file, adapter)
        if reason is None:
            usable.append(file)
        else:
            passed_over.append(PassedOver(_name(file, root), reason))
    return tuple(usable), tuple(passed_over)


def _misfit(file: Path, adapter: Adapter) -> str | None:
    """Say why this is no file of the dataset, by the first records that can be read; None if it is one."""
    if record_format(file) is None:
        return "it is empty, or no file of records."
    records = read_records(file, Complaints(file, keep=0))
    head = [found.record for found in islice(records, _HEAD_RECORDS)]
    if not head:
        return "it holds no record that can be read."
    needs = adapter.info.needs
    if not needs or any(keys <= record.keys() for record in head for keys in needs):
        return None
    keys = sorted(head[0])
    shown = ", ".join(keys[:_SHOWN]) + (", ..." if len(keys) > _SHOWN else "")
    return f"the first records have {shown or 'no keys'}, but {adapter.info.title} has {_needs(adapter)}."


def _needs(adapter: Adapter) -> str:
    return " or ".join(" + ".join(sorted(keys)) for keys in adapter.info.needs) or "any columns"


def _check_any(local: LocalSource, passed_over: tuple[PassedOver, ...], adapter: Adapter, *, where: str) -> None:
    if local.files:
        return
    if not passed_over:
        kinds = " ".join(SUFFIXES)
        raise InputError(f"{where}: found no data file ({kinds}, each also with .gz).\n  {_advice(adapter.info.name)}")
    first = passed_over[0]
    advice = _advice(adapter.info.name, local.root / first.name)
    more = f", nor can {len(passed_over) - 1} more" if len(passed_over) > 1 else ""
    raise InputError(
        f"{where}: no file that the adapter {adapter.info.name!r} can read; {first.name} cannot be: {first.reason[:-1]}"
        f"{more}.\n  {advice}"
    )


def _advice(name: str, file: Path | None = None) -> str:
    fitting = [] if file is None or record_format(file) is None else _fitting(file)
    if fitting:
        return f"These records fit the adapter {' or '.join(map(repr, fitting))}."
    return f"Check the path of --source {name}=PATH, or choose the adapter that fits these files."


def _fitting(file: Path) -> list[str]:
    """Return the adapters whose dataset has records like these."""
    return [name for name in ADAPTERS if ADAPTERS.get(name).info.needs and not _misfit(file, ADAPTERS.get(name))]


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()
