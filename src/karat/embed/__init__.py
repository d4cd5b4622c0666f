"""Embedders by name, with a cache of vectors on disk."""

from karat.embed.embedder import Embedder, Purpose, Vectors
from karat.embed.opening import open_embedder

__all__ = ["Embedder", "Purpose", "Vectors", "open_embedder"]
