"""Tuning: the search for a better configuration of Goldproof's own memory, and one look at the hold-out."""

from typing import TYPE_CHECKING

from goldproof.plugins import lazy_exports

if TYPE_CHECKING:
    from goldproof.jobs.memory.tuning.baseline import OtherSystem, ScoredBaseline, open_baseline, score_baseline
    from goldproof.jobs.memory.tuning.engine import tune_suite
    from goldproof.jobs.memory.tuning.holdout import (
        Opening,
        both_splits,
        check_still_closed,
        open_holdout,
        read_opening,
    )
    from goldproof.jobs.memory.tuning.ledger import openings, record_opening
    from goldproof.jobs.memory.tuning.objective import OBJECTIVES, check_objective
    from goldproof.jobs.memory.tuning.report import Estimate, HoldoutComparison, Optimism, compare_on_holdout
    from goldproof.jobs.memory.tuning.space import Space, describe, read_space
    from goldproof.jobs.memory.tuning.trial import TrialRecord, Tuned, TuneWatcher
    from goldproof.jobs.memory.tuning.winner import WINNER_FILE, winner_yaml

__all__ = [
    "OBJECTIVES",
    "WINNER_FILE",
    "Estimate",
    "HoldoutComparison",
    "Opening",
    "Optimism",
    "OtherSystem",
    "ScoredBaseline",
    "Space",
    "TrialRecord",
    "TuneWatcher",
    "Tuned",
    "both_splits",
    "check_objective",
    "check_still_closed",
    "compare_on_holdout",
    "describe",
    "open_baseline",
    "open_holdout",
    "openings",
    "read_opening",
    "read_space",
    "record_opening",
    "score_baseline",
    "tune_suite",
    "winner_yaml",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "baseline": ("OtherSystem", "ScoredBaseline", "open_baseline", "score_baseline"),
        "engine": ("tune_suite",),
        "holdout": ("Opening", "both_splits", "check_still_closed", "open_holdout", "read_opening"),
        "ledger": ("openings", "record_opening"),
        "objective": ("OBJECTIVES", "check_objective"),
        "report": ("Estimate", "HoldoutComparison", "Optimism", "compare_on_holdout"),
        "space": ("Space", "describe", "read_space"),
        "trial": ("TrialRecord", "TuneWatcher", "Tuned"),
        "winner": ("WINNER_FILE", "winner_yaml"),
    },
)
