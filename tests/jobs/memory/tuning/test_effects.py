"""What the trials with each option came to."""

from __future__ import annotations

from karat.jobs.memory.tuning import TrialRecord, Tuned, options_of
from karat.jobs.memory.tuning.effects import OptionSummary

TRIALS = (
    TrialRecord(0, "dense(other)", 0.1),  # a baseline outside the space has no choices
    TrialRecord(1, "bm25", 0.25, choices={"source": "bm25", "k": 5}),
    TrialRecord(2, "dense(a) | floor(0.3)", 0.5, choices={"source": "dense", "k": 5, "floor": 0.3}),
    TrialRecord(3, "dense(a)", 0.75, choices={"source": "dense", "k": 2}),
    TrialRecord(4, "bm25", 0.25, repeats=1, choices={"source": "bm25", "k": 5}),
    TrialRecord(5, "dense(b)", None, reason="boom", choices={"source": "dense", "k": 1}),
)


def test_each_configuration_counts_once_and_failed_ones_apart() -> None:
    # dense: 0.5 and 0.75, mean 0.625, and one that failed; k = 5: 0.25 and 0.5, mean 0.375
    assert options_of(Tuned(TRIALS, TRIALS[0], TRIALS[3], "recall")) == (
        OptionSummary("k", "1", 1, 1, None, None),
        OptionSummary("k", "2", 1, 0, 0.75, 0.75),
        OptionSummary("k", "5", 2, 0, 0.375, 0.5),
        OptionSummary("source", "bm25", 1, 0, 0.25, 0.25),
        OptionSummary("source", "dense", 3, 1, 0.625, 0.75),
    )
