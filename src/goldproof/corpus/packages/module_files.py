"""Python files that a distribution installed, and the module that each one is.

RECORD lists them, so a namespace package such as `google` brings only its own part (`google/adk`), never its siblings.
An editable install has no modules in RECORD: its `.pth` file, its finder's mapping or `direct_url.json` say where the
sources lie, and that folder is walked. A name that Python could not import (`bigquery-ai-ml/run.py`) is no module.
"""

from __future__ import annotations

import ast
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import url2pathname

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from importlib.metadata import Distribution as Installed

SOURCES = (".py", ".pyi")
COMPILED = (".so", ".pyd")
_NOT_OURS = frozenset({"tests", "test", "docs", "doc", "examples", "benchmarks", "build", "dist", "scripts", "tools"})
_MAPPED = re.compile(r"map_module\(\s*'([\w.]+)'\s*,\s*'([^']+)'")


@dataclass(frozen=True, slots=True)
class ModuleFile:
    """One file of one module. relative: its path below the folder that imports start from, with `/`."""

    module: str
    path: Path
    relative: str

    @property
    def is_stub(self) -> bool:
        """Whether it holds only types."""
        return self.path.suffix == ".pyi"

    @property
    def is_compiled(self) -> bool:
        """Whether there is no source in it."""
        return self.path.suffix in COMPILED

    @property
    def is_package(self) -> bool:
        """Whether it is the `__init__` of a folder."""
        return self.path.name.partition(".")[0] == "__init__"


@dataclass(frozen=True, slots=True)
class Listing:
    """The modules of a distribution, and the Python files that are none."""

    files: tuple[ModuleFile, ...]
    not_importable: tuple[str, ...] = ()
    search_path: tuple[Path, ...] = ()


def list_modules(installed: Installed) -> Listing:
    """Return the modules that a distribution installed, or points to where it is editable."""
    recorded = [PurePosixPath(str(file)) for file in installed.files or ()]
    root = Path(str(installed.locate_file("")))
    own = [path for path in recorded if _is_module_path(path)]
    if own:
        return _listing((path.as_posix(), root) for path in own)
    editable = list(_editable_files(installed, recorded=recorded, root=root))
    if editable:
        return _listing(editable)
    named = (installed.read_text("top_level.txt") or "").split()
    return _listing(file for name in named for file in _below(root, PurePosixPath(*name.split("."))))


def import_names(listing: Listing) -> tuple[str, ...]:
    """Return the outermost importable names: `google.adk`, not `google`; `six`; a folder without `__init__` is none."""
    packages = {file.module for file in listing.files if file.is_package}
    names: dict[str, None] = {}
    for file in listing.files:
        parts = file.module.split(".")
        owners = (".".join(parts[:n]) for n in range(1, len(parts)))
        names[next((owner for owner in owners if owner in packages), file.module)] = None
    return tuple(sorted(names))


def module_name(relative: str) -> str | None:
    """Return the module that a file is, or None where Python cannot import it."""
    path = PurePosixPath(relative)
    last = path.name.partition(".")[0] if path.suffix in COMPILED else path.stem
    parts = [*path.parts[:-1], last]
    parts[0] = parts[0].removesuffix("-stubs")
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    return ".".join(parts) if all(part.isidentifier() for part in parts) else None


def _listing(paths: Iterable[tuple[str, Path]]) -> Listing:
    files: dict[str, ModuleFile] = {}
    odd: dict[str, None] = {}
    roots: dict[Path, None] = {}
    for relative, root in paths:
        module = module_name(relative)
        if module is None:
            odd[relative] = None
        elif (root / relative).is_file():
            roots[root] = None
            files[relative] = ModuleFile(module=module, path=root / relative, relative=relative)
    ordered = sorted(files.values(), key=lambda file: (file.module.count("."), file.module, file.relative))
    return Listing(files=tuple(ordered), not_importable=tuple(sorted(odd)), search_path=tuple(roots))


def _is_module_path(path: PurePosixPath) -> bool:
    first = path.parts[0] if path.parts else ""
    if path.suffix not in (*SOURCES, *COMPILED) or path.is_absolute() or first in ("", ".."):
        return False
    return not first.endswith((".dist-info", ".egg-info", ".data")) and "editable" not in first


def _editable_files(installed: Installed, *, recorded: list[PurePosixPath], root: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files of an editable install with the folder that each is relative to."""
    mapped: dict[str, Path] = {}
    folders: dict[Path, None] = {}
    for path in recorded:
        file = root / path
        if path.suffix == ".pth":
            folders.update(dict.fromkeys(_pth_folders(file)))
        elif path.suffix == ".py" and len(path.parts) == 1:
            mapped.update(_finder_mapping(file))
    for name, target in sorted(mapped.items()):
        place = target.parent if target.name == "__init__.py" else target
        top = place
        for _ in name.split("."):
            top = top.parent
        yield from _below(top, PurePosixPath(*name.split(".")))
    if not mapped:
        for folder in [*folders] or _project_folders(installed):
            yield from _packages_in(folder, installed)


def _pth_folders(file: Path) -> list[Path]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    folders = (
        Path(line.strip()) for line in lines if line.strip() and not line.startswith(("#", "import ", "import\t"))
    )
    return [folder for folder in folders if folder.is_absolute() and folder.is_dir()]


def _finder_mapping(file: Path) -> dict[str, Path]:
    """Return name -> path from the finder that setuptools or `editables` wrote; it is read, never run."""
    try:
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text)
    except (OSError, UnicodeDecodeError, SyntaxError, ValueError):
        return {}
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if any(isinstance(target, ast.Name) and target.id == "MAPPING" for target in targets):
            value = getattr(node, "value", None)
            if isinstance(value, ast.Dict):
                return {
                    str(key.value): Path(str(place.value))
                    for key, place in zip(value.keys, value.values, strict=True)
                    if isinstance(key, ast.Constant) and isinstance(place, ast.Constant)
                }
    return {name: Path(place) for name, place in _MAPPED.findall(text)}


def _project_folders(installed: Installed) -> list[Path]:
    try:
        url = json.loads(installed.read_text("direct_url.json") or "{}").get("url", "")
    except ValueError:
        return []
    if not url.startswith("file:"):
        return []
    project = Path(url2pathname(urlsplit(url).path))
    return [folder for folder in (project / "src", project) if folder.is_dir()][:1]


def _packages_in(folder: Path, installed: Installed) -> Iterator[tuple[str, Path]]:
    named = (installed.read_text("top_level.txt") or "").split()
    tops = named or _likely_tops(folder, distribution=installed.metadata["Name"] or "")
    for top in tops:
        yield from _below(folder, PurePosixPath(*top.split(".")))


def _likely_tops(folder: Path, *, distribution: str) -> list[str]:
    """Return the packages in a folder of sources: the one named like the distribution, else all but its tests."""
    names = sorted(
        path.name.removesuffix(".py")
        for path in folder.iterdir()
        if (path.suffix == ".py" and path.is_file()) or (path.is_dir() and any(path.glob("**/*.py")))
    )
    names = [name for name in names if name.isidentifier()]
    same = [name for name in names if name.lower() == re.sub(r"[-_.]+", "_", distribution).lower()]
    return same or [name for name in names if name.lower() not in _NOT_OURS and name not in ("setup", "conftest")]


def _below(root: Path, top: PurePosixPath) -> Iterator[tuple[str, Path]]:
    """Yield the Python files of a top-level package or module; links to folders are not followed."""
    for suffix in (*SOURCES, *COMPILED):
        if (root / f"{top}{suffix}").is_file():
            yield f"{top}{suffix}", root
    for place, folders, names in os.walk(root / top):
        folders[:] = sorted(name for name in folders if name != "__pycache__" and not name.startswith("."))
        for name in sorted(names):
            if name.endswith((*SOURCES, *COMPILED)):
                yield (Path(place) / name).relative_to(root).as_posix(), root
