"""Folders that dead hosts left are removed; those of the living, of others and behind links are not."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from goldproof.sandbox.users import FIRST
from goldproof.sandbox.work_folders import make_folder, remove_left

HERE = Path("/proc/self/ns/pid").stat().st_ino


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="module")
def dead() -> int:
    """The id of a process that is gone."""
    with subprocess.Popen([sys.executable, "-S", "-c", ""]) as process:
        process.wait()
    return process.pid


def left(place: Path, pid: int, *, namespace: int = HERE, name: str = "abc") -> Path:
    folder = place / f"goldproof-box-{namespace}-{pid}-{name}"
    (folder / "proof").mkdir(parents=True)
    os.utime(folder, (0, 0))
    return folder


def test_a_folder_is_named_after_its_host_and_private() -> None:
    folder = Path(make_folder(None))
    assert folder.name.startswith(f"goldproof-box-{HERE}-{os.getpid()}-")
    assert folder.stat().st_mode & 0o777 == 0o700
    remove_left()
    assert folder.is_dir()


def test_what_a_dead_host_left_is_removed_at_the_next_start(place: Path, dead: int) -> None:
    folder = left(place, dead)
    made = make_folder(None)
    assert not folder.exists()
    assert list(place.iterdir()) == [Path(made)]


def test_other_folders_stay(place: Path, dead: int) -> None:
    kept = [
        left(place, os.getpid()),
        left(place, dead, namespace=HERE + 1),
        left(place, dead, name="a.b"),
    ]
    recent = left(place, dead, name="recent")
    os.utime(recent)
    remove_left()
    assert [folder.is_dir() for folder in [*kept, recent]] == [True] * 4


def test_links_are_neither_followed_nor_removed(place: Path, dead: int) -> None:
    target = place / "precious"
    target.mkdir()
    link = place / f"goldproof-box-{HERE}-{dead}-link"
    link.symlink_to(target)
    os.utime(link, (0, 0), follow_symlinks=False)
    (left(place, dead) / "inner").symlink_to(target)
    os.utime(place / f"goldproof-box-{HERE}-{dead}-abc", (0, 0))
    remove_left()
    assert target.is_dir()
    assert link.is_symlink()
    assert not (place / f"goldproof-box-{HERE}-{dead}-abc").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give folders away")
def test_root_removes_folders_of_the_users_that_scripts_run_as_and_of_no_other(place: Path, dead: int) -> None:
    of_scripts, of_somebody = left(place, dead, name="scripts"), left(place, dead, name="somebody")
    os.chown(of_scripts, FIRST, FIRST)
    os.chown(of_somebody, 1000, 1000)
    remove_left()
    assert not of_scripts.exists()
    assert of_somebody.is_dir()
