"""Models that stay loaded while a memory is indexed again and again.

A dense stage opens its embedder whenever it is indexed, which is right for a corpus and dear for a conversation: it
loads the model anew. Here it is opened once. Vectors come from the cache on disk; those of an embedder that stands in
no file, whose name means nothing tomorrow, are kept in a scratch folder that goes away with the embedder.
"""

from __future__ import annotations

import shutil
import weakref
from tempfile import mkdtemp
from typing import TYPE_CHECKING, ClassVar

from goldproof.embed.cache import CachedEmbedder
from goldproof.embed.embedder import open_embedder
from goldproof.retrieve.stage import stages_of
from goldproof.retrieve.stages.dense import Dense

if TYPE_CHECKING:
    from goldproof.embed.embedder import Embedder
    from goldproof.retrieve.stage import Stage


class ScratchEmbedder(CachedEmbedder):
    """An embedder whose vectors are kept for as long as it lives."""

    is_lasting: ClassVar[bool] = False

    def __init__(self, embedder: Embedder) -> None:
        folder = mkdtemp(prefix="goldproof-vectors-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        super().__init__(embedder, folder)


def keep_models(last: Stage) -> list[str]:
    """Open the embedders of a pipeline, unless they are open, and return their keys; equal ones are shared."""
    opened: dict[str, CachedEmbedder] = {}
    for stage in stages_of(last):
        if isinstance(stage, Dense) and not isinstance(stage.embedder, CachedEmbedder):
            name = stage.embedder if isinstance(stage.embedder, str) else f"object {id(stage.embedder)}"
            if name not in opened:
                found = open_embedder(stage.embedder)
                opened[name] = found if isinstance(found, CachedEmbedder) else ScratchEmbedder(found)
            stage.embedder = opened[name]
    embedders = [stage.embedder for stage in stages_of(last) if isinstance(stage, Dense)]
    return [embedder.key for embedder in embedders if isinstance(embedder, CachedEmbedder)]
