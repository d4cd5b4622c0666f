"""Result of an agent: proofs that Goldproof ran, and the agent's notes, which decide nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldproof.jobs.verify.finding import Notes

if TYPE_CHECKING:
    from goldproof.jobs.verify.proof import Proof, Tried


@dataclass(frozen=True, slots=True)
class AgentProofs:
    """Proofs and notes of an agent for one case.

    tries: per option the proof that counts, as it was tried: the last one that decided, else the last one. notes: the
    agent's own words. reason: in one sentence, why options are still open; empty where none is. remarks: sentences on
    what a reader should look at: a proof that was replaced by one that came out the other way, a
    SUBJECT that does not stand in the question.
    """

    tries: tuple[Tried, ...] = ()
    notes: Notes = field(default_factory=Notes)
    reason: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def proofs(self) -> tuple[Proof, ...]:
        """The proofs that count, in the order of their options."""
        return tuple(one.proof for one in self.tries)
