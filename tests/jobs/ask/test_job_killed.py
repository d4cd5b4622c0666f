"""Killed or interrupted, drafting goes on where it was, and pays for nothing twice. Real processes, a real server."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

import orjson
import pytest

from goldproof.testing import Author, ModelServer, Slow, read_ledger
from tests.jobs.ask.test_job import files, fleet
from tests.jobs.mine.test_job_interrupted import interrupted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.testing import Request

KILLS = 6
AT_ONCE = 2
PATIENCE = 90.0
pytestmark = pytest.mark.slow


@contextmanager
def author(ledger: Path) -> Iterator[str]:
    """Run the author in a process of its own; yields its URL."""
    command = [sys.executable, "-m", "goldproof.testing", "--script", "goldproof.testing.author:author"]
    process = subprocess.Popen(
        [*command, "--ledger", str(ledger), "--until-stdin-closes"],
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


def write_corpus(folder: Path) -> Path:
    path = folder / "corpus.jsonl"
    path.write_bytes(b"".join(orjson.dumps({"id": each.id, "text": each.text}) + b"\n" for each in fleet()))
    return path


def command(corpus: Path, url: str, out: Path) -> list[str]:
    return [
        *(sys.executable, "-m", "goldproof", "ask", str(corpus), "--model", f"{url}#model=m", "-n", "12"),
        *("--concurrency", str(AT_ONCE), "--out", str(out)),
    ]


def test_killed_at_any_point_nothing_is_lost_and_only_calls_in_flight_are_paid_again(tmp_path: Path) -> None:
    ledger, corpus = tmp_path / "ledger.jsonl", write_corpus(tmp_path)
    env = {**os.environ, "GOLDPROOF_HOME": str(tmp_path / "home")}
    with author(ledger) as url:
        for number in range(1, KILLS + 1):
            process = subprocess.Popen(
                command(corpus, url, tmp_path / "out"), env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            until, end = 5 * number, time.monotonic() + PATIENCE
            while process.poll() is None and len(read_ledger(ledger)) < until:
                assert time.monotonic() < end
                time.sleep(0.002)
            process.kill()
            process.wait()
        assert not (tmp_path / "out" / "questions.jsonl").exists()
        paid = []
        for name in ("out", "again"):
            arguments = command(corpus, url, tmp_path / name)
            subprocess.run(arguments, env=env, check=True, capture_output=True, timeout=PATIENCE)
            paid.append(len(read_ledger(ledger)))
        contents = [line["content"] for line in read_ledger(ledger)]
    assert paid == [len(contents)] * 2  # the second run asked nothing
    assert len(contents) - len(Counter(contents)) <= KILLS * AT_ONCE
    assert files(tmp_path / "out") == files(tmp_path / "again")


def test_an_interrupt_says_what_is_kept_and_the_same_command_goes_on(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path)

    def slowly(request: Request) -> Slow:
        return Slow(0.2, then=Author()(request))

    with ModelServer(slowly) as server:
        env = {**os.environ, "GOLDPROOF_HOME": str(tmp_path / "home")}
        arguments = command(corpus, server.url, tmp_path / "out")
        code, said = interrupted(arguments, env=env, when=lambda: server.calls >= 5)
        assert code == 130
        assert "the same command goes on" in said
        assert not (tmp_path / "out" / "questions.jsonl").exists()
        subprocess.run(arguments, env=env, check=True, capture_output=True, timeout=PATIENCE)
        contents = [request.content for request in server.requests]
    assert len(contents) - len(set(contents)) <= AT_ONCE
