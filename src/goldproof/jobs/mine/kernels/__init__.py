"""Kernels: the minimal sets of documents that suffice to answer a question."""

from goldproof.jobs.mine.kernels.finding import check_kernel, find_kernels
from goldproof.jobs.mine.kernels.outcome import KernelOutcome, KernelSettings, Search
from goldproof.jobs.mine.kernels.searching import search_of
from goldproof.jobs.mine.kernels.standing import settle

__all__ = ["KernelOutcome", "KernelSettings", "Search", "check_kernel", "find_kernels", "search_of", "settle"]
