"""An installed distribution: found by its name, by near spellings of it, or by a name that is imported from it.

Names are compared as pip compares them: `google-adk`, `google_adk` and `Google.ADK` are one. An import name works too
(`yaml` is PyYAML) where one distribution owns it; where several do (`google`), they are named. Nothing is imported.
"""

from __future__ import annotations

import importlib.metadata
import re
import sys
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError, UnknownNameError
from goldproof.corpus.packages.module_files import Listing, import_names, list_modules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from goldproof.corpus.packages.module_files import ModuleFile


@dataclass(frozen=True, slots=True)
class Distribution:
    """A distribution and the files of its modules.

    import_names: the outermost names to import. search_path: the folders that make it importable, for an interpreter.
    pinned: whether it was fetched to be read, rather than installed in an environment.
    """

    name: str
    version: str
    import_names: tuple[str, ...]
    files: tuple[ModuleFile, ...]
    search_path: tuple[Path, ...] = ()
    remarks: tuple[str, ...] = field(default=())
    pinned: bool = False


def find_distribution(name: str, *, path: Sequence[str] | None = None) -> Distribution:
    """Return the distribution of that name in the environment. path: its `sys.path`, by default this interpreter's."""
    places = list(sys.path if path is None else path)
    for installed in importlib.metadata.distributions(name=name, path=places):
        if normal_name(_name_of(installed)) == normal_name(name):
            return describe(installed)
    return _by_import_name(name, places)


def normal_name(name: str) -> str:
    """Return the name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def describe(installed: importlib.metadata.Distribution, *, pinned: bool = False) -> Distribution:
    """Return what is known of a distribution that was found."""
    listing = list_modules(installed)
    name = _name_of(installed)
    if not listing.files:
        raise InputError(
            f"package {name} {installed.version}: no Python module of it was found (it may hold only data or commands, "
            "or list its files in a way that is not read); give a folder instead, such as folder:DIR."
        )
    return Distribution(
        name=name,
        version=installed.version,
        import_names=import_names(listing),
        files=listing.files,
        search_path=listing.search_path,
        remarks=_remarks(listing),
        pinned=pinned,
    )


def _remarks(listing: Listing) -> tuple[str, ...]:
    readable = {file.module for file in listing.files if not file.is_compiled}
    compiled = sorted({file.module for file in listing.files if file.is_compiled} - readable)
    said = []
    if compiled:
        said.append(f"{_some(compiled, 'compiled module')}: no source and no stub, so not read.")
    if listing.not_importable:
        said.append(f"{_some(listing.not_importable, 'Python file')}: not importable by that name, so no module.")
    return tuple(said)


def _some(names: Sequence[str], what: str) -> str:
    """Return how many, and the first few."""
    more = ", ..." if len(names) > 3 else ""
    return f"{len(names)} {what}{'s' if len(names) > 1 else ''} ({', '.join(names[:3])}{more})"


def _by_import_name(name: str, places: list[str]) -> Distribution:
    """Return the one distribution that installs an import name, or say what is near."""
    owners: dict[str, importlib.metadata.Distribution] = {}
    known: dict[str, None] = {}
    for installed in importlib.metadata.distributions(path=places):
        own = _name_of(installed)
        if own and own not in known and _installs(installed, name):
            owners[own] = installed
        known[own] = None
    if len(owners) == 1:
        return describe(next(iter(owners.values())))
    if owners:
        raise InputError(
            f"package {name!r} is an import name that {len(owners)} installed distributions share "
            f"({', '.join(sorted(owners))}); name one of them."
        )
    raise _unknown(name, known)


def _installs(installed: importlib.metadata.Distribution, name: str) -> bool:
    """Say whether a name is imported from the distribution; one that only adds types to it does not count."""
    record = installed.read_text("RECORD") or ""
    place = re.escape(name.replace(".", "/"))
    if record and ".pth" not in record and not re.search(rf"^{place}[./]", record, re.MULTILINE):
        return False  # most of them, so the list of their files is not made
    listing = list_modules(installed)
    names = import_names(listing)
    return any(found == name or found.startswith(f"{name}.") for found in names) and any(
        not file.is_stub for file in listing.files
    )


def _near(name: str, known: Iterable[str]) -> list[str]:
    """Return the names that are spelt nearly so; a list of whatever is installed would help nobody."""
    spelt = {normal_name(own): own for own in sorted(known, reverse=True) if own}
    return [spelt[one] for one in get_close_matches(normal_name(name), spelt, n=3, cutoff=0.75)]


def _unknown(name: str, known: Iterable[str]) -> UnknownNameError:
    near = _near(name, known)
    advice = (
        f"did you mean {' or '.join(map(repr, near))}?" if near else "no distribution of that name is installed here."
    )
    # A misspelt name is not to be installed: somebody else may own it.
    install = "If not, install it here" if near else f"Install it here (pip install {name})"
    hint = (
        f"{install}, read another environment (package:{name}#python=/path/to/python), or pin a version to fetch its "
        f"wheel (package:{name}==VERSION)."
    )
    return UnknownNameError("package", name, (), advice=advice, hint=hint)


def _name_of(installed: importlib.metadata.Distribution) -> str:
    return str(installed.metadata["Name"] or "")
