"""Read name, version, requirements and sha256 of a wheel file."""

from __future__ import annotations

import hashlib
import re
import zipfile
from dataclasses import dataclass
from email.parser import Parser
from typing import TYPE_CHECKING

from goldproof.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class WheelFile:
    """A wheel. requires: as its metadata say."""

    path: Path
    name: str
    version: str
    requires: tuple[str, ...]
    sha256: str


def read_wheel(path: Path, *, spec: str) -> WheelFile:
    """Read a wheel's metadata; nothing is unpacked."""
    try:
        with zipfile.ZipFile(path) as wheel:
            place = next((name for name in wheel.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name)), None)
            text = "" if place is None else wheel.read(place).decode("utf-8", "replace")
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError as error:
        raise InputError(f"{spec}: there is no such file.") from error
    except (OSError, zipfile.BadZipFile, RuntimeError) as error:
        raise InputError(f"{spec}: cannot be read as a wheel: {error}.") from error
    metadata = Parser().parsestr(text, headersonly=True)
    name, version = metadata["Name"], metadata["Version"]
    if not name or not version:
        raise InputError(f"{spec}: is not a wheel: it has no METADATA with a name and a version.")
    return WheelFile(
        path=path, name=name, version=version, requires=tuple(metadata.get_all("Requires-Dist") or ()), sha256=sha256
    )
