"""Where traces come from: files, records in the same shape, or frames; each read as a stream of tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, cast

from goldproof.errors import InputError
from goldproof.io.diagnostics import SKIP_HINT, Diagnostics
from goldproof.io.text_files import file_stem
from goldproof.io.traces import read_traces, traces_from_frame, traces_from_records

if TYPE_CHECKING:
    from goldproof.records.traces import TraceTable

_KEPT_FINDINGS = 20


@dataclass(slots=True)
class TraceSource:
    """One system's traces. complaints: what was wrong with the file, once it is read."""

    given: object
    skip_bad: bool = False
    complaints: Diagnostics | None = field(default=None, init=False)

    @property
    def path(self) -> Path | None:
        """The file, where it is one."""
        return Path(self.given) if isinstance(self.given, str | PathLike) else None

    def tables(self) -> Iterator[TraceTable]:
        """Read the traces."""
        path = self.path
        if path is not None:
            keep = _KEPT_FINDINGS if self.skip_bad else None
            self.complaints = Diagnostics(path, keep=keep, hint=SKIP_HINT)
            return read_traces(path, self.complaints)
        if hasattr(self.given, "collect_schema") or hasattr(self.given, "columns"):
            return traces_from_frame(self.given)
        if isinstance(self.given, Iterable) and not isinstance(self.given, Mapping | bytes):
            return traces_from_records(self.given)
        raise InputError(
            f"traces: found {type(self.given).__name__}; expected a path, conversations as dicts, or a frame with a "
            "row per result."
        )

    def for_reading_twice(self) -> TraceSource:
        """Return the same traces so that they can be read again: what can be gone through only once is kept."""
        once = isinstance(self.given, Iterator)
        return TraceSource(list(cast("Iterator[object]", self.given)), self.skip_bad) if once else self

    def remarks(self, name: str) -> list[str]:
        """Say what was left out."""
        if self.complaints is None or not self.complaints.total:
            return []
        first = self.complaints.findings[0]
        where = "" if first.line is None else f"line {first.line}: "
        left_out = f"{self.complaints.total:,} left out as bad (lines or conversations)"
        return [f"{name}: {left_out}; the first: {where}{first.problem}"]


def as_sources(traces: object, systems: object, *, skip_bad: bool) -> dict[str, TraceSource]:
    """Name the systems: a file by its own name, anything else `system`."""
    if (traces is None) == (systems is None):
        raise InputError("give either one system's traces, or several as systems={name: traces}.")
    if systems is None:
        source = TraceSource(traces, skip_bad)
        return {"system" if source.path is None else file_stem(source.path): source}
    if not isinstance(systems, Mapping) or not systems:
        raise InputError(f"systems: found {type(systems).__name__}; expected {{name: traces}}, at least one.")
    sources = {str(name): TraceSource(given, skip_bad) for name, given in systems.items()}
    if len(sources) < len(systems):
        raise InputError(f"systems: two names are the same as text among {', '.join(map(repr, systems))}; rename one.")
    return sources
