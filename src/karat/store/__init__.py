"""Keyed items on disk that survive a crash and are shared between processes."""

from karat.store.keyed import KeyedStore

__all__ = ["KeyedStore"]
