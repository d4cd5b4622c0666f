"""An attack: a script that tries to break out, and a check whether it succeeded.

The judgement is made outside, from what the bait shows (a connection that came, a file that changed, a process that
died) or from words that the script could only have from where it may not look. Where a lock leaves no trace outside
(a namespace, a system call), the script itself reports what it could do; a false claim of success fails the sandbox.

Scripts find a module `trying` beside them: BAIT, facts about what there is to attack; `attempt`, which says what was
tried and how it went; `call`, a system call by name; `reach`, like `attempt`, but a call that fails for its arguments
was let through.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldproof.sandbox.inside.locks.numbers import NUMBERS
from goldproof.sandbox.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from goldproof.sandbox.attacks.bait import Bait
    from goldproof.sandbox.run import Run
    from goldproof.sandbox.sandbox import Sandbox

SMALL = Limits(seconds=8, memory_mb=256, processes=16, file_mb=8, disk_mb=32, output_kb=256, open_files=64)

# The same process, with the same locks, without the observer. Its message never comes: what it prints is all.
FRESH = """
import os, sys

os.execv(sys.executable, [sys.executable, "-B", "body.py"])
"""

_TRYING = """
import errno, json, os, platform

BAIT = json.loads({bait!r})
NUMBERS = json.loads({numbers!r})


def call(name, *arguments):
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    number = NUMBERS[name][platform.machine() == "aarch64"]
    given = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    result = libc.syscall(ctypes.c_long(number), *given)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def attempt(name, action):
    print("tried", name, flush=True)
    try:
        value = action()
    except BaseException as error:
        print("failed", name, type(error).__name__, error, flush=True)
    else:
        print("did", name, ascii(value)[:20000], flush=True)
        return value


def reach(name, action):
    # A call that fails for its arguments was let through.
    print("tried", name, flush=True)
    try:
        value = action()
    except OSError as error:
        refused = error.errno in (errno.EPERM, errno.EACCES, errno.ENOSYS)
        print("failed" if refused else "did", name, error, flush=True)
    else:
        print("did", name, ascii(value)[:200], flush=True)
"""


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack.

    what: a sentence. succeeded: whether it got what it wanted. bare: it is harmless without isolation, and must succeed
    there, which shows that its check works. fresh: it runs in a new interpreter in place of the script, since the
    observer keeps scripts from calls that go past Python; the kernel has to stop both.
    """

    name: str
    what: str
    script: str
    succeeded: Callable[[Run, Bait], bool]
    limits: Limits = SMALL
    files: Mapping[str, str] = field(default_factory=dict)
    bare: bool = False
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of an attack. tried: whether the script came as far as trying."""

    attack: Attack
    run: Run
    tried: bool
    succeeded: bool

    @property
    def held(self) -> bool:
        """Whether it was tried, and failed."""
        return self.tried and not self.succeeded

    @property
    def why(self) -> str:
        """A sentence on what went wrong; empty where it was held."""
        if self.succeeded:
            return f"{self.attack.name}: it succeeded"
        reason = self.run.reason or self.run.stderr.strip()[-300:]
        return "" if self.tried else f"{self.attack.name}: it could not be tried ({self.run.ended}: {reason})"


def launch(attack: Attack, sandbox: Sandbox, *, bait: Bait) -> Outcome:
    """Run an attack and judge it."""
    files = {"trying.py": trying(bait), "body.py": attack.script, **attack.files}
    script = FRESH if attack.fresh else attack.script
    run = sandbox.run(script, name=f"{attack.name.replace(' ', '_')}.py", files=files, limits=attack.limits)
    return Outcome(attack, run, tried="tried" in run.stdout, succeeded=attack.succeeded(run, bait))


def told(run: Run) -> str:
    """Return all text that a run gave out."""
    return "\n".join((run.stdout, run.stderr, run.reason, json.dumps(run.observations, default=str)))


def did(*names: str) -> Callable[[Run, Bait], bool]:
    """A judgement: the script could do one of these things."""
    return lambda run, bait: any(f"did {name}" in run.stdout for name in names)  # noqa: ARG005 - a judgement has both


def trying(bait: Bait) -> str:
    """The module that scripts find beside them."""
    return _TRYING.format(bait=json.dumps(bait.facts), numbers=json.dumps(NUMBERS))
