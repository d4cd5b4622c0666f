"""Ctrl-C ends mining at once, and what was answered is kept. A real process with a terminal, a real server."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from goldproof.testing import ModelServer, Slow
from tests.jobs.mine.planted import Teacher, answer, make_world

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.testing import Request

PATIENCE = 90.0
AT_ONCE = 2


@pytest.mark.slow
def test_an_interrupt_at_the_terminal_ends_it_and_the_same_command_goes_on(tmp_path: Path) -> None:
    world = make_world(questions=6)
    queries, corpus = world.write(tmp_path)
    teacher = Teacher(world)

    def slowly(request: Request) -> Slow:
        return Slow(0.3, then=answer(teacher, request))

    with ModelServer(slowly) as server:
        command = [
            *(sys.executable, "-m", "goldproof", "mine", "--cases", str(queries), "--corpus", f"jsonl:{corpus}"),
            *("--judge", f"llm:{server.url}#model=m", "--concurrency", str(AT_ONCE), "--skip-no-context"),
            *("--out", str(tmp_path / "out")),
        ]
        env = {**os.environ, "GOLDPROOF_HOME": str(tmp_path / "home")}
        code, said = interrupted(command, env=env, when=lambda: server.calls >= 5)
        after = server.calls
        assert code == 130
        assert "the same command goes on" in said
        assert not (tmp_path / "out" / "judgments.jsonl").exists()
        time.sleep(1.0)
        assert server.calls == after  # nobody goes on asking
        subprocess.run(command, env=env, check=True, capture_output=True, timeout=PATIENCE)
        contents = [request.content for request in server.requests]
    assert after < len(set(contents))  # it was not done
    assert len(contents) - len(set(contents)) <= AT_ONCE  # only calls in flight are paid again


def interrupted(command: list[str], *, env: dict[str, str], when: object) -> tuple[int, str]:
    """Run a command on a terminal of its own and press Ctrl-C; return its exit code and what it said."""
    assert callable(when)
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(command[0], command, env)  # noqa: S606 - the child of a terminal
    deadline = time.monotonic() + PATIENCE
    os.set_blocking(terminal, False)
    said, pressed = b"", False
    while True:
        try:
            said += os.read(terminal, 65536)
        except BlockingIOError:
            time.sleep(0.02)
        except OSError:  # its side of the terminal is closed
            break
        if not pressed and when():
            os.write(terminal, b"\x03")
            pressed = True
        assert time.monotonic() < deadline, said.decode()
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), said.decode()
