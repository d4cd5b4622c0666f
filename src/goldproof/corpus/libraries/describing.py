"""Describe an environment as a Library: its distributions and the import names under test."""

from __future__ import annotations

import importlib.metadata
from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.corpus.libraries.library import Library
from goldproof.corpus.libraries.requirements import Requirement
from goldproof.corpus.packages.distribution import find_distribution
from goldproof.corpus.packages.releases import normal_name
from goldproof.sandbox import Interpreter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from goldproof.corpus.libraries.interpreters import Facts
    from goldproof.corpus.libraries.library import Origin
    from goldproof.corpus.packages.distribution import Distribution

_NOT_MEANT = frozenset({"tests", "test", "docs", "doc", "examples", "benchmarks", "scripts", "tools"})


def describe_environment(
    facts: Facts,
    names: Sequence[str],
    *,
    origin: Origin,
    extras: Mapping[str, tuple[str, ...]] | None = None,
    note: str = "",
) -> Library:
    """Describe an environment as a Library.

    names: of the distributions under test, the first one gives the name. extras: that were asked for, by name. note:
    what the label says after the versions.
    """
    path = [str(place) for place in facts.path]
    found = [find_distribution(name, path=path) for name in names]
    imported = _import_names(found)
    asked = {normal_name(name): given for name, given in (extras or {}).items()}
    label = ",".join(str(Requirement(one.name, asked.get(normal_name(one.name), ()), one.version)) for one in found)
    return Library(
        label=f"{label} {note}".rstrip(),
        name=found[0].name,
        version=found[0].version,
        origin=origin,
        interpreter=Interpreter(python=facts.python, readable=_readable(facts, found), packages=imported),
        import_names=imported,
        distributions=_distributions(path),
        remarks=(*_editable(facts, found), *(remark for one in found for remark in one.remarks)),
        under_test=tuple(one.name for one in found),
        search_path=facts.path,
    )


def with_remarks(library: Library, remarks: Iterable[str]) -> Library:
    """Return the library with more remarks, before its own."""
    return replace(library, remarks=(*remarks, *library.remarks))


def _import_names(found: Iterable[Distribution]) -> tuple[str, ...]:
    """Return the outermost names, public ones first; tests that were packed by mistake are left out."""
    names = dict.fromkeys(name for one in found for name in one.import_names)
    meant = [name for name in names if name.split(".")[0] not in _NOT_MEANT] or list(names)
    return tuple(sorted(meant, key=lambda name: name.startswith("_")))


def _readable(facts: Facts, found: Iterable[Distribution]) -> tuple[Path, ...]:
    """Return what must be read, with the folders that editable installs of what is under test point to."""
    places = list(facts.readable)
    for folder in (folder for one in found for folder in one.search_path):
        if not any(folder.is_relative_to(known) for known in places):
            places.append(folder)
    return tuple(places)


def _editable(facts: Facts, found: Iterable[Distribution]) -> Iterator[str]:
    for one in found:
        if one.search_path and not any(folder in facts.sites for folder in one.search_path):
            yield f"{one.name}: an editable install, so its sources as they are now, whatever its version says."


def _distributions(path: list[str]) -> dict[str, str]:
    """Return name -> version; where two folders hold one, the first counts, as for imports."""
    found: dict[str, str] = {}
    for one in importlib.metadata.distributions(path=path):
        name = str(one.metadata["Name"] or "")
        if name:
            found.setdefault(name, one.version)
    return dict(sorted(found.items(), key=lambda pair: pair[0].lower()))
