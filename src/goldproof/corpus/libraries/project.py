"""Read project metadata of a source tree from pyproject.toml, without running any of its code.

Only the `[project]` table counts (PEP 621): a `setup.py` would have to be run. A version that is worked out when it is
built is left open. A tree that has to be compiled, or whose requirements are worked out by code, is refused.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from goldproof.corpus.packages.releases import normal_name, parse_requirement
from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_COMPILING = ("maturin", "mesonpy", "scikit_build_core", "setuptools_rust", "py_build_cmake", "enscons", "sipbuild")
_COMPILERS = (
    "cython",
    "setuptools-rust",
    "cffi",
    "pybind11",
    "nanobind",
    "maturin",
    "meson-python",
    "scikit-build-core",
)


@dataclass(frozen=True, slots=True)
class Project:
    """A project. version: None where it is worked out when built. settings: the whole file, for where packages lie."""

    name: str
    version: str | None
    dependencies: tuple[str, ...] = ()
    extras: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    entry_points: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)

    def requirements(self, extras: Sequence[str]) -> tuple[str, ...]:
        """Return what it needs, with those extras; an extra may name others of the same project."""
        found = dict.fromkeys(self.dependencies)
        waiting, seen = list(extras), set[str]()
        while waiting:
            extra = normal_name(waiting.pop(0))
            if extra in seen:
                continue
            seen.add(extra)
            if extra not in self.extras:
                known = ", ".join(sorted(self.extras)) or "none"
                raise InputError(f"{self.name}[{extra}]: the project has no such extra; known: {known}.")
            for one in self.extras[extra]:
                own = _own_extras(one, self.name)
                waiting += own
                found.update({} if own else {one: None})
        return tuple(found)


def read_project(tree: Path, *, spec: str) -> Project:
    """Read the project in a folder; spec: what messages begin with."""
    try:
        text = (tree / "pyproject.toml").read_text(encoding="utf-8")
    except FileNotFoundError as error:
        why = "only a setup.py, which would have to be run" if (tree / "setup.py").exists() else "no pyproject.toml"
        raise InputError(f"{spec}: the folder has {why}; build a wheel of it, and give that.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{spec}: pyproject.toml cannot be read: {error}.") from error
    try:
        settings = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{spec}: pyproject.toml is not TOML: {error}.") from error
    project = _table(settings, "project")
    if not isinstance(project.get("name"), str):
        raise InputError(
            f"{spec}: pyproject.toml has no [project] table with a name, so that nothing says what the tree needs "
            "without running it; build a wheel of it, and give that."
        )
    _refuse_compiled(settings, tree, spec=spec)
    return Project(
        name=project["name"],
        version=project["version"] if isinstance(project.get("version"), str) else None,
        dependencies=_dependencies(project, settings, tree=tree, spec=spec),
        extras={
            normal_name(name): tuple(map(str, needs))
            for name, needs in _table(project, "optional-dependencies").items()
        },
        entry_points=_entry_points(project),
        settings=settings,
    )


def refuse_addresses(requirements: Sequence[str], *, spec: str) -> None:
    """Refuse requirements that name an address: pip would fetch that and, where it is no wheel, build it.

    What is no requirement at all is refused too: pip takes a bare address or path for one.
    """
    for one in requirements:
        found = parse_requirement(one)
        if found is None:
            raise InputError(f"{spec}: it requires {one!r}, which is not NAME with a version; not installed.")
        if found.url is not None:
            raise InputError(
                f"{spec}: it requires {one!r}, an address that pip might build from source; not installed."
            )


def _table(settings: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    for name in names:
        found = settings.get(name)
        settings = found if isinstance(found, dict) else {}
    return settings


def _own_extras(requirement: str, name: str) -> list[str]:
    """Return the extras where a requirement names the project itself, as in `all = ["shop[web,db]"]`."""
    found = parse_requirement(requirement)
    return sorted(found.extras) if found is not None and normal_name(found.name) == normal_name(name) else []


def _dependencies(project: Mapping[str, Any], settings: Mapping[str, Any], *, tree: Path, spec: str) -> tuple[str, ...]:
    if "dependencies" not in project.get("dynamic", ()):
        return tuple(map(str, project.get("dependencies", ())))
    named = _table(settings, "tool", "setuptools", "dynamic", "dependencies").get("file")
    files = [named] if isinstance(named, str) else named if isinstance(named, list) else []
    if not files:
        raise InputError(
            f"{spec}: its dependencies are worked out by code when it is built, which is not run here; build a wheel "
            "of it, and give that."
        )
    return tuple(line for file in files for line in _requirement_lines(tree, str(file), spec=spec))


def _requirement_lines(tree: Path, file: str, *, spec: str) -> list[str]:
    path = (tree / file).resolve()
    if not path.is_relative_to(tree.resolve()):
        raise InputError(f"{spec}: its dependencies are in {file}, outside of the tree; not read.")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{spec}: {file}, where its dependencies are, cannot be read: {error}.") from error
    bare = (line.partition(" #")[0].strip() for line in lines)
    return [line for line in bare if line and not line.startswith(("#", "-"))]


def _entry_points(project: Mapping[str, Any]) -> dict[str, Mapping[str, str]]:
    groups: dict[str, Mapping[str, str]] = dict(_table(project, "entry-points"))
    for table, group in (("scripts", "console_scripts"), ("gui-scripts", "gui_scripts")):
        if found := _table(project, table):
            groups[group] = found
    return groups


def _refuse_compiled(settings: Mapping[str, Any], tree: Path, *, spec: str) -> None:
    build = _table(settings, "build-system")
    backend = str(build.get("build-backend", "")).partition(".")[0].partition(":")[0]
    required = filter(None, (parse_requirement(str(one)) for one in build.get("requires", ())))
    compilers = [one.name for one in required if normal_name(one.name) in _COMPILERS]
    why = ""
    if backend in _COMPILING:
        why = f"it is built by {backend}"
    elif compilers:
        why = f"it is built with {compilers[0]}"
    elif _table(settings, "tool", "setuptools").get("ext-modules"):
        why = "it has extension modules"
    elif (tree / "setup.py").is_file():
        text = (tree / "setup.py").read_text(encoding="utf-8", errors="replace")
        why = "its setup.py has extension modules" if re.search(r"ext_modules|\bExtension\(|cythonize", text) else ""
    if why:
        raise InputError(
            f"{spec}: {why}, so it must be compiled, which is not done here; build a wheel, and give that."
        )
