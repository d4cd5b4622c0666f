"""Build and reuse environments in `GOLDPROOF_HOME/libraries/<name>-<version>-<key>`, each complete or absent.

They are made below `.building/<key>`, one process at a time (the others wait, and then find it made), and renamed when
they are done. Nothing in them needs its own path: entry points are loaded in the process, never through the scripts in
`bin`. What a process that was killed left behind is removed by the next that makes the same.
"""

from __future__ import annotations

import shutil
import stat
import subprocess
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from goldproof.corpus.libraries.interpreters import facts_of
from goldproof.errors import ConflictError, InputError
from goldproof.io.storage.home import make_home
from goldproof.io.storage.output_folder import FolderLock
from goldproof.records.keys import content_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from goldproof.corpus.libraries.interpreters import Facts

_WAIT_SECONDS = 1800
_EVERY_SECONDS = 0.3


def environment(title: str, contents: object, *, base: Facts, fill: Callable[[Path], None]) -> Facts:
    """Return an environment, made if it is not there yet.

    title: for people, `google-adk-1.20.0`. contents: plain data that says what is in it; with the interpreter it makes
    the key. fill: puts packages into it, given its folder.
    """
    key = content_key(contents, [base.version, base.implementation, base.platform, str(base.base_prefix)])[:12]
    folder = make_home() / "libraries" / f"{title}-{key}"
    if not _is_whole(folder):
        with _only_builder(folder) as building:
            if not _is_whole(folder):
                _build(folder, building / "environment", base=base, fill=fill)
    return facts_of(python_in(folder))


def python_in(folder: Path) -> Path:
    """Return the interpreter of an environment."""
    windows = folder / "Scripts" / "python.exe"
    return windows if windows.exists() else folder / "bin" / "python"


def _is_whole(folder: Path) -> bool:
    return python_in(folder).exists()  # follows the link: the interpreter that it was made with may be gone


@contextmanager
def _only_builder(folder: Path) -> Iterator[Path]:
    """Hold the lock for one environment, waiting for who has it."""
    building = folder.parent / ".building" / folder.name
    building.mkdir(parents=True, exist_ok=True)
    lock = FolderLock(building)
    until = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            lock.take()
            break
        except ConflictError:
            if time.monotonic() > until:
                raise
            time.sleep(_EVERY_SECONDS)
    try:
        yield building
    finally:
        lock.release()


def _build(folder: Path, new: Path, *, base: Facts, fill: Callable[[Path], None]) -> None:
    try:
        shutil.rmtree(new, ignore_errors=True)
        _make_bare(new, base=base)
        fill(new)
        _open_to_all(new)
        shutil.rmtree(folder, ignore_errors=True)  # one whose interpreter is gone
        new.rename(folder)
    except OSError as error:
        raise InputError(f"{folder}: cannot be created: {error.strerror or error}.") from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _make_bare(new: Path, *, base: Facts) -> None:
    done = subprocess.run(  # noqa: S603 - the user's own interpreter
        [str(base.python), "-I", "-m", "venv", "--without-pip", str(new)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0 or not _is_whole(new):
        said = (done.stdout.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise InputError(f"{base.python}: cannot make an environment: {said[:300]}; is its venv module installed?")


def _open_to_all(new: Path) -> None:
    """Let every user read: as root, scripts are run as another user."""
    for path in (new, *new.rglob("*")):
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            continue
        runs = stat.S_ISDIR(mode) or mode & stat.S_IXUSR
        wanted = stat.S_IMODE(mode) | (0o555 if runs else 0o444)
        if wanted != stat.S_IMODE(mode):
            path.chmod(wanted)
