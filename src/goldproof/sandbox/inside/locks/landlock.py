"""Landlock: grant files to a process; deny ports, abstract sockets, and signals to processes outside.

The kernel says which version it knows (its ABI); every right of that version is handled, so all that no rule grants is
refused. Rules are tied to files, not to their names: links lead nowhere new. What is not there is passed over.
"""

from __future__ import annotations

import ctypes
import os
import stat
from errno import ENOSYS
from typing import NamedTuple

from .kernel import syscall

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same on every architecture
_ASK_VERSION = 1
_BENEATH = 1
_NO_LOG = 1  # a script could fill the kernel's log

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
MAKE_CHAR, MAKE_BLOCK, TRUNCATE, IOCTL_DEV = 1 << 6, 1 << 11, 1 << 14, 1 << 15
_FILES_FIRST = (1 << 13) - 1  # ABI 1
_FILES_LATER = ((2, 1 << 13), (3, TRUNCATE), (5, IOCTL_DEV))
_NETWORK = (4, 0b11)  # bind and connect TCP
_SCOPES = (6, 0b11)  # abstract unix sockets, signals
_OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV

READ = EXECUTE | READ_FILE | READ_DIR
DEVICE = READ_FILE | WRITE_FILE


class Grant(NamedTuple):
    """A path, and what may be done with it and all beneath it."""

    path: str
    rights: int


class Handled(NamedTuple):
    """Rights that a ruleset controls: on files and on ports, and scopes. abi: of the kernel, 0 without."""

    abi: int
    files: int = 0
    network: int = 0
    scopes: int = 0

    @property
    def holds_signals(self) -> bool:
        """Whether signals stay inside."""
        return self.abi >= _SCOPES[0]

    @property
    def holds_truncation(self) -> bool:
        """Whether files outside cannot be cut."""
        return bool(self.files & TRUNCATE)


def ask() -> Handled:
    """Return the rights that the running kernel can handle."""
    try:
        abi = syscall(_CREATE, 0, 0, _ASK_VERSION)
    except OSError:  # a kernel without it, or with it switched off
        abi = 0
    return handled_by(abi)


def handled_by(abi: int) -> Handled:
    """Every right that a version knows."""
    if abi < 1:
        return Handled(0)
    files = _FILES_FIRST
    for since, right in _FILES_LATER:
        files |= right if abi >= since else 0
    network, scopes = (bits if abi >= since else 0 for since, bits in (_NETWORK, _SCOPES))
    return Handled(abi, files, network, scopes)


def everything(handled: Handled) -> int:
    """All rights in a folder of one's own; devices have no place there."""
    return handled.files & ~(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV)


def restrict(grants: tuple[Grant, ...], handled: Handled) -> None:
    """Confine this process, for good, and its children to come."""
    if handled.abi < 1:
        raise OSError(ENOSYS, "the kernel has no Landlock")
    ruleset = _create(handled)
    try:
        for grant in grants:
            _add(ruleset, grant, handled=handled)
        syscall(_RESTRICT, ruleset, _NO_LOG if handled.abi >= 7 else 0)
    finally:
        os.close(ruleset)


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("rights", ctypes.c_uint64), ("parent", ctypes.c_int32))


def _create(handled: Handled) -> int:
    wanted = _Ruleset(handled.files, handled.network, handled.scopes)
    # Trailing zeros are accepted by kernels that know fewer fields.
    return syscall(_CREATE, ctypes.byref(wanted), ctypes.sizeof(wanted), 0)


def _add(ruleset: int, grant: Grant, *, handled: Handled) -> None:
    try:
        place = os.open(grant.path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rights = grant.rights & handled.files
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= _OF_A_FILE
        syscall(_ADD, ruleset, _BENEATH, ctypes.byref(_Beneath(rights, place)), 0)
    finally:
        os.close(place)
