"""Progress callbacks of an audit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.verify.finding import Verdict
    from goldproof.sandbox import Isolation


@dataclass(frozen=True, slots=True)
class AuditProgress:
    """Progress with one library. verdicts: so far; proofs: scripts that were run. spent: what models cost."""

    library: str
    done: int
    cases: int
    proofs: int
    verdicts: Mapping[Verdict, int]
    spent: Mapping[str, object]


class AuditWatcher(Protocol):
    """Receives progress of an audit."""

    def opening(self, library: str) -> None:
        """A library is being made ready."""

    def isolated(self, library: str, isolation: Isolation) -> None:
        """The sandbox for a library is open, isolated like this."""

    def auditing(self, progress: AuditProgress) -> None:
        """A case is done."""


class NobodyWatches:
    """A watcher that ignores everything."""

    def opening(self, library: str) -> None:
        """Do nothing."""

    def isolated(self, library: str, isolation: Isolation) -> None:
        """Do nothing."""

    def auditing(self, progress: AuditProgress) -> None:
        """Do nothing."""
