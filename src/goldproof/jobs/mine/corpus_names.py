"""From a name in a case, or an import of its fixed solution, to a document.

A name is the id of a document; else, in a corpus that is a Python package, any path to a definition: re-exports,
aliases, members of a base class. A definition without a document of its own stands for the class or module around it,
and so does a member that a class inherits from outside of the package. A misspelt name stands for nothing.

Of the imports of a fixed solution, a module counts only where no use of its names is known. Imports from other packages
are ignored; a name of the corpus' own package that leads nowhere is reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from goldproof.corpus.packages import open_package
from goldproof.errors import GoldproofError, InputError, UnknownNameError
from goldproof.jobs.mine.python_names import ImportedName, imported_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.corpus import Corpus
    from goldproof.corpus.packages import Package
    from goldproof.io.cases import Case

_COMPARED = 5_000
_ADVISED = 20


@dataclass(frozen=True, slots=True)
class Resolved:
    """The document of a name. how: why it is another definition's document, in words; else empty."""

    document: str
    how: str = ""


class CorpusNames:
    """Resolves names to documents of a corpus; its package is opened only where an id does not decide."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._kinds = {document.id: str(document.metadata.get("kind", "")) for document in corpus.documents}
        self._known: dict[tuple[str, bool], Resolved | None] = {}
        self._advised: dict[str, str] = {}
        self.remarks: list[str] = []

    def __contains__(self, document: str) -> bool:
        return document in self._kinds

    @cached_property
    def roots(self) -> tuple[str, ...]:
        """The names that the package is imported as; none for other corpora."""
        names = self._corpus.facts.get("import_names")
        return tuple(map(str, names)) if isinstance(names, list | tuple) else ()

    def owns(self, name: str) -> bool:
        """Return whether a dotted name belongs to the corpus: below its package, or the id of a document."""
        return name in self._kinds or any(name == root or name.startswith(f"{root}.") for root in self.roots)

    def is_module(self, document: str) -> bool:
        """Return whether a document describes a module."""
        return self._kinds.get(document) == "module"

    def find(self, name: str, *, as_code: bool = False) -> Resolved | None:
        """Return the document of a name. as_code: as an import resolves it, where a function may hide a module."""
        key = (name, as_code)
        if key not in self._known:
            self._known[key] = self._find(name, as_code=as_code)
        return self._known[key]

    def _find(self, name: str, *, as_code: bool) -> Resolved | None:
        if name in self._kinds and not (as_code and self.roots):
            return Resolved(name)
        if not self.owns(name):
            return None
        if self._package is None:
            exported = self._exports.get(name)
            return Resolved(exported) if exported else Resolved(name) if name in self._kinds else None
        return self._in_package(name, self._package)

    def _in_package(self, name: str, package: Package) -> Resolved | None:
        path = package.names.resolve(name)
        if path is not None:
            return self._around(path)
        outer, _, last = name.rpartition(".")
        cls = package.names.resolve(outer) if outer else None
        if cls is None or not package.names.item(cls).is_class or not package.names.outside_bases(cls):
            return None
        around = self._around(cls)
        return around and Resolved(around.document, f"{last} comes from outside of the package")

    def _around(self, path: str) -> Resolved | None:
        """Return the document of a definition, or of the nearest thing around it that has one."""
        outer = path
        while outer and outer not in self._kinds:
            outer = outer.rpartition(".")[0]
        if not outer:
            return None
        return Resolved(outer, "" if outer == path else f"{path} has no document of its own")

    def unknown(self, name: str) -> str:
        """Return the end of a sentence about an unknown name, with near names for the first few.

        With the wrong corpus every name is unknown, and the search for near names is slow.
        """
        if name not in self._advised:
            self._advised[name] = self._advice(name) if len(self._advised) < _ADVISED else ""
        return f"which is not in the corpus; {self._advised[name]}".removesuffix("; ") + "." * (not self._advised[name])

    def _advice(self, name: str) -> str:
        if self._package is not None and self.owns(name):
            try:
                self._package.inspect(name, fields="static")
            except UnknownNameError as error:
                return str(error).partition("; ")[2].replace("\n  ", " ")
        ids = list(self._kinds) if len(self._kinds) <= _COMPARED else []
        near = get_close_matches(name, ids, n=3, cutoff=0.7)
        return f"did you mean {' or '.join(map(repr, near))}?" if near else "no id is like it."

    @cached_property
    def _package(self) -> Package | None:
        if self._corpus.facts.get("kind") != "package":
            return None
        try:
            return _opened(self._corpus.name, str(self._corpus.facts.get("sha256")))
        except GoldproofError as error:
            self.remarks.append(f"{self._corpus.name}: names are looked up among the documents only, since {error}")
            return None

    @cached_property
    def _exports(self) -> dict[str, str]:
        """Other paths to documents, from their metadata."""
        by_path: dict[str, str] = {}
        for document in self._corpus.documents:
            exports = document.metadata.get("exported_as")
            for path in exports if isinstance(exports, list | tuple) else ():
                by_path.setdefault(str(path), document.id)
        return by_path


@lru_cache(maxsize=1)
def _opened(spec: str, digest: str) -> Package:  # noqa: ARG001 - part of the cache key
    """Read the package of a corpus; it takes seconds, so the last one is kept."""
    package = open_package(spec)
    package.names.resolve("")
    return package


class ImportedDocuments(NamedTuple):
    """Documents in the order of the imports, and a sentence for each unknown name."""

    documents: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()


def imported_documents(case: Case, names: CorpusNames) -> ImportedDocuments:
    """Return the documents that the fixed solution of a case imports; none for a case without one."""
    if case.fixed is None or not case.fixed.path.endswith((".py", ".pyi")):
        return ImportedDocuments()
    about = f"{case.where}: case {case.id!r}: {case.fixed.path!r}"
    try:
        imports = imported_names(case.fixed.text)
    except InputError as error:
        return ImportedDocuments(unresolved=(f"{about} is not looked at for imports, since {error}.",))
    documents: dict[str, None] = {}
    unknown: dict[str, None] = {}
    for imported in imports:
        documents |= dict.fromkeys(_documents(imported, names))
        unknown |= dict.fromkeys(_unknown(imported, names))
    return ImportedDocuments(
        tuple(documents),
        tuple(f"{about} imports {name!r}, {names.unknown(name)}" for name in unknown),
    )


def _documents(imported: ImportedName, names: CorpusNames) -> Iterator[str]:
    own = names.find(imported.name, as_code=True)
    used = list(
        dict.fromkeys(document for use in imported.uses for document in _longest(use, imported.name, names=names))
    )
    if own is not None and not (names.is_module(own.document) and used):
        yield own.document
    yield from used


def _longest(use: str, base: str, *, names: CorpusNames) -> Iterator[str]:
    """Yield the document of the longest beginning of a use that has one: the rest are attributes of an object."""
    while len(use) > len(base):
        resolved = names.find(use, as_code=True)
        if resolved is not None:
            if not names.is_module(resolved.document) or resolved.how == "":
                yield resolved.document
            return
        use = use.rpartition(".")[0]


def _unknown(imported: ImportedName, names: CorpusNames) -> Iterator[str]:
    """Yield the names that lead nowhere: the import itself, and uses of a module's names."""
    if not any(names.owns(name) for name in (imported.name, *imported.uses)) or not names.roots:
        return
    own = names.find(imported.name, as_code=True)
    if own is None:
        if names.owns(imported.name):
            yield imported.name
            return
    elif not names.is_module(own.document) or own.how:
        return
    if imported.star or not imported.sure:
        return
    for use in imported.uses:
        step = _first_unknown(use, imported.name, names=names)
        if step:
            yield step


def _first_unknown(use: str, base: str, *, names: CorpusNames) -> str:
    """Return the first unknown part of a use, if only modules precede it; else nothing."""
    path = base
    for part in use[len(base) + 1 :].split("."):
        path = f"{path}.{part}"
        resolved = names.find(path, as_code=True)
        if resolved is None:
            return path if names.owns(path) else ""
        if not names.is_module(resolved.document) or resolved.how:
            return ""
    return ""
