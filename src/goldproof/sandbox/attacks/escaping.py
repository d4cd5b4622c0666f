"""Escape attacks by system calls: namespaces, mounts, io_uring and the like, other users."""

from __future__ import annotations

from goldproof.sandbox.attacks.attack import Attack, did

_NAMESPACES = """
from trying import attempt, call
import ctypes, os

NEW = {"user": 0x10000000, "mount": 0x20000, "pid": 0x20000000, "net": 0x40000000, "ipc": 0x08000000, "uts": 0x04000000}
SIGCHLD = 17

def cloned(flags):
    pid = call("clone", flags | SIGCHLD, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return pid

def cloned3(flags):
    arguments = (ctypes.c_uint64 * 11)(flags, 0, 0, 0, SIGCHLD)
    pid = call("clone3", arguments, ctypes.sizeof(arguments))
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return pid

for name, flag in NEW.items():
    for added in ({0, NEW["user"]} if name != "user" else {0}):
        attempt(f"clone {name}", lambda: cloned(flag | added))
        attempt(f"clone with upper half {name}", lambda: cloned(flag | added | (1 << 32)))
        attempt(f"clone3 {name}", lambda: cloned3(flag | added))
# In a child each, since the process would be another one afterwards.
for name, flag in NEW.items():
    for added in ({0, NEW["user"]} if name != "user" else {0}):
        if os.fork() == 0:
            attempt(f"unshare {name}", lambda: call("unshare", flag | added))
            os._exit(0)
        os.wait()
if os.fork() == 0:
    for path in ("/proc/1/ns/net", "/proc/1/ns/user", "/proc/self/ns/net"):
        attempt("setns", lambda: call("setns", os.open(path, os.O_RDONLY), 0))
    os._exit(0)
os.wait()
"""

_MOUNTS = """
from trying import BAIT, attempt, call
import os

here = os.getcwd().encode()
attempt("mount", lambda: call("mount", b"/", here, 0, 4096, 0))
attempt("mount tmpfs", lambda: call("mount", b"tmpfs", here, b"tmpfs", 0, 0))
attempt("mount proc", lambda: call("mount", b"proc", here, b"proc", 0, 0))
attempt("remount", lambda: call("mount", b"none", b"/", 0, 32 | 4096, 0))
attempt("umount", lambda: call("umount2", b"/proc", 2))
attempt("pivot_root", lambda: call("pivot_root", here, here))
attempt("chroot", lambda: os.chroot("."))
attempt("fsopen", lambda: call("fsopen", b"tmpfs", 0))
attempt("open_tree", lambda: call("open_tree", -100, b"/", 1))
attempt("device", lambda: os.mknod("device", 0o20666, os.makedev(1, 1)))
"""

_CALLS = """
from trying import attempt, call, reach
import ctypes, os

room = ctypes.create_string_buffer(4096)

def and_removed(make, remove, *arguments):
    made = call(make, *arguments)
    call(remove, made, *((0, 0) if remove != "semctl" else (0, 0, 0)))
    return made

# What is made without a sandbox is of this process alone, or removed again.
reach("io_uring", lambda: call("io_uring_setup", 4, room))
reach("userfaultfd", lambda: call("userfaultfd", 1))
reach("bpf", lambda: call("bpf", 0, room, 128))
reach("perf", lambda: call("perf_event_open", room, 0, -1, -1, 0))
reach("keys", lambda: call("keyctl", 0, -2, 1))
reach("add key", lambda: call("add_key", b"user", b"goldproof", b"x", 1, -2))
reach("shared memory", lambda: and_removed("shmget", "shmctl", 0, 4096, 0o1600))
reach("message queue", lambda: and_removed("msgget", "msgctl", 0, 0o1600))
reach("semaphores", lambda: and_removed("semget", "semctl", 0, 1, 0o1600))
reach("posix queue", lambda: call("mq_open", b"goldproof-none", os.O_RDWR, 0, 0))
reach("personality", lambda: call("personality", 0x0040000))
reach("host name", lambda: call("sethostname", os.uname().nodename.encode(), -1))
reach("kernel log", lambda: call("syslog", 10, 0, 0))
reach("swap", lambda: call("swapoff", b"/none"))
reach("dumpable", lambda: call("prctl", 4, 1, 0, 0, 0))
reach("dumpable with upper half", lambda: call("prctl", 4 | (1 << 32), 1, 0, 0, 0))
reach("death signal", lambda: call("prctl", 1, 9, 0, 0, 0))
reach("tracer", lambda: call("prctl", 0x59616D61, 0, 0, 0, 0))
reach("memory file", lambda: call("memfd_create", b"goldproof", 0))
reach("seccomp", lambda: call("seccomp", 1, 0, room))
reach("terminal", lambda: call("ioctl", 0, 0x5412, b"x"))
reach("new calls", lambda: call("statmount", 0, 0, 0, 0))
"""

_USERS = """
from trying import attempt, call
import os, subprocess

if os.getuid() == 0:
    print("did root")
attempt("root", lambda: os.setuid(0))
attempt("root by three", lambda: os.setresuid(0, 0, 0))
attempt("root group", lambda: os.setgid(0))
attempt("groups", lambda: os.setgroups([0]))
for program in ("su", "sudo", "mount", "passwd", "newgrp", "chsh"):
    path = f"/usr/bin/{program}"
    if os.path.exists(path):
        attempt(f"program {program}", lambda: subprocess.run([path, "--help"], capture_output=True).returncode)
status = dict(line.split(":", 1) for line in attempt("status", lambda: open("/proc/self/status").read()).splitlines())
for name in ("CapPrm", "CapEff", "CapBnd", "CapAmb", "CapInh"):
    if int(status[name], 16) and name != "CapBnd":
        print("did root capability", name, status[name])
if status["NoNewPrivs"].strip() != "1":
    print("did root: new privileges can be had")
if status["Seccomp"].strip() != "2":
    print("did root: no filter")
print("root groups", [group for group in os.getgroups() if group == 0])
"""

# A program of 32 bits, or with the numbers of x32, would make calls that the filter has other numbers for. Each is made
# in a child, which must die of it.
_FOREIGN = """
from trying import attempt
import ctypes, mmap, os, platform, signal

def machine(code):
    room = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    room.write(code)
    return ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(room)))()

def in_child(code):
    pid = os.fork()
    if pid == 0:
        try:
            os._exit(0 if machine(code) > 0 else 3)
        finally:
            os._exit(4)
    status = os.waitpid(pid, 0)[1]
    if not os.WIFEXITED(status) or os.WEXITSTATUS(status):
        raise OSError(f"status {status}")

if platform.machine() == "x86_64":
    attempt("getpid of 32 bits", lambda: in_child(b"\\xb8\\x14\\0\\0\\0\\xcd\\x80\\xc3"))
    attempt("getpid of x32", lambda: in_child(b"\\xb8\\x27\\0\\0\\x40\\x0f\\x05\\xc3"))
else:
    attempt("nothing: no other numbers here", lambda: 1 / 0)
"""

ESCAPING = (
    Attack("namespaces", "Makes namespaces of its own.", _NAMESPACES, did("clone", "unshare", "setns"), fresh=True),
    Attack(
        "mounts",
        "Mounts, changes its root, makes devices.",
        _MOUNTS,
        did("mount", "remount", "umount", "pivot", "chroot", "fsopen", "open_tree", "device"),
        fresh=True,
    ),
    Attack("system calls", "Makes calls that proofs have no use for.", _CALLS, did(""), bare=True, fresh=True),
    Attack("other users", "Becomes root, or gains privileges by a program.", _USERS, did("root", "groups"), bare=True),
    Attack("foreign calls", "Makes calls by the numbers of another machine.", _FOREIGN, did("getpid"), fresh=True),
)
