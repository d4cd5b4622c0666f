"""The locks on a real process: a program that puts them on itself, then tries.

Root becomes nobody first, since some limits do not bind root; where nobody cannot reach this interpreter, the
system's is taken.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from goldproof.sandbox.inside.locks.landlock import handled_by

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the locks are those of Linux")

ROOT = os.geteuid() == 0
SANDBOX = Path(__file__).resolve().parents[2] / "src" / "goldproof" / "sandbox"
SYSTEM = "/usr/bin/python3"
LIMITS = {
    "seconds": 5.0, "memory_mb": 128, "processes": 4, "file_mb": 1, "disk_mb": 8, "output_kb": 64, "open_files": 64,
}  # fmt: skip
PROGRAM = """
import json, os, sys

sys.path.insert(0, {sandbox!r})
from inside import locks

facts = json.loads({facts!r})
if os.getuid() == 0 and facts["drop"]:
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
os.chdir(facts["workdir"])
said = {{}}


def attempt(name, action):
    try:
        value = action()
        said[name] = value if isinstance(value, (str, int, list)) else None
    except BaseException as error:
        said[name] = getattr(error, "errno", None) or type(error).__name__


prepared = locks.prepare(facts["plan"])
{before}
said["missing"] = locks.apply(prepared, facts["workdir"])
{body}
print(json.dumps(said))
"""
EPERM, EACCES, EAGAIN, ENOSYS, EFBIG, EMFILE = 1, 13, 11, 38, 27, 24


@pytest.fixture
def workdir() -> Iterator[Path]:
    # Not pytest's own folder: nobody but its owner may pass through that.
    with tempfile.TemporaryDirectory(prefix="goldproof-locks-") as base:
        folder = Path(base) / "work"
        folder.mkdir()
        for one in (Path(base), folder):
            one.chmod(0o777)
        yield folder


def locked(workdir: Path, body: str, *, before: str = "", drop: bool = True, **plan: object) -> dict[str, object]:
    """What a locked program says."""
    plan = {"readable": [sys.base_prefix], "limits": LIMITS, "signals": "self", **plan}
    facts = json.dumps({"plan": plan, "workdir": str(workdir), "drop": drop})
    program = PROGRAM.format(sandbox=str(SANDBOX), facts=facts, before=before, body=body)
    done = subprocess.run(
        [_interpreter(), "-c", program], capture_output=True, text=True, timeout=60, check=False, cwd="/"
    )
    assert done.returncode == 0, done.stderr[-2000:]
    said = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(said, dict)
    return said


def _interpreter() -> str:
    above = [Path(sys.base_prefix), *Path(sys.base_prefix).parents]
    if not ROOT or all(folder.stat().st_mode & 0o001 for folder in above):
        return sys.executable
    if not Path(SYSTEM).exists():
        pytest.skip("nobody can reach this interpreter, and the system has none")
    return SYSTEM


def test_all_locks_can_be_put_on(workdir: Path) -> None:
    said = locked(
        workdir,
        """
status = dict(line.split(":", 1) for line in open("/proc/self/status").read().splitlines())
said.update({name: status[name].strip() for name in ("NoNewPrivs", "Seccomp", "CapEff", "CapPrm")})
""",
    )
    assert said == {"missing": [], "NoNewPrivs": "1", "Seccomp": "2", "CapEff": "0" * 16, "CapPrm": "0" * 16}


def test_files_outside_can_be_neither_read_nor_listed_nor_written(workdir: Path) -> None:
    secret = workdir.parent / "secret.txt"
    secret.write_text("secret")
    secret.chmod(0o666)
    said = locked(
        workdir,
        f"""
path = {str(secret)!r}
attempt("read", lambda: open(path).read())
attempt("by process", lambda: open("/proc/self/root" + path).read())
attempt("upwards", lambda: open("../secret.txt").read())
attempt("list", lambda: os.listdir(".."))
attempt("write", lambda: open(path, "w"))
attempt("append", lambda: open(path, "a"))
attempt("truncate", lambda: os.truncate(path, 0))
attempt("remove", lambda: os.unlink(path))
attempt("move", lambda: os.rename(path, "here"))
attempt("mode", lambda: os.chmod(path, 0o600))
attempt("new", lambda: open("../new", "w"))
attempt("folder", lambda: os.mkdir("../new"))
os.symlink(path, "link")
attempt("link", lambda: open("link").read())
""",
    )
    assert said.pop("missing") == []
    refused = {name for name, result in said.items() if result in {EACCES, EPERM}}
    assert refused | {"move"} == set(said)
    assert said["move"] in {EACCES, EPERM, 18}  # across the border it may also be refused as another device
    assert secret.read_text() == "secret"


def test_everything_works_in_the_work_folder(workdir: Path) -> None:
    said = locked(
        workdir,
        """
attempt("write", lambda: open("a", "w").write("abc"))
attempt("read", lambda: open("a").read())
attempt("cut", lambda: os.truncate("a", 1))
attempt("folder", lambda: os.makedirs("b/c"))
attempt("move", lambda: os.rename("a", "b/c/d"))
attempt("link", lambda: os.symlink("b/c/d", "e"))
attempt("through the link", lambda: open("e").read())
attempt("list", lambda: sorted(os.listdir(".")))
attempt("remove", lambda: os.unlink("b/c/d"))
attempt("device", lambda: os.mknod("device", 0o20666, os.makedev(1, 3)))
""",
    )
    assert said.pop("device") in {EPERM, EACCES}  # by the kernel's own rule, or by Landlock
    assert said == {
        "missing": [], "write": 3, "read": "abc", "cut": None, "folder": None, "move": None, "link": None,
        "through the link": "a", "list": ["b", "e"], "remove": None,
    }  # fmt: skip


def test_readable_paths_may_be_files_folders_or_missing(workdir: Path) -> None:
    folder = workdir.parent / "given"
    folder.mkdir(mode=0o777)
    for path in (folder / "inner.txt", workdir.parent / "one.txt"):
        path.write_text(path.name)
        path.chmod(0o666)
    said = locked(
        workdir,
        """
attempt("inner", lambda: open("../given/inner.txt").read())
attempt("list", lambda: os.listdir("../given"))
attempt("one", lambda: open("../one.txt").read())
attempt("write", lambda: open("../one.txt", "w"))
attempt("system", lambda: len(os.listdir("/usr/lib")) > 0)
attempt("null", lambda: open("/dev/null", "w").write("x"))
attempt("random", lambda: len(open("/dev/urandom", "rb").read(3)))
""",
        readable=[str(folder), str(workdir.parent / "one.txt"), "/nowhere/at/all", sys.base_prefix],
    )
    assert said == {
        "missing": [], "inner": "inner.txt", "list": ["inner.txt"], "one": "one.txt", "write": EACCES, "system": 1,
        "null": 1, "random": 3,
    }  # fmt: skip


def test_writable_paths_are_open_too(workdir: Path) -> None:
    other = workdir.parent / "other"
    other.mkdir()
    other.chmod(0o777)
    said = locked(workdir, 'attempt("write", lambda: open("../other/a", "w").write("abc"))', writable=[str(other)])
    assert said == {"missing": [], "write": 3}


def test_limits_bind_and_cannot_be_raised(workdir: Path) -> None:
    said = locked(
        workdir,
        """
import resource

def fill(size):
    with open("big", "wb") as file:
        file.write(b"x" * size)

def forks():
    count = 0
    try:
        while count < 40:
            if os.fork() == 0:
                import time
                time.sleep(1)
                os._exit(0)
            count += 1
    except BlockingIOError:
        pass
    return count

attempt("memory", lambda: len(bytearray(64 << 20)))
attempt("too much memory", lambda: bytearray(256 << 20))
attempt("file", lambda: fill(1 << 20))
attempt("big file", lambda: fill((1 << 20) + 1))
attempt("descriptors", lambda: [os.open("/dev/null", 0) for _ in range(100)] and None)
os.closerange(3, 100)
attempt("forks", forks)
for name in ("CPU", "AS", "DATA", "STACK", "FSIZE", "NOFILE", "NPROC", "CORE", "MSGQUEUE", "MEMLOCK"):
    which = getattr(resource, "RLIMIT_" + name)
    soft, hard = resource.getrlimit(which)
    attempt("raise " + name, lambda: resource.setrlimit(which, (hard + 1, hard + 1)))
    said["equal " + name] = soft == hard - (name == "CPU")
attempt("of the parent", lambda: resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE))
""",
    )
    assert said.pop("missing") == []
    assert said.pop("memory") == 64 << 20
    assert said.pop("too much memory") == "MemoryError"
    assert (said.pop("file"), said.pop("big file"), said.pop("descriptors")) == (None, EFBIG, EMFILE)
    assert said.pop("forks") == 3  # four processes, itself among them
    assert said.pop("of the parent") == EPERM
    assert {result for name, result in said.items() if name.startswith("equal")} == {True}
    assert {result for name, result in said.items() if name.startswith("raise")} == {"ValueError"}
    assert len(said) == 20


def test_limits_of_a_run_replace_those_of_the_plan(workdir: Path) -> None:
    body = "import resource\nsaid['files'] = resource.getrlimit(resource.RLIMIT_NOFILE)[0]"
    other = "facts['other'] = dict(facts['plan']['limits'], open_files=33)\nimport functools\n"
    other += "locks.apply = functools.partial(locks.apply, limits=facts['other'])"
    assert locked(workdir, body)["files"] == 64
    assert locked(workdir, body, before=other)["files"] == 33


def test_signals_reach_the_process_itself_only(workdir: Path) -> None:
    said = locked(
        workdir,
        """
import signal
signal.signal(signal.SIGUSR1, lambda *_: None)
attempt("itself", lambda: os.kill(os.getpid(), signal.SIGUSR1))
for name, pid in {"parent": os.getppid(), "init": 1, "group": 0, "everybody": -1}.items():
    attempt(name, lambda: os.kill(pid, 0))
""",
    )
    assert said == {"missing": [], "itself": None, "parent": EPERM, "init": EPERM, "group": EPERM, "everybody": EPERM}


def test_with_a_namespace_signals_reach_what_the_process_started(workdir: Path) -> None:
    said = locked(
        workdir,
        """
pid = os.fork()
if pid == 0:
    os.execv("/bin/sleep", ["sleep", "5"])
attempt("child", lambda: os.kill(pid, 9))
attempt("end", lambda: os.waitpid(pid, 0)[1])
attempt("parent", lambda: os.kill(os.getppid(), 0))
""",
        signals="namespace",
    )
    if prepared_abi() < 6:
        pytest.skip("this kernel's Landlock does not hold signals")
    assert said == {"missing": [], "child": None, "end": 9, "parent": EPERM}


def prepared_abi() -> int:
    from goldproof.sandbox.inside.locks import landlock

    return landlock.ask().abi


def test_the_network_is_closed_and_event_loops_work(workdir: Path) -> None:
    said = locked(
        workdir,
        """
import asyncio, concurrent.futures, multiprocessing, socket, subprocess

async def three():
    await asyncio.sleep(0)
    return 3

def through_a_pipe():
    one, other = multiprocessing.Pipe()
    one.send("words")
    return other.recv()

attempt("tcp", lambda: socket.socket())
attempt("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
attempt("unix", lambda: socket.socket(socket.AF_UNIX))
attempt("datagram pair", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
attempt("asyncio", lambda: asyncio.run(three()))
attempt("pipe", through_a_pipe)
attempt("thread", lambda: concurrent.futures.ThreadPoolExecutor(1).submit(int, 4).result())
attempt("program", lambda: subprocess.run(["/bin/echo", "hello"], capture_output=True, text=True).stdout)
""",
    )
    assert said == {
        "missing": [], "tcp": EACCES, "udp": EACCES, "unix": EACCES, "datagram pair": EACCES, "asyncio": 3,
        "pipe": "words", "thread": 4, "program": "hello\n",
    }  # fmt: skip


def test_the_process_that_forks_cannot_be_looked_into_and_its_child_sees_itself(workdir: Path) -> None:
    forked = """
reader, writer = os.pipe()
if os.fork():
    os.close(writer)
    said["child"] = json.loads(os.read(reader, 100000))
    os.wait()
    print(json.dumps(said))
    os._exit(0)
parent = os.getppid()
"""
    body = """
attempt("own", lambda: len(os.listdir("/proc/self/fd")) > 0)
attempt("own environment", lambda: open("/proc/self/environ").read() and None)
for name in ("environ", "mem", "maps"):
    attempt(name, lambda: open(f"/proc/{parent}/{name}", "rb").read(10))
attempt("descriptors", lambda: os.listdir(f"/proc/{parent}/fd"))
os.write(writer, json.dumps(said).encode())
os._exit(0)
"""
    assert locked(workdir, body, before=forked)["child"] == {
        "missing": [], "own": 1, "own environment": None, "environ": EACCES, "mem": EACCES, "maps": EACCES,
        "descriptors": EACCES,
    }  # fmt: skip


def test_modes_of_files_can_be_changed_where_mounts_protect_the_others(workdir: Path) -> None:
    body = 'open("a", "w").close()\nattempt("mode", lambda: os.chmod("a", 0o600))'
    assert locked(workdir, body)["mode"] == EPERM
    assert locked(workdir, body, own_mounts=True)["mode"] is None


def test_a_second_thread_is_reported_since_it_is_not_locked(workdir: Path) -> None:
    before = "import threading, time\nthreading.Thread(target=time.sleep, args=(1,), daemon=True).start()"
    assert locked(workdir, "", before=before)["missing"] == ["1 other threads of the process are not locked"]


@pytest.mark.skipif(not ROOT, reason="not root")
def test_for_root_it_is_said_that_processes_are_not_limited(workdir: Path) -> None:
    said = locked(workdir, "said['capabilities'] = open('/proc/self/status').read().count('Cap')", drop=False)
    assert said["missing"] == ["RLIMIT_NPROC does not bind for root: run as another user"]


def test_what_a_kernel_lacks_is_said(workdir: Path) -> None:
    before = """
from inside.locks.landlock import handled_by
prepared = prepared._replace(handled=handled_by({abi}), architecture=prepared.architecture)
"""
    assert locked(workdir, "", before=before.format(abi=0))["missing"] == [
        "Landlock: [Errno 38] the kernel has no Landlock"
    ]
    said = locked(workdir, "", before=before.format(abi=2))["missing"]
    assert said == ["Landlock ABI 2 does not keep readable files from being cut (3 does: Linux 6.2)"]


def test_an_unknown_machine_has_no_filter_and_says_so(workdir: Path) -> None:
    said = locked(workdir, "", before="prepared = prepared._replace(architecture=None, program=None)")["missing"]
    assert isinstance(said, list)
    assert [entry.split(":")[0].split(" (")[0] for entry in said] == [
        "no numbers of system calls are known for this machine", "Landlock", "seccomp",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("abi", "files", "network", "scopes"),
    # Rights are bits 0-12 (1), 13 (2: refer), 14 (3: truncate), 15 (5: devices); ports from 4, scopes from 6.
    [(0, 0, 0, 0), (1, 0x1FFF, 0, 0), (2, 0x3FFF, 0, 0), (3, 0x7FFF, 0, 0), (4, 0x7FFF, 3, 0), (5, 0xFFFF, 3, 0),
     (6, 0xFFFF, 3, 3), (7, 0xFFFF, 3, 3)],
)  # fmt: skip
def test_every_right_that_a_version_knows_is_handled(abi: int, files: int, network: int, scopes: int) -> None:
    assert handled_by(abi) == (abi, files, network, scopes)
