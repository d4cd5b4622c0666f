"""Resolve a name of a question to the paths of the library that it can mean.

A name that the index does not know leads nowhere, which says nothing by itself. A name with more meanings than four is
left alone: to refute it, every one of them would have to be looked at.
"""

from __future__ import annotations

import builtins
import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.corpus.libraries import KnownName, NameIndex

MOST = 4
CALLABLE = ("class", "function", "method")
_CAMEL = re.compile(r"_*[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$")
_PLACEHOLDER = re.compile(
    r"(?:My|Your|Foo|Bar|Baz|Some|Custom|Example|Sample|Dummy|Fake|Mock|Test|Demo|User|Person|Animal|Dog|Cat|Item|Parent|"
    r"Child|Derived|Outer|Inner|Point|Order|Product|Customer|Book)(?![a-z])[A-Za-z0-9_]*$|[A-Z]\d*$|\w*(?:Impl|Subclass)$"
)
_PREFIXES = ("Base", "Abstract", "InMemory", "Async", "Default", "Simple", "I", "_")
_TEST_WORDS = frozenset({"test", "tests", "testing", "conftest"})
_BUILTINS = frozenset(dir(builtins))


def meanings(name: str, index: NameIndex) -> tuple[KnownName, ...]:
    """Return what a name may mean, one path for each definition, best first; none where they are too many.

    Private ones, and those in modules for tests, only where there is nothing else. What the library exports at its top
    is meant before all others.
    """
    seen: dict[str, KnownName] = {}
    for one in index.find(name):
        seen.setdefault(one.defined, one)
    public = [one for one in seen.values() if not _is_private(one.path)]
    public = [one for one in public if not _is_for_tests(one.path)] or public
    at_top = [one for one in public if one.path in {f"{root}.{name}" for root in index.import_names}]
    found = at_top[:1] or public or list(seen.values())
    return tuple(found) if len(found) <= MOST else ()


def _is_private(path: str) -> bool:
    return any(part.startswith("_") and not part.endswith("__") for part in path.split("."))


def _is_for_tests(path: str) -> bool:
    """Return whether a path leads through a module for tests: `testing.Client`, `cli.agent_test_runner.Runner`."""
    return any(not _TEST_WORDS.isdisjoint(part.split("_")) for part in path.split(".")[1:-1])


def places(names: Iterable[KnownName]) -> tuple[str, ...]:
    """Return where names are looked for: by their public path, and where they are defined.

    A public path may be an import for type checkers only.
    """
    return tuple(dict.fromkeys(path for one in names for path in (one.path, one.defined)))


def instance_meanings(name: str, index: NameIndex) -> tuple[KnownName, ...]:
    """Return what `runner.run` may mean where `runner` is spelt after a class of the library; one step only."""
    head, _, rest = name.partition(".")
    if not rest or "." in rest or not head.islower():
        return ()
    camel = "".join(part.capitalize() for part in head.split("_"))
    owners = tuple(one for one in meanings(camel, index) if one.kind == "class")
    return meanings(f"{camel}.{rest}", index) if len(owners) == 1 else ()


def under_library(name: str, index: NameIndex) -> bool:
    """Return whether a dotted name begins with an outermost name of the library."""
    return any(name == root or name.startswith(f"{root}.") for root in index.import_names)


def is_camel(name: str) -> bool:
    """Return whether a name is written as classes are: `Runner`, not `RUNNER`, not `runner`."""
    return _CAMEL.match(name) is not None


def is_part_of_a_name(name: str, index: NameIndex) -> bool:
    """Return whether classes of the library are called after it: `SessionService` stands for `BaseSessionService`."""
    parts = [path.rpartition(".")[2] for path in index.near(name)]
    around = [f"{prefix}{name}" for prefix in _PREFIXES] + [name.removesuffix("s"), f"{name}s"]
    return any(name in part for part in parts) or any(index.find(one) for one in around)


def is_placeholder(name: str) -> bool:
    """Return whether a name is one that stands for the reader's own: `MyAgent`, `Foo`, `User`."""
    return _PLACEHOLDER.match(name) is not None


def is_python(name: str) -> bool:
    """Return whether a name begins with a builtin or a module of the standard library."""
    head = name.partition(".")[0]
    return head in _BUILTINS or head in sys.stdlib_module_names


def a_known_class(index: NameIndex) -> str:
    """Return the bare name of a class that the library is known to have, else of any public member, else empty."""
    members = [name for root in index.import_names for name in index.members(root) if not name.startswith("_")]
    return next((name for name in members if is_camel(name)), members[0] if members else "")


def a_known_member(path: str, index: NameIndex) -> str:
    """Return the path of something that is known to be there: a method or class of the owner, else the owner itself.

    Attributes are passed over: they may exist on instances only. An owner that is not known: the next one above it.
    """
    while "." in path and path not in index.import_names and not index.find(path):
        path = path.rpartition(".")[0]
    for name in index.members(path):
        if name.startswith("_"):
            continue
        if any(one.kind in {*CALLABLE, "field"} for one in index.find(f"{path}.{name}")):
            return f"{path}.{name}"
    return path


def fields_of(path: str, index: NameIndex) -> tuple[str, ...]:
    """Return the public fields of a record class, in order; none for other classes."""
    return tuple(
        name
        for name in index.members(path)
        if not name.startswith("_") and any(one.kind == "field" for one in index.find(f"{path}.{name}"))
    )


def makes_up_attributes(path: str, index: NameIndex) -> bool:
    """Return whether a class answers for undeclared names. Models of pydantic do so for private ones."""
    return bool(index.find(f"{path}.__getattr__")) and not index.find(f"{path}.model_fields")
