"""The bubblewrap level, the strongest: only interpreter, library and system programs exist, all read-only.

The zygote is process 1 of its namespace, so that nothing outlives it and its children's CPU time is seen. Root mounts
with its own rights, without a user namespace, since it may have to reach into folders that are closed to others; the
zygote then drops to an unused user before it runs anything else. Other users get a user namespace.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.sandbox import bootstrap
from goldproof.sandbox.closed_folders import entered
from goldproof.sandbox.launch import Launch
from goldproof.sandbox.users import FIRST, is_root, unused_user

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from goldproof.sandbox.interpreter import Interpreter
    from goldproof.sandbox.limits import Limits
    from goldproof.sandbox.run import Level

BOX = "/box"
SYSTEM = ("/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin")
FROM_ETC = ("/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types")
NAMED = ("/etc/passwd", "/etc/group", "/etc/hosts", "/etc/nsswitch.conf")
ALWAYS = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try", "--as-pid-1")
CLOSED = ("--die-with-parent", "--new-session", "--hostname", "goldproof")


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Launches zygotes in bubblewrap.

    program: the bwrap executable; empty where there is none. by_user: root starts it as an unused user, who then needs
    a user namespace too. hash_seed: of the zygote.
    """

    interpreter: Interpreter
    limits: Limits
    program: str
    by_user: bool = False
    hash_seed: int = 0

    @property
    def level(self) -> Level:
        """Bubblewrap."""
        return "bubblewrap"

    @property
    def about(self) -> str:
        """The program, and the user that starts it."""
        return "bubblewrap as an unused user" if self.by_user else "bubblewrap"

    @contextmanager
    def launch(self, control: int) -> Iterator[Launch]:
        """Return a launch; the descriptors of small files are closed afterwards."""
        if not self.program:
            raise FileNotFoundError("bwrap is not installed")
        uid = unused_user() if is_root() else None
        mounts_as_root = uid is not None and not self.by_user
        inside = FIRST if uid is None else uid
        files = {path: _held(text) for path, text in _small_files(inside).items()}
        try:
            yield Launch(
                command=tuple(self._command(files, control=control, who=_who(inside, mounts_as_root=mounts_as_root))),
                box=BOX,
                own_disk=True,
                uid=uid if mounts_as_root else None,
                user=uid if self.by_user else None,
                plan={
                    "readable": [*self._readable(), *NAMED],
                    "network": False,
                    "signals": "namespace",
                    "own_mounts": True,
                },
                environment={**bootstrap.environment(self.hash_seed), "HOME": BOX},
                pass_fds=tuple(files.values()),
            )
        finally:
            for descriptor in files.values():
                os.close(descriptor)

    def _readable(self) -> list[str]:
        return [str(path) for path in self._paths()]

    def _paths(self) -> list[Path]:
        return list(entered(self.interpreter.readable) if is_root() else self.interpreter.readable)

    def _command(self, files: dict[str, int], *, control: int, who: Sequence[str]) -> Iterator[str]:
        yield from (self.program, *ALWAYS, *CLOSED, *who)
        yield from _system()
        mounts = _mounts(self._paths())
        for path in _parents(mounts):
            yield from ("--perms", "0755", "--dir", path)  # else it copies the mode, and a folder may be closed
        for path in mounts:
            yield from ("--ro-bind", path, path)
        yield from ("--proc", "/proc", "--dev", "/dev")
        for path, descriptor in files.items():
            yield from ("--perms", "0444", "--ro-bind-data", str(descriptor), path)
        # Larger than a run may fill, so that the supervisor sees it before the script does.
        yield from ("--perms", "0777", "--size", str((2 * self.limits.disk_mb + 16) << 20), "--tmpfs", BOX)
        if not any(Path(path).is_relative_to("/tmp") for path in self._readable()):  # noqa: S108
            yield from ("--symlink", f"{BOX}/proof", "/tmp")  # noqa: S108
        yield from ("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", BOX, "--")
        yield from (str(self.interpreter.python), *bootstrap.command(control, control))


def _who(inside: int, *, mounts_as_root: bool) -> tuple[str, ...]:
    if mounts_as_root:
        return ("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
    return ("--unshare-user", "--uid", str(inside), "--gid", str(inside))


def _system() -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr", "--perms", "0755", "--dir", "/etc")
    for path in SYSTEM:
        if Path(path).is_symlink():
            yield from ("--symlink", str(Path(path).readlink()), path)
        elif Path(path).is_dir():
            yield from ("--ro-bind", path, path)
    for path in FROM_ETC:
        if Path(path).exists():
            yield from ("--ro-bind", str(Path(path).resolve()), path)


def _mounts(readable: Sequence[Path]) -> list[str]:
    """Paths to mount, parents first: each as it is called, and where its links lead."""
    wanted = {str(path) for path in readable} | {str(path.resolve()) for path in readable}
    kept: list[str] = []
    for path in sorted(wanted):
        covered = any(Path(path).is_relative_to(parent) for parent in ("/usr", *kept))
        if not covered and Path(path).exists():
            kept.append(path)
    return kept


def _parents(paths: Sequence[str]) -> list[str]:
    return sorted({str(parent) for path in paths for parent in Path(path).parents} - {"/"})


def _small_files(uid: int) -> dict[str, str]:
    return {
        "/etc/passwd": f"goldproof:x:{uid}:{uid}:goldproof:{BOX}/proof:/bin/sh\n",
        "/etc/group": f"goldproof:x:{uid}:\n",
        "/etc/hosts": "127.0.0.1 localhost\n::1 localhost\n",
        "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }


def _held(text: str) -> int:
    """Return a descriptor to read a text from; it is small enough to wait in a pipe."""
    reader, writer = os.pipe()
    os.write(writer, text.encode("utf-8"))
    os.close(writer)
    return reader
