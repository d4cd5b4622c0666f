"""Scenarios of memory: their records, scenario files, LoCoMo and LongMemEval, suites."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.io.scenarios.locomo import read_locomo
    from goldproof.io.scenarios.longmemeval import read_longmemeval
    from goldproof.io.scenarios.scenario_file import read_scenarios
    from goldproof.io.scenarios.suites import bundled_suites, has_split, open_suite, open_suites, split_suite
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "locomo": ("read_locomo",),
            "longmemeval": ("read_longmemeval",),
            "scenario_file": ("read_scenarios",),
            "suites": ("bundled_suites", "has_split", "open_suite", "open_suites", "split_suite"),
        },
    )

__all__ = [
    "bundled_suites",
    "has_split",
    "open_suite",
    "open_suites",
    "read_locomo",
    "read_longmemeval",
    "read_scenarios",
    "split_suite",
]
