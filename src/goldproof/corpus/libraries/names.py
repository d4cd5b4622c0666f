"""Name index of a library, read by griffe from the sources under test on the first lookup.

A name imported from outside of what was read (`pydantic.ValidationError`, out of a compiled module) counts too; what it
is, its spelling tells: `ValidationError` is taken for a class.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from goldproof.corpus.libraries.name_index import KnownName
from goldproof.corpus.packages.distribution import PackageSpec, find_distribution
from goldproof.corpus.packages.names import definition_kind, is_public_path
from goldproof.corpus.packages.package import Package
from goldproof.corpus.packages.signatures import record_kind
from goldproof.corpus.packages.symbols import SymbolIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.corpus.libraries.library import Library
    from goldproof.corpus.libraries.name_index import NameIndex
    from goldproof.corpus.packages.names import Definition, Names

_KINDS = {"property": "attribute", "type alias": "attribute"}


def open_names(library: Library) -> NameIndex:
    """Return the names of a library; nothing is read before the first question."""
    return LibraryNames(library)


class _Form(NamedTuple):
    """One path to something, in the order in which answers come: public, short, by path."""

    private: bool
    depth: int
    length: int
    path: str
    defined: str
    kind: str


class LibraryNames:
    """A NameIndex."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._found: dict[str, tuple[KnownName, ...]] = {}

    @property
    def import_names(self) -> tuple[str, ...]:
        """The outermost names."""
        return self._library.import_names

    def find(self, name: str) -> tuple[KnownName, ...]:
        """Return what a name may mean, best first."""
        if name not in self._found:
            self._found[name] = self._look_up(name)
        return self._found[name]

    def members(self, path: str) -> tuple[str, ...]:
        """Return the names of the members of a class or module, inherited ones within the library included."""
        for names in self._names:
            defined = names.resolve(path)
            if defined is not None:
                return tuple(dict.fromkeys(_members(names, defined)))
        return ()

    def near(self, name: str) -> tuple[str, ...]:
        """Return up to three paths of names spelt nearly so."""
        found = [path for symbols in self._symbols for path in symbols.near(name)]
        return tuple(found[:3])

    @cached_property
    def _names(self) -> tuple[Names, ...]:
        path = [str(place) for place in self._library.search_path]
        return tuple(
            Package(find_distribution(name, path=path), PackageSpec(name)).names for name in self._library.under_test
        )

    @cached_property
    def _symbols(self) -> tuple[SymbolIndex, ...]:
        return tuple(SymbolIndex(names) for names in self._names)

    @cached_property
    def _forms(self) -> dict[str, list[_Form]]:
        """Every path by its last part."""
        found: dict[str, list[_Form]] = {}
        for names in self._names:
            for form in _forms(names):
                found.setdefault(form.path.rpartition(".")[2], []).append(form)
        return found

    def _look_up(self, name: str) -> tuple[KnownName, ...]:
        forms = [form for form in self._forms.get(name.rpartition(".")[2], ()) if _ends(form.path, name)]
        if "." in name:
            forms += self._inherited(name)
        best: dict[str, _Form] = {}
        for form in sorted(forms):
            best.setdefault(form.defined, form)
        return tuple(KnownName(form.path, form.defined, form.kind) for form in best.values())

    def _inherited(self, name: str) -> Iterator[_Form]:
        """Yield `LlmAgent.run_async` where an ancestor defines it."""
        outer, _, last = name.rpartition(".")
        for known in self.find(outer):
            for names in self._names if known.kind == "class" else ():
                defined = names.resolve(f"{known.path}.{last}")
                if defined is not None and not _ends(f"{known.defined}.{last}", defined):
                    yield _form(f"{known.path}.{last}", defined, _kind(names, names.definitions[defined]))


def _forms(names: Names) -> Iterator[_Form]:
    for path, definition in names.definitions.items():
        public, kind = names.is_public(path), _kind(names, definition)
        for form in dict.fromkeys((path, *names.exported_as(path))):
            yield _form(form, path, kind, public=public)
    for other in names.others.values():
        if other.listed and names.resolve(other.path) is None:
            yield _form(other.path, other.target, "class" if _is_spelt_as_class(other.path) else "attribute")


def _form(path: str, defined: str, kind: str, *, public: bool = True) -> _Form:
    return _Form(not (public and is_public_path(path)), path.count("."), len(path), path, defined, kind)


def _kind(names: Names, definition: Definition) -> str:
    kind = definition_kind(definition)
    if kind != "attribute":
        return _KINDS.get(kind, kind)
    around = names.definitions.get(definition.inside)
    if around is not None and around.item.is_class:
        return "field" if record_kind(names, definition.inside) else "attribute"
    renames = type(getattr(definition.item, "value", None)).__name__ in ("ExprName", "ExprAttribute")
    return "class" if renames and _is_spelt_as_class(definition.path) else "attribute"


def _is_spelt_as_class(path: str) -> bool:
    last = path.rpartition(".")[2]
    return last[:1].isupper() and not last.isupper()


def _ends(path: str, name: str) -> bool:
    return path == name or path.endswith(f".{name}")


def _members(names: Names, path: str) -> Iterator[str]:
    for owner in (path, *names.ancestors(path)):
        for name in names.item(owner).members:
            other = names.others.get(f"{owner}.{name}")
            # What a module only imports for itself is no member of it.
            if other is None or other.listed:
                yield name
