"""Embedders by name, with a cache of vectors on disk."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.embed.embedder import Embedder, Purpose, Vectors, open_embedder
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "embedder": ("Embedder", "Purpose", "Vectors", "open_embedder"),
        },
    )

__all__ = ["Embedder", "Purpose", "Vectors", "open_embedder"]
