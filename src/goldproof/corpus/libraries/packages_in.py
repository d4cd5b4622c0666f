"""Find the packages of a source tree, by its build settings or else by the usual layouts.

src/      whatever is importable in it: packages, namespace packages, modules
flat      the folder or module that is called like the project; else every folder with Python in it that is not
          tests, docs or the like
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from goldproof.corpus.packages.releases import normal_name
from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from goldproof.corpus.libraries.project import Project

_NOT_OURS = ("tests", "test", "testing", "docs", "doc", "examples", "example", "benchmarks", "build", "dist", "scripts")
_NOT_OURS_EITHER = ("tools", "setup", "conftest", "tasks", "noxfile", "venv", "env", "node_modules", "ci", "notebooks")


def package_files(tree: Path, project: Project, *, spec: str) -> dict[str, Path]:
    """Return the files that a wheel would hold: path below site-packages, with `/` -> the file. Links are left out."""
    found: dict[str, Path] = {}
    for root, top in _tops(tree, project):
        for file in _below(root / top):
            found[file.relative_to(root).as_posix()] = file
    if not any(name.endswith(".py") for name in found):
        raise InputError(
            f"{spec}: no Python package of {project.name} was found in the tree (looked in src/ and at its top); "
            "build a wheel of it, and give that."
        )
    if compiled := sorted(name for name in found if name.endswith((".pyx", ".pxd"))):
        raise InputError(
            f"{spec}: {compiled[0]} must be compiled, which is not done here; build a wheel, and give that."
        )
    return dict(sorted(found.items()))


def _tops(tree: Path, project: Project) -> list[tuple[Path, PurePosixPath]]:
    """Return (folder that imports start from, package or module in it)."""
    named = [pair for pair in _by_settings(tree, project) if _is_there(*pair) and _is_inside(tree, pair[0])]
    if named:
        return named
    if (tree / "src").is_dir() and (inside := _importable(tree / "src")):
        return [(tree / "src", PurePosixPath(name)) for name in inside]
    inside = [name for name in _importable(tree) if _is_meant(name)]
    wanted = normal_name(project.name).replace("-", "_")
    same = [name for name in inside if name.removesuffix(".py").lower() == wanted]
    return [(tree, PurePosixPath(name)) for name in same or inside]


def _by_settings(tree: Path, project: Project) -> Iterator[tuple[Path, PurePosixPath]]:
    """Yield what flit, hatch, setuptools, poetry-core and uv are told."""
    tool = _table(project.settings.get("tool"))
    if isinstance(name := _table(_table(tool.get("flit")).get("module")).get("name"), str):
        yield from _either(tree, PurePosixPath(*name.split(".")))
    wheel = _table(_table(_table(_table(tool.get("hatch")).get("build")).get("targets")).get("wheel"))
    for path in _texts(wheel.get("packages")):
        place = PurePosixPath(path)
        yield tree.joinpath(*place.parts[:-1]), PurePosixPath(place.name)
    uv = _table(_table(tool.get("uv")).get("build-backend"))
    for name in _texts(uv.get("module-name")):
        yield tree / str(uv.get("module-root", "src")), PurePosixPath(*name.split("."))
    setuptools = _table(tool.get("setuptools"))
    start = tree / str(_table(setuptools.get("package-dir")).get("", "."))
    packages = setuptools.get("packages")
    for name in _texts(packages if isinstance(packages, list) else None):
        yield start, PurePosixPath(*name.split("."))
    for name in _texts(setuptools.get("py-modules")):
        yield start, PurePosixPath(f"{name.replace('.', '/')}.py")
    for where in _texts(_table(_table(packages).get("find")).get("where")):
        yield from ((tree / where, PurePosixPath(name)) for name in _importable(tree / where) if _is_meant(name))


def _either(tree: Path, top: PurePosixPath) -> Iterator[tuple[Path, PurePosixPath]]:
    """Yield a package or a module of one file, in src/ or not."""
    for root in (tree / "src", tree):
        yield root, top
        yield root, top.with_suffix(".py")


def _is_meant(name: str) -> bool:
    return name.removesuffix(".py").lower() not in (*_NOT_OURS, *_NOT_OURS_EITHER)


def _importable(folder: Path) -> list[str]:
    """Return the packages and modules at the top of a folder."""
    found = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        stem = path.name.removesuffix(".py")
        if path.is_symlink() or not stem.isidentifier():
            continue
        if (path.suffix == ".py" and path.is_file()) or (path.is_dir() and any(path.rglob("*.py"))):
            found.append(path.name)
    return found


def _is_there(root: Path, top: PurePosixPath) -> bool:
    return (root / top).is_dir() or ((root / top).is_file() and top.suffix == ".py")


def _is_inside(tree: Path, folder: Path) -> bool:
    return folder.resolve().is_relative_to(tree.resolve())


def _below(top: Path) -> Iterator[Path]:
    if top.is_file():
        yield top
        return
    for path in sorted(top.rglob("*")):
        inside = path.relative_to(top).parts
        hidden = any(part.startswith(".") or part == "__pycache__" for part in inside)
        linked = any((top / PurePosixPath(*inside[:n])).is_symlink() for n in range(1, len(inside) + 1))
        if not hidden and not linked and path.is_file() and path.suffix != ".pyc":
            yield path


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
