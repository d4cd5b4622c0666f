"""Where a case stands, and what comes of it: the same for every kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.io.cases.case import Case, Kind


@dataclass(frozen=True, slots=True)
class Place:
    """Where a case stands. id: `<suite>:<case>`; file: its name, for metadata; where: file and line, for messages."""

    id: str
    suite: str
    file: str
    where: str
    folder: Path

    def metadata(self, kind: Kind, **more: object) -> dict[str, object]:
        """Return the metadata of the question; of `more` what says something."""
        return {"kind": kind, "suite": self.suite, "file": self.file} | {k: v for k, v in more.items() if v}


@dataclass(frozen=True, slots=True)
class BuiltCase:
    """A case, and the code file that its question shows; questions about one file are not independent."""

    case: Case
    shown: Path | None = None
