"""Complete the lock plan with what only the zygote knows, and prepare the locks for its children.

Where no mounts hide the host's files, the zygote confines itself too: a library's imports can then read no more than
its scripts can, but for /proc, where the zygote looks after its children.
"""

from __future__ import annotations

import os
import sys
import tempfile
from functools import partial
from typing import TYPE_CHECKING, Any, Dict, Optional  # noqa: UP035

from ..locks import apply, landlock, limiting  # noqa: TID252
from ..locks import prepare as prepare_locks  # noqa: TID252

REMOVE_FOLDER = 1 << 4

if TYPE_CHECKING:
    from collections.abc import Callable

Plan = Optional[Dict[str, Any]]  # noqa: UP006, UP045 - evaluated, by Python 3.9 too


def complete(plan: Plan) -> Plan:
    """Fill in what only the zygote knows, in a container: what may be read, and whether it is process 1."""
    if plan is None:
        return None
    readable = plan["readable"]
    if readable is None:
        readable = sorted({sys.prefix, sys.base_prefix, sys.exec_prefix, *filter(os.path.isdir, sys.path)})
    signals = plan["signals"] or ("namespace" if os.getpid() == 1 else "self")
    return {**plan, "readable": readable, "signals": signals}


def make_box(uid: Optional[int]) -> str:  # noqa: UP045
    """Make a folder for scripts, where the host cannot."""
    box = tempfile.mkdtemp(prefix="goldproof-")
    if uid is not None and os.getuid() == 0:
        os.chown(box, uid, uid)
    return box


def confine(plan: Plan, *, box: str) -> None:
    """Confine the zygote, where there are no mounts of its own."""
    handled = landlock.ask()
    if plan is None or plan.get("own_mounts") is not False or handled.abi < 1:
        return
    system = ("/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/etc", "/dev", "/proc")
    grants = [landlock.Grant(path, landlock.READ) for path in (*system, *plan["readable"])]
    grants += [landlock.Grant(f"/dev/{name}", landlock.DEVICE) for name in ("null", "zero", "full")]
    grants += [landlock.Grant(box, landlock.everything(handled))]
    grants += [landlock.Grant(os.path.dirname(box), REMOVE_FOLDER)]  # noqa: PTH120 - the box itself, in the end
    landlock.restrict(tuple(grants), handled)


def prepare(plan: Plan, limits: dict[str, Any]) -> Callable[[str], list[str]]:
    """Return the function that a child calls with its folder to lock itself; without a plan it only limits itself."""
    if plan is None:
        return lambda _workdir: limiting.limit(limits)
    return partial(apply, prepare_locks({**plan, "limits": limits}))
