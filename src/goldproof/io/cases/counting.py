"""What a file of cases holds, and which of its cases cannot be read: for `goldproof validate`."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from goldproof.core.errors import FileFormatError
from goldproof.io.cases.reading import read_cases
from goldproof.io.cases.registry import read_registry
from goldproof.io.complaints import Complaints

if TYPE_CHECKING:
    from pathlib import Path

_LINE = re.compile(r"(?P<line>\d+): (?P<said>.*)", re.DOTALL)


def holds_cases(path: Path) -> bool:
    """Return whether a file is a registry of cases; one that cannot be parsed is not known to be one."""
    try:
        return read_registry(path, Complaints(path)) is not None
    except FileFormatError:
        return False


def count_cases(path: Path, complaints: Complaints) -> dict[str, int]:
    """Count the cases by kind; those that cannot be read are complaints."""
    found = read_cases([path])
    for problem in found.problems:
        placed = _LINE.fullmatch(problem.removeprefix(f"{path}:").lstrip())
        complaints.add(placed["said"] if placed else problem, line=int(placed["line"]) if placed else None)
    kinds = Counter(case.kind for case in found.cases)
    return {"cases": len(found.cases), **dict(sorted(kinds.items()))}
