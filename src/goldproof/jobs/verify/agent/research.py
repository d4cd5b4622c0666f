"""Lookups for an agent: names of the library, their definitions in its sources, and its files. Nothing is run here."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from goldproof.corpus.packages import Package, find_distribution
from goldproof.corpus.packages.distribution import PackageSpec
from goldproof.errors import InputError, UnknownNameError, shortened
from goldproof.jobs.verify.agent.readable import ReadableFiles

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.corpus.libraries import Library
    from goldproof.corpus.packages import Symbol

MANY = 10
_LINE = 160
_DOC = 1_200
_SOURCE = 3_000


class Research:
    """Looks things up in the packages of a library; for any number of threads."""

    def __init__(self, packages: Sequence[Package]) -> None:
        self._packages = tuple(packages)
        self._files = ReadableFiles(one.distribution for one in self._packages)
        self._lock = Lock()  # parts of a package are read when they are first asked for

    def search(self, words: str) -> str:
        """Return the names nearest to some words, a line for each."""
        with self._lock:
            matches = [match for one in self._packages for match in one.search(words, MANY)]
        best = sorted(matches, key=lambda match: (-match.score, match.path))[:MANY]
        lines = [shortened(f"{one.path}  {one.kind}. {one.summary}".rstrip(), longest=_LINE) for one in best]
        return "\n".join(lines) or "Nothing was found; try other words."

    def inspect(self, name: str) -> str:
        """Return what the sources say of a name. UnknownNameError, with near names, where nothing is called so."""
        problem: UnknownNameError | None = None
        for package in self._packages:
            try:
                with self._lock:
                    # Read, never asked of an interpreter: what runs, runs in the sandbox.
                    return "\n".join(_said(package.inspect(name, fields="static")))
            except UnknownNameError as error:
                problem = problem or error
        raise problem or InputError("the library has no sources to be inspected.")

    def read(self, path: str, *, offset: int = 0) -> str:
        """Return a page of a file of the library."""
        return self._files.read(path, offset=offset)


def open_research(library: Library) -> Research:
    """Open the sources of a library: those of the distributions under test, as they are installed for it."""
    path = [str(place) for place in library.search_path] or None
    names = library.under_test or (library.name,)
    return Research([Package(find_distribution(name, path=path), PackageSpec(name)) for name in names])


def _said(symbol: Symbol) -> Iterator[str]:
    yield f"{symbol.path} ({symbol.kind}{'' if symbol.public else ', private'})"
    if symbol.source:
        lines = f", lines {symbol.lines[0]} to {symbol.lines[1]}" if symbol.lines else ""
        yield f"file: {symbol.source}{lines}"
    for name, value in _facts(symbol):
        if value:
            yield f"{name}: {value}"
    for field in () if symbol.called_by_fields else symbol.fields:  # else they stand in the signature
        default = "" if field.default is None else f" = {shortened(field.default, longest=_LINE)}"
        yield f"field {field.name}: {field.annotation}{default}{' (required)' if field.required else ''}"
    if symbol.members:
        yield f"members: {shortened(', '.join(one.name for one in symbol.members if one.public), longest=_DOC)}"
    if symbol.docstring:
        yield f"docstring: {shortened(symbol.docstring, longest=_DOC)}"
    if symbol.source_text:
        yield f"source:\n{shortened(symbol.source_text, longest=_SOURCE)}"


def _facts(symbol: Symbol) -> Iterator[tuple[str, str]]:
    yield "signature", symbol.signature
    yield "overloads", "; ".join(symbol.overloads)
    yield "annotation", symbol.annotation
    yield "value", shortened(symbol.value, longest=400)
    yield "async", "yes" if symbol.is_async else ""
    yield "decorators", ", ".join(symbol.decorators)
    yield "deprecated", symbol.deprecated or ""
    yield "bases", ", ".join(symbol.bases)
    yield "also found as", ", ".join(symbol.exported_as[:5])
