"""What a file of cases holds, and which of its cases cannot be read: for `goldproof validate`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from goldproof.core.errors import FileFormatError
from goldproof.io.cases.reading import read_cases
from goldproof.io.cases.registry import read_registry
from goldproof.io.complaints import Complaints

if TYPE_CHECKING:
    from pathlib import Path


def holds_cases(path: Path) -> bool:
    """Return whether a file is a registry of cases; one that cannot be parsed is not known to be one."""
    try:
        return read_registry(path, Complaints(path)) is not None
    except FileFormatError:
        return False


def count_cases(path: Path, complaints: Complaints) -> dict[str, int]:
    """Count the cases by kind; those that cannot be read are complaints."""
    found = read_cases([path], complaints=complaints)
    kinds = Counter(case.kind for case in found.cases)
    return {"cases": len(found.cases), **dict(sorted(kinds.items()))}
