"""The seam for embedders: texts and a purpose in, vectors out.

An embedder is anything with a `key` and an `embed`. The key is its identity: the same key, text and purpose always give
the same vector, so vectors can be kept on disk under it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

Vectors: TypeAlias = npt.NDArray[np.float32]
Purpose = Literal["query", "document", "code query"]


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def key(self) -> str:
        """The model with all that changes its vectors: name, revision, weights, settings."""

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """Return one row per text, float32, of length 1 (so that a dot product is a cosine)."""
