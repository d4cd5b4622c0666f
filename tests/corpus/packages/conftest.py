"""A site-packages of the test's own, with distributions that the test writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from goldproof.corpus.packages import Package, open_package

Install = Callable[..., Path]
Open = Callable[..., Package]


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else dedent(content).encode())


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "goldproof-home"))


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return a function that installs files as a distribution, as a wheel would be."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))

    def installed(name: str, files: Mapping[str, str | bytes], *, version: str = "1.0", record: bool = True) -> Path:
        write_files(site, files)
        info = f"{name.replace('-', '_')}-{version}.dist-info"
        metadata = {f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"}
        write_files(site, metadata)
        if record:
            write_files(site, {f"{info}/RECORD": "".join(f"{path},,\n" for path in (*files, *metadata))})
        return site

    return installed


@pytest.fixture
def opened(install: Install) -> Open:
    """Return a function that installs `shop` out of the given files and opens it."""

    def open_it(files: Mapping[str, str | bytes], *, options: str = "") -> Package:
        install("shop", files)
        return open_package(f"shop{options}")

    return open_it
