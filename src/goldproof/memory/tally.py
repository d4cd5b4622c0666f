"""What was done to the answers of a memory that is not ours, counted, and said in sentences for the report."""

from __future__ import annotations

from dataclasses import dataclass

_ORDER_KEPT = "their order was kept, and the scores were not taken for similarities."


@dataclass(slots=True)
class Tally:
    """Counts of one system."""

    name: str
    answers: int = 0
    repeats: int = 0
    by_place: int = 0
    rising: int = 0
    filtered: int = 0
    unknown: int = 0

    def answered(self, *, repeats: int, by_place: bool, rises: bool) -> None:
        """Count one answer."""
        self.answers += 1
        self.repeats += repeats
        self.by_place += by_place
        self.rising += rises

    def sifted(self, *, unknown: int) -> None:
        """Count one answer that was filtered here."""
        self.filtered += 1
        self.unknown += unknown

    def remarks(self, *, takes_metadata: bool) -> tuple[str, ...]:
        """Return what the reader of a report should know."""
        said: list[tuple[object, str]] = [
            (not takes_metadata, "its add takes no metadata, so none was given to it."),
            (self.repeats, f"{_results(self.repeats)} repeated a memory; the first place was kept."),
            (
                self.by_place,
                f"for {self.by_place} of {self.answers} queries some scores were missing; places stand for all.",
            ),
            (
                self.rising,
                f"for {self.rising} of {self.answers} queries scores did not fall with the rank; {_ORDER_KEPT}",
            ),
            (
                self.filtered,
                f"its search takes no filters; for {self.filtered} of {self.answers} queries {_applied(self.unknown)}",
            ),
        ]
        return tuple(f"{self.name}: {sentence}" for holds, sentence in said if holds)


def _applied(unknown: int) -> str:
    stayed = f", except to {_results(unknown)} that it had rewritten" if unknown else ""
    return f"they were applied to what came{stayed}."


def _results(count: int) -> str:
    return "1 result" if count == 1 else f"{count} results"
