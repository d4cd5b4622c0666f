"""Writing files whole or not at all: a temporary name in the same folder, flushed to disk, then renamed."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from karat.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

_BUFFER_BYTES = 1 << 20


def replace_file(path: Path | str, content: bytes | Iterable[bytes]) -> None:
    """Put the content at the path, replacing what was there; on any failure the old file stays as it was."""
    path = Path(path)
    pieces = (content,) if isinstance(content, bytes) else content
    # Not tempfile: its files are private to the user, and these are written for others to read as well.
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb", buffering=_BUFFER_BYTES) as stream:
            stream.writelines(pieces)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}.") from error
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path | str, text: str) -> None:
    """Write UTF-8 text with the line ends it has."""
    replace_file(path, text.encode("utf-8"))
