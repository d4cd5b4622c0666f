"""Timeout attacks: sleeping, computing, ignoring signals, stopped. Each ends by itself if no limit holds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.sandbox.attacks.attack import SMALL, Attack

if TYPE_CHECKING:
    from goldproof.sandbox.attacks.bait import Bait
    from goldproof.sandbox.run import Run

_LIFE = 6  # seconds that anything lives at most
_BRIEF = replace(SMALL, seconds=1.0)
_PATIENT = replace(SMALL, seconds=4.0)

_SLEEP = f"""
import time

print("tried", flush=True)
time.sleep({_LIFE})
print("survived", flush=True)
"""

_BUSY = f"""
import time

print("tried", flush=True)
end = time.monotonic() + {_LIFE}
while time.monotonic() < end:
    pass
print("survived", flush=True)
"""

_IGNORE = f"""
import signal, time

print("tried", flush=True)
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
end = time.monotonic() + {_LIFE}
while time.monotonic() < end:
    pass
print("survived", flush=True)
"""

_STOP = """
import os, signal

print("tried", flush=True)
os.kill(os.getpid(), signal.SIGSTOP)
print("survived", flush=True)
"""

# Nobody hears of it any more; it must end all the same.
_DEAF = f"""
import os, time

print("tried", flush=True)
pid = os.fork()
os.closerange(0, 70000)
time.sleep({_LIFE})
"""

_NEST = """
print("tried", flush=True)

def deeper(depth):
    return deeper(depth + 1) + 1

import sys
sys.setrecursionlimit(10**9)
deeper(0)
"""


def _not_ended(run: Run, bait: Bait) -> bool:  # noqa: ARG001
    return "survived" in run.stdout or run.ended != "timeout"


def _went_on(run: Run, bait: Bait) -> bool:  # noqa: ARG001
    return run.counts or run.ended == "lost" or run.seconds > _LIFE


OVERSTAYING = (
    Attack("sleep", "Sleeps past its time.", _SLEEP, _not_ended, limits=_BRIEF),
    Attack("busy loop", "Computes past its time.", _BUSY, _not_ended, limits=_BRIEF),
    Attack("ignores signals", "Ignores every signal, past its time.", _IGNORE, _not_ended, limits=_BRIEF),
    Attack("stops itself", "Stops itself, so that it never ends.", _STOP, _not_ended, limits=_BRIEF),
    Attack("closes everything", "Closes all descriptors and stays.", _DEAF, _went_on, limits=_BRIEF),
    Attack("recursion", "Overflows its stack.", _NEST, _went_on, limits=_PATIENT),
)
