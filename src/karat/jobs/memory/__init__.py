"""The benchmark of conversational memory: scenarios, measures, failure analysis, tuning."""

from karat.jobs.memory.benchmark import MemoryBenchmark
from karat.jobs.memory.function import run_memory
from karat.jobs.memory.result import MemoryResult
from karat.jobs.memory.tune import tune_memory
from karat.jobs.memory.tune_result import TuneResult

__all__ = ["MemoryBenchmark", "MemoryResult", "TuneResult", "run_memory", "tune_memory"]
