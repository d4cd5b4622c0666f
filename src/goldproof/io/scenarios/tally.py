"""What a reader of somebody else's benchmark left out or mended, counted, so that no number changes in silence."""

from __future__ import annotations

from collections import Counter


class Tally:
    """Counts by what happened, in the order in which things first happened."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self.questions = 0  # left out

    def note(self, what: str, count: int = 1) -> None:
        """Count something that happened."""
        if count:
            self._counts[what] += count

    def question(self, why: str) -> None:
        """Count a question that is left out."""
        self.questions += 1
        self.note(f"Questions left out, {why}")

    @property
    def remarks(self) -> tuple[str, ...]:
        """One sentence for each."""
        return tuple(f"{what}: {count:,}." for what, count in self._counts.items())
