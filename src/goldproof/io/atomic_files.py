"""Atomic writes, sha256 while writing, left-over temporary files, and whether a process is alive.

A link is followed: the file it points to is replaced, and the link stays. What is there and is not a regular file (a
folder, a device, a pipe) is refused: renaming would put a file in its place.

A temporary file names its process, so that one left over by a killed process can be removed.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_BUFFER_BYTES = 1 << 20
_TEMPORARY = re.compile(r"\..+\.([0-9]{1,10})\.[0-9a-f]{8}\.tmp", re.ASCII)


def replace_file(path: Path | str, content: bytes | Iterable[bytes]) -> None:
    """Write the content to the path, replacing a file that is there; on any failure the old file stays as it was."""
    path = Path(path)
    pieces = (content,) if isinstance(content, bytes) else content
    target = _target(path)
    # Not tempfile: its files are private to the user, and these are written for others to read as well.
    temporary = temporary_name(target)
    try:
        with temporary.open("xb", buffering=_BUFFER_BYTES) as stream:
            stream.writelines(pieces)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}.") from error
    finally:
        with suppress(OSError):  # a name that is too long, or a folder that is no folder: said above
            temporary.unlink(missing_ok=True)


def _target(path: Path) -> Path:
    """Return the file to replace: the path itself, or the target of a link."""
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    try:
        mode = target.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return target
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be written: {getattr(error, 'strerror', None) or error}.") from error
    if stat.S_ISREG(mode):
        return target
    kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFLNK: "a link that leads to itself"}
    kind = kinds.get(stat.S_IFMT(mode), "a device or socket")
    raise InputError(f"{path}: is {kind}, so no file can be written there; give another name.")


def write_text(path: Path | str, text: str) -> None:
    """Write UTF-8 text with the line ends it has."""
    replace_file(path, text.encode("utf-8"))


def write_hashed(path: Path | str, pieces: Iterable[bytes]) -> str:
    """Write the pieces to the path atomically, creating its folder if needed; return the sha256 (hex)."""
    path = Path(path)
    make_folder(path.parent)
    digest = hashlib.sha256()

    def hashed() -> Iterator[bytes]:
        for piece in pieces:
            digest.update(piece)
            yield piece

    replace_file(path, hashed())
    return digest.hexdigest()


def make_folder(folder: Path) -> None:
    """Create a folder and its parents if missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise InputError(f"{folder}: is a file or lies below one, expected a folder to write to.") from error
    except OSError as error:
        raise InputError(f"{folder}: cannot be created: {error.strerror or error}.") from error


def temporary_name(path: Path) -> Path:
    """Return an unused temporary name beside the path, with the process id in it."""
    return path.with_name(f".{path.name.lstrip('.')}.{os.getpid()}.{secrets.token_hex(4)}.tmp")


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files of processes that were killed; what cannot be removed stays."""
    for path in folder.glob(".*.tmp"):
        name = _TEMPORARY.fullmatch(path.name)
        if name is not None and not is_alive(int(name[1])):
            with suppress(OSError):
                path.unlink()


def is_alive(pid: int) -> bool:
    """Return whether a process with this id is alive."""
    if sys.platform == "win32":
        # os.kill(pid, 0) would send Ctrl-C there, so ask for a handle instead.
        import ctypes  # noqa: PLC0415

        handle = ctypes.windll.kernel32.OpenProcess(0x1000, 0, pid)
        if handle:
            ctypes.windll.kernel32.CloseHandle(handle)
        return bool(handle)
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
