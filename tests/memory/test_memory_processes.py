"""One file, several processes: what one has added the others find, and a killed one leaves nothing half-done."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

from goldproof.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

ADD = """
import sys
from goldproof.memory import Memory
path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
memory = Memory("bm25", path=path)
print("ready", flush=True)
for i in range(count):
    memory.add("user", f"word of {name} number{i}", {"by": name})
    print(i, flush=True)
"""


def adding(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", ADD, str(path), name, str(count)], stdout=subprocess.PIPE, text=True)


def test_a_memory_of_one_process_is_found_by_another_that_had_the_file_open(tmp_path: Path) -> None:
    path = tmp_path / "memories.sqlite"
    with Memory("bm25", path=path) as memory:
        memory.add("user", "word of the first")
        assert len(memory.search("word")) == 1
        assert adding(path, "other", 2).communicate(timeout=60)
        assert [hit.doc_id for hit in memory.search("word", filters={"by": "other"})] == ["m000003", "m000002"]
        assert len(memory.search("first")) == 1


def test_a_memory_that_another_process_has_cleared_and_filled_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "memories.sqlite"
    with Memory("bm25", path=path) as memory, Memory("bm25", path=path) as other:
        memory.add("user", "an old word")
        assert len(memory.search("word")) == 1
        other.clear()
        assert memory.search("word") == []
        memory.add("user", "an old word")
        memory.search("word")
        other.clear()
        other.add("user", "a new word")  # as many as before
        assert [hit.text for hit in memory.search("word")] == ["a new word"]


def test_processes_that_write_at_once_lose_nothing_and_share_no_id(tmp_path: Path) -> None:
    path = tmp_path / "memories.sqlite"
    writers = [adding(path, name, 60) for name in ("anna", "ben", "carl")]
    for writer in writers:
        writer.communicate(timeout=120)
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    with Memory("bm25", path=path) as memory:
        assert len(memory) == 180
        hits = memory.search("word", 500)
        assert sorted(hit.doc_id for hit in hits) == [f"m{i:06d}" for i in range(1, 181)]
        for name in ("anna", "ben", "carl"):
            texts = [hit.text for hit in sorted(memory.search(name, 500), key=lambda hit: hit.doc_id)]
            assert texts == [f"word of {name} number{i}" for i in range(60)]


def test_a_writer_that_is_killed_leaves_what_it_had_said_was_added(tmp_path: Path) -> None:
    path = tmp_path / "memories.sqlite"
    writer = adding(path, "anna", 100_000)
    assert writer.stdout is not None
    said = 0
    for line in writer.stdout:
        said += line.strip().isdecimal()
        if said == 50:
            break
    writer.send_signal(signal.SIGKILL)
    said += sum(line.strip().isdecimal() for line in writer.stdout)
    writer.wait(timeout=60)
    writer.stdout.close()
    with Memory("bm25", path=path) as memory:
        assert len(memory) in (said, said + 1)  # the last one may have been added and not yet told
        assert memory.add("user", "life goes on") == [f"m{len(memory):06d}"]
        assert [hit.text for hit in memory.search("life")] == ["life goes on"]
