"""Pinned versions: fetched as wheels, never built, never run; offline here, from wheels that the test makes."""

from __future__ import annotations

import io
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest

from goldproof.corpus.packages import open_package
from goldproof.corpus.packages.distribution import pinned_distribution
from goldproof.corpus.packages.releases import same_version
from goldproof.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.corpus.packages.conftest import Install

WHEEL = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def make_wheel(folder: Path, name: str, version: str, *, tag: str = "py3-none-any", body: str = "") -> None:
    files = {
        f"{name}/__init__.py": f"raise SystemExit('was run')\nVERSION: str = {version!r}\n{body}",
        f"{name}-{version}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{name}-{version}.dist-info/WHEEL": WHEEL,
    }
    record = f"{name}-{version}.dist-info/RECORD"
    files[record] = "".join(f"{path},,\n" for path in (*files, record))
    with zipfile.ZipFile(folder / f"{name}-{version}-{tag}.whl", "w") as wheel:
        for path, content in files.items():
            wheel.writestr(path, content)


def make_source(folder: Path, name: str, version: str) -> None:
    setup = b"raise SystemExit('setup.py was run')\n"
    with tarfile.open(folder / f"{name}-{version}.tar.gz", "w:gz") as archive:
        for path, content in {"setup.py": setup, "PKG-INFO": f"Name: {name}\nVersion: {version}\n".encode()}.items():
            entry = tarfile.TarInfo(f"{name}-{version}/{path}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "wheels"
    folder.mkdir()
    for variable, value in {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder), "PIP_CONFIG_FILE": "/dev/null"}.items():
        monkeypatch.setenv(variable, value)
    make_wheel(folder, "kiosk", "1.0")
    make_wheel(folder, "kiosk", "2.0")
    return folder


def test_a_pinned_version_is_fetched_once_and_read_without_being_run(index: Path, tmp_path: Path) -> None:
    package = open_package("kiosk==1.0")
    assert (package.version, package.distribution.pinned) == ("1.0", True)
    assert package.inspect("kiosk.VERSION").value == "'1.0'"
    folder = tmp_path / "goldproof-home" / "packages"
    assert [path.name for path in folder.iterdir()] == ["kiosk-1.0"]
    for wheel in index.iterdir():
        wheel.unlink()
    assert [d.id for d in open_package("Kiosk==1.0").documents()] == ["kiosk", "kiosk.VERSION"]


@pytest.mark.usefixtures("index")
def test_the_installed_version_is_taken_where_it_is_the_pinned_one(install: Install, tmp_path: Path) -> None:
    install("kiosk", {"kiosk/__init__.py": "HERE: int = 1\n"}, version="2.0")
    assert [d.id for d in open_package("kiosk==2.0.0").documents()] == ["kiosk", "kiosk.HERE"]
    assert not (tmp_path / "goldproof-home").exists()
    assert open_package("kiosk==1.0").inspect("kiosk.VERSION").value == "'1.0'"


def test_an_import_name_is_pinned_by_the_name_of_its_distribution(index: Path, install: Install) -> None:
    make_wheel(index, "pykiosk", "1.0")
    install("pykiosk", {"kiosklib/__init__.py": ""}, version="2.0")
    assert open_package("kiosklib==1.0").name == "pykiosk"


def test_models_of_a_pinned_package_are_read_and_not_run(index: Path) -> None:
    make_wheel(index, "kiosk", "3.0", body="from pydantic import BaseModel\nclass Order(BaseModel):\n    size: int\n")
    package = open_package("kiosk==3.0")
    found = package.inspect("kiosk.Order")
    assert (found.fields_from, found.fields_note) == ("static", "")
    assert package.inspect("kiosk.Order", fields="runtime").fields_note == "SystemExit: was run"


@pytest.mark.usefixtures("index")
def test_an_unknown_version_names_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"package:kiosk==9: there is no such version; known: 2\.0, 1\.0\.") as caught:
        pinned_distribution("kiosk", "9")
    assert 'pip: "No matching distribution found for kiosk==9"' in str(caught.value)


@pytest.mark.slow
def test_a_name_without_a_usable_release_says_so(index: Path) -> None:
    make_wheel(index, "stall", "1.0", tag="cp39-cp39-win_amd64")
    with pytest.raises(InputError, match=r"package:stall==1\.0: the index has no release of that name that this"):
        pinned_distribution("stall", "1.0")


def test_a_source_release_is_not_built(index: Path) -> None:
    make_source(index, "stall", "1.0")
    with pytest.raises(InputError, match="a source release is not built, since that would run its code"):
        pinned_distribution("stall", "1.0")


@pytest.mark.slow
@pytest.mark.usefixtures("index")
def test_without_a_network_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # nobody listens there
    with pytest.raises(InputError, match=r"package:kiosk==9: the package index cannot be reached"):
        pinned_distribution("kiosk", "9")


@pytest.mark.slow
def test_a_failure_leaves_nothing_behind(index: Path, tmp_path: Path) -> None:
    (index / "kiosk-4.0-py3-none-any.whl").write_bytes(b"no zip")
    with pytest.raises(InputError, match=r"package:kiosk==4\.0: "):
        pinned_distribution("kiosk", "4.0")
    assert list((tmp_path / "goldproof-home" / "packages").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "version"), [("--help", "1"), ("a/b", "1"), ("kiosk", "1;x"), ("kiosk", "../1"), ("kiosk[x]", "1")]
)
def test_names_that_pip_or_the_file_system_would_misread_are_refused(name: str, version: str) -> None:
    with pytest.raises(InputError, match="expected NAME==VERSION"):
        pinned_distribution(name, version)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1.20", "1.20.0", True),
        ("1.2", "1.20", False),
        ("2.0", "2", True),
        ("1.0RC1", "1.0rc1", True),
        ("10", "1", False),
        ("1.0-rc.1", "1.0rc1", True),
        ("v2.0", "2.0", True),
        ("2004d", "2004d", True),  # before the rules, and not a version by them
        ("2004d", "2004", False),
    ],
)
def test_versions_are_compared_as_pip_does(one: str, other: str, *, same: bool) -> None:
    assert same_version(one, other) is same
