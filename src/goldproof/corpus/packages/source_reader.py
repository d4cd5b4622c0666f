"""Module files to griffe's tree, and the text of each file with its line positions.

The files are known (`module_files`), so griffe's own finder, and with it links and temporary folders, is not needed:
each file is given to `griffe.visit`. A folder without `__init__.py`, or whose `__init__.py` cannot be read, is a bare
module around its children. A file that cannot be read becomes a remark. Stubs (`.pyi`) make a tree of their own: griffe
would merge them into the code's tree, where their line numbers point into the wrong file.

Positions are characters of that text (what `tokenize.open(path).read()` gives, without a byte order mark). Lines are
counted as the parser counts them, by newlines alone: a form feed or a line separator inside a string ends no line.
"""

from __future__ import annotations

import gc
import tokenize
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import griffe

    from goldproof.corpus.packages.module_files import ModuleFile


_UNREADABLE = (SyntaxError, UnicodeDecodeError, ValueError, OSError, RecursionError, MemoryError)


class SourcePart(NamedTuple):
    """Lines of a document. start: their exact position in the source; None where they are not from it."""

    text: str
    start: int | None = None


@dataclass(frozen=True, slots=True)
class ModuleSource:
    """The text of one file with the position at which each line starts."""

    path: Path
    relative: str
    text: str
    starts: tuple[int, ...]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return start and end of the lines from first to last (from 1, both included), without the last newline."""
        start = self.starts[min(first, len(self.starts)) - 1]
        end = self.starts[last] - 1 if last < len(self.starts) else len(self.text)
        return start, max(start, end)

    def lines(self, first: int, last: int) -> str:
        """Return the text of the lines from first to last."""
        start, end = self.span(first, last)
        return self.text[start:end]

    def part(self, first: int, last: int) -> SourcePart:
        """Return the lines from first to last with their place."""
        return SourcePart(self.lines(first, last), self.span(first, last)[0])


@dataclass(slots=True)
class Tree:
    """The modules that were read.

    modules: by dotted name, outer before inner. sources: the file of each module that has one.
    hidden: names of a package that a submodule of the same name replaced in griffe's tree -> what they stood for.
    """

    modules: dict[str, griffe.Module] = field(default_factory=dict)
    sources: dict[str, ModuleSource] = field(default_factory=dict)
    hidden: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def read_modules(files: Iterable[ModuleFile]) -> Tree:
    """Read module files, outer ones first; every module once."""
    with _quiet_and_fast():
        reader = _TreeReader()
        for file in files:
            reader.read(file)
        reader.expand()
    return reader.tree


@contextmanager
def _quiet_and_fast() -> Iterator[None]:
    """Pause garbage collection (a third of the time goes there, for nothing) and the warnings of others."""
    import logging  # noqa: PLC0415

    logger = logging.getLogger("griffe")
    level, collecting = logger.level, gc.isenabled()
    gc.disable()
    logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape in a module that is read is not our warning
            yield
    finally:
        logger.setLevel(level)
        if collecting:
            gc.enable()


class _TreeReader:
    def __init__(self) -> None:
        try:
            import griffe  # noqa: PLC0415 - an extra, and half a second
        except ImportError as error:
            raise MissingExtraError("reading Python packages", "verify") from error
        self.griffe = griffe
        self.tree = Tree()
        self.lines = griffe.LinesCollection()
        self.collection = griffe.ModulesCollection()
        # No extension: what they add (parameters of dataclasses) is read here, and they see every node, which is slow.
        self.extensions = griffe.Extensions()

    def read(self, file: ModuleFile) -> None:
        """Read one file into its place; a second file of one module is skipped."""
        if file.module in self.tree.sources:
            self.tree.remarks.append(f"{file.relative}: another file is module {file.module} already; not read.")
            return
        outer, _, name = file.module.rpartition(".")
        parent = self._module(outer) if outer else None
        try:
            source = read_source(file.path, relative=file.relative)
            module = self.griffe.visit(
                name,
                filepath=file.path,
                code=source.text,
                extensions=self.extensions,
                parent=parent,
                lines_collection=self.lines,
                modules_collection=self.collection,
            )
        except _UNREADABLE as error:
            self.tree.remarks.append(f"{file.relative}: {_reason(error)}; not read.")
            return
        self.tree.sources[file.module] = source
        self._place(file.module, module, parent)

    def _module(self, name: str) -> griffe.Module:
        """Return the module of that name, made bare where no file of it was read."""
        if name in self.tree.modules:
            return self.tree.modules[name]
        outer, _, last = name.rpartition(".")
        parent = self._module(outer) if outer else None
        bare = self.griffe.Module(
            last, filepath=[], parent=parent, lines_collection=self.lines, modules_collection=self.collection
        )
        self._place(name, bare, parent)
        return bare

    def _place(self, name: str, module: griffe.Module, parent: griffe.Module | None) -> None:
        self.tree.modules[name] = module
        if parent is None:
            self.collection.set_member(module.name, module)
            return
        before = parent.members.get(module.name)
        if before is not None and before.is_alias:
            self.tree.hidden[name] = str(getattr(before, "target_path", ""))
        # Not set_member: it would look for stubs to merge, through aliases that lead out of the package.
        parent.members[module.name] = module

    def expand(self) -> None:
        """Expand `__all__ += other.__all__` and `from other import *`, within what was read."""
        loader = self.griffe.GriffeLoader(
            extensions=self.extensions, modules_collection=self.collection, allow_inspection=False
        )
        for module in self.tree.modules.values():
            for member in module.members.values():
                # griffe takes the `else` of `if TYPE_CHECKING` for guarded too, and star imports would pass it over.
                member.runtime = member.runtime or not member.is_alias
        seen = {""}  # shared by the calls; an empty set would not be
        for name, module in self.tree.modules.items():
            try:
                loader.expand_exports(module)
                if name not in seen:
                    loader.expand_wildcards(module, external=False, seen=seen)
            except (self.griffe.GriffeError, KeyError, RecursionError) as error:
                self.tree.remarks.append(f"{name}: its star imports cannot be followed ({_reason(error)}).")


def _reason(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        where = f"line {error.lineno}: " if error.lineno else ""
        return f"{where}{error.msg or 'invalid syntax'}"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return " ".join(str(error).split())[:200] or type(error).__name__


def read_source(path: Path, *, relative: str) -> ModuleSource:
    """Read a file; raises OSError, SyntaxError (an unknown coding) or UnicodeDecodeError."""
    with tokenize.open(path) as stream:
        text = stream.read()
    return ModuleSource(path=path, relative=relative, text=text, starts=line_starts(text))


def line_starts(text: str) -> tuple[int, ...]:
    """Return the position at which each line begins."""
    starts = [0]
    at = text.find("\n")
    while at != -1:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return tuple(starts)
