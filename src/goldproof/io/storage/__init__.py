"""Keyed items on disk that survive a crash and are shared between processes."""

from typing import TYPE_CHECKING

from goldproof.plugins import lazy_exports

if TYPE_CHECKING:
    from goldproof.io.storage.keyed_store import KeyedStore

__all__ = ["KeyedStore"]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "keyed_store": ("KeyedStore",),
    },
)
