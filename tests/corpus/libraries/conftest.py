"""An index of the test's own, a folder of wheels, and a home of the test's own."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

MakeWheel = Callable[..., Path]
WHEEL = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder that pip finds packages in."""
    folder = tmp_path / "index"
    folder.mkdir()
    for variable, value in {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder), "PIP_CONFIG_FILE": "/dev/null"}.items():
        monkeypatch.setenv(variable, value)
    return folder


@pytest.fixture
def make_wheel(index: Path) -> MakeWheel:
    """Return a function that puts a wheel into the index."""

    def made(
        name: str, version: str, *, requires: Sequence[str] = (), tag: str = "py3-none-any", body: str = ""
    ) -> Path:
        info = f"{name}-{version}.dist-info"
        needs = "".join(f"Requires-Dist: {one}\n" for one in requires)
        extras = "".join(
            f"Provides-Extra: {one.split('extra == ')[1].strip(chr(34))}\n" for one in requires if "extra" in one
        )
        files = {
            f"{name}/__init__.py": f"VERSION = {version!r}\n{body}",
            f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{extras}{needs}",
            f"{info}/WHEEL": WHEEL,
        }
        record = f"{info}/RECORD"
        files[record] = "".join(f"{path},,\n" for path in (*files, record))
        place = index / f"{name}-{version}-{tag}.whl"
        with zipfile.ZipFile(place, "w") as wheel:
            for path, content in files.items():
                wheel.writestr(path, content)
        return place

    return made
