"""Scenarios of memory: their records, their files, and the benchmarks that come in files of their own."""

from goldproof.io.scenarios.locomo import read_locomo
from goldproof.io.scenarios.longmemeval import read_longmemeval
from goldproof.io.scenarios.opening import bundled_suites, has_split, open_suite, open_suites, split_suite
from goldproof.io.scenarios.scenario_file import read_scenarios

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
