"""What is known of one trial, and of a whole search."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True)
class TrialRecord:
    """One configuration that was tried.

    number: from 0, the baseline where it is a pipeline; None: a baseline that is no trial. value: of the objective on
    development; None where the trial failed, reason says why. repeats: the trial that tried the same before, and whose
    value this one has. failed_queries: how many of the queries failed; they count 0. choices: what was chosen, by name.
    """

    number: int | None
    pipeline: str
    value: float | None
    reason: str = ""
    repeats: int | None = None
    failed_queries: int = 0
    choices: Mapping[str, str | int | float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, object]:
        """Return plain data."""
        return {
            "trial": self.number,
            "pipeline": self.pipeline,
            "value": self.value,
            "reason": self.reason or None,
            "repeats": self.repeats,
            "failed_queries": self.failed_queries,
            "choices": dict(self.choices),
        }


@dataclass(frozen=True, slots=True)
class Tuned:
    """A search that is done.

    trials: in their order, a baseline that is a pipeline first; one that was lost when a process ended, and done again,
    is there once. baseline: the first trial, or another system, which is no trial.
    """

    trials: tuple[TrialRecord, ...]
    baseline: TrialRecord
    winner: TrialRecord
    objective: str
    remarks: tuple[str, ...] = ()

    @property
    def failed(self) -> int:
        """How many trials have no value."""
        return sum(record.value is None for record in self.trials)

    @property
    def repeated(self) -> int:
        """How many trials chose what had been tried before."""
        return sum(record.repeats is not None for record in self.trials)

    @property
    def distinct(self) -> int:
        """How many configurations were run, the baseline among them."""
        return len({record.pipeline for record in self.trials})

    def to_dict(self) -> dict[str, object]:
        """Return plain data: the counts, the baseline, the winner and every trial."""
        return {
            "objective": self.objective,
            "counts": {"trials": len(self.trials), "failed": self.failed, "repeated": self.repeated},
            "baseline": self.baseline.to_dict(),
            "winner": self.winner.to_dict(),
            "trials": [record.to_dict() for record in self.trials],
        }


class TuneWatcher(Protocol):
    """Told how far a search is."""

    def tried(self, done: int, total: int, *, best: TrialRecord, failed: int) -> None:
        """Called after each trial: how many are done, of how many, the best so far, and how many failed."""


def best_of(records: Iterable[TrialRecord]) -> TrialRecord | None:
    """Return the record of the highest value; of equals the shorter pipeline, then the earlier one."""
    scored = [record for record in records if record.value is not None]
    return min(scored, key=_rank) if scored else None


def _rank(record: TrialRecord) -> tuple[float, int, int]:
    value = float(f"{record.value or 0.0:.12g}")  # values that differ in the last bits are equal
    return -value, len(record.pipeline), record.number or 0
