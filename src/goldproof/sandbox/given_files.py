"""Validate the names of files given to a run: relative, and inside its folder."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from goldproof.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable


def check_names(names: Iterable[str]) -> None:
    """Raise InputError for a name that leads elsewhere, or to no file."""
    for name in names:
        parts = PurePosixPath(name).parts
        if not parts or ".." in parts or name.startswith("/") or name.endswith("/") or "\0" in name:
            raise InputError(f"a run cannot be given the file {name!r}: names are relative and stay in its folder.")
