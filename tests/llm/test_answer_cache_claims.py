"""A claim is held by one caller at a time, over threads and processes, and does not outlive its process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import InputError
from goldproof.llm.answer_cache import Claims, _place

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOLDER = """
import sys
from goldproof.llm.answer_cache import Claims
claims = Claims(sys.argv[1])
print(claims.try_take(sys.argv[2].encode()), flush=True)
for line in sys.stdin:
    claims.release(sys.argv[2].encode())
    print("released", flush=True)
"""


@contextmanager
def holder(path: Path, key: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Another process that tries to take a claim; with what came of it."""
    command = [sys.executable, "-c", HOLDER, str(path), key]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def test_a_claim_is_taken_once_until_it_is_released(tmp_path: Path) -> None:
    claims = Claims(tmp_path / "claims")
    assert claims.try_take(b"one")
    assert not claims.try_take(b"one")
    assert claims.try_take(b"two")
    claims.release(b"one")
    assert claims.try_take(b"one")


def test_releasing_what_was_not_taken_does_nothing(tmp_path: Path) -> None:
    claims = Claims(tmp_path / "claims")
    claims.release(b"one")
    assert claims.try_take(b"one")


def test_objects_of_one_file_share_their_claims(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    one, two = Claims(tmp_path / "folder" / "claims"), Claims(tmp_path / "link" / "claims")
    assert one.try_take(b"key")
    assert not two.try_take(b"key")
    del one  # the claim is the process's, not the object's
    assert not two.try_take(b"key")
    two.release(b"key")
    assert two.try_take(b"key")


def test_another_process_sees_the_claim_and_its_end(tmp_path: Path) -> None:
    claims = Claims(tmp_path / "claims")
    with holder(tmp_path / "claims", "key") as (process, taken):
        assert taken == "True"
        assert not claims.try_take(b"key")
        assert claims.try_take(b"another key")
        print("go", file=process.stdin, flush=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "released\n"
        assert claims.try_take(b"key")
    with holder(tmp_path / "claims", "key") as (_, taken):
        assert taken == "False"


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL on Windows")
def test_a_killed_process_leaves_no_claim(tmp_path: Path) -> None:
    claims = Claims(tmp_path / "claims")
    with holder(tmp_path / "claims", "key") as (process, taken):
        assert taken == "True"
        assert not claims.try_take(b"key")
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert claims.try_take(b"key")


def test_two_keys_on_one_byte_wait_for_each_other_and_nothing_else(tmp_path: Path) -> None:
    one, two = colliding_keys()
    claims = Claims(tmp_path / "claims")
    assert claims.try_take(one)
    assert not claims.try_take(two)
    claims.release(one)
    assert claims.try_take(two)
    assert not claims.try_take(one)


def colliding_keys() -> tuple[bytes, bytes]:
    """Two keys on one byte: some 60,000 tries, as birthdays go among 2,147,483,647."""
    seen: dict[int, bytes] = {}
    for number in count():
        key = str(number).encode()
        other = seen.setdefault(_place(key), key)
        if other != key:
            return other, key
    raise AssertionError


def test_threads_of_one_process_are_told_apart(tmp_path: Path) -> None:
    claims = Claims(tmp_path / "claims")
    taken: list[bytes] = []

    def work() -> None:
        taken.extend(key for key in (str(number).encode() for number in range(300)) if claims.try_take(key))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == sorted(str(number).encode() for number in range(300))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_holds_none_of_its_parents_claims(tmp_path: Path) -> None:
    code = """
import os, sys
from goldproof.llm.answer_cache import Claims
claims = Claims(sys.argv[1])
assert claims.try_take(b"parent's")
tried, trying = os.pipe()
released, releasing = os.pipe()
child = os.fork()
if child == 0:
    early, own = claims.try_take(b"parent's"), claims.try_take(b"child's")
    os.write(trying, b".")
    os.read(released, 1)
    os._exit(100 * early + 10 * own + claims.try_take(b"parent's"))
os.read(tried, 1)
claims.release(b"parent's")
os.write(releasing, b".")
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), claims.try_take(b"child's"))
"""
    command = [sys.executable, "-c", code, str(tmp_path / "claims")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    # The parent's claim is not the child's (0), its own is (1), and the parent's once it is given back (1).
    assert done.stdout.split() == ["11", "True"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is a folder that nobody may write to")
def test_a_folder_that_cannot_be_written_is_named() -> None:
    with pytest.raises(InputError, match=r"^/proc/goldproof/claims: cannot be written: .*GOLDPROOF_HOME"):
        Claims("/proc/goldproof/claims")
