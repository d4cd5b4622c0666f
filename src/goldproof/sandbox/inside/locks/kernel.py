"""System calls that the standard library does not offer, and the errors they end with."""

from __future__ import annotations

import ctypes
import os

PR_SET_DUMPABLE = 4
PR_CAPBSET_READ = 23
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

# The process's own C library. Loaded once, in the process that forks: children find it ready.
_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
_libc.prctl.restype = ctypes.c_int


def syscall(number: int, *arguments: object) -> int:
    """Make a system call; numbers are passed as 64 bits, buffers as pointers. Raises OSError where it fails."""
    sent = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    result = int(_libc.syscall(ctypes.c_long(number), *sent))
    if result < 0:
        raise _last_error()
    return result


def prctl(option: int, value: int = 0) -> int:
    """Set or ask a property of this process. Raises OSError where it fails."""
    rest = (ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0))
    result = int(_libc.prctl(ctypes.c_int(option), *rest))
    if result < 0:
        raise _last_error()
    return result


def _last_error() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))
