"""Bait for attacks: resources of the host, each with a way to detect that it was reached.

secret file     random words, readable for everybody: only the sandbox protects it
canary          a process that must stay alive, unchanged; its environment holds a second secret
listeners       TCP, UDP, unix sockets by path (stream, datagram) and by abstract name: connections are counted
outside         a folder where everybody may write, with files that must stay as they are
marker          a word that leftover processes carry in their command line

All is made in a temporary folder and gone afterwards.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

LOOPBACK = "127.0.0.1"
PATIENCE = 1.0  # seconds that a killed process may still be seen
_LIFE = "120"  # seconds; a canary that is forgotten ends by itself


@dataclass(frozen=True, slots=True)
class Bait:
    """Bait that was laid out. facts: what scripts are told about it."""

    folder: Path
    secret: str
    canary_secret: str
    marker: str
    canary: subprocess.Popen[bytes]
    listeners: tuple[socket.socket, ...]
    before: dict[str, tuple[object, ...]]
    canary_before: tuple[object, ...]
    facts: dict[str, object]

    def visited(self, family: int) -> bool:
        """Return whether a listener of a family had a visitor since the last time."""
        came = [_came(one) for one in self.listeners if one.family == family]  # all are asked, so that all are emptied
        return any(came)

    def touched(self) -> bool:
        """Return whether anything outside was changed."""
        return _state(self.folder / "outside") != self.before

    def canary_hurt(self) -> bool:
        """Return whether the canary is dead, stopped, or has other limits, priority or processors."""
        return self.canary.poll() is not None or _facts_of(self.canary.pid) != self.canary_before

    def leftovers(self) -> list[int]:
        """Processes that carry the marker, after a moment of patience."""
        deadline = time.monotonic() + PATIENCE
        while (found := list(_carrying(self.marker.encode("ascii")))) and time.monotonic() < deadline:
            time.sleep(0.02)
        return found


@contextlib.contextmanager
def laid(*, user: int | None = None) -> Iterator[Bait]:
    """Lay out bait. user: who the canary runs as (root only), best the user of the scripts."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="goldproof-bait-")))
        # Permissions must not be what holds.
        folder.chmod(0o755)
        secret, canary_secret = (secrets.token_hex(16) for _ in range(2))
        (folder / "secret.txt").write_text(secret, encoding="ascii")
        _make_outside(folder / "outside")
        canary = stack.enter_context(_canary(canary_secret, user=user))
        abstract = f"goldproof-{secrets.token_hex(8)}"
        listeners = tuple(stack.enter_context(one) for one in _listeners(folder, abstract))
        marker = f"goldproof-left-{secrets.token_hex(8)}"
        yield Bait(
            folder,
            secret,
            canary_secret,
            marker,
            canary,
            listeners,
            before=_state(folder / "outside"),
            canary_before=_facts_of(canary.pid),
            facts={
                "folder": str(folder),
                "secret": str(folder / "secret.txt"),
                "outside": str(folder / "outside"),
                "canary": canary.pid,
                "host": os.getpid(),
                "tcp": listeners[0].getsockname()[1],
                "udp": listeners[1].getsockname()[1],
                "stream": str(folder / "stream"),
                "datagram": str(folder / "datagram"),
                "abstract": abstract,
                "marker": marker,
            },
        )


def _make_outside(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    for name in ("keep.txt", "cut.txt", "mode.txt"):
        (folder / name).write_text("as it was", encoding="ascii")
        (folder / name).chmod(0o666)


@contextlib.contextmanager
def _canary(secret: str, *, user: int | None) -> Iterator[subprocess.Popen[bytes]]:
    other = {} if user is None or os.geteuid() != 0 else {"user": user, "group": user, "extra_groups": []}
    process = subprocess.Popen(  # noqa: S603 - our own command
        ["/bin/sleep", _LIFE],
        env={"GOLDPROOF_CANARY": secret},
        cwd="/",
        start_new_session=True,
        **other,  # type: ignore[call-overload]
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _listeners(folder: Path, abstract: str) -> Iterator[socket.socket]:
    wanted: tuple[tuple[int, int, object], ...] = (
        (socket.AF_INET, socket.SOCK_STREAM, (LOOPBACK, 0)),
        (socket.AF_INET, socket.SOCK_DGRAM, (LOOPBACK, 0)),
        (socket.AF_UNIX, socket.SOCK_STREAM, str(folder / "stream")),
        (socket.AF_UNIX, socket.SOCK_DGRAM, str(folder / "datagram")),
        (socket.AF_UNIX, socket.SOCK_STREAM, b"\0" + abstract.encode("ascii")),
        (socket.AF_UNIX, socket.SOCK_DGRAM, b"\0" + abstract.encode("ascii") + b"-datagram"),
    )
    for family, kind, address in wanted:
        listener = socket.socket(family, kind)
        listener.settimeout(0)
        listener.bind(address)  # type: ignore[arg-type]
        if isinstance(address, str):
            Path(address).chmod(0o777)
        if kind == socket.SOCK_STREAM:
            listener.listen(16)
        yield listener


def _came(listener: socket.socket) -> bool:
    came = False
    with contextlib.suppress(BlockingIOError):
        while True:
            if listener.type == socket.SOCK_STREAM:
                listener.accept()[0].close()
            else:
                listener.recv(1)
            came = True
    return came


def _state(folder: Path) -> dict[str, tuple[object, ...]]:
    """Everything about the files of a folder that a writer could change."""
    found: dict[str, tuple[object, ...]] = {}
    for path in (folder, *sorted(folder.rglob("*"))):
        facts = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        found[str(path)] = (facts.st_mode, facts.st_uid, facts.st_nlink, facts.st_mtime_ns, content)
    return found


def _facts_of(pid: int) -> tuple[object, ...]:
    with contextlib.suppress(OSError):
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        state = next(line.split()[1] for line in status.splitlines() if line.startswith("State:"))
        limits = Path(f"/proc/{pid}/limits").read_text(encoding="utf-8")
        stopped = state in "Tt"
        return stopped, limits, os.getpriority(os.PRIO_PROCESS, pid), sorted(os.sched_getaffinity(pid))
    return ()


def _carrying(marker: bytes) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if marker in (entry / "cmdline").read_bytes():
                    yield int(entry.name)
