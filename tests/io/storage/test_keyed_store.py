"""The keyed store: nothing lost, nothing overwritten, many processes at once."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.io.storage.keyed_store import KeyedStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_what_was_put_is_got_and_what_was_not_is_left_out(tmp_path: Path) -> None:
    with KeyedStore(tmp_path / "a.sqlite") as store:
        store.put_many({b"one": b"1", b"two": b""})
        assert store.get_many([b"two", b"three", b"one", b"two"]) == {b"two": b"", b"one": b"1"}
        assert list(store.get_many([b"two", b"one"])) == [b"two", b"one"]
        assert len(store) == 2


def test_one_key_is_got_by_itself(tmp_path: Path) -> None:
    with KeyedStore(tmp_path / "a.sqlite") as store:
        store.put_many({b"one": b"1", b"two": b""})
        assert (store.get(b"one"), store.get(b"two"), store.get(b"three")) == (b"1", b"", None)


def test_only_the_value_that_was_found_damaged_is_replaced(tmp_path: Path) -> None:
    with KeyedStore(tmp_path / "a.sqlite") as store:
        store.put_many({b"one": b"damaged", b"two": b"damaged"})
        store.replace(b"one", damaged=b"damaged", value=b"whole")
        store.replace(b"one", damaged=b"damaged", value=b"too late")
        store.replace(b"three", damaged=b"damaged", value=b"not there")
        assert store.get_many([b"one", b"two", b"three"]) == {b"one": b"whole", b"two": b"damaged"}


def test_the_first_value_of_a_key_wins(tmp_path: Path) -> None:
    with KeyedStore(tmp_path / "a.sqlite") as store:
        store.put_many([(b"key", b"first"), (b"key", b"second")])
        store.put_many([(b"key", b"third")])
        assert store.get_many([b"key"]) == {b"key": b"first"}


def test_values_outlive_the_store_object(tmp_path: Path) -> None:
    with KeyedStore(tmp_path / "folder" / "a.sqlite") as store:
        store.put_many([(b"key", b"value")])
    with KeyedStore(tmp_path / "folder" / "a.sqlite") as store:
        assert store.get_many([b"key"]) == {b"key": b"value"}


def test_nothing_asked_or_put_is_nothing(tmp_path: Path) -> None:
    with KeyedStore(tmp_path / "a.sqlite") as store:
        store.put_many([])
        assert store.get_many([]) == {}
        assert len(store) == 0


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = KeyedStore(tmp_path / "a.sqlite")
    store.close()
    store.close()
    with pytest.raises(InputError, match="closed"):
        store.get_many([b"key"])


@given(items=st.lists(st.tuples(st.binary(max_size=8), st.binary(max_size=20)), max_size=30))
def test_it_is_a_dictionary_in_which_the_first_value_stays(
    items: list[tuple[bytes, bytes]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    expected: dict[bytes, bytes] = {}
    for key, value in items:
        expected.setdefault(key, value)
    with KeyedStore(tmp_path_factory.mktemp("store") / "a.sqlite") as store:
        store.put_many(items)
        assert store.get_many(expected) == expected
        assert len(store) == len(expected)


def test_more_keys_than_one_query_or_transaction_takes(tmp_path: Path) -> None:
    items = {number.to_bytes(4, "big"): str(number).encode() for number in range(2501)}
    with KeyedStore(tmp_path / "a.sqlite") as store:
        store.put_many(items)
        assert store.get_many(items) == items


WRITER = """
import sys
from goldproof.io.storage.keyed_store import KeyedStore
path, name = sys.argv[1], sys.argv[2]
with KeyedStore(path) as store:
    for number in range(40):
        shared = f"shared {number}".encode()
        store.put_many([(shared, name.encode()), (f"{name} {number}".encode(), b"own")])
        assert store.get_many([shared])[shared]
"""


def test_several_processes_write_the_same_and_other_keys_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    writers = [start(WRITER, path, name) for name in "abcd"]
    for writer in writers:
        _, errors = writer.communicate(timeout=120)
        assert writer.returncode == 0, errors
    with KeyedStore(path) as store:
        # 40 shared keys, and 40 of each of the four writers' own
        assert len(store) == 40 + 4 * 40
        shared = store.get_many(f"shared {number}".encode() for number in range(40))
        assert set(shared.values()) <= {b"a", b"b", b"c", b"d"}
        assert len(shared) == 40


ENDLESS_WRITER = """
import sys
from itertools import count
from goldproof.io.storage.keyed_store import KeyedStore
store = KeyedStore(sys.argv[1])
for number in count():
    store.put_many([(f"{number} {part}".encode(), bytes(5000)) for part in range(50)])
    print(number, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL on Windows")
def test_a_killed_writer_loses_nothing_it_had_put_and_leaves_no_half_batch(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    for round_number in range(3):
        writer = start(ENDLESS_WRITER, path)
        assert writer.stdout is not None
        for _ in range(5 + round_number):
            last = int(writer.stdout.readline())
        os.kill(writer.pid, signal.SIGKILL)
        rest = writer.communicate()[0].split()
        last = int(rest[-1]) if rest else last
        with KeyedStore(path) as store:
            put = [f"{number} {part}".encode() for number in range(last + 1) for part in range(50)]
            assert len(store.get_many(put)) == len(put)
            assert len(store) % 50 == 0
            store.put_many([(f"round {round_number} {part}".encode(), b"") for part in range(50)])
    with sqlite3.connect(path) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    plain.close()


def test_threads_share_one_store(tmp_path: Path) -> None:
    with KeyedStore(tmp_path / "a.sqlite") as store:

        def work(name: int) -> None:
            for number in range(20):
                store.put_many([(f"{name} {number}".encode(), b"x"), (f"shared {number}".encode(), b"y")])
                assert store.get_many([f"{name} {number}".encode()])

        threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(store) == 4 * 20 + 20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_opens_its_own_connection(tmp_path: Path) -> None:
    code = """
import os, sys
from goldproof.io.storage.keyed_store import KeyedStore
store = KeyedStore(sys.argv[1])
store.put_many([(b"parent", b"1")])
child = os.fork()
if child == 0:
    store.put_many([(b"child", b"2")])
    os._exit(0 if store.get_many([b"parent"]) else 1)
assert os.waitpid(child, 0)[1] == 0
print(sorted(store.get_many([b"parent", b"child"])))
"""
    process = start(code, tmp_path / "a.sqlite")
    printed, errors = process.communicate(timeout=60)
    assert printed.strip() == "[b'child', b'parent']", errors


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_that_is_forked_while_a_thread_uses_the_store_does_not_wait_for_that_thread(tmp_path: Path) -> None:
    code = """
import os, sys, threading
from goldproof.io.storage.keyed_store import KeyedStore
store = KeyedStore(sys.argv[1])
busy, done = threading.Event(), threading.Event()

def values():
    def hold(connection):
        busy.set()
        done.wait()
    store._run(hold)

threading.Thread(target=values).start()
busy.wait()
child = os.fork()
if child == 0:
    store.put_many([(b"child", b"2")])
    os._exit(0)
status = os.waitpid(child, 0)[1]
done.set()
print(status, store.get(b"child"))
"""
    process = start(code, tmp_path / "a.sqlite")
    try:
        printed, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert printed.strip() == "0 b'2'", errors


def test_a_text_file_in_its_place_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes.sqlite"
    path.write_text("Dear diary, today I was opened as a database.\n" * 50)
    before = path.read_bytes()
    with pytest.raises(
        InputError,
        match=r"notes\.sqlite: is damaged, or not a store.*\n  Move it away.*sqlite3 notes\.sqlite \.recover",
    ):
        KeyedStore(path)
    assert path.read_bytes() == before


def test_a_database_of_another_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE items (name TEXT)")
    other.commit()
    other.close()
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"other\.sqlite: is a database of another program"):
        KeyedStore(path)
    assert path.read_bytes() == before


def test_a_store_of_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    KeyedStore(path).close()
    later = sqlite3.connect(path)
    later.execute("PRAGMA user_version = 7")
    later.close()
    with pytest.raises(InputError, match="store of version 7"):
        KeyedStore(path)


def test_a_truncated_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    items = {number.to_bytes(4, "big"): bytes(2000) for number in range(200)}
    with KeyedStore(path) as store:
        store.put_many(items)
    whole = path.read_bytes()
    assert len(whole) > 200 * 2000
    path.write_bytes(whole[: len(whole) // 3])
    with (
        pytest.raises(InputError, match=r"a\.sqlite: is damaged.*\n  Move it away.*sqlite3 a\.sqlite \.recover"),
        KeyedStore(path) as store,
    ):
        store.get_many(items)


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    path.touch()
    with KeyedStore(path) as store:
        store.put_many([(b"key", b"value")])
        assert len(store) == 1


def test_a_folder_in_its_place_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be used: unable to open database file"):
        KeyedStore(tmp_path)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is a folder that nobody may write to")
def test_a_folder_that_cannot_be_written_is_named() -> None:
    with pytest.raises(InputError, match=r"/proc/goldproof\.sqlite: cannot be used"):
        KeyedStore("/proc/goldproof.sqlite")
    with pytest.raises(InputError, match=r"/proc/goldproof/a\.sqlite: cannot be written"):
        KeyedStore("/proc/goldproof/a.sqlite")


FULL_DISK = """
import resource, signal, sys
from goldproof.errors import InputError
from goldproof.io.storage.keyed_store import KeyedStore
store = KeyedStore(sys.argv[1])
store.put_many([(b"before", b"1")])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
try:
    store.put_many((number.to_bytes(4, "big"), bytes(5000)) for number in range(500))
except InputError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(store.get_many([b"before"]), len(store))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no RLIMIT_FSIZE on Windows")
def test_a_file_that_cannot_grow_is_named_and_keeps_what_it_had(tmp_path: Path) -> None:
    process = start(FULL_DISK, tmp_path / "a.sqlite")
    printed, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    first, second = printed.splitlines()
    assert "a.sqlite: cannot be used: " in first
    assert second == "{b'before': b'1'} 1"


def test_a_store_that_nobody_closed_lets_go_of_its_file_with_its_last_user(
    tmp_path: Path, open_databases: Callable[[], list[str]]
) -> None:
    store = KeyedStore(tmp_path / "a.sqlite")
    store.put_many({b"one": b"1"})
    assert open_databases() == ["a.sqlite"]
    del store
    assert open_databases() == []


def test_a_released_store_opens_its_file_again_when_it_is_used(
    tmp_path: Path, open_databases: Callable[[], list[str]]
) -> None:
    with KeyedStore(tmp_path / "a.sqlite") as store:
        store.put_many({b"one": b"1"})
        store.release()
        assert open_databases() == []
        assert store.get(b"one") == b"1"
    assert open_databases() == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_that_exits_leaves_its_parents_connection_alone(tmp_path: Path) -> None:
    # Closing a connection that came through a fork would remove the log beside the file, with what the parent wrote.
    code = """
import os, sys
from goldproof.io.storage.keyed_store import KeyedStore
store = KeyedStore(sys.argv[1])
store.put_many([(b"parent", b"1")])
child = os.fork()
if child == 0:
    sys.exit(0 if store._ended is None else 1)
print(os.waitpid(child, 0)[1], os.path.exists(sys.argv[1] + "-wal"), store.get(b"parent"))
"""
    printed, errors = start(code, tmp_path / "a.sqlite").communicate(timeout=60)
    assert (printed.strip(), errors) == ("0 True b'1'", "")
