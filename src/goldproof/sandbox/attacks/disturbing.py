"""Attacks on other processes (signals, tracing, limits, scheduling) and on the limits of the process itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.sandbox.attacks.attack import Attack, did

if TYPE_CHECKING:
    from goldproof.sandbox.attacks.bait import Bait
    from goldproof.sandbox.run import Run

_KILL = """
from trying import BAIT, attempt, call
import ctypes, os, signal

for name in ("canary", "host"):
    pid = BAIT[name]
    # The host itself is only asked whether it could be signalled.
    number = signal.SIGKILL if name == "canary" else 0
    attempt(f"kill {name}", lambda: os.kill(pid, number))
    attempt(f"tkill {name}", lambda: call("tkill", pid, number))
    attempt(f"tgkill {name}", lambda: call("tgkill", pid, pid, number))
    attempt(f"kill with upper half {name}", lambda: call("kill", pid | (1 << 32), number))
    attempt(f"kill group {name}", lambda: os.kill(-pid, number))
    attempt(f"descriptor {name}", lambda: signal.pidfd_send_signal(os.pidfd_open(pid), number))
    attempt(f"queue {name}", lambda: call("rt_sigqueueinfo", pid, number, (ctypes.c_int * 32)(number, 0, -1)))
"""

# A descriptor whose owner is another process has the kernel send the signal.
_OWNER = """
from trying import BAIT, attempt
import fcntl, os, signal

def own(pid):
    reader, writer = os.pipe()
    fcntl.fcntl(reader, 10, signal.SIGKILL)
    fcntl.fcntl(reader, fcntl.F_SETOWN, pid)
    fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    os.write(writer, b"x")

attempt("owner", lambda: own(BAIT["canary"]))
"""

# Whoever serves the run must still be there for the next one, or say that it was lost.
_PARENT = """
from trying import attempt, call
import os, signal

parent = os.getppid()
for pid in (parent, 1):
    attempt("stop", lambda: os.kill(pid, signal.SIGSTOP))
    attempt("kill", lambda: os.kill(pid, signal.SIGKILL))
    attempt("limit", lambda: __import__("resource").prlimit(pid, 7, (0, 0)))
    attempt("environ", lambda: open(f"/proc/{pid}/environ").read())
    attempt("memory", lambda: open(f"/proc/{pid}/mem", "r+b"))
    attempt("descriptors", lambda: os.listdir(f"/proc/{pid}/fd"))
    attempt("trace", lambda: call("ptrace", 16, pid, 0, 0))
    attempt("descriptor", lambda: call("pidfd_getfd", os.pidfd_open(pid), 0, 0))
    attempt("score", lambda: open(f"/proc/{pid}/oom_score_adj", "w").write("1000"))
"""

_GROUP = """
from trying import attempt
import os, signal

# Last, since it may end itself by them: everybody, then its own group.
if os.fork() == 0:
    attempt("everybody", lambda: os.kill(-1, signal.SIGKILL))
    attempt("group", lambda: os.kill(0, signal.SIGKILL))
    os._exit(0)
os.wait()
print("tried from outside", flush=True)
"""

_TRACE = """
from trying import BAIT, attempt, call

attempt("attach", lambda: call("ptrace", 16, BAIT["canary"], 0, 0))
attempt("seize", lambda: call("ptrace", 0x4206, BAIT["canary"], 0, 0))
"""

_OTHERS = """
from trying import BAIT, attempt, call
import ctypes, os, resource

pid, pair = BAIT["canary"], (ctypes.c_ulong * 2)(8, 8)
attempt("limit", lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE, (8, 8)))
attempt("priority", lambda: os.setpriority(os.PRIO_PROCESS, pid, 19))
attempt("processors", lambda: os.sched_setaffinity(pid, {min(os.sched_getaffinity(0))}))
attempt("priority of the group", lambda: os.setpriority(os.PRIO_PGRP, pid, 19))
attempt("limit with upper half", lambda: call("prlimit64", pid | (1 << 32), 7, pair, 0))
"""

_RAISE = """
from trying import attempt
import os, resource

for name in [name for name in dir(resource) if name.startswith("RLIMIT_")]:
    which = getattr(resource, name)
    soft, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        attempt(f"raise {name}", lambda: resource.setrlimit(which, (hard + 1, hard + 1)))
        attempt(f"raise {name} by id", lambda: resource.prlimit(os.getpid(), which, (hard + 1, hard + 1)))
        attempt(f"lift {name}", lambda: resource.setrlimit(which, (-1, -1)))
needed = ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_CORE")
for name in needed:
    if resource.getrlimit(getattr(resource, name))[1] == resource.RLIM_INFINITY:
        print("did raise", name, "has no limit")
attempt("raise nice", lambda: os.nice(-1))
"""


def _hurt(run: Run, bait: Bait) -> bool:
    return bait.canary_hurt() or any(line.startswith("did") and line.split()[-2] == "host" for line in _lines(run))


def _hurt_canary(run: Run, bait: Bait) -> bool:  # noqa: ARG001 - a judgement has both
    return bait.canary_hurt()


def _hurt_server(run: Run, bait: Bait) -> bool:
    return run.ended == "lost" or bait.canary_hurt() or any(line.startswith("did") for line in _lines(run))


def _killed_more(run: Run, bait: Bait) -> bool:
    return run.ended == "lost" or bait.canary_hurt()


def _lines(run: Run) -> list[str]:
    return run.stdout.splitlines()


DISTURBING = (
    Attack("kill", "Signals a process of the host's.", _KILL, _hurt, bare=True, fresh=True),
    Attack("signal by owner", "Has the kernel signal a process of the host's.", _OWNER, _hurt_canary, bare=True),
    Attack(
        "kill the supervisor", "Signals, traces, limits the process that started it.", _PARENT, _hurt_server, fresh=True
    ),
    Attack("kill everybody", "Signals all processes there are.", _GROUP, _killed_more),
    Attack("trace", "Traces a process of the host's.", _TRACE, did("attach", "seize"), bare=True, fresh=True),
    Attack(
        "limits of others",
        "Sets limits and priority of a process of the host's.",
        _OTHERS,
        _hurt_canary,
        bare=True,
        fresh=True,
    ),
    Attack("raise limits", "Raises its own limits.", _RAISE, did("raise", "lift"), bare=True),
)
