"""Writing a file in one pass and knowing its sha256 at the end, without reading it again."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError
from goldproof.io.replacing import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def write_hashed(path: Path | str, pieces: Iterable[bytes]) -> str:
    """Put the pieces at the path, whole or not at all, making its folder where needed; return the sha256 (hex)."""
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
    """Make a folder and those above it where they are not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise InputError(f"{folder}: is a file or lies below one, expected a folder to write to.") from error
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror or error}.") from error
