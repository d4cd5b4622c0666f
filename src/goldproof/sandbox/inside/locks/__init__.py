"""Locks that a process puts on itself before it runs untrusted code: limits, privileges, Landlock, seccomp."""

from .locking import Prepared, apply, prepare

__all__ = ["Prepared", "apply", "prepare"]
