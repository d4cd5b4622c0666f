"""Persistence attacks: processes that outlive their run, and changes that the next run would see."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from goldproof.sandbox.attacks.attack import Attack

if TYPE_CHECKING:
    from goldproof.sandbox.attacks.bait import Bait
    from goldproof.sandbox.run import Run

# Each leftover ends by itself after a few seconds.
_DAEMON = """
from trying import BAIT, attempt
import os, signal, sys, time

COMMAND = ["/bin/sh", "-c", "sleep 5; : " + BAIT["marker"]]

def double():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.closerange(0, 5000)
            os.execv(COMMAND[0], COMMAND)
        os._exit(0)
    os.wait()
    return True

attempt("daemon", double)
time.sleep(0.1)
"""

_GROUPS = """
from trying import BAIT, attempt
import os, subprocess

COMMAND = ["/bin/sh", "-c", "sleep 5; : " + BAIT["marker"]]
attempt("session", lambda: subprocess.Popen(COMMAND, start_new_session=True).pid)
attempt("group", lambda: subprocess.Popen(COMMAND, preexec_fn=lambda: os.setpgid(0, 0)).pid)
attempt("background", lambda: subprocess.run(["/bin/sh", "-c", f"(sleep 5; : {BAIT['marker']}) & true"]).returncode)
os._exit(0)
"""

_RACE = """
from trying import BAIT
import os, time

print("tried", flush=True)
# A chain of processes, each of which forks the next and ends: whoever kills by a list is always late.
end = time.monotonic() + 0.6
if os.fork() == 0:
    os.setsid()
    while time.monotonic() < end:
        if os.fork():
            os._exit(0)
    os.execv("/bin/sh", ["/bin/sh", "-c", "sleep 4; : " + BAIT["marker"]])
time.sleep(0.2)
"""


def _stays(run: Run, bait: Bait) -> bool:  # noqa: ARG001 - a judgement has both
    return bool(bait.leftovers())


def _stays_later(run: Run, bait: Bait) -> bool:
    time.sleep(1.0)  # the chain ends after 0.6 seconds; only then can it be recognised
    return _stays(run, bait)


# The next run needs the folder that its own is in.
_CLOSED = """
from trying import attempt
import os

above = os.path.dirname(os.getcwd())
attempt("close", lambda: os.chmod(above, 0))
attempt("close by descriptor", lambda: os.fchmod(os.open(above, os.O_PATH), 0))
attempt("set times", lambda: os.utime(above, (0, 0)))
attempt("rename", lambda: os.rename(os.getcwd(), above + "/other"))
"""


def _lost(run: Run, bait: Bait) -> bool:  # noqa: ARG001
    return run.ended == "lost"


LINGERING = (
    Attack("leftover daemon", "Leaves a daemon behind.", _DAEMON, _stays, bare=True),
    Attack("leftover sessions", "Leaves processes in sessions of their own.", _GROUPS, _stays, bare=True),
    Attack("leftover chain", "Leaves a chain of processes that end each other.", _RACE, _stays_later, bare=True),
    Attack("closed folder", "Closes the folder that the next run needs.", _CLOSED, _lost),
)
