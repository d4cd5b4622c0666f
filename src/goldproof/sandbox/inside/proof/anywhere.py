"""Where a name exists under packages: first in what is imported, then in the modules whose source holds the word.

A source that does not hold a word cannot bind it, unless it binds names that it does not spell (`from other import *`,
`globals()[...]`): such modules are imported too, and compiled ones. Modules that hold the word and could not be
imported, or were left when the time was over, are said to have failed: then nothing follows from not finding the name.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from time import monotonic

from .capture import capturing
from .texts import Foreign, cut

_MODULES = 2_000
_FOUND = 50
_SECONDS = 5.0  # for importing; half of what a proof has
_LARGEST = 4_000_000  # bytes of a source
_STAR = re.compile(r"^\s*from\s+([\w.]+)\s+import\s+\*", re.MULTILINE)
_DEF = re.compile(r"^(?:async\s+)?def\s+(\w+)", re.MULTILINE)
_UNSPELT = re.compile(r"^[^#\n]*(?:\bglobals\(\)\s*(?:\[|\.update)|\bsetattr\(\s*sys\.modules)", re.MULTILINE)


def anywhere_seen(name: str, *, packages: tuple[str, ...]) -> dict[str, object]:
    """Return where a name exists under packages: in modules, and among the public members of their classes."""
    failed: list[str] = []
    with capturing():
        tops = {package: _imported(package, failed) for package in packages}
        loaded = [name for name in sorted(sys.modules) if _is_under(name, packages)]
        found = _found(name, loaded)
        others = _not_loaded(tops, frozenset(loaded)) if not found else {}
        if not found:
            found = _found(name, _import_holders(name, others, failed=failed, packages=packages))
    return {
        "kind": "anywhere", "name": cut(name, 200), "found": found[:_FOUND], "searched": len(loaded) + len(others),
        "failed": sorted(failed)[:_FOUND],
    }  # fmt: skip


def _is_under(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == one or module.startswith(one + ".") for one in packages)


def _not_loaded(tops: dict[str, Foreign], loaded: frozenset[str]) -> dict[str, Path]:
    """Return the file of each submodule that is not imported; a folder that is a package is named by its own file."""
    files: dict[str, Path] = {}
    waiting = [(package, list(getattr(top, "__path__", []))) for package, top in tops.items()]
    while waiting and len(files) < _MODULES:
        package, paths = waiting.pop()
        for one in iter_modules(paths):
            name, folder = f"{package}.{one.name}", Path(str(getattr(one.module_finder, "path", "")))
            if name not in loaded and one.name != "__main__":
                files[name] = _file(folder / one.name, is_package=one.ispkg)
            if one.ispkg:
                waiting.append((name, [str(folder / one.name)]))
    return files


def _file(stem: Path, *, is_package: bool) -> Path:
    return stem / "__init__.py" if is_package else stem.with_name(stem.name + ".py")


def _import_holders(name: str, files: dict[str, Path], *, failed: list[str], packages: tuple[str, ...]) -> list[str]:
    """Import the modules that may bind a name; return those, and the ones that came with them."""
    end, word = monotonic() + _SECONDS, re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    for module, path in sorted(files.items()):
        text = _text(path)
        holds = text is None or module.endswith("." + name) or word.search(text) is not None
        if holds and monotonic() > end:
            failed.append(module)
        elif holds or (monotonic() < end and text is not None and _binds_unspelt(text, packages)):
            # One that does not hold the word, and that nobody can import here, binds nothing.
            _imported(module, failed if holds else [])
    return sorted(module for module in files if module in sys.modules)


def _text(path: Path) -> str | None:
    """Return a source; None for what is none, compiled modules above all, or is too large."""
    try:
        return path.read_text(encoding="utf-8") if path.stat().st_size < _LARGEST else None
    except (OSError, ValueError):
        return None


def _binds_unspelt(text: str, packages: tuple[str, ...]) -> bool:
    """Return whether a module may hold names that stand in no source of the packages."""
    stars = [one[1] for one in _STAR.finditer(text)]
    outside = any(not one.startswith(".") and not _is_under(one, packages) for one in stars)
    return outside or any(_function(text[: one.start()]) != "__getattr__" for one in _UNSPELT.finditer(text))


def _function(before: str) -> str:
    """Return the function in which a text ends. What `__getattr__` keeps is bound when somebody asks for it."""
    names: list[str] = _DEF.findall(before)
    return names[-1] if names else ""


def _imported(name: str, failed: list[str]) -> Foreign:
    try:
        return import_module(name)
    except BaseException:  # noqa: BLE001 - a module may do anything when it is imported
        if name not in failed:
            failed.append(name)
        return None


def _found(name: str, modules: list[str]) -> list[str]:
    known = [sys.modules[one] for one in modules if sys.modules.get(one) is not None]
    paths = {path for module in known for path in _paths(module, name)}
    return sorted(paths, key=lambda one: (one.count("."), one))


def _paths(module: Foreign, name: str) -> list[str]:
    """Return the paths of a name in a module: the module itself, its members, the members of its own classes."""
    own = module.__name__
    found = [own] if own.rpartition(".")[2] == name else []
    for key, value in list(vars(module).items()):
        if key == name:
            found.append(f"{own}.{key}")
        if isinstance(value, type) and value.__module__ == own and _in_class(value, name):
            found.append(f"{own}.{key}.{name}")
    return found


def _in_class(kind: type, name: str) -> bool:
    return name in vars(kind) or name in vars(kind).get("__annotations__", ())
