"""Which names are meant for users.

- A *re-export* is another path to a definition that is meant for users: listed in the `__all__` of its module; or,
  where the module has no `__all__`, imported by the `__init__` of a package or by a star import, under a name without
  underscore. An import under `if TYPE_CHECKING` counts where `__all__` lists it or the module has a `__getattr__`.
- A path is public if no part of it begins with an underscore (names such as `__init__` are public) or is a module of
  tests or of vendored code, and the `__all__` of its module, where there is one, lists it (submodules need not be).
- A definition is public if its path is, or a re-export of it or of the class around it is: a class in `_managed_agent`
  is public, since `google.adk.agents` exports it. Its id stays the path where it stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import griffe

_TESTS = frozenset({"tests", "conftest"})
_VENDORED = frozenset({"vendor", "vendored", "third_party", "thirdparty"})


def listed_names(around: griffe.Module | griffe.Class) -> frozenset[str] | None:
    """Return the names in `__all__`, None where there is none (or nothing in it that can be read)."""
    listed = getattr(around, "exports", None) if around.is_module else None
    return frozenset(str(name) for name in listed) if listed else None


def is_re_export(alias: griffe.Alias, *, around: griffe.Module | griffe.Class, exports: frozenset[str] | None) -> bool:
    """Say whether an import is meant as a re-export of its module."""
    if exports is not None:
        return alias.name in exports
    if not around.is_module or alias.name.startswith("_"):
        return False
    exists = alias.runtime or "__getattr__" in around.members
    return bool(exists and (alias.wildcard_imported or around.is_init_module))


def is_public_path(path: str) -> bool:
    """Say whether no part of a path is private, of tests or of vendored code."""
    parts = path.split(".")
    return not any(_is_private(part) for part in parts)


def _is_private(part: str) -> bool:
    if part.startswith("_"):
        return not (part.startswith("__") and part.endswith("__")) or part == "__main__"
    return part in _TESTS or part in _VENDORED or part.startswith("test_")
