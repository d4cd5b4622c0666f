"""`make`: a second interpreter gets a venv of its own; `.ci/run` says which Pythons were run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="no make on this machine")
OWN = f"{sys.version_info.major}.{sys.version_info.minor}"


def interpreter(path: Path, version: str) -> Path:
    """Write something that says it is a Python of that version."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho {version}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def folder(repo: Path, tmp_path: Path) -> Path:
    """A copy of what make reads, where python3 says 3.11."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(repo / name, tmp_path)
    interpreter(tmp_path / "bin" / "python3", "3.11")
    return tmp_path


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    ours = {"PYTHON", "VENV", "MARKS", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"}  # of a make that runs these tests
    variables = {name: value for name, value in os.environ.items() if name not in ours}
    return subprocess.run(
        ["make", *arguments], cwd=folder, env={**variables, "PATH": path}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("version", "venv"), [(None, ".venv"), ("3.11", ".venv"), ("3.13", ".venv-3.13"), ("3.12", ".venv-3.12")]
)
def test_each_version_has_a_venv_of_its_own(folder: Path, version: str | None, venv: str) -> None:
    named = () if version is None else (f"PYTHON={interpreter(folder / 'other', version)}",)
    for target in ("setup", "demo", "test", "check", "docs", "bench", "clean"):
        done = make(folder, "-n", target, *named)
        assert done.returncode == 0, done.stderr
        assert set(re.findall(r"(\.venv[-.\d]*)(?:/| build)", done.stdout)) == {venv}, target
        given = make(folder, "-n", target, *named, "VENV=.venv-own")
        assert set(re.findall(r"(\.venv[-.\w]*)(?:/| build)", given.stdout)) == {".venv-own"}, target


def test_a_venv_of_another_version_is_refused(folder: Path) -> None:
    interpreter(folder / ".venv" / "bin" / "python", "3.11")
    done = make(folder, "test", f"PYTHON={interpreter(folder / 'other', '3.13')}", "VENV=.venv")
    assert done.returncode != 0
    assert done.stdout == (
        f".venv has Python 3.11, but PYTHON={folder / 'other'} is 3.13: leave VENV out, or name another folder.\n"
    )


def test_an_interpreter_that_cannot_be_run_is_named(folder: Path) -> None:
    done = make(folder, "test", "PYTHON=python0.0")
    assert done.returncode != 0
    assert "PYTHON=python0.0 cannot be run; install it, or name another" in done.stderr


def test_clean_removes_nothing_that_is_no_venv(folder: Path) -> None:
    (folder / "notes").mkdir()
    assert make(folder, "clean", "VENV=notes").returncode != 0
    assert (folder / "notes").is_dir()


@pytest.mark.parametrize("broken", [None, "3.97"])
def test_ci_runs_what_is_installed_and_says_what_is_not(repo: Path, folder: Path, broken: str | None) -> None:
    (folder / ".ci").mkdir()
    shutil.copy(repo / ".ci" / "run", folder / ".ci")
    (folder / "pyproject.toml").write_text(
        "".join(f'"Programming Language :: Python :: {one}",\n' for one in ("3", OWN, "3.97", "3.98", "3.99"))
    )
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
    for version in ("3.97", "3.98"):  # both say that they are what was asked for
        interpreter(folder / "home" / "versions" / f"{version}.1" / "bin" / "python3", version)
    log = folder / "log"
    fake = folder / "bin" / "make"
    fake.write_text(f'#!/bin/sh\necho "$@" >> {log}\ncase "$*" in *VENV=.venv-{broken}*) exit 2;; esac\n')
    fake.chmod(0o755)
    done = subprocess.run(
        [folder / ".ci" / "run"],
        env={**os.environ, "PATH": f"{folder / 'bin'}:/usr/bin:/bin", "PYENV_ROOT": str(folder / "home")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    others = ["3.97", "3.98"]
    assert log.read_text().splitlines() == [
        *("system-deps", "check", "test", "demo", "docs"),
        *(f"test PYTHON={folder}/home/versions/{one}.1/bin/python3 VENV=.venv-{one} MARKS=not slow" for one in others),
    ]
    passed = [one for one in others if one != broken]
    failed = [one for one in others if one == broken]
    assert done.returncode == (1 if failed else 0)
    assert done.stdout.endswith(
        f"Python {OWN}: every test passed. All but the slow tests passed on: {' '.join(passed)}. "
        f"Failed on: {' '.join(failed) or 'none'}. Not installed, so not run: 3.99. 0 minutes.\n"
    )
