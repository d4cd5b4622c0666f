"""Drop privileges: no capability is left, and none can be gained by running a file."""

from __future__ import annotations

import ctypes

from .kernel import (
    PR_CAP_AMBIENT,
    PR_CAP_AMBIENT_CLEAR_ALL,
    PR_CAPBSET_DROP,
    PR_CAPBSET_READ,
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    prctl,
    syscall,
)
from .numbers import Architecture, number_of

_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


def give_up(architecture: Architecture) -> None:
    """Drop all capabilities, and the way to new ones. Raises OSError where the kernel does not agree."""
    if any(_capabilities(architecture)):
        _drop_bounds()
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    _call("capset", (ctypes.c_uint32 * 6)(), architecture=architecture)
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def show(*, to_others: bool) -> None:
    """Set whether processes of the same user may look into this one (memory, environment, descriptors)."""
    prctl(PR_SET_DUMPABLE, int(to_others))


def _capabilities(architecture: Architecture) -> list[int]:
    data = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; twice
    _call("capget", data, architecture=architecture)
    return list(data)


def _call(name: str, data: ctypes.Array[ctypes.c_uint32], *, architecture: Architecture) -> None:
    number = number_of(name, architecture)
    if number is not None:
        syscall(number, ctypes.byref(_Header(_VERSION_3, 0)), ctypes.byref(data))


def _drop_bounds() -> None:
    for capability in range(_LAST_CAPABILITY + 1):
        try:
            there = prctl(PR_CAPBSET_READ, capability)
        except OSError:  # past the last one
            return
        if there:
            prctl(PR_CAPBSET_DROP, capability)
