"""Resource limits of one run, enforced by the kernel or by the supervisor, never by the code that runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Resource limits of one run.

    seconds: of the wall clock, and of CPU time. memory_mb: of all its processes together. processes: how many, threads
    among them. file_mb: the largest file; disk_mb: all files of its folder. output_kb: of stdout and stderr each, and
    16 times as much for all observations. open_files: descriptors of one process.
    """

    seconds: float = 10.0
    memory_mb: int = 2048
    processes: int = 32
    file_mb: int = 16
    disk_mb: int = 64
    output_kb: int = 256
    open_files: int = 256
