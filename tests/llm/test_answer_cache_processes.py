"""Several processes on one cache: every question is paid for once, and a kill costs at most the calls in flight.

The paid call is a line in a file, written before the answer comes; a second file says which puts have returned.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import pytest

from goldproof.llm.answer_cache import AnswerCache

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL on Windows")

IN_FLIGHT = 8
WORKER = """
import asyncio, os, random, sys
from pathlib import Path
from goldproof.llm.answer_cache import AnswerCache, KeptReply

folder, questions, seed, in_flight = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
cache = AnswerCache(folder / "answers.sqlite")
chance = random.Random(seed)
paid, kept = (os.open(folder / name, os.O_WRONLY | os.O_APPEND | os.O_CREAT) for name in ("paid", "kept"))

def note(file, key):
    os.write(file, f"{key} {os.getpid()}\\n".encode())  # a short write at the end of a file is whole or not there

async def answer(key):
    reply = cache.get(key.encode())
    if reply is None:
        async with cache.claim(key.encode()) as reply:
            if reply is None:
                note(paid, key)
                await asyncio.sleep(chance.uniform(0, 0.01))
                reply = await cache.put(key.encode(), KeptReply(f"answer {key} by {os.getpid()}"))
                note(kept, key)
    assert reply.text.startswith(f"answer {key} by "), reply
    return reply.text

async def main():
    keys = [str(number) for number in range(questions)]
    chance.shuffle(keys)
    free = asyncio.Semaphore(in_flight)
    async def one(key):
        async with free:
            return await answer(key)
    print("ready", flush=True)
    sys.stdin.readline()  # all begin together
    answers = await asyncio.gather(*map(one, keys))
    print("\\n".join(sorted(answers)))

asyncio.run(main())
"""


class Note(NamedTuple):
    """A line of the worker's files."""

    key: str
    pid: int


def start(folder: Path, *, questions: int, seed: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WORKER, str(folder), str(questions), str(seed), str(IN_FLIGHT)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def begin(workers: list[subprocess.Popen[str]]) -> None:
    """Have all begin together, once the last is ready."""
    for worker in workers:
        assert worker.stdout is not None
        worker.stdout.readline()
    for worker in workers:
        print("go", file=worker.stdin, flush=True)


def finish(workers: list[subprocess.Popen[str]]) -> set[str]:
    """Wait for all; return what they printed, each kind once."""
    printed = set()
    for worker in workers:
        out, errors = worker.communicate(timeout=120)
        assert worker.returncode == 0, errors
        printed.add(out)
    return printed


def notes(path: Path) -> list[Note]:
    lines = path.read_text().splitlines() if path.exists() else []
    return [Note(key, int(pid)) for key, pid in (line.split() for line in lines)]


def test_four_processes_pay_for_each_of_their_common_questions_once(tmp_path: Path) -> None:
    workers = [start(tmp_path, questions=200, seed=seed) for seed in range(4)]
    begin(workers)
    assert len(finish(workers)) == 1  # all four go on with the same answers
    assert Counter(note.key for note in notes(tmp_path / "paid")) == {str(number): 1 for number in range(200)}


@pytest.mark.slow
def test_ten_kills_lose_no_answer_and_pay_twice_only_for_calls_in_flight(tmp_path: Path) -> None:
    chance = random.Random(20)
    cut_off = 0
    for round_number in range(10):
        folder = tmp_path / str(round_number)
        folder.mkdir()
        workers = [start(folder, questions=120, seed=3 * round_number + each) for each in range(3)]
        begin(workers)
        victim, *others = workers
        kill_after(victim, chance.randrange(1, 40), folder)
        check_kept(folder)
        late = start(folder, questions=120, seed=1000 + round_number)
        begin([late])
        assert len(finish([*others, late])) == 1
        check_kept(folder)
        cut_off += check_paid(folder, victim=victim.pid)
    assert cut_off > 0  # else no kill came at a time that matters


def kill_after(victim: subprocess.Popen[str], calls: int, folder: Path) -> None:
    """Kill a worker as soon as it has paid for so many calls, or for the most that the other one leaves it."""
    while victim.poll() is None:
        if sum(note.pid == victim.pid for note in notes(folder / "paid")) >= calls:
            break
        time.sleep(0.001)
    victim.kill()
    victim.communicate()


def check_kept(folder: Path) -> None:
    """Nothing whose put had returned is lost."""
    cache = AnswerCache(folder / "answers.sqlite")
    for note in notes(folder / "kept"):
        kept = cache.get(note.key.encode())
        assert kept is not None, note
        assert kept.text == f"answer {note.key} by {note.pid}"
    cache.close()


def check_paid(folder: Path, *, victim: int) -> int:
    """Everything is paid for once, but for what the victim had in flight; return how much that was."""
    paid, kept = notes(folder / "paid"), notes(folder / "kept")
    in_flight = {note.key for note in paid if note.pid == victim} - {note.key for note in kept if note.pid == victim}
    assert len(in_flight) <= IN_FLIGHT
    times = Counter(note.key for note in paid)
    assert len(times) == 120
    assert {key for key, count in times.items() if count > 1} <= in_flight
    assert max(times.values()) <= 2
    return len(in_flight)
