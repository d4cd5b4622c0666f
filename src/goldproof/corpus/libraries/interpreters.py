"""Facts about a Python interpreter: version, prefixes and search path, asked of the interpreter itself."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from goldproof.corpus.interpreter import run_program
from goldproof.errors import InputError

_FACTS = """
import json, platform, sys, sysconfig
facts = {
    "version": platform.python_version(),
    "implementation": sys.implementation.name,
    "platform": sysconfig.get_platform(),
    "prefix": sys.prefix,
    "base_prefix": sys.base_prefix,
    "path": [path for path in sys.path if path],
}
with open(sys.argv[2], "w", encoding="utf-8") as stream:
    json.dump(facts, stream)
"""
_LEAST = (3, 9)
_MOST_LINKS = 40
_SITES = ("site-packages", "dist-packages")


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts about an interpreter. python: as it is called. path: its `sys.path`, without the working folder."""

    python: Path
    version: str
    implementation: str
    platform: str
    prefix: Path
    base_prefix: Path
    path: tuple[Path, ...]

    @property
    def sites(self) -> tuple[Path, ...]:
        """The folders of installed packages."""
        return tuple(folder for folder in self.path if folder.name in _SITES)

    @property
    def readable(self) -> tuple[Path, ...]:
        """Paths it must be able to read: its prefixes, packages outside of them, and the links to its program."""
        found: list[Path] = []
        for place in (self.base_prefix, self.prefix, self.base_prefix.resolve(), *self.sites, *_links(self.python)):
            if place.exists() and not any(place.is_relative_to(known) for known in found):
                found.append(place)
        return tuple(found)


def _links(python: Path) -> list[Path]:
    """Return what a link leads to, step by step: each step must be there for it to be followed."""
    steps: list[Path] = []
    while python.is_symlink() and len(steps) < _MOST_LINKS:
        python = Path(os.path.normpath(python.parent / python.readlink()))
        steps.append(python)
    return steps


def facts_of(python: str | Path) -> Facts:
    """Return the facts of an interpreter, which is run once to ask for them.

    The running one too: what PYTHONPATH or a working folder add to its search path is not there in a sandbox.
    """
    said = run_program(str(python), _FACTS, request={}, timeout=60, isolated=True)
    if not isinstance(said, dict):
        raise InputError(f"{python}: gave no answer that a Python interpreter gives.")
    if tuple(int(part) for part in str(said["version"]).split(".")[:2]) < _LEAST:
        raise InputError(f"{python}: is Python {said['version']}; expected {'.'.join(map(str, _LEAST))} or newer.")
    return Facts(
        python=Path(python),
        version=str(said["version"]),
        implementation=str(said["implementation"]),
        platform=str(said["platform"]),
        prefix=Path(said["prefix"]),
        base_prefix=Path(said["base_prefix"]),
        path=tuple(Path(one) for one in said["path"]),
    )


def chosen(python: str | None) -> Facts:
    """Return the facts of the interpreter that was chosen, by default the running one."""
    return facts_of(sys.executable if python is None else python)
