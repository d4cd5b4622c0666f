"""Embedders by name, with a cache of vectors on disk."""

from goldproof.embed.embedder import Embedder, Purpose, Vectors
from goldproof.embed.opening import open_embedder

__all__ = ["Embedder", "Purpose", "Vectors", "open_embedder"]
