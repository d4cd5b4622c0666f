"""Drop privileges and harden the zygote: not root, unreadable for its children, gone when its parent is.

Nothing of the library has run when this does: even the site module, which executes .pth files, comes later.
"""

from __future__ import annotations

import os
import resource
import signal
from typing import Optional

from . import kernel


def become(uid: Optional[int]) -> None:  # noqa: UP045 - Python 3.9
    """Drop to a user (None: keep the current one), verify it, and harden the process."""
    if uid is not None and os.getuid() == 0:
        _drop(uid)
    kernel.set_process(kernel.NO_NEW_PRIVS, 1)
    kernel.set_process(kernel.DUMPABLE, 0)
    kernel.set_process(kernel.SUBREAPER, 1)
    if os.getpid() == 1:
        # With it dies all else in its namespace. Elsewhere it has to clear up, when the channel closes.
        # A change of the user clears this, so it is set after that.
        kernel.set_process(kernel.PDEATHSIG, signal.SIGKILL)
    _raise_open_files()


def _drop(uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    kernel.drop_capabilities()
    try:
        os.setuid(0)
    except PermissionError:
        pass
    else:
        raise RuntimeError("root could be had back after it was given away")
    if os.getresuid() != (uid, uid, uid) or os.getresgid() != (uid, uid, uid) or os.getgroups():
        raise RuntimeError(f"the user is {os.getresuid()}, not {uid}")


def _raise_open_files() -> None:
    """The private pipes of a child lie at high numbers."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    wanted = 4096 if hard == resource.RLIM_INFINITY else min(4096, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
