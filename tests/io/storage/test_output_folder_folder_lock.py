"""A folder has one writer at a time, and no killed writer keeps it from the next."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import ConflictError, InputError
from goldproof.io import OutputFolder, replace_file
from goldproof.io.atomic_files import is_alive, start_time
from goldproof.records.entities import Card

if TYPE_CHECKING:
    from pathlib import Path

CARD = Card("goldproof.eval", 1, inputs={"qrels": "a" * 64}, settings={"metrics": ["AP"]}, seed=1)
LOCK = ".goldproof.lock"
HOST = socket.gethostname()
OURS = f"{os.getpid()} {HOST} {start_time(os.getpid())}".rstrip() + "\n"
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says when a process started")


def dead_pid() -> int:
    return int(
        subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True).stdout
    )


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_lock_of_a_dead_process_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text(f"{dead_pid()} {HOST}\n")
    with OutputFolder(tmp_path, card=CARD) as out:
        assert (out / LOCK).read_text() == OURS
    assert names(tmp_path) == ["card.json"]


GARBLED = [b"", b"\n", b"\xff\xfe", "² vm".encode(), b"not a pid", b"12", f"{'9' * 5000} {HOST}\n".encode()]


@pytest.mark.parametrize("data", GARBLED, ids=range(len(GARBLED)))
def test_a_lock_that_no_writer_can_have_left_is_taken_over(data: bytes, tmp_path: Path) -> None:
    (tmp_path / LOCK).write_bytes(data)
    with OutputFolder(tmp_path, card=CARD) as out:
        assert (out / LOCK).read_text() == OURS
    assert names(tmp_path) == ["card.json"]


def test_the_lock_of_another_host_is_believed(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text("1 elsewhere.example\n")
    with pytest.raises(ConflictError, match=r"\(process 1 elsewhere.example\)"), OutputFolder(tmp_path, card=CARD):
        pass
    assert names(tmp_path) == [LOCK]


def test_a_folder_in_place_of_the_lock_is_a_conflict(tmp_path: Path) -> None:
    (tmp_path / LOCK).mkdir()
    with pytest.raises(ConflictError, match="process unknown"), OutputFolder(tmp_path, card=CARD):
        pass
    assert names(tmp_path) == [LOCK]


@linux
def test_a_process_that_was_given_the_same_id_later_does_not_block(tmp_path: Path) -> None:
    started = start_time(os.getppid())
    (tmp_path / LOCK).write_text(f"{os.getppid()} {HOST} {int(started) - 1}\n")
    with OutputFolder(tmp_path, card=CARD):
        pass
    for owner in (f"{os.getppid()} {HOST} {started}\n", f"{os.getppid()} {HOST}\n"):
        (tmp_path / LOCK).write_text(owner)
        with pytest.raises(ConflictError), OutputFolder(tmp_path, card=CARD):
            pass


@linux
def test_a_killed_process_that_nobody_has_asked_about_is_gone() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert is_alive(child.pid)
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not is_alive(child.pid)


KILLED_WHILE_LOCKING = """
import os, signal, sys
from goldproof.records.entities import Card
from goldproof.io import OutputFolder
call = getattr(os, sys.argv[2])
def killed(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)
setattr(os, sys.argv[2], killed)
with OutputFolder(sys.argv[1], card=Card("goldproof.eval", 1, inputs={}, settings={}, seed=1)):
    pass
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
@pytest.mark.parametrize("call", ["link", "fsync"])
def test_a_writer_killed_while_locking_or_writing_blocks_nobody_and_leaves_nothing(call: str, tmp_path: Path) -> None:
    child = subprocess.run([sys.executable, "-c", KILLED_WHILE_LOCKING, str(tmp_path), call], check=False)
    assert child.returncode == -signal.SIGKILL
    assert any(name.endswith(".tmp") for name in names(tmp_path))
    with OutputFolder(tmp_path, card=CARD):
        pass
    assert names(tmp_path) == ["card.json"]


def test_only_temporary_files_of_dead_processes_are_removed(tmp_path: Path) -> None:
    keep = [f".a.json.{os.getpid()}.0123abcd.tmp", ".notes.tmp", f".a.json.{dead_pid()}.xyz.tmp"]
    for name in (*keep, f".summary.json.{dead_pid()}.0123abcd.tmp"):
        (tmp_path / name).write_text("x")
    with OutputFolder(tmp_path, card=CARD):
        pass
    assert names(tmp_path) == sorted([*keep, "card.json"])


def test_without_hard_links_the_lock_still_keeps_others_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    with OutputFolder(tmp_path, card=CARD) as out:
        assert (out / LOCK).read_text() == OURS
        with pytest.raises(ConflictError), OutputFolder(tmp_path, card=CARD):
            pass
    assert names(tmp_path) == ["card.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="no such files there")
def test_what_is_not_a_regular_file_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "to_pipe").symlink_to("pipe")
    before = names(tmp_path)
    found = {
        str(tmp_path / "pipe"): "a pipe",
        str(tmp_path / "to_pipe"): "a pipe",
        str(tmp_path / "folder"): "a folder",
        str(tmp_path / "loop"): "a link that leads to itself",
        "/dev/full": "a device or socket",
    }
    for path, what in found.items():
        with pytest.raises(InputError) as raised:
            replace_file(path, b"x")
        assert str(raised.value) == f"{path}: is {what}, so no file can be written there; give another name."
    assert names(tmp_path) == before


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_stays_and_the_file_it_points_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "link").symlink_to("deep/file")
    for text in (b"one", b"two"):  # the first makes the file
        replace_file(tmp_path / "link", text)
        assert (tmp_path / "deep" / "file").read_bytes() == text
    assert (tmp_path / "link").is_symlink()
    assert names(tmp_path / "deep") == ["file"]
