"""The forked child: becomes a process of its own, locks itself, runs the script and sends its observations.

The message goes through a private pipe at a number that cannot be guessed and begins with a token. The token waits in
a second pipe and is read only when the script has ended: a script that takes it leaves nothing to sign with. All
functions that send are bound before the script runs, which may replace them in their modules.
"""

# ruff: noqa: PTH103, PTH120, PTH123 - plain names and descriptors cost no import
from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import sys
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from ..proof.encoding import encode as _encode  # noqa: TID252 - sources are sent inside as one package
from . import kernel

if TYPE_CHECKING:
    from collections.abc import Callable

TOKEN = 32
BAD_END = 70

_read, _write, _exit = os.read, os.write, os._exit


class Ends(NamedTuple):
    """The child's ends of its pipes."""

    out: int
    err: int
    message: int
    token: int


class Task(NamedTuple):
    """A child's task. apply: the locks. late: imported after the locks. run: executes the script."""

    workdir: str
    files: dict[str, str]
    apply: Callable[[str], list[str]]
    late: Callable[[], Any]
    run: Callable[[Any], dict[str, Any]]


def live(task: Task, *, ends: Ends, closing: tuple[int, ...]) -> NoReturn:
    """Run the child; never returns. closing: descriptors of the zygote."""
    status = BAD_END
    try:
        for descriptor in closing:
            os.close(descriptor)
        secret = _rewire(ends)
        _settle(task)
        unlocked = task.apply(task.workdir)
        for name, text in task.files.items():
            _put(name, text)
        message = task.run(task.late())
        message["unlocked"] = unlocked
        _flush()
        _send(message, secret)
        status = 0
    except BaseException as error:  # noqa: BLE001 - a child never returns into the zygote
        _complain(error)
    finally:
        _exit(status)


def _rewire(ends: Ends) -> tuple[int, int]:
    """Set stdin, stdout and stderr; return where the message goes and where the token waits."""
    os.setsid()
    null = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((null, 0), (ends.out, 1), (ends.err, 2)):
        os.dup2(source, target)
    limit = os.sysconf("SC_OPEN_MAX")
    first, second = _numbers(limit)
    os.dup2(ends.message, first, inheritable=False)
    os.dup2(ends.token, second, inheritable=False)
    for descriptor in (null, *ends):
        os.close(descriptor)
    return first, second


def _numbers(limit: int) -> tuple[int, int]:
    low = min(1024, limit // 2)
    first = low + int.from_bytes(os.urandom(4), "big") % (limit - low)
    second = low + int.from_bytes(os.urandom(4), "big") % (limit - low)
    return (first, second) if first != second else _numbers(limit)


def _settle(task: Task) -> None:
    kernel.set_process(kernel.DUMPABLE, 1)  # or its own /proc entries are closed to it, and to the zygote
    kernel.set_process(kernel.PDEATHSIG, signal.SIGKILL)
    _offer_to_the_oom_killer()
    # Python ignores it, and a script would see an OSError where the limit is ours.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    os.chdir(task.workdir)
    os.environ["HOME"] = os.environ["TMPDIR"] = os.environ["PWD"] = task.workdir
    sys.path.insert(0, task.workdir)
    gc.enable()


def _offer_to_the_oom_killer() -> None:
    try:
        descriptor = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
    except OSError:
        return
    try:
        os.write(descriptor, b"1000")
    except OSError:
        pass
    finally:
        os.close(descriptor)


def _put(name: str, text: str) -> None:
    folder = os.path.dirname(name)
    if folder:
        os.makedirs(folder, exist_ok=True)
    with open(name, "w", encoding="utf-8", newline="", errors="surrogatepass") as stream:
        stream.write(text)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):  # the script closed or replaced it
            continue


def _send(message: dict[str, Any], secret: tuple[int, int]) -> None:
    target, waiting = secret
    body = _encode(message).encode("ascii")
    token = _read(waiting, TOKEN)
    data = memoryview(token + len(body).to_bytes(8, "big") + body)
    while data:
        data = data[_write(target, data) :]


def _complain(error: BaseException) -> None:
    with contextlib.suppress(OSError):
        _write(2, f"goldproof: {type(error).__name__}: {error}\n".encode("utf-8", "replace"))


def import_all(names: list[str]) -> list[str]:
    """Import modules; return what went wrong, one sentence each."""
    wrong = []
    for name in names:
        try:
            importlib.import_module(name)
        except BaseException as error:  # noqa: BLE001 - a library may raise anything, SystemExit too
            wrong.append(f"{name}: {type(error).__name__}: {error}"[:500])
    return wrong
