"""Whether the library is still the one that was installed.

A snapshot holds what stands in the modules under some packages and in their classes: functions, classes, methods,
properties, and constants in upper case, by identity. `changes` names what was replaced or removed since, and functions
from elsewhere that were added. Replaced code of a function (`f.__code__ = ...`) is told by the audit hook (`guarding`).

What a library does to itself is no change: registries, caches, schemas that are built late, modules that are imported
late. `unittest.mock.patch` on the library is one, also when it is undone after the observation: use `stand_ins`.
"""

# ruff: noqa: A004, UP029 - names of this module, which `builtins` cannot change any more
from __future__ import annotations

import sys
from builtins import all, isinstance, len, list, map, set, sorted, type
from functools import cached_property, partial
from operator import is_
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING

from .values import class_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .texts import Foreign

_CODE = (
    FunctionType,
    BuiltinFunctionType,
    MethodType,
    type,
    staticmethod,
    classmethod,
    property,
    cached_property,
    partial,
    ModuleType,  # a library's functions look up what they call in modules
)
_CONSTANTS = frozenset({int, float, complex, str, bytes, bool, tuple, frozenset, type(None)})
_LATE = ("__pydantic_", "__abstractmethods__", "_abc_impl", "__signature__", "__class_vars__", "__private_attributes__")
_NAMESPACE = type.__dict__["__dict__"].__get__
_HIDDEN = (__name__.split(".")[0],)  # the observer's own modules are taken out of sys.modules before a script runs
_MOST = 20


class Snapshot:
    """What the packages were when this was taken."""

    __slots__ = ("_functions", "_modules", "_spaces", "packages")

    def __init__(self, packages: tuple[str, ...], besides: frozenset[str]) -> None:
        self.packages = packages
        kept = [(name, module) for name, module in sys.modules.items() if under(name, packages)]
        self._modules = tuple((name, module) for name, module in kept if not under(name, _HIDDEN))
        self._spaces: tuple[_Space, ...] = tuple(_spaces(packages, besides))
        self._functions = frozenset(id(one) for space in self._spaces for one in space.functions())

    def changes(self) -> list[str]:
        """Return the names that were replaced, removed or added since, at most 20, sorted."""
        loaded = sys.modules.get
        found = [f"{name} (another module)" for name, module in self._modules if loaded(name) is not module]
        found += [name for space in self._spaces if not space.untouched() for name in space.changes()]
        return sorted(found)[:_MOST]

    def owns(self, function: object) -> bool:
        """Whether a function stands in the snapshot."""
        return id(function) in self._functions


class _Space:
    """The namespace of a module or class: a live view, and what stood there."""

    __slots__ = ("_all", "_get", "_live", "_names", "_values", "label")

    def __init__(self, label: str, live: Mapping[str, Foreign], besides: frozenset[str]) -> None:
        kept = [(name, value) for name, value in live.items() if name not in besides and _matters(name, value)]
        self.label = label
        self._live = live
        self._get = live.get
        self._all = len(live)
        self._names = tuple(name for name, _ in kept)
        self._values = tuple(value for _, value in kept)

    def untouched(self) -> bool:
        """Whether everything stands as it did. Runs in every child, so it is one pass in C."""
        return len(self._live) == self._all and all(map(is_, map(self._get, self._names), self._values))

    def changes(self) -> Iterator[str]:
        for name, value in list(zip(self._names, self._values)):  # noqa: B905 - Python 3.9
            if self._get(name) is not value:
                yield f"{self.label}.{name}"
        for name in set(self._live).difference(self._names):
            if type(name) is str and _foreign(self._live.get(name)):
                yield f"{self.label}.{name}"

    def functions(self) -> Iterator[FunctionType]:
        for value in self._values:
            inner = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
            if type(inner) is FunctionType:
                yield inner


def take_snapshot(packages: tuple[str, ...], *, besides: frozenset[str] = frozenset()) -> Snapshot:
    """Return a snapshot of the modules under packages that are imported by now. besides: names that may change."""
    return Snapshot(tuple(packages), besides)


def _spaces(packages: tuple[str, ...], besides: frozenset[str]) -> Iterator[_Space]:
    seen: set[int] = set()
    for name in sorted(sys.modules):
        module = sys.modules[name]
        if under(name, packages) and isinstance(module, ModuleType):
            yield _Space(name, vars(module), besides)
            yield from _classes(vars(module), packages, seen)


def _classes(space: Mapping[str, Foreign], packages: tuple[str, ...], seen: set[int]) -> Iterator[_Space]:
    for value in list(space.values()):
        if isinstance(value, type) and id(value) not in seen and under(str(value.__module__), packages):
            seen.add(id(value))
            own = _NAMESPACE(value)
            yield _Space(class_name(value), own, frozenset())
            yield from _classes(own, packages, seen)


def under(module: str, packages: tuple[str, ...]) -> bool:
    """Whether a module is one of the packages, or in one."""
    return any(module == one or module.startswith(one + ".") for one in packages)


def _matters(name: object, value: object) -> bool:
    if type(name) is not str or name.startswith(_LATE):
        return False
    if isinstance(value, _CODE):
        return True
    # A public None waits to be filled in, and names with an underscore are the library's own affair.
    public = not name.startswith("_") and value is not None
    return type(value) in _CONSTANTS and (public or name.isupper())


def _foreign(value: object) -> bool:
    """Whether something that was added comes from a script, not from a library."""
    inner = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
    if type(value).__module__ == "unittest.mock":
        return True
    if isinstance(inner, FunctionType):
        return inner.__globals__.get("__name__") == "__main__"
    return isinstance(inner, type) and inner.__module__ == "__main__"
