"""A Python interpreter that runs scripts, and the paths that it must be able to read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python interpreter for scripts.

    python: the executable, as it is called (a link inside a virtual environment stays one). readable: files and
    folders that it needs: its own prefix, that of the environment, site-packages that lie elsewhere. Nothing else of
    the user's can be read. packages: the import names whose code is under test: they are imported before anything runs,
    and a script that replaces their code is detected.
    """

    python: Path
    readable: tuple[Path, ...]
    packages: tuple[str, ...] = ()
