"""The benchmark of conversational memory: scenarios, measures, failure analysis, tuning."""

from goldproof.jobs.memory.benchmark import MemoryBenchmark
from goldproof.jobs.memory.function import run_memory
from goldproof.jobs.memory.result import MemoryResult
from goldproof.jobs.memory.tune import tune_memory
from goldproof.jobs.memory.tune_result import TuneResult

__all__ = ["MemoryBenchmark", "MemoryResult", "TuneResult", "run_memory", "tune_memory"]
