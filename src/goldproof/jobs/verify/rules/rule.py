"""The Rule interface: read a case and propose proofs. A rule runs nothing and decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goldproof.corpus.libraries import NameIndex
    from goldproof.io.cases import Case
    from goldproof.jobs.verify.proof import Proof
    from goldproof.jobs.verify.rules.asked import Asked


@dataclass(frozen=True, slots=True)
class Reading:
    """A case as a rule sees it. asked: what the question asks for. index: the names of the library."""

    case: Case
    asked: Asked
    index: NameIndex


class Rule(Protocol):
    """Reads a case and proposes proofs."""

    @property
    def name(self) -> str:
        """Its name, as reports give it."""

    def propose(self, reading: Reading) -> Iterable[Proof]:
        """Return the proofs that this rule can write for a case, its premises among them; none where it has no say."""
