"""What the trials with each option came to: how many configurations, their mean and their best.

A description, not an effect: a sampler tries promising options more often, and together with others that promise. Each
configuration counts once, however often it was proposed; those that failed are counted apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from karat.jobs.memory.tuning.trial import TrialRecord, Tuned

_NUMBERS = ("weight", "floor", "score_floor", "half_life")  # of many values each: no options


@dataclass(frozen=True, slots=True)
class OptionSummary:
    """One option of one choice; mean and best are None where no configuration with it has a value."""

    choice: str
    option: str
    configurations: int
    failed: int
    mean: float | None
    best: float | None


def options_of(tuned: Tuned) -> tuple[OptionSummary, ...]:
    """Return every option that was tried, choice by choice."""
    tried: dict[str, dict[str, list[TrialRecord]]] = {}
    for record in tuned.trials:
        if record.repeats is None:
            for choice, option in record.choices.items():
                if choice not in _NUMBERS:
                    tried.setdefault(choice, {}).setdefault(str(option), []).append(record)
    return tuple(
        _summary(choice, option, records)
        for choice, options in sorted(tried.items())
        for option, records in sorted(options.items())
    )


def _summary(choice: str, option: str, records: list[TrialRecord]) -> OptionSummary:
    values = [record.value for record in records if record.value is not None]
    return OptionSummary(
        choice=choice,
        option=option,
        configurations=len(records),
        failed=len(records) - len(values),
        mean=fsum(values) / len(values) if values else None,
        best=max(values, default=None),
    )
