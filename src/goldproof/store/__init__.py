"""Keyed items on disk that survive a crash and are shared between processes."""

from goldproof.store.keyed import KeyedStore

__all__ = ["KeyedStore"]
