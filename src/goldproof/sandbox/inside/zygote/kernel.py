"""System calls that Python has no function for. The C library is resolved once, before any fork."""

from __future__ import annotations

import ctypes
import os

PDEATHSIG, DUMPABLE, SUBREAPER, NO_NEW_PRIVS = 1, 4, 36, 38

_LIBC = ctypes.CDLL(None, use_errno=True)
_PRCTL = _LIBC.prctl
_PRCTL.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong]
_MADVISE = _LIBC.madvise
_MADVISE.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_MOUNT = _LIBC.mount
_MOUNT.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p]


def set_process(option: int, value: int) -> None:
    """Set an attribute of this process."""
    if _PRCTL(option, value, 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl({option}): {os.strerror(number)}")


def drop_capabilities() -> None:
    """Give up those that a change of the user leaves: to be inherited by programs that are run."""
    head = (ctypes.c_uint32 * 2)(0x20080522, 0)
    if _LIBC.capset(ctypes.byref(head), ctypes.byref((ctypes.c_uint32 * 6)())) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"capset: {os.strerror(number)}")


def collapse(start: int, size: int) -> bool:
    """Gather a range of memory in large pages (MADV_COLLAPSE); whether the kernel did."""
    return bool(_MADVISE(start, size, 25) == 0)


def unshare(flags: int) -> None:
    """Leave namespaces for new ones."""
    if _LIBC.unshare(flags) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"unshare: {os.strerror(number)}")


def mount(source: str, target: str, *, kind: str = "", flags: int = 0, data: str = "") -> None:
    """Mount, as the system call does."""
    if _MOUNT(source.encode(), target.encode(), kind.encode() or None, flags, data.encode() or None) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"mount {target}: {os.strerror(number)}")
