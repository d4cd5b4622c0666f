"""Memory systems: Goldproof's own, and whatever people have, behind one seam."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.memory.system import DescribedMemory, MemoryHit, MemorySystem

if TYPE_CHECKING:
    from goldproof.memory.opening import open_memories, open_memory
    from goldproof.memory.own import Memory

__all__ = ["DescribedMemory", "Memory", "MemoryHit", "MemorySystem", "open_memories", "open_memory"]

_LAZY = {
    "Memory": "goldproof.memory.own",
    "open_memories": "goldproof.memory.opening",
    "open_memory": "goldproof.memory.opening",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - loads numpy and polars, so only when asked for

    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return __all__
