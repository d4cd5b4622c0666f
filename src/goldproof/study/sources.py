"""How files are named on the command line: FILE, NAME=FILE, FILE#RUN."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from goldproof.core.errors import InputError
from goldproof.core.names import file_stem


class Source(NamedTuple):
    """A file of scores, the run picked from it (None: its only one), and the name given to it (None: its own)."""

    name: str | None
    path: Path
    run: str | None


def split_name(text: str) -> tuple[str | None, str]:
    """Read NAME=FILE or FILE; a file that really has such a name wins."""
    if "=" not in text or Path(text).exists():
        return None, text
    name, _, path = text.partition("=")
    if not name or not path:
        raise InputError(f"{text!r} is not of the form NAME=FILE; both sides are needed.")
    return name, path


def parse_source(text: str) -> Source:
    """Read FILE, FILE#RUN, NAME=FILE or NAME=FILE#RUN; a file that really has such a name wins."""
    name, rest = split_name(text)
    if "#" in rest and not Path(rest).exists():
        path, _, run = rest.rpartition("#")
        return Source(name, Path(path), run or None)
    return Source(name, Path(rest), None)


def named_files(texts: list[str], *, option: str = "--run") -> dict[str, Path]:
    """Read `--run NAME=FILE` options, or those of another name; each NAME once."""
    files: dict[str, Path] = {}
    for text in texts:
        name, path = split_name(text)
        key = name or file_stem(path)
        if key in files:
            apart = f"{option} one={files[key]} {option} other={path}"
            raise InputError(f"two {option[2:]}s are called {key!r}; tell them apart: {apart}.")
        files[key] = Path(path)
    return files
