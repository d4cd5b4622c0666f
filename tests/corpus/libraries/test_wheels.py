"""Pinned libraries and wheel files: environments made from wheels, each whole or not there."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from goldproof.corpus.libraries import Library, open_library
from goldproof.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.corpus.libraries.conftest import MakeWheel


def says(library: Library, code: str) -> str:
    """Run code in the environment."""
    command = [str(library.interpreter.python), "-I", "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd="/").stdout.strip()


def folders(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "libraries").iterdir() if not path.name.startswith("."))


def test_a_pinned_version_gets_an_environment_with_its_dependencies_and_nothing_else(
    make_wheel: MakeWheel, home: Path
) -> None:
    make_wheel("stall", "0.3")
    make_wheel("kiosk", "1.0", requires=["stall"])
    make_wheel("kiosk", "2.0", requires=["stall"])
    library = open_library("Kiosk == 1.0")
    assert (library.label, library.name, library.version, library.origin) == ("kiosk==1.0", "kiosk", "1.0", "wheels")
    assert dict(library.distributions) == {"kiosk": "1.0", "stall": "0.3"}
    assert library.import_names == library.interpreter.packages == ("kiosk",)
    assert library.under_test == ("kiosk",)
    assert says(library, "import kiosk, stall; print(kiosk.VERSION, stall.VERSION)") == "1.0 0.3"
    with pytest.raises(subprocess.CalledProcessError):
        says(library, "import goldproof")
    assert open_library("kiosk==2.0").interpreter.python != library.interpreter.python
    assert len(folders(home)) == 2


def test_an_environment_is_made_once_and_found_again_without_the_index(make_wheel: MakeWheel, index: Path) -> None:
    make_wheel("kiosk", "1.0")
    first = open_library("kiosk==1.0")
    shutil.rmtree(index)
    assert open_library("kiosk==1.0") == first


def test_one_whose_interpreter_is_gone_is_made_again(make_wheel: MakeWheel) -> None:
    make_wheel("kiosk", "1.0")
    python = open_library("kiosk==1.0").interpreter.python
    python.unlink()
    python.symlink_to("/nowhere/python")
    assert says(open_library("kiosk==1.0"), "import kiosk; print(kiosk.VERSION)") == "1.0"


def test_several_distributions_share_an_environment_and_the_first_gives_the_name(make_wheel: MakeWheel) -> None:
    make_wheel("gadget", "5.0")
    make_wheel("kiosk", "1.0", requires=['gadget; extra == "fancy"'])
    make_wheel("stall", "0.3")
    library = open_library("kiosk[Fancy]==1.0, stall==0.3")
    assert library.label == "kiosk[fancy]==1.0,stall==0.3"
    assert (library.name, library.under_test, library.import_names) == ("kiosk", ("kiosk", "stall"), ("kiosk", "stall"))
    assert library.distributions["gadget"] == "5.0"


def test_everybody_may_read_an_environment(make_wheel: MakeWheel, home: Path) -> None:
    make_wheel("kiosk", "1.0")
    before = os.umask(0o077)
    try:
        open_library("kiosk==1.0")
    finally:
        os.umask(before)
    closed = [
        path
        for path in (home / "libraries" / folders(home)[0]).rglob("*")
        if not path.is_symlink() and not path.stat().st_mode & (0o001 if path.is_dir() else 0o004)
    ]
    assert closed == []


@pytest.mark.parametrize("spec", ["kiosk>=1", "kiosk~=1.0", "kiosk==1.*", "kiosk===1.0", "kiosk<2,stall==1"])
def test_a_range_of_versions_is_refused(spec: str) -> None:
    with pytest.raises(InputError, match=r"one version, so write kiosk==VERSION"):
        open_library(spec)


@pytest.mark.parametrize(
    "spec",
    [
        *("", " ", "kiosk @ ", "a b", "kiosk==1.0,kiosk==2.0", "-rfile", "kiosk;x", "kiosk==1.0,stall"),
        *("kiosk==", "kiosk==soon", "kiosk==1.0; python_version > '3'", "kiosk@kiosk.zip"),
    ],
)
def test_what_is_no_spec_is_refused(spec: str) -> None:
    with pytest.raises(InputError):
        open_library(spec)


@pytest.mark.slow
def test_what_went_wrong_is_said_in_one_sentence(make_wheel: MakeWheel, home: Path) -> None:
    make_wheel("stall", "0.3")
    make_wheel("kiosk", "1.0", requires=["stall<0.1"])
    make_wheel("kiosk", "2.0", requires=["stall<0.3"])
    make_wheel("metal", "1.0", tag="cp39-cp39-win_amd64")
    wrong = {
        "kiosk==9.9": r"^kiosk==9.9: there is no version 9.9 of kiosk; known: 2.0, 1.0\.\n  pip: ",
        "pydantik==1.0": r"no release of pydantik .* check the spelling\. Did you mean pydantic\?",
        "metal==1.0": r"no release of metal that this interpreter could use",
        "kiosk==1.0": r"^kiosk==1.0: the index has stall<0.1, but no wheel that fits",
        "kiosk==2.0,stall==0.3": r"contradict each other: .*kiosk 2.0 depends on stall<0.3",
    }
    for spec, message in wrong.items():
        with pytest.raises(InputError, match=message):
            open_library(spec)
    assert folders(home) == []


@pytest.mark.slow
def test_without_a_network_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, value in {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_CONFIG_FILE": "/dev/null"}.items():
        monkeypatch.setenv(variable, value)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    with pytest.raises(InputError, match=r"^kiosk==9: the package index cannot be reached"):
        open_library("kiosk==9")


@pytest.mark.usefixtures("index")
def test_a_name_that_sounds_like_a_network_is_none() -> None:
    with pytest.raises(InputError, match=r"no release of connection-proxy"):
        open_library("connection-proxy==9")


def test_a_wheel_file_is_known_by_its_content(make_wheel: MakeWheel, tmp_path: Path) -> None:
    make_wheel("stall", "0.3")
    wheel = make_wheel("kiosk", "1.0", requires=["stall"])
    library = open_library(str(wheel))
    assert library.origin == "wheel file"
    assert library.label.startswith("kiosk==1.0 (wheel ")
    assert str(tmp_path) not in library.label
    assert says(library, "import kiosk, stall; print(kiosk.VERSION)") == "1.0"
    other = make_wheel("kiosk", "1.0", requires=["stall"], body="CHANGED = True\n")
    changed = open_library(f"kiosk @ {other}")
    assert changed.label != library.label
    assert says(changed, "import kiosk; print(kiosk.CHANGED)") == "True"
    with pytest.raises(InputError, match=r"that is kiosk, not stall"):
        open_library(f"stall @ {other}")


def test_a_wheel_that_requires_an_address_is_refused(make_wheel: MakeWheel) -> None:
    wheel = make_wheel("kiosk", "1.0", requires=["stall @ git+https://example.invalid/stall"])
    with pytest.raises(InputError, match=r"an address that pip might build"):
        open_library(str(wheel))


def test_what_is_no_wheel_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no such file"):
        open_library(str(tmp_path / "kiosk-1.0-py3-none-any.whl"))
    (tmp_path / "text.whl").write_text("text")
    with pytest.raises(InputError, match=r"cannot be read as a wheel"):
        open_library(str(tmp_path / "text.whl"))


def test_two_at_once_make_one_environment(make_wheel: MakeWheel, home: Path) -> None:
    make_wheel("kiosk", "1.0")
    found: list[Library] = []
    threads = [threading.Thread(target=lambda: found.append(open_library("kiosk==1.0"))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3
    assert found[0] == found[1] == found[2]
    assert len(folders(home)) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_leaves_nothing_half_made(make_wheel: MakeWheel, home: Path) -> None:
    make_wheel("kiosk", "1.0")
    program = "from goldproof.corpus.libraries import open_library; open_library('kiosk==1.0')"
    process = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while not list(home.glob("libraries/.building/*/environment")) and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) != 0
    assert folders(home) == []
    assert list(home.glob("libraries/.building/*/*")) == []
    assert open_library("kiosk==1.0").version == "1.0"
