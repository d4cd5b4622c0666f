"""What is wrong with a folder of files, gathered in sentences: the first are kept, all are counted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldproof.errors import FileFormatError

if TYPE_CHECKING:
    from goldproof.errors import InputError
    from goldproof.io.diagnostics import Diagnostics

LISTED = 50


@dataclass(slots=True)
class Problems:
    """Sentences that begin with the file and the line they are about."""

    listed: list[str] = field(default_factory=list)
    total: int = 0

    def add(self, name: str, problem: str, *, line: int | None = None) -> None:
        """Add what is wrong with a file."""
        self.total += 1
        if len(self.listed) < LISTED:
            self.listed.append(f"{name}: {problem}" if line is None else f"{name}:{line}: {problem}")

    def add_error(self, name: str, error: InputError) -> None:
        """Add that a file cannot be used at all."""
        if isinstance(error, FileFormatError):
            self.add(name, error.problem, line=error.line)
        else:
            self.add(name, " ".join(str(error).split()))

    def add_complaints(self, name: str, complaints: Diagnostics) -> None:
        """Add the bad lines that a reader left out."""
        for finding in complaints.findings:
            self.add(name, finding.problem, line=finding.line)
        self.total += complaints.total - len(complaints.findings)
