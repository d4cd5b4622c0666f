"""Every error Goldproof raises on purpose.

    GoldproofError                 root; the command line prints its message without a traceback
    ├── InputError             what the user gave is wrong: exit code 2
    │   ├── FileFormatError    a file: names the file and, where it can, the line
    │   ├── UnknownNameError   an unknown metric, run, column, registry entry, ...: suggests near names
    │   ├── IdMismatchError    a run's questions or documents are not those that were judged
    │   └── ConflictError      an output folder holds something else, or is being written by another process
    ├── SearchFailedError      a retriever could not answer a query: says why
    ├── EmbeddingFailedError   an embedder failed for a text or a request; others may go well
    ├── ModelFailedError       a model could not answer a prompt; others may go well
    │   └── ModelDownError     it will answer none now (wrong key, quota, down): stop, what is answered is kept
    ├── StoppedEarlyError      a job ended before its time (budget, model down): the same command goes on
    ├── BudgetSpentError       the next call could cost more than --max-cost leaves: stop, what is answered is kept
    ├── SandboxError           no sandbox holds here: says what was tried, why it failed, what to do
    ├── MissingExtraError      an optional dependency is not installed: says which `pip install` adds it
    └── NothingScoredError     no requested metric has a scored value: exit code 3

A message says where, what was found, what was expected, and what to do next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class GoldproofError(Exception):
    """Root of every error that Goldproof raises on purpose."""

    exit_code = 2


class InputError(GoldproofError):
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
    """A name that nothing answers to; near names are suggested.

    advice: said instead of a suggestion, where somebody knows better. near_to: the part of the name that was looked up.
    """

    def __init__(
        self, kind: str, name: str, known: Iterable[str], *, advice: str = "", near_to: str = "", hint: str = ""
    ) -> None:
        self.kind = kind
        self.name = name
        said = advice or _suggestion(near_to or name, sorted(known))
        super().__init__(f"unknown {kind} {name!r}; {said}" + (f"\n  {hint}" if hint else ""))


def _suggestion(name: str, known: list[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - start-up stays cheap

    folded = {option.casefold(): option for option in reversed(known)}
    near = get_close_matches(name.casefold(), folded, n=3, cutoff=0.6)
    if near:
        return f"did you mean {' or '.join(repr(folded[n]) for n in near)}?"
    if not known:
        return "none is known."
    return f"known: {', '.join(known[:12])}{', ...' if len(known) > 12 else '.'}"


class IdMismatchError(InputError):
    """A run's questions or documents are not those that were judged: scoring it would mean nothing."""


class ConflictError(InputError):
    """An output folder holds something else, or another process is writing it."""


class MissingExtraError(GoldproofError):
    """An optional dependency is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        self.extra = extra
        super().__init__(f"{feature} needs the extra {extra!r}: pip install 'goldproof[{extra}]'")


class SearchFailedError(GoldproofError):
    """A retriever could not answer a query."""


class EmbeddingFailedError(GoldproofError):
    """An embedder failed for a text or a request; others may go well."""


class ModelFailedError(GoldproofError):
    """A model could not answer a prompt; others may go well."""


class ModelDownError(ModelFailedError):
    """A model will answer nothing now, so that asking on is of no use; what is answered so far is kept."""


class StoppedEarlyError(GoldproofError):
    """A job ended before its time; what is done is kept, and the same command goes on from there."""


class BudgetSpentError(GoldproofError):
    """The next call could cost more than is left of the budget; what is answered so far is kept."""


class SandboxError(GoldproofError):
    """No sandbox holds on this machine, so that code nobody trusts is not run."""


class NothingScoredError(GoldproofError):
    """No requested metric has a scored value."""

    exit_code = 3
