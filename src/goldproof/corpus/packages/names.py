"""Names of a package: where each is defined, by which paths it is reached, which are public.

A definition's id is the path where it stands: `google.adk.agents.llm_agent.LlmAgent`. Code wins over a stub. Another
path to it is an import (`google.adk.agents.LlmAgent`), or a plain assignment at module level (`Agent = LlmAgent`).

- A *re-export* is another path to a definition that is meant for users: listed in the `__all__` of its module; or,
  where the module has no `__all__`, imported by the `__init__` of a package or by a star import, under a name without
  underscore. An import under `if TYPE_CHECKING` counts where `__all__` lists it or the module has a `__getattr__`.
- A path is public if no part of it begins with an underscore (names such as `__init__` are public) or is a module of
  tests or of vendored code, and the `__all__` of its module, where there is one, lists it (submodules need not be).
- A definition is public if its path is, or a re-export of it or of the class around it is: a class in `_managed_agent`
  is public, since `google.adk.agents` exports it. Its id stays the path where it stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

    import griffe

    from goldproof.corpus.packages.source_reader import ModuleSource, Tree


DefinitionKind = Literal["module", "class", "function", "method", "property", "attribute", "type alias"]
_TESTS = frozenset({"tests", "conftest"})
_VENDORED = frozenset({"vendor", "vendored", "third_party", "thirdparty"})


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """One object where it is defined. inside: the path of the class or module around it, empty for the outermost."""

    path: str
    item: griffe.Object
    module: str
    inside: str
    source: ModuleSource | None
    listed: bool


@dataclass(frozen=True, slots=True)
class OtherPath:
    """Another path to a definition. listed: whether it is meant as a re-export."""

    path: str
    target: str
    listed: bool


class Names:
    """The definitions of a package by path, and the way from any other path to them."""

    def __init__(self, trees: tuple[Tree, ...]) -> None:
        self.definitions: dict[str, Definition] = {}
        self.others: dict[str, OtherPath] = {}
        self._hidden: dict[str, str] = {}
        self._stub_targets: dict[str, str] = {}
        self._bases: dict[str, tuple[str, ...]] = {}
        for tree in trees:
            self._hidden |= {path: target for path, target in tree.hidden.items() if path not in self._hidden}
            for name, module in tree.modules.items():
                self._add_module(name, module, source=tree.sources.get(name))
        self._add_assigned()
        self._resolved: dict[str, str | None] = {}

    def resolve(self, path: str) -> str | None:
        """Return the path of the definition, or None: unknown, outside of the package, or a circle of imports."""
        if path not in self._resolved:
            self._resolved[path] = None  # what asks for itself on the way is a circle
            self._resolved[path] = self._find(path)
        return self._resolved[path]

    def _find(self, path: str) -> str | None:
        # At run time a name that a package imports hides the submodule of that name.
        if path in self._hidden and (target := self.resolve(self._hidden[path])) is not None:
            return target
        if path in self.definitions:
            return path
        if path in self.others:
            return self.resolve(self.others[path].target) or self._by_stub(path)
        outer, _, last = path.rpartition(".")
        around = self.resolve(outer) if outer else None
        if around is None:
            return None
        if around != outer:
            return self.resolve(f"{around}.{last}")
        return next((f"{cls}.{last}" for cls in self.ancestors(around) if f"{cls}.{last}" in self.definitions), None)

    def _by_stub(self, path: str) -> str | None:
        """Return the definition that a stub names: the code may import it from a compiled module."""
        target = self._stub_targets.get(path)
        return None if target is None else self.resolve(target)

    def bases(self, path: str) -> tuple[str, ...]:
        """Return the bases of a class: paths of definitions, or as written where they lie outside of the package."""
        if path not in self._bases:
            written = (getattr(base, "canonical_path", base) for base in getattr(self.item(path), "bases", ()))
            self._bases[path] = tuple(self.resolve(str(name)) or str(name) for name in written)
        return self._bases[path]

    def item(self, path: str) -> griffe.Object:
        """Return griffe's object of a definition."""
        return self.definitions[path].item

    def ancestors(self, path: str) -> tuple[str, ...]:
        """Return the classes that a class inherits from within the package, nearest first, each once.

        Depth first, a shared ancestor after all that inherit from it: Python's order for every consistent hierarchy of
        single inheritance and mixins; circles end.
        """
        order: list[str] = []

        def visit(current: str, trail: tuple[str, ...]) -> None:
            for base in self.bases(current):
                if base in trail or base not in self.definitions:
                    continue
                if base in order:
                    order.remove(base)
                order.append(base)
                visit(base, (*trail, base))

        if self.definitions[path].item.is_class:
            visit(path, (path,))
        return tuple(order)

    def outside_bases(self, path: str) -> tuple[str, ...]:
        """Return the bases, near and far, that are not part of the package."""
        every = [base for cls in (path, *self.ancestors(path)) for base in self.bases(cls)]
        return tuple(dict.fromkeys(base for base in every if base not in self.definitions))

    @cached_property
    def _re_exports(self) -> dict[str, tuple[str, ...]]:
        exports: dict[str, list[str]] = {}
        for other in self.others.values():
            target = self.resolve(other.path) if other.listed else None
            if target is not None:
                exports.setdefault(target, []).append(other.path)
        for path in self._hidden:
            target = self.resolve(path)
            if target not in (None, path):
                exports.setdefault(str(target), []).append(path)
        return {
            target: tuple(sorted(paths, key=lambda p: (not is_public_path(p), p.count("."), p)))
            for target, paths in exports.items()
        }

    def exported_as(self, path: str) -> tuple[str, ...]:
        """Return the re-exports of a definition, or of the class around it with its name: public and short first."""
        if path in self._re_exports:
            return self._re_exports[path]
        definition = self.definitions[path]
        around = self.definitions.get(definition.inside)
        if around is None or around.item.is_module:
            return ()
        return tuple(f"{outer}.{definition.item.name}" for outer in self.exported_as(definition.inside))

    def is_public(self, path: str) -> bool:
        """Return whether users are meant to use a definition."""
        if any(is_public_path(export) for export in self.exported_as(path)):
            return True
        return is_public_path(path) and self._is_listed(path)

    def _is_listed(self, path: str) -> bool:
        definition = self.definitions[path]
        around = self.definitions.get(definition.inside)
        if around is None or around.item.is_module:
            return definition.listed
        return self._is_listed(definition.inside)

    @cached_property
    def subclasses(self) -> dict[str, tuple[str, ...]]:
        """The classes that name a class as a base, by the path of the base."""
        subclasses: dict[str, list[str]] = {}
        for path, definition in self.definitions.items():
            for base in self.bases(path) if definition.item.is_class else ():
                subclasses.setdefault(base, []).append(path)
        return {base: tuple(sorted(paths)) for base, paths in subclasses.items()}

    def _add_module(self, name: str, module: griffe.Module, *, source: ModuleSource | None) -> None:
        outer = name.rpartition(".")[0]
        known = self.definitions.get(name)
        if known is None or (known.source is None and source is not None):
            self.definitions[name] = Definition(
                path=name, item=module, module=name, inside=outer, source=source, listed=True
            )
        self._add_members(module, inside=name, module=name, source=source)

    def _add_members(
        self, around: griffe.Module | griffe.Class, *, inside: str, module: str, source: ModuleSource | None
    ) -> None:
        exports = listed_names(around)
        for name, member in (*around.members.items(), *_only_overloads(around)):
            path = f"{inside}.{name}"
            if path in self.definitions or "/" in name:
                continue  # known from the code, or a star import that leads out of the package
            if member.is_alias:
                alias = cast("griffe.Alias", member)
                listed = is_re_export(alias, around=around, exports=exports)
                other = OtherPath(path=path, target=alias.target_path, listed=listed)
                if self.others.setdefault(path, other) is not other:
                    self._stub_targets.setdefault(path, other.target)
                continue
            if member.is_module:
                continue
            self.others.pop(path, None)  # a stub defines what the code only imports from a compiled module
            listed = exports is None or name in exports
            self.definitions[path] = Definition(
                path=path,
                item=cast("griffe.Object", member),
                module=module,
                inside=inside,
                source=source,
                listed=listed,
            )
            if member.is_class:
                self._add_members(cast("griffe.Class", member), inside=path, module=module, source=source)

    def _add_assigned(self) -> None:
        """Register `Agent = LlmAgent` at module level as another path to LlmAgent, if that is a class or function."""
        self._resolved = {}
        assigned = [d for d in self.definitions.values() if d.item.is_attribute and d.inside == d.module]
        targets = [(d, target) for d in assigned if (target := self._assigned_target(d)) is not None]
        for definition, target in targets:
            del self.definitions[definition.path]
            listed = definition.listed and not definition.item.name.startswith("_")
            self.others[definition.path] = OtherPath(path=definition.path, target=target, listed=listed)

    def _assigned_target(self, definition: Definition) -> str | None:
        value: Any = getattr(definition.item, "value", None)
        if type(value).__name__ not in ("ExprName", "ExprAttribute"):
            return None
        target = self.resolve(value.canonical_path)
        item = self.definitions[target].item if target in self.definitions else None
        return target if item is not None and (item.is_class or item.is_function) else None


def _only_overloads(around: griffe.Module | griffe.Class) -> Iterator[tuple[str, griffe.Function]]:
    """Yield functions that have overloads and no body, as in a stub: griffe keeps them apart from the members."""
    for name, overloads in around.overloads.items():
        if overloads and name not in around.members:
            overloads[-1].overloads = list(overloads)
            yield name, overloads[-1]


def definition_kind(definition: Definition) -> DefinitionKind:
    """Return the kind of a definition; a function inside of a class is a method."""
    item = definition.item
    if item.is_module:
        return "module"
    if item.is_class:
        return "class"
    if item.is_function:
        return "method" if item.parent is not None and item.parent.is_class else "function"
    if item.is_attribute:
        return "property" if "property" in item.labels else "attribute"
    return "type alias"


def lines_of(definition: Definition) -> tuple[int, int] | None:
    """Return the first and last line (from 1) with decorators, and with the docstring below an attribute.

    A module's are those of its docstring. None where there are none.
    """
    item, source = definition.item, definition.source
    noted = item.docstring
    if item.is_module:
        return None if noted is None or noted.lineno is None else (noted.lineno, noted.endlineno or noted.lineno)
    if source is None or item.lineno is None:
        return None
    first, last = item.lineno, item.endlineno or item.lineno
    if item.is_attribute and noted is not None and noted.lineno is not None and 0 < noted.lineno - last <= 2:
        last = noted.endlineno or last
    if "property" in item.labels:
        # griffe leaves the decorators of a property out.
        while first > 1 and source.lines(first - 1, first - 1).lstrip().startswith("@"):
            first -= 1
    return first, last


def listed_names(around: griffe.Module | griffe.Class) -> frozenset[str] | None:
    """Return the names in `__all__`, None where there is none (or nothing in it that can be read)."""
    listed = getattr(around, "exports", None) if around.is_module else None
    return frozenset(str(name) for name in listed) if listed else None


def is_re_export(alias: griffe.Alias, *, around: griffe.Module | griffe.Class, exports: frozenset[str] | None) -> bool:
    """Return whether an import is meant as a re-export of its module."""
    if exports is not None:
        return alias.name in exports
    if not around.is_module or alias.name.startswith("_"):
        return False
    exists = alias.runtime or "__getattr__" in around.members
    return bool(exists and (alias.wildcard_imported or around.is_init_module))


def is_public_path(path: str) -> bool:
    """Return whether no part of a path is private, of tests or of vendored code."""
    parts = path.split(".")
    return not any(_is_private(part) for part in parts)


def _is_private(part: str) -> bool:
    if part.startswith("_"):
        return not (part.startswith("__") and part.endswith("__")) or part == "__main__"
    return part in _TESTS or part in _VENDORED or part.startswith("test_")
