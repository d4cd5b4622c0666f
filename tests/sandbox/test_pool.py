"""Zygotes live and die behind `run`: replaced when lost, shared by threads, and gone at the end."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from goldproof.sandbox import Limits, open_sandbox, this_interpreter
from goldproof.sandbox.pool import Pool

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.sandbox.run import Level

LEVELS = (
    pytest.param(
        "bubblewrap",
        marks=pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is missing: make system-deps"),
    ),
    "locks",
)
SHORT = Limits(seconds=20.0)
FORKS = "import os, time\nfor _ in range(3):\n    if os.fork() == 0:\n        os.setsid(); time.sleep(300)\n"


def below(pid: int) -> list[int]:
    """Ids of the processes below one."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # it ends at this moment
            for child in task.read_text(encoding="ascii").split():
                found += [int(child), *below(int(child))]
    return found


def wait_until_gone(pids: list[int]) -> None:
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() < deadline, f"still there: {pids}"
        time.sleep(0.01)


@pytest.fixture(params=LEVELS)
def pool(request: pytest.FixtureRequest) -> Iterator[Pool]:
    level: Level = request.param
    with open_sandbox(this_interpreter(), workers=2, level=level, limits=SHORT, probe=False) as box:
        assert isinstance(box, Pool)
        yield box


def innermost(pool: Pool) -> int:
    """The zygote itself: bubblewrap has it as a child."""
    (zygote,) = pool._living
    return (below(zygote.process.pid) or [zygote.process.pid])[-1]


def test_a_dead_zygote_is_replaced(pool: Pool) -> None:
    first = innermost(pool)
    os.kill(first, signal.SIGKILL)
    wait_until_gone([first] if (pool.launcher.level == "bubblewrap") else [])
    assert pool.run("print(1)").stdout == "1\n"
    assert innermost(pool) != first


def test_a_silent_zygote_is_replaced(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldproof.sandbox.zygote.GRACE_SECONDS", 0.5)
    monkeypatch.setattr("goldproof.sandbox.zygote.END_SECONDS", 0.1)
    first = innermost(pool)
    os.kill(first, signal.SIGSTOP)
    assert pool.run("print(1)", limits=Limits(seconds=0.5)).stdout == "1\n"
    wait_until_gone([first])


def test_a_script_that_is_lost_twice_is_lost(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: object, **__: object) -> dict[str, object]:
        return {"ended": "won", "clear": True}

    monkeypatch.setattr("goldproof.sandbox.zygote.Zygote.run", nothing)
    run = pool.run("print(1)")
    assert (run.ended, run.counts, run.level) == ("lost", False, pool.launcher.level)
    assert "'won'" in run.reason


def test_threads_share_the_workers_and_get_their_own_answers(pool: Pool) -> None:
    with ThreadPoolExecutor(6) as threads:
        printed = list(threads.map(lambda n: pool.run(f"print({n})").stdout, range(30)))
    assert printed == [f"{n}\n" for n in range(30)]
    assert len(pool._living) == 2


def test_zygotes_outlive_the_thread_that_first_needed_them(pool: Pool) -> None:
    pids: list[str] = []
    for _ in range(2):
        thread = threading.Thread(target=lambda: pids.append(pool.run("import os; print(os.getppid())").stdout))
        thread.start()
        thread.join()
    before = innermost(pool)
    assert pool.run("print(1)").ended == "finished"
    assert innermost(pool) == before


def test_close_leaves_no_process_and_no_folder(pool: Pool) -> None:
    assert pool.run(FORKS).ended == "finished"
    folders = {folder for zygote in pool._living for folder in zygote.launch.remove}
    processes = [pid for zygote in pool._living for pid in (zygote.process.pid, *below(zygote.process.pid))]
    assert processes
    pool.close()
    assert not [pid for pid in processes if Path(f"/proc/{pid}").exists()]
    assert not [folder for folder in folders if Path(folder).exists()]
    assert pool.run("print(1)").reason == "the sandbox broke: it is closed"
    pool.close()


def test_close_ends_what_is_running(pool: Pool) -> None:
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(pool.run, f"{FORKS}\nwhile True: pass", limits=Limits(seconds=60.0))
        time.sleep(0.5)
        processes = below(next(iter(pool._living)).process.pid)
        pool.close()
        assert running.result(timeout=30).ended == "lost"
    wait_until_gone(processes)


HOST = """
import sys, threading
from goldproof.sandbox import Limits, open_sandbox, this_interpreter
box = open_sandbox(this_interpreter(), workers=1, level={level!r}, limits=Limits(seconds=60.0), probe=False)
threading.Thread(target=box.run, args=({script!r},), daemon=True).start()
import time; time.sleep(0.5)
print("running", flush=True)
{then}
"""


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("then", ["time.sleep(300)", ""])
def test_a_host_that_is_killed_or_just_ends_leaves_nothing(level: Level, then: str) -> None:
    program = HOST.format(level=level, script=f"{FORKS}\ntime.sleep(300)", then=then)
    with tempfile.TemporaryDirectory() as folder:
        host = subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": folder}
        )
        Path(folder).chmod(0o777)
        assert host.stdout is not None
        assert host.stdout.readline() == "running\n"
        processes = below(host.pid)
        if then:
            assert len(processes) > 3
            host.kill()
        host.wait(timeout=30)
        host.stdout.close()
        wait_until_gone(processes)
        assert list(Path(folder).iterdir()) == []
