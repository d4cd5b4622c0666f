"""Mining that is killed goes on where it was; mining twice at once pays once. Real processes, a real server."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from goldproof.testing import read_ledger
from tests.jobs.mine.planted import make_world

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

ROUNDS = 20
AT_ONCE = 4
PATIENCE = 120.0
pytestmark = pytest.mark.slow


@contextmanager
def teacher(repo: Path, ledger: Path) -> Iterator[str]:
    """Run the server that knows the planted world in a process of its own; yields its URL."""
    command = [sys.executable, "-m", "goldproof.testing", "--script", "tests.jobs.mine.planted:script"]
    process = subprocess.Popen(
        [*command, "--ledger", str(ledger), "--until-stdin-closes"],
        cwd=repo,
        env={**os.environ, "PYTHONPATH": str(repo)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()
            process.wait(timeout=PATIENCE)


class Mining:
    """`goldproof mine` on the planted world, as a command."""

    def __init__(self, folder: Path, url: str) -> None:
        self._folder = folder
        queries, corpus = make_world().write(folder)
        self._command = [
            *(sys.executable, "-m", "goldproof", "mine", "--kernels", "--skip-no-context", "--random", "3"),
            *("--cases", str(queries), "--corpus", f"jsonl:{corpus}", "--judge", f"llm:{url}#model=teacher"),
            *("--concurrency", str(AT_ONCE)),
        ]

    def start(self, out: str) -> subprocess.Popen[bytes]:
        """Start it; it is the caller who ends it."""
        return subprocess.Popen(
            [*self._command, "--out", str(self._folder / out)],
            env={**os.environ, "GOLDPROOF_HOME": str(self._folder / "home")},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def finish(self, *outs: str) -> None:
        """Run it to its end, for several folders at the same time."""
        running = [self.start(out) for out in outs]
        for process in running:
            _, said = process.communicate(timeout=PATIENCE)
            assert process.returncode == 0, said.decode()

    def files(self, out: str) -> dict[str, bytes]:
        """Every file that was written, but the one that a clock decides."""
        folder = self._folder / out
        found = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "run.json")
        return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def kill_somewhere(process: subprocess.Popen[bytes], ledger: Path, draw: random.Random) -> bool:
    """Kill a process once some more answers are paid for, or, one time in five, at any moment from its start on.

    False where it was done before.
    """
    started, before = time.monotonic(), len(read_ledger(ledger))
    answers = draw.randint(1, 15)
    moment = draw.uniform(0.1, 4.0) if draw.random() < 0.2 else PATIENCE
    while process.poll() is None and len(read_ledger(ledger)) < before + answers:
        if time.monotonic() - started > moment:
            break
        time.sleep(0.002)
    assert time.monotonic() - started < PATIENCE
    killed = process.poll() is None
    process.kill()
    process.communicate()
    return killed


def repeats(ledger: Path) -> int:
    """How many answers were paid for that had been paid for before."""
    contents: Sequence[str] = [line["content"] for line in read_ledger(ledger)]
    return len(contents) - len(Counter(contents))


def test_killed_at_any_point_nothing_is_lost_and_nothing_paid_twice_beyond_calls_in_flight(
    tmp_path: Path, repo: Path
) -> None:
    draw, ledger = random.Random(7), tmp_path / "ledger.jsonl"
    with teacher(repo, ledger) as url:
        mining = Mining(tmp_path, url)
        kills = sum(kill_somewhere(mining.start("killed"), ledger, draw) for _ in range(ROUNDS))
        assert kills == ROUNDS
        assert not (tmp_path / "killed" / "retrieval_dataset.yaml").exists()
        mining.finish("killed")
        assert repeats(ledger) <= kills * AT_ONCE
        paid = len(read_ledger(ledger))
        mining.finish("again")
        assert len(read_ledger(ledger)) == paid  # everything is kept
    assert mining.files("killed") == mining.files("again")


def test_two_at_once_on_one_cache_pay_for_each_answer_once_and_write_the_same(tmp_path: Path, repo: Path) -> None:
    ledger = tmp_path / "ledger.jsonl"
    with teacher(repo, ledger) as url:
        mining = Mining(tmp_path, url)
        mining.finish("one", "two", "three")
    assert len(read_ledger(ledger)) > 100
    assert repeats(ledger) == 0
    assert mining.files("one") == mining.files("two") == mining.files("three")
