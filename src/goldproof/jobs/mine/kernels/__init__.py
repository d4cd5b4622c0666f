"""Kernels: the minimal sets of documents that suffice to answer a question."""

from typing import TYPE_CHECKING

from goldproof.plugins import lazy_exports

if TYPE_CHECKING:
    from goldproof.jobs.mine.kernels.finding import check_kernel, find_kernels
    from goldproof.jobs.mine.kernels.outcome import KernelOutcome, KernelSettings, Search
    from goldproof.jobs.mine.kernels.searching import search_of
    from goldproof.jobs.mine.kernels.standing import settle

__all__ = ["KernelOutcome", "KernelSettings", "Search", "check_kernel", "find_kernels", "search_of", "settle"]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "finding": ("check_kernel", "find_kernels"),
        "outcome": ("KernelOutcome", "KernelSettings", "Search"),
        "searching": ("search_of",),
        "standing": ("settle",),
    },
)
