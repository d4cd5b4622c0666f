"""Writing files whole or not at all: a temporary name in the same folder, flushed to disk, then renamed.

A link is followed: the file it points to is replaced, and the link stays. What is there and is not a regular file (a
folder, a device, a pipe) is refused: renaming would put a file in its place.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError
from goldproof.io.processes import is_alive

if TYPE_CHECKING:
    from collections.abc import Iterable

_BUFFER_BYTES = 1 << 20
_TEMPORARY = re.compile(r"\..+\.([0-9]{1,10})\.[0-9a-f]{8}\.tmp", re.ASCII)


def replace_file(path: Path | str, content: bytes | Iterable[bytes]) -> None:
    """Put the content at the path, replacing what was there; on any failure the old file stays as it was."""
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


def write_text(path: Path | str, text: str) -> None:
    """Write UTF-8 text with the line ends it has."""
    replace_file(path, text.encode("utf-8"))


def temporary_name(path: Path) -> Path:
    """Return a name beside the path that nobody else uses, and that says whose it is."""
    return path.with_name(f".{path.name.lstrip('.')}.{os.getpid()}.{secrets.token_hex(4)}.tmp")


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files of processes that were killed; what cannot be removed stays."""
    for path in folder.glob(".*.tmp"):
        name = _TEMPORARY.fullmatch(path.name)
        if name is not None and not is_alive(int(name[1])):
            with suppress(OSError):
                path.unlink()


def _target(path: Path) -> Path:
    """Return the file to replace: the path itself, or what it links to."""
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
    what = kinds.get(stat.S_IFMT(mode), "a device or socket")
    raise InputError(f"{path}: is {what}, so no file can be written there; give another name.")
