"""What code writes, logs and warns about while it is observed.

Descriptors 1 and 2 are turned to files in memory, and `sys.stdout` and `sys.stderr` to the same files, so that what C
code or `os.write` writes stands in its place between the prints. Standard input is empty. Warnings are recorded, each
time, and not printed.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from io import FileIO, StringIO, TextIOWrapper
from os import SEEK_SET, close, dup, dup2, lseek, read
from tempfile import TemporaryFile
from typing import TYPE_CHECKING
from warnings import WarningMessage, catch_warnings, simplefilter

from .logs import taken_logs
from .texts import LONGEST_OUTPUT, clean, text_of
from .values import short_name

if TYPE_CHECKING:
    from collections.abc import Iterator

try:
    from os import memfd_create as _memory_file
except ImportError:  # not Linux
    _memory_file = None  # type: ignore[assignment]


@dataclass
class Captured:
    """What was captured; filled when the capture ends."""

    stdout: str = ""
    stderr: str = ""
    logs: list[dict[str, str]] = field(default_factory=list)
    warnings: list[dict[str, str]] = field(default_factory=list)

    def data(self) -> dict[str, object]:
        """Return it as plain data."""
        return {"stdout": self.stdout, "stderr": self.stderr, "logs": self.logs, "warnings": self.warnings}


@contextmanager
def capturing() -> Iterator[Captured]:
    """Capture until the block ends."""
    captured = Captured()
    before = sys.stdin
    sys.stdin = StringIO("")
    with ExitStack() as stack:
        stack.callback(setattr, sys, "stdin", before)
        stack.enter_context(_stream(captured, "stdout", 1))
        stack.enter_context(_stream(captured, "stderr", 2))
        captured.logs = stack.enter_context(taken_logs())
        seen = stack.enter_context(catch_warnings(record=True))
        simplefilter("always")
        yield captured
        captured.warnings = [_warning(one) for one in seen[:1_000]]


@contextmanager
def _stream(captured: Captured, name: str, descriptor: int) -> Iterator[None]:
    before = getattr(sys, name)
    _flush(before)
    file = _new_file()
    kept = _turned(descriptor, file)
    stream = TextIOWrapper(FileIO(file, "wb", closefd=False), "utf-8", "backslashreplace", write_through=True)
    setattr(sys, name, stream)
    try:
        yield
    finally:
        _flush(getattr(sys, name))
        _flush(stream)
        _flush(before)
        setattr(sys, name, before)
        if kept is not None:
            dup2(kept, descriptor)
            close(kept)
        setattr(captured, name, _content(file))
        _end(stream)
        close(file)


def _end(stream: TextIOWrapper) -> None:
    """Close a stream whose descriptor belongs to somebody else."""
    try:
        stream.close()
    except (OSError, ValueError):
        return


def _new_file() -> int:
    try:
        return _memory_file("observed")
    except (OSError, TypeError):  # forbidden, or not Linux
        with TemporaryFile() as file:
            return dup(file.fileno())


def _turned(descriptor: int, file: int) -> int | None:
    """Point a descriptor at a file; return a copy of where it pointed, None where it was closed."""
    try:
        kept = dup(descriptor)
    except OSError:
        return None
    dup2(file, descriptor)
    return kept


def _content(file: int) -> str:
    lseek(file, 0, SEEK_SET)
    parts, left = [], LONGEST_OUTPUT * 4
    while left > 0:
        part = read(file, left)
        if not part:
            break
        parts.append(part)
        left -= len(part)
    return clean_output(b"".join(parts).decode("utf-8", "replace"))


def clean_output(text: str) -> str:
    """Return printed text, cut. Addresses stay: they were printed."""
    return text if len(text) <= LONGEST_OUTPUT else text[:LONGEST_OUTPUT] + " ..."


def _flush(stream: object) -> None:
    try:
        stream.flush()  # type: ignore[attr-defined]
    except BaseException:  # noqa: BLE001 - a stream that the code put there may do anything
        return


def _warning(one: WarningMessage) -> dict[str, str]:
    return {"category": short_name(one.category), "message": clean(text_of(one.message, str))}
