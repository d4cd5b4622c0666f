"""A LlamaIndex retriever as a source: an object whose `retrieve(query)` gives nodes with scores.

`retrieve` does not take k: build the retriever with `similarity_top_k` (its default is 2). The object is never changed;
what it returns is cut at k. The id is the node's; with `id_field="ref_doc_id"` that of the document the node was cut
from, of which the best node counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from goldproof.errors import InputError
from goldproof.retrieve.foreign.own import Own
from goldproof.retrieve.foreign.shapes import open_shape

if TYPE_CHECKING:
    from goldproof.retrieve.foreign.shapes import Opened


class LlamaIndex(Own):
    """An object with `retrieve(query)`.

    id_field: `ref_doc_id`, or a field of the node's metadata; without it the node's id.
    """

    name: ClassVar[str] = "llamaindex"
    card_name: ClassVar[str] = "llamaindex"

    def _open(self, target: object) -> Opened:
        opened = open_shape(target, self.title)
        if opened.shape != "llamaindex":
            raise InputError(f"{self.title} has no retrieve(query); expected a LlamaIndex retriever.")
        return opened
