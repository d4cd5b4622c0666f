"""Every error Karat raises on purpose.

    KaratError                 root; the command line prints its message without a traceback
    ├── InputError             what the user gave is wrong: exit code 2
    │   ├── FileFormatError    a file: names the file and, where it can, the line
    │   ├── UnknownNameError   an unknown metric, run, column, registry entry, ...: suggests near names
    │   └── ConflictError      an output folder holds something else, or is being written by another process
    ├── MissingExtraError      an optional dependency is not installed: says which `pip install` adds it
    └── NothingScoredError     no requested metric has a scored value: exit code 3

A message says where, what was found, what was expected, and what to do next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class KaratError(Exception):
    """Root of every error that Karat raises on purpose."""

    exit_code = 2


class InputError(KaratError):
    """What the user gave is wrong."""


class FileFormatError(InputError):
    """A file is not what it should be: where, what was found, what to do next."""

    def __init__(self, path: Path | str, problem: str, *, line: int | None = None, hint: str = "") -> None:
        self.path = str(path)
        self.line = line
        self.problem = problem
        self.hint = hint
        where = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{where}: {problem}" + (f"\n  {hint}" if hint else ""))


class UnknownNameError(InputError):
    """A name that nothing answers to; near names are suggested."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *, hint: str = "") -> None:
        self.kind = kind
        self.name = name
        from difflib import get_close_matches  # noqa: PLC0415 - start-up stays cheap

        options = sorted(known)
        near = get_close_matches(name, options, n=3, cutoff=0.6)
        if near:
            advice = f"did you mean {' or '.join(repr(n) for n in near)}?"
        elif options:
            shown = ", ".join(options[:12]) + (", ..." if len(options) > 12 else "")
            advice = f"known: {shown}."
        else:
            advice = "none is known."
        super().__init__(f"unknown {kind} {name!r}; {advice}" + (f"\n  {hint}" if hint else ""))


class ConflictError(InputError):
    """An output folder holds something else, or another process is writing it."""


class MissingExtraError(KaratError):
    """An optional dependency is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        self.extra = extra
        super().__init__(f"{feature} needs the extra {extra!r}: pip install 'karat[{extra}]'")


class NothingScoredError(KaratError):
    """No requested metric has a scored value."""

    exit_code = 3
