"""Parse a library spec: `NAME @ PLACE`, `PLACE` or requirements; a place is a repository, a file or a folder.

A bare word is a name, never a folder: `google-adk` is the same everywhere, and `./google-adk` is the folder.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from goldproof.errors import InputError

_AT = re.compile(r"\s@\s")
_PATH_SIGNS = ("/", "\\")


@dataclass(frozen=True, slots=True)
class Spec:
    """A parsed spec. wanted: names, with extras or versions, or empty; place: a path or git+URL, or empty."""

    text: str
    wanted: str = ""
    place: str = ""

    @property
    def is_repository(self) -> bool:
        """Whether the place is to be cloned."""
        return self.place.startswith("git+")

    @property
    def path(self) -> Path:
        """The place on the disk."""
        try:
            return Path(self.place).expanduser().absolute()
        except RuntimeError as error:
            raise InputError(f"{self.text}: {error}; write the path out.") from error


def parse_spec(text: str) -> Spec:
    """Take a spec apart."""
    if not text.strip() or "\0" in text:
        raise InputError(f"library {text!r}: expected NAME==VERSION, NAME, NAME @ PATH, a wheel file or git+URL@REF.")
    wanted, *rest = _AT.split(text.strip(), maxsplit=1)
    if rest:
        if not wanted.strip() or not rest[0].strip():
            raise InputError(f"{text}: expected NAME @ PATH or NAME @ git+URL@REF.")
        return Spec(text=text.strip(), wanted=wanted.strip(), place=rest[0].strip())
    if _is_place(wanted):
        return Spec(text=text.strip(), place=wanted)
    return Spec(text=text.strip(), wanted=wanted)


def _is_place(text: str) -> bool:
    if text.startswith(("git+", ".", "~")) or text.lower().endswith(".whl"):
        return True
    return any(sign in text for sign in _PATH_SIGNS)
