"""Problems in a file, and whether a reader stops at them or counts them.

A reader is written once and told by its `Diagnostics` what to do with a bad line: stop at the first (the default), or
leave the line out, count it and go on (`--skip-bad`, `goldproof validate`). What makes the whole file unreadable
(missing, empty, cut off) is always a `FileFormatError`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldproof.errors import FileFormatError

if TYPE_CHECKING:
    from pathlib import Path

SKIP_HINT = "Fix the line, or leave it out with --skip-bad, which counts and reports it."
FIX_HINT = "Fix the line."


class NothingLeftError(FileFormatError):
    """Every record of a file is bad. Each was reported already, so this one is not counted."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem: where (None where no line can be named), what is wrong, and what to do."""

    line: int | None
    problem: str
    hint: str = ""


class Diagnostics:
    """Collects the problems that a reader reports, or raises the first.

    keep: None stops at the first; a number leaves bad lines out and keeps that many problems (all are counted).
    hint: what to do about a bad line, unless the problem has a hint of its own.
    """

    def __init__(self, path: Path, *, keep: int | None = None, hint: str = FIX_HINT) -> None:
        self.path = path
        self._keep = keep
        self._hint = hint
        self._prefix = ""
        self._sink = _Sink()

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """The first problems, in the order in which they were reported."""
        return tuple(self._sink.findings)

    @property
    def total(self) -> int:
        """Number of reported problems."""
        return self._sink.total

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences on lines that were skipped although they are valid."""
        return tuple(self._sink.remarks)

    def of_part(self, path: Path) -> Diagnostics:
        """Return diagnostics for another file of the same dataset; they are collected together."""
        part = Diagnostics(path, keep=self._keep, hint=self._hint)
        part._prefix = f"{path}: "
        part._sink = self._sink
        return part

    def report(self, problem: str, *, line: int | None, hint: str | None = None, unit: str = "line") -> None:
        """Report one bad line, or another `unit` of the file: raise, or count it."""
        advice = self._hint.replace("the line", f"the {unit}") if hint is None else hint
        if self._keep is None:
            raise FileFormatError(self.path, problem, line=line, hint=advice)
        self._sink.total += 1
        if len(self._sink.findings) < self._keep:
            self._sink.findings.append(Diagnostic(line, self._prefix + problem, advice))

    def remark(self, sentence: str) -> None:
        """Add a remark on something valid that was skipped."""
        self._sink.remarks.append(self._prefix + sentence)

    def error(self, problem: str, *, line: int | None = None, hint: str = "") -> FileFormatError:
        """Return the error for a problem that makes the whole file unreadable; the caller raises it."""
        return FileFormatError(self.path, problem, line=line, hint=hint)

    def nothing_left(self, problem: str, *, hint: str | None = None) -> NothingLeftError:
        """Return the error for a file in which every record was reported as bad; it shows the first."""
        first = self._sink.findings[0] if self._sink.findings else Diagnostic(None, "")
        shown = f"{problem}; the first: {first.problem}" if first.problem else f"{problem}."
        return NothingLeftError(self.path, shown, line=first.line, hint=first.hint if hint is None else hint)


@dataclass(slots=True)
class _Sink:
    """Problems and remarks of all parts of a dataset."""

    total: int = 0
    findings: list[Diagnostic] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
