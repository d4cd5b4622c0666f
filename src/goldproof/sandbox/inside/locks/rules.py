"""Seccomp rules: which system calls a locked process may make.

A rule names a call, the error it fails with, and tests on its arguments: where all of them hold the call is allowed,
else it fails; a rule without tests always fails. Calls without a rule are allowed: libraries under test need most of
them, and files, memory and processes are held by Landlock and by limits. Calls newer than these rules do not exist.

Tests see the lower 32 bits of an argument only. That is what the kernel itself uses of every argument tested here (all
are C ints, or flags that it cuts to 32 bits), so the upper half can neither hide a value nor make one.

EPERM: it may not. EACCES: sockets, so that these can be told apart. ENOSYS: programs try these first and fall back.
"""

from __future__ import annotations

from errno import EACCES, ENOSYS, EPERM
from typing import NamedTuple

from .assembler import OWN_PID

_ALL = 0xFFFFFFFF


class Test(NamedTuple):
    """(argument & mask) is one of the values, or none of them where `among` is false."""

    argument: int
    values: tuple[int, ...]
    mask: int = _ALL
    among: bool = True


class Rule(NamedTuple):
    """call fails with `error` unless every test holds."""

    call: str
    error: int
    unless: tuple[Test, ...] = ()


_NEVER = """
ptrace process_vm_readv process_vm_writev process_madvise process_mrelease pidfd_getfd kcmp
userfaultfd bpf perf_event_open seccomp
keyctl add_key request_key
mount umount2 pivot_root move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr statmount listmount
unshare setns chroot
kexec_load kexec_file_load init_module finit_module delete_module create_module reboot swapon swapoff acct syslog
quotactl quotactl_fd name_to_handle_at open_by_handle_at fanotify_init fanotify_mark lookup_dcookie nfsservctl
setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid setgroups capset
sethostname setdomainname settimeofday clock_settime clock_adjtime adjtimex vhangup
iopl ioperm modify_ldt uselib ustat sysfs _sysctl
mbind migrate_pages move_pages set_mempolicy
shmget shmat shmctl shmdt msgget msgsnd msgrcv msgctl semget semop semctl semtimedop
mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr
"""

# memfd_create: its pages count neither as memory of the process nor as files of its folder. clone3 takes its flags by
# a pointer, which a filter cannot follow.
_MISSING = """
io_uring_setup io_uring_enter io_uring_register io_setup io_submit io_destroy io_getevents io_cancel io_pgetevents
clone3 memfd_create memfd_secret
"""

_NO_SOCKETS = "socket connect bind listen accept accept4"

# Landlock does not hold these back, so where the files of the user are not hidden by mounts they are refused.
_FILE_FACTS = """
chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat
setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr inotify_add_watch
"""

_AF_UNIX, _SOCK_STREAM, _SOCK_SEQPACKET, _SOCK_KIND = 1, 1, 5, 0xF
_NEW_NAMESPACES = 0x7E020000  # every CLONE_NEW* that clone() knows
_PRCTL = {
    "PDEATHSIG": 1,
    "DUMPABLE": 4,
    "SECCOMP": 22,
    "SECUREBITS": 28,
    "MM": 35,
    "CAP_AMBIENT": 47,
    "IO_FLUSHER": 57,
    "SYSCALL_USER_DISPATCH": 59,
    "SCHED_CORE": 62,
    "PTRACER": 0x59616D61,
}
_TERMINAL = (0x5412, 0x541C, 0x540E)  # TIOCSTI, TIOCLINUX, TIOCSCTTY: put words into somebody else's terminal
_OWNER_IOCTL = (0x8901, 0x8902)  # FIOSETOWN, SIOCSPGRP
_OWNER_FCNTL = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX: have the kernel send a signal to any process
_ASK_PERSONALITY = (0, _ALL)

_TESTED = (
    # A datagram pair could be sent to any unix socket by its path; the others cannot be led elsewhere.
    Rule("socketpair", EACCES, (Test(0, (_AF_UNIX,)), Test(1, (_SOCK_STREAM, _SOCK_SEQPACKET), mask=_SOCK_KIND))),
    Rule("clone", EPERM, (Test(0, (0,), mask=_NEW_NAMESPACES),)),
    Rule("prctl", EPERM, (Test(0, tuple(_PRCTL.values()), among=False),)),
    Rule("ioctl", EPERM, (Test(1, _TERMINAL + _OWNER_IOCTL, among=False),)),
    Rule("fcntl", EPERM, (Test(1, _OWNER_FCNTL, among=False),)),
    Rule("personality", EPERM, (Test(0, _ASK_PERSONALITY),)),
)

# What one process may do to another of the same user. 0 is the caller.
_MYSELF = (0, OWN_PID)
_ON_ITSELF = (
    *(Rule(call, EPERM, (Test(0, _MYSELF),)) for call in ("prlimit64", "sched_setaffinity", "sched_setscheduler")),
    *(Rule(call, EPERM, (Test(0, _MYSELF),)) for call in ("sched_setparam", "sched_setattr")),
    Rule("setpriority", EPERM, (Test(0, (0,)), Test(1, _MYSELF))),  # PRIO_PROCESS
    Rule("ioprio_set", EPERM, (Test(0, (1,)), Test(1, _MYSELF))),  # IOPRIO_WHO_PROCESS
)
_SIGNAL = "kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo"
_SIGNALS = (
    *(Rule(call, EPERM, (Test(0, (OWN_PID,)),)) for call in _SIGNAL.split()),
    *(Rule(call, EPERM) for call in ("pidfd_open", "pidfd_send_signal")),
)


def rules_for(*, signal_others: bool, file_facts: bool, truncate: bool) -> tuple[Rule, ...]:
    """The rules of a locked process.

    signal_others: it may signal whom the kernel lets it (Landlock, a PID namespace of its own); else only itself.
    file_facts: it may change modes, owners, times and attributes of files. truncate: and cut files by their path.
    """
    refused = _NEVER.split() + ([] if file_facts else _FILE_FACTS.split()) + ([] if truncate else ["truncate"])
    return (
        *(Rule(call, EPERM) for call in refused),
        *(Rule(call, ENOSYS) for call in _MISSING.split()),
        *(Rule(call, EACCES) for call in _NO_SOCKETS.split()),
        *_TESTED,
        *_ON_ITSELF,
        *(() if signal_others else _SIGNALS),
    )
