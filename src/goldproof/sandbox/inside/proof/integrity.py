"""Whether the library is still the one that was installed.

A snapshot holds what stands in the modules under some packages and in their classes: functions, classes, methods,
properties, and constants in upper case, by identity. `changes` names what was replaced or removed since, and functions
from elsewhere that were added. Replaced code of a function (`f.__code__ = ...`) is told by the audit hook (`guarding`).

What a library does to itself is no change: registries, caches, schemas that are built late, modules that are imported
late. `unittest.mock.patch` on the library is one, also when it is undone after the observation: use `stand_ins`.

Only namespaces that were written to since the last look are looked at, where the interpreter can tell (`stamps`).
"""

# ruff: noqa: A004, UP029 - names of this module, which `builtins` cannot change any more
from __future__ import annotations

import sys
from builtins import all, enumerate, isinstance, len, list, map, set, sorted, type, zip
from functools import cached_property, partial
from gc import get_referents
from operator import is_
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING

from . import stamps
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

    __slots__ = ("_functions", "_modules", "_read", "_spaces", "_stamps", "packages")

    def __init__(self, packages: tuple[str, ...], besides: frozenset[str]) -> None:
        self.packages = packages
        self._modules = _Modules(packages)
        self._spaces: tuple[_Space, ...] = tuple(_spaces(packages, besides))
        self._functions = frozenset(id(one) for space in self._spaces for one in space.functions())
        self._read = stamps.reader([sys.modules, *(space.dictionary for space in self._spaces)])
        self._stamps = None if self._read is None else self._read()

    def settle(self) -> None:
        """Take the modules that are loaded now for the right ones: to be called before the script runs."""
        if self._read is not None and self._stamps is not None:
            self._stamps[0] = self._read()[0]

    def changes(self) -> list[str]:
        """Return the names that were replaced, removed or added since, at most 20, sorted."""
        parts: tuple[_Modules | _Space, ...] = (self._modules, *self._spaces)
        if self._read is None or self._stamps is None:
            return sorted(name for part in parts for name in part.changes())[:_MOST]
        now = self._read()
        if now == self._stamps:
            return []
        found: list[str] = []
        for place in [place for place, stamp in enumerate(now) if stamp != self._stamps[place]]:
            wrong = list(parts[place].changes())
            found += wrong
            if not wrong:
                self._stamps[place] = now[place]  # read before it was looked at: a change meanwhile is seen next time
        return sorted(found)[:_MOST]

    def owns(self, function: object) -> bool:
        """Whether a function stands in the snapshot."""
        return id(function) in self._functions


class _Modules:
    """Which module stands under each name."""

    __slots__ = ("_modules", "_names")

    def __init__(self, packages: tuple[str, ...]) -> None:
        kept = [(name, module) for name, module in sys.modules.items() if under(name, packages)]
        self._names = tuple(name for name, _ in kept if not under(name, _HIDDEN))
        self._modules = tuple(module for name, module in kept if not under(name, _HIDDEN))

    def changes(self) -> Iterator[str]:
        loaded = sys.modules.get
        if not all(map(is_, map(loaded, self._names), self._modules)):
            for name, module in zip(self._names, self._modules):  # noqa: B905 - Python 3.9
                if loaded(name) is not module:
                    yield f"{name} (another module)"


class _Space:
    """The namespace of a module or class: a live view, and what stood there."""

    __slots__ = ("_all", "_get", "_live", "_names", "_values", "dictionary", "label")

    def __init__(self, label: str, live: Mapping[str, Foreign], besides: frozenset[str]) -> None:
        kept = [(name, value) for name, value in live.items() if name not in besides and _matters(name, value)]
        self.label = label
        self._live = live
        self.dictionary: object = live if type(live) is dict else get_referents(live)[0]
        self._get = live.get
        self._all = len(live)
        self._names = tuple(name for name, _ in kept)
        self._values = tuple(value for _, value in kept)

    def _untouched(self) -> bool:
        """Whether everything stands as it did, in one pass in C."""
        return len(self._live) == self._all and all(map(is_, map(self._get, self._names), self._values))

    def changes(self) -> Iterator[str]:
        if self._untouched():
            return
        for name, value in list(zip(self._names, self._values)):  # noqa: B905 - Python 3.9
            if self._get(name) is not value:
                yield f"{self.label}.{name}"
        for name in set(self._live).difference(self._names):
            if type(name) is str and _foreign(self._live.get(name)):
                yield f"{self.label}.{name}"

    def functions(self) -> Iterator[FunctionType]:
        for value in self._values:
            inner = _function_of(value)
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


def _function_of(value: object) -> object:
    """Return the function in a method or property; other things are never asked for attributes: some make them up."""
    kind = type(value)
    if issubclass(kind, (staticmethod, classmethod, MethodType)):
        return value.__func__  # type: ignore[attr-defined]
    return value.fget if issubclass(kind, property) else value  # type: ignore[attr-defined]


def _foreign(value: object) -> bool:
    """Whether something that was added comes from a script, not from a library."""
    inner = _function_of(value)
    if type(value).__module__ == "unittest.mock":
        return True
    if isinstance(inner, FunctionType):
        return inner.__globals__.get("__name__") == "__main__"
    return isinstance(inner, type) and inner.__module__ == "__main__"
