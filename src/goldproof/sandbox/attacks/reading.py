"""Read attacks: files, environments, memory of other processes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from goldproof.sandbox.attacks.attack import Attack, did, told

if TYPE_CHECKING:
    from goldproof.sandbox.attacks.bait import Bait
    from goldproof.sandbox.run import Run

# What a sandbox may set itself, to values that a host may happen to have too.
_ORDINARY = frozenset(
    {"HOME", "LANG", "LC_ALL", "LC_CTYPE", "PATH", "PWD", "SHELL", "SHLVL", "TERM", "TMPDIR", "TZ", "_"}
)
_SHORT = 4  # values such as "1" are met anywhere

_FILE = """
from trying import BAIT, attempt
import os, subprocess

path = BAIT["secret"]
attempt("absolute path", lambda: open(path).read())
attempt("root of a process", lambda: open("/proc/self/root" + path).read())
attempt("root of process 1", lambda: open("/proc/1/root" + path).read())
attempt("root of the host", lambda: open(f"/proc/{BAIT['host']}/root" + path).read())
attempt("folder of the host", lambda: open(f"/proc/{BAIT['canary']}/cwd" + path).read())
attempt("upwards", lambda: open("../" * 40 + path.lstrip("/")).read())

def linked():
    os.symlink(path, "link")
    return open("link").read()

def linked_folder():
    os.symlink(BAIT["folder"], "folder")
    return open("folder/secret.txt").read()

def hard():
    os.link(path, "hard")
    return open("hard").read()

def by_folder():
    folder = os.open(BAIT["folder"], os.O_PATH)
    return os.read(os.open("secret.txt", os.O_RDONLY, dir_fd=folder), 100)

attempt("symlink", linked)
attempt("symlink of a folder", linked_folder)
attempt("hard link", hard)
attempt("listing", lambda: os.listdir(BAIT["folder"]))
attempt("another program", lambda: subprocess.run(["/bin/cat", path], capture_output=True, text=True).stdout)
attempt("descriptor of a folder", by_folder)
attempt("path descriptor", lambda: open(f"/proc/self/fd/{os.open(path, os.O_PATH)}").read())
"""

_HANDLE = """
from trying import BAIT, attempt, call
import ctypes, os

def handle():
    buffer = ctypes.create_string_buffer(256)
    ctypes.c_uint.from_buffer(buffer).value = 128
    mount = ctypes.c_int()
    call("name_to_handle_at", -100, BAIT["secret"].encode(), buffer, ctypes.byref(mount), 0)
    return os.read(call("open_by_handle_at", os.open(".", os.O_RDONLY), buffer, 0), 100)

attempt("file handle", handle)
"""

# Pipes lead to whoever started it. A socket or an open folder would lead further.
_DESCRIPTORS = """
from trying import attempt
import os, stat

def kinds():
    for descriptor in range(5000):
        try:
            mode = os.fstat(descriptor).st_mode
        except OSError:
            continue
        if not stat.S_ISFIFO(mode) and not (descriptor == 0 and stat.S_ISCHR(mode)):
            target = os.readlink(f"/proc/self/fd/{descriptor}")
            print("did inherit", descriptor, target, flush=True)

attempt("look", kinds)
"""

_ENVIRONMENT = """
from trying import BAIT, attempt
import os

def environ(who):
    with open(f"/proc/{who}/environ", "rb") as file:
        return file.read().replace(b"\\0", b"\\n").decode("latin-1")

attempt("own environment", lambda: "\\n".join(f"{name}={value}" for name, value in os.environ.items()))
for who in ("self", "1", "thread-self", str(os.getppid()), str(BAIT["host"])):
    attempt(f"environ of {who}", lambda: environ(who))
"""

_ENVIRONS = """
from trying import BAIT, attempt
import os

def found(path):
    with open(path, "rb") as file:
        words = file.read()
    return words[words.index(b"GOLDPROOF_CANARY"):][:80]

numbers = [name for name in attempt("list", lambda: os.listdir("/proc")) or [] if name.isdigit()]
for who in [BAIT["canary"], BAIT["host"], *numbers[:300]]:
    attempt(f"environ of {who}", lambda: found(f"/proc/{who}/environ"))
"""

_MEMORY = """
from trying import BAIT, attempt, call
import ctypes, os

def ranges(pid):
    for line in open(f"/proc/{pid}/maps"):
        if "[stack]" in line:
            return [int(part, 16) for part in line.split()[0].split("-")]

def by_file(pid):
    start, end = ranges(pid)
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        memory.seek(start)
        data = memory.read(end - start)
    return data[data.find(b"GOLDPROOF_CANARY"):][:60]

def by_call(pid):
    start, end = ranges(pid) if os.access(f"/proc/{pid}/maps", os.R_OK) else (0x1000, 0x2000)
    buffer = ctypes.create_string_buffer(end - start)
    here = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), end - start)
    there = (ctypes.c_void_p * 2)(start, end - start)
    call("process_vm_readv", pid, here, 1, there, 1, 0)
    return buffer.raw[buffer.raw.find(b"GOLDPROOF_CANARY"):][:60]

attempt("memory by file", lambda: by_file(BAIT["canary"]))
attempt("memory by call", lambda: by_call(BAIT["canary"]))
"""


def _read_secret(run: Run, bait: Bait) -> bool:
    return bait.secret in told(run)


def _read_canary(run: Run, bait: Bait) -> bool:
    return bait.canary_secret in told(run)


def leaked(words: str) -> list[str]:
    """Variables of this process's environment that stand in a text, name and value."""
    own = {name: value for name, value in os.environ.items() if name not in _ORDINARY and len(value) >= _SHORT}
    # What begins with an underscore a library sets for itself when it is imported, there as here (polars does).
    told_of = (name for name, value in own.items() if f"{name}={ascii(value)[1:-1]}" in words)
    return sorted(name for name in told_of if not name.startswith("_"))


def _read_environment(run: Run, bait: Bait) -> bool:
    return bool(leaked(told(run))) or bait.canary_secret in told(run)


READING = (
    Attack("descriptors", "Looks for descriptors that lead further.", _DESCRIPTORS, did("inherit"), bare=True),
    Attack("secret file", "Reads a file of the host's by many ways.", _FILE, _read_secret, bare=True),
    Attack("file handle", "Opens a file by its handle, past all folders.", _HANDLE, _read_secret, fresh=True),
    Attack(
        "caller environment", "Reads the environment that came with it.", _ENVIRONMENT, _read_environment, bare=True
    ),
    Attack("other environments", "Reads the environments of all processes.", _ENVIRONS, _read_canary, bare=True),
    Attack("other memory", "Reads the memory of another process.", _MEMORY, _read_canary, bare=True, fresh=True),
)
