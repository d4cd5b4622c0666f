"""Install a source tree as its wheel would be: packages copied, and a minimal dist-info.

Nothing is built: data that a build would make is missing, but for a file that only holds the version, which is written
as setuptools-scm and hatch-vcs write it. The version is the project's, or `0+<short hash>` where that is worked out.
"""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from goldproof.corpus.libraries.packages_in import package_files
from goldproof.corpus.libraries.project import read_project
from goldproof.corpus.packages.releases import normal_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from goldproof.corpus.libraries.project import Project


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A tree at one moment. files: path below site-packages -> the file; sha256: of all of them, names and contents."""

    project: Project
    version: str
    files: Mapping[str, Path]
    written: Mapping[str, str]
    sha256: str

    def install(self, site: Path) -> None:
        """Put it into site-packages."""
        for name, source in self.files.items():
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, site / name)
        info = f"{normal_name(self.project.name).replace('-', '_')}-{self.version}.dist-info"
        notes = {f"{info}/{name}": text for name, text in self._dist_info().items()}
        record = [*self.files, *self.written, *notes, f"{info}/RECORD"]
        notes[f"{info}/RECORD"] = "".join(f"{_quoted(name)},,\n" for name in record)
        for name, text in {**self.written, **notes}.items():
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            (site / name).write_text(text, encoding="utf-8")

    def _dist_info(self) -> dict[str, str]:
        project = self.project
        lines = ["Metadata-Version: 2.1", f"Name: {project.name}", f"Version: {self.version}"]
        lines += [f"Requires-Dist: {one}" for one in project.dependencies]
        lines += [f"Provides-Extra: {one}" for one in project.extras]
        points = [
            line
            for group, names in project.entry_points.items()
            for line in (f"[{group}]", *(f"{name} = {target}" for name, target in names.items()), "")
        ]
        texts = {"METADATA": "\n".join(lines) + "\n", "INSTALLER": "goldproof\n"}
        return {**texts, "entry_points.txt": "\n".join(points) + "\n"} if points else texts


def take_snapshot(tree: Path, *, spec: str, commit: str = "") -> Snapshot:
    """Read a tree. commit: of the repository that it comes from; spec: what messages begin with."""
    project = read_project(tree, spec=spec)
    files = package_files(tree, project, spec=spec)
    digest = hashlib.sha256((tree / "pyproject.toml").read_bytes())
    for name, file in files.items():
        digest.update(f"\0{name}\0".encode("utf-8", "surrogatepass"))
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    sha256 = digest.hexdigest()
    version = project.version or f"0+{(commit or sha256)[:12]}"
    written = {
        name: f"__version__ = version = {version!r}\n__version_tuple__ = version_tuple = (0,)\n"
        for name in _version_files(project)
        if name not in files and any(known.startswith(f"{name.rpartition('/')[0]}/") for known in files)
    }
    return Snapshot(project=project, version=version, files=files, written=written, sha256=sha256)


def _version_files(project: Project) -> Iterator[str]:
    """Yield the files that a build would write the version into, relative to site-packages."""
    tool: Any = project.settings.get("tool", {})
    vcs = tool.get("hatch", {}).get("build", {}).get("hooks", {}).get("vcs", {})
    scm = tool.get("setuptools_scm", {})
    for told in (vcs.get("version-file"), scm.get("version_file"), scm.get("write_to")):
        if isinstance(told, str) and ".." not in told and not told.startswith("/"):
            yield told.removeprefix("./").removeprefix("src/")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if any(sign in name for sign in ',"') else name
