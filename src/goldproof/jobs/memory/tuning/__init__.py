"""Tuning: the search for a better configuration of Goldproof's own memory, and one look at the hold-out."""

from typing import TYPE_CHECKING

from goldproof.plugins import lazy_exports

if TYPE_CHECKING:
    from goldproof.jobs.memory.tuning.baseline import OtherSystem, ScoredBaseline, open_baseline, score_baseline
    from goldproof.jobs.memory.tuning.comparison import Estimate, HoldoutComparison, Optimism, compare_on_holdout
    from goldproof.jobs.memory.tuning.holdout import (
        Opening,
        both_splits,
        check_still_closed,
        open_holdout,
        openings,
        read_opening,
        record_opening,
    )
    from goldproof.jobs.memory.tuning.result import WINNER_FILE, winner_yaml
    from goldproof.jobs.memory.tuning.search import tune_suite
    from goldproof.jobs.memory.tuning.space import Space, describe, read_space
    from goldproof.jobs.memory.tuning.trial import OBJECTIVES, TrialRecord, Tuned, TuneWatcher, check_objective

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
        "comparison": ("Estimate", "HoldoutComparison", "Optimism", "compare_on_holdout"),
        "holdout": (
            "Opening",
            "both_splits",
            "check_still_closed",
            "open_holdout",
            "openings",
            "read_opening",
            "record_opening",
        ),
        "result": ("WINNER_FILE", "winner_yaml"),
        "search": ("tune_suite",),
        "space": ("Space", "describe", "read_space"),
        "trial": ("OBJECTIVES", "TrialRecord", "TuneWatcher", "Tuned", "check_objective"),
    },
)
