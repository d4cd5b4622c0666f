"""A Python package opened as a corpus: read statically, never imported in this process.

Specs: `google-adk` (installed), `google-adk==1.20.0` (that version: the installed one, or its wheel, fetched).
Options after `#`: `private=true` (with private names, tests, vendored modules), `fields=runtime` (fields of pydantic
models from a separate interpreter, which imports the package), `python=/path/to/python` (another environment).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from goldproof.corpus.corpus import Corpus
from goldproof.corpus.interpreter import search_path
from goldproof.corpus.packages.distribution import (
    Distribution,
    FieldsFrom,
    PackageSpec,
    find_distribution,
    parse_spec,
    pinned_distribution,
)
from goldproof.corpus.packages.documents import build_documents
from goldproof.corpus.packages.inspection import Symbol, inspect_symbol
from goldproof.corpus.packages.model_fields import RuntimeFields, runtime_fields
from goldproof.corpus.packages.names import Names
from goldproof.corpus.packages.releases import same_version
from goldproof.corpus.packages.signatures import record_kind
from goldproof.corpus.packages.source_reader import read_modules
from goldproof.corpus.packages.symbols import Match, SymbolIndex
from goldproof.errors import InputError, UnknownNameError
from goldproof.plugins import split_options
from goldproof.records.keys import content_key

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.records.entities import Document


class Package:
    """A package; every part is read when it is first asked for."""

    def __init__(self, distribution: Distribution, spec: PackageSpec) -> None:
        self.distribution = distribution
        self.spec = spec
        self._asked: dict[str, RuntimeFields] = {}

    @property
    def name(self) -> str:
        """The name of the distribution, as it spells itself."""
        return self.distribution.name

    @property
    def version(self) -> str:
        """The version that is read."""
        return self.distribution.version

    @property
    def names(self) -> Names:
        """Every definition and every path to it."""
        return self._read[0]

    @cached_property
    def _read(self) -> tuple[Names, tuple[str, ...]]:
        code = read_modules(file for file in self.distribution.files if not (file.is_stub or file.is_compiled))
        stubs = read_modules(file for file in self.distribution.files if file.is_stub)
        if not code.sources and not stubs.sources:
            reasons = (*code.remarks, *stubs.remarks, *self.distribution.remarks, "it has no sources.")
            raise InputError(f"package {self.name} {self.version}: no module can be read: {reasons[0]}")
        return Names((code, stubs)), (*code.remarks, *stubs.remarks)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences on what was skipped."""
        return (*self.distribution.remarks, *self._read[1], *self._field_remarks())

    def documents(self) -> tuple[Document, ...]:
        """Return the documents, in the order of modules and lines."""
        return self._documents

    @cached_property
    def _documents(self) -> tuple[Document, ...]:
        exact = self._model_fields.fields if self.spec.fields == "runtime" else None
        return build_documents(self.names, version=self.version, private=self.spec.private, fields=exact)

    def search(self, query: str, k: int = 10) -> tuple[Match, ...]:
        """Return the names nearest to a query, best first."""
        return self._symbols.search(query, k)

    @cached_property
    def _symbols(self) -> SymbolIndex:
        return SymbolIndex(self.names)

    def inspect(self, path: str, *, fields: FieldsFrom | None = None) -> Symbol:
        """Return everything known of a name, by any path that leads to it.

        fields: where those of a pydantic model come from; by default a separate interpreter for an installed package,
        and the sources for a pinned one, whose code is not run unless that is asked for.
        """
        chosen = fields or ("static" if self.distribution.pinned else "runtime")
        known = self.names.resolve(path)
        if known is None:
            raise self._unknown(path)
        symbol = inspect_symbol(self.names, known, asked=path)
        if chosen == "static" or symbol.record != "pydantic":
            return symbol
        if symbol.path not in self._asked:
            self._asked[symbol.path] = self._ask((symbol.path,))
        return symbol.with_runtime_fields(self._asked[symbol.path])

    def _unknown(self, path: str) -> UnknownNameError:
        """Return the error for an unknown path: imported or inherited from outside, or misspelt."""
        kind = f"name of {self.name} {self.version}"
        other = self.names.others.get(path)
        if other is not None:
            return UnknownNameError(
                kind, path, (), advice=f"it is imported from {other.target}, which is not read here."
            )
        outer, _, last = path.rpartition(".")
        around = self.names.resolve(outer) if outer else None
        hint = ""
        if around is not None and (outside := self.names.outside_bases(around)):
            hint = f"{around} also inherits from {', '.join(outside)}, outside of the package, where {last} may stand."
        near = self._symbols.near(path)
        advice = f"did you mean {' or '.join(map(repr, near))}?" if near else "nothing has a name like it."
        if near and (defined := self.names.resolve(near[0])) not in (None, near[0]):
            hint = f"{near[0]} is {defined}. {hint}".rstrip()
        return UnknownNameError(kind, path, (), advice=advice, hint=hint)

    @cached_property
    def _model_fields(self) -> RuntimeFields:
        definitions = self.names.definitions
        classes = [path for path, definition in definitions.items() if definition.item.is_class]
        wanted = [path for path in classes if self.spec.private or self.names.is_public(path)]
        return self._ask(tuple(path for path in wanted if record_kind(self.names, path) == "pydantic"))

    def _ask(self, models: tuple[str, ...]) -> RuntimeFields:
        return runtime_fields(self.names, models, python=self.spec.python, search_path=self.distribution.search_path)

    def _field_remarks(self) -> tuple[str, ...]:
        if self.spec.fields != "runtime":
            return ()
        failures = self._model_fields.failures
        return tuple(f"{path}: fields are read from its source, since {reason}" for path, reason in failures.items())

    def corpus(self) -> Corpus:
        """Return the documents as a corpus."""
        documents = self.documents()
        kinds: dict[str, int] = {}
        for document in documents:
            kind = str(document.metadata["kind"])
            kinds[kind] = kinds.get(kind, 0) + 1
        read = {d.source.relative: d.source.text for d in self.names.definitions.values() if d.source is not None}
        facts: dict[str, object] = {
            "kind": "package",
            "files": len(read),
            "documents": len(documents),
            "sha256": content_key({name: content_key(text) for name, text in read.items()}),
            "package": self.name,
            "version": self.version,
            "import_names": list(self.distribution.import_names),
            "private": self.spec.private,
            "fields": self.spec.fields,
            "kinds": dict(sorted(kinds.items())),
        }
        return Corpus(name=str(self.spec), documents=documents, facts=facts, remarks=self.remarks)


def open_package(spec: str) -> Package:
    """Open a package by its spec: `google-adk`, `package:google-adk==1.20.0#private=true`."""
    rest, options = split_options(spec)
    return _open(parse_spec(rest.removeprefix("package:"), options))


def package_corpus(rest: str, options: Mapping[str, str] | None = None) -> Corpus:
    """Return the corpus of a package. rest: the spec after `package:`; options: those after `#`."""
    return _open(parse_spec(rest, options or {})).corpus()


def _open(spec: PackageSpec) -> Package:
    path = None if spec.python is None else search_path(spec.python)
    if spec.version is None:
        return Package(find_distribution(spec.name, path=path), spec)
    try:
        installed = find_distribution(spec.name, path=path)
    except InputError:
        installed = None
    if installed is not None and same_version(installed.version, spec.version):
        return Package(installed, spec)
    name = spec.name if installed is None else installed.name  # an import name is not the index's
    return Package(pinned_distribution(name, spec.version, python=spec.python), spec)
