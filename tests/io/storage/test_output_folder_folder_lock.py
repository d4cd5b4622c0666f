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
from goldproof.io.storage.output_folder import writing_to
from goldproof.records.entities import Card

if TYPE_CHECKING:
    from pathlib import Path

CARD = Card("goldproof.eval", 1, inputs={"qrels": "a" * 64}, settings={"metrics": ["AP"]}, seed=1)
LOCK = ".goldproof.lock"
OURS = f"process {os.getpid()} on {socket.gethostname()}"


def dead_pid() -> int:
    return int(
        subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True).stdout
    )


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


LEFT_BEHIND = [b"", b"\xff\xfe", f"process {os.getpid()} on elsewhere.example\n".encode()]


@pytest.mark.parametrize("data", LEFT_BEHIND, ids=range(len(LEFT_BEHIND)))
def test_a_lock_file_that_no_process_holds_keeps_nobody_out(data: bytes, tmp_path: Path) -> None:
    (tmp_path / LOCK).write_bytes(data)
    with OutputFolder(tmp_path, card=CARD) as out:
        assert (out / LOCK).read_text() == f"{OURS}\n"
    assert names(tmp_path) == ["card.json"]


def test_a_folder_in_place_of_the_lock_is_refused(tmp_path: Path) -> None:
    (tmp_path / LOCK).mkdir()
    with pytest.raises(InputError, match="cannot be written"), OutputFolder(tmp_path, card=CARD):
        pass
    assert names(tmp_path) == [LOCK]


HOLDS_THE_LOCK = """
import sys
from goldproof.io import OutputFolder
with OutputFolder(sys.argv[1]):
    print("held", flush=True)
    input()
"""


def test_another_process_is_named_and_no_longer_keeps_others_out_once_it_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDS_THE_LOCK, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        with pytest.raises(ConflictError) as raised, OutputFolder(tmp_path, card=CARD):
            pass
        assert str(raised.value) == (
            f"{tmp_path}: another process is writing there (process {child.pid} on {socket.gethostname()})."
            "\n  Wait for it to end."
        )
        child.kill()
        child.wait()
    with OutputFolder(tmp_path, card=CARD):
        pass
    assert names(tmp_path) == ["card.json"]


def test_of_many_who_come_at_once_one_at_a_time_holds_the_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-c", COUNTS_UNDER_LOCK, str(tmp_path)]
    children = [subprocess.Popen(command) for _ in range(4)]
    assert [child.wait() for child in children] == [0] * 4
    assert (tmp_path / "count").read_text() == "100"


COUNTS_UNDER_LOCK = """
import sys
from pathlib import Path
from goldproof.errors import ConflictError
from goldproof.io.storage.output_folder import FolderLock
folder, counted = Path(sys.argv[1]), 0
while counted < 25:
    lock = FolderLock(folder)
    try:
        lock.take()
    except ConflictError:
        continue
    count = folder / "count"
    count.write_text(str(int(count.read_text() or 0) + 1 if count.exists() else 1))
    lock.release()
    counted += 1
"""


def test_a_claim_that_writes_nothing_leaves_nothing(tmp_path: Path) -> None:
    with OutputFolder(tmp_path / "a" / "b") as out:
        assert (out / LOCK).exists()
    assert names(tmp_path) == []
    with OutputFolder(tmp_path / "a") as out:
        (out / "notes.txt").write_text("kept")
    assert names(tmp_path / "a") == ["notes.txt"]


def test_a_claimed_folder_is_handed_to_who_writes(tmp_path: Path) -> None:
    with OutputFolder(tmp_path / "out") as claimed:
        with writing_to(claimed, card=CARD) as out:
            out.finish(CARD)
        assert (claimed / LOCK).exists()
    assert names(tmp_path / "out") == ["card.json"]


def test_a_claim_refuses_unknown_files_unless_forced(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(ConflictError, match=r"found thesis\.tex"), OutputFolder(tmp_path):
        pass
    with OutputFolder(tmp_path, force=True) as out:
        out.begin(CARD)
    assert names(tmp_path) == ["card.json", "thesis.tex"]


KILLED_WHILE_WRITING = """
import os, signal, sys
from goldproof.records.entities import Card
from goldproof.io import OutputFolder
def killed(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)
os.fsync = killed
with OutputFolder(sys.argv[1], card=Card("goldproof.eval", 1, inputs={}, settings={}, seed=1)):
    pass
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_a_writer_killed_while_writing_blocks_nobody_and_leaves_nothing(tmp_path: Path) -> None:
    child = subprocess.run([sys.executable, "-c", KILLED_WHILE_WRITING, str(tmp_path)], check=False)
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


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_lock_file_that_has_another_name_too_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "out").mkdir()
    os.link(tmp_path / "mine.txt", tmp_path / "out" / LOCK)
    with OutputFolder(tmp_path / "out", card=CARD):
        pass
    assert (tmp_path / "mine.txt").read_text() == "mine"
    (tmp_path / "out" / LOCK).symlink_to(tmp_path / "mine.txt")
    with pytest.raises(InputError, match="cannot be written"), OutputFolder(tmp_path / "out", card=CARD):
        pass
    assert (tmp_path / "mine.txt").read_text() == "mine"
