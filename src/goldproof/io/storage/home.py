"""The cache folder: `GOLDPROOF_HOME`, by default `goldproof` in the XDG cache folder."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from goldproof.errors import InputError

# The standard that backup tools know (bford.info/cachedir); here it also proves that the folder is ours to empty.
TAG_NAME = "CACHEDIR.TAG"
TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Caches of Goldproof; safe to delete.\n"


def goldproof_home() -> Path:
    """Return the cache folder, which may not exist yet."""
    if chosen := os.environ.get("GOLDPROOF_HOME"):
        return _expanded(chosen)
    return _expanded(os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or "~/.cache") / "goldproof"


def _expanded(folder: str) -> Path:
    try:
        return Path(folder).expanduser()
    except RuntimeError as error:
        raise InputError(f"{folder}: {error}; set GOLDPROOF_HOME to a folder.") from error


def make_home() -> Path:
    """Create the cache folder with its `CACHEDIR.TAG`."""
    home = goldproof_home()
    if home.exists() and not home.is_dir():
        raise InputError(f"{home}: is a file, expected the cache folder; set GOLDPROOF_HOME to a folder.")
    try:
        home.mkdir(parents=True, exist_ok=True)
        tag = home / TAG_NAME
        if not tag.exists():
            tag.write_text(TAG, encoding="ascii")
    except OSError as error:
        raise InputError(
            f"{home}: the cache cannot be written there ({error.strerror or error}); "
            "set GOLDPROOF_HOME to a writable folder."
        ) from error
    return home


def home_size() -> int:
    """Return the bytes that all caches take."""
    home = goldproof_home()
    return sum(path.lstat().st_size for path in home.rglob("*") if not path.is_dir()) if home.is_dir() else 0


def clear_home() -> int:
    """Delete all caches and return the bytes freed; a folder that Goldproof did not make is left alone."""
    home = goldproof_home()
    if not home.exists():
        return 0
    tag = home / TAG_NAME
    if not tag.is_file() or tag.read_bytes() != TAG.encode("ascii"):
        raise InputError(f"{home}: has no {TAG_NAME} from Goldproof, so it is not deleted; check GOLDPROOF_HOME.")
    freed = home_size()
    for path in home.iterdir():
        if path.name == TAG_NAME:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    return freed
