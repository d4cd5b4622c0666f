"""Memory systems behind one interface: Goldproof's own, users' objects, HTTP services and trivial baselines."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.memory.memory import Memory
    from goldproof.memory.system import DescribedMemory, MemoryHit, MemorySystem, open_memories, open_memory
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "memory": ("Memory",),
            "system": ("DescribedMemory", "MemoryHit", "MemorySystem", "open_memories", "open_memory"),
        },
    )

__all__ = ["DescribedMemory", "Memory", "MemoryHit", "MemorySystem", "open_memories", "open_memory"]
