"""A LangChain retriever as a source: a `BaseRetriever`, any `Runnable` that gives documents, or a vector store.

`invoke` does not take k in general. The retriever of a vector store does: it is given k, without changing the object,
unless it was built with a k of its own (`as_retriever(search_kwargs={"k": 4})`), which is kept: the object is measured
as it is. Everything else is cut at k. Filters are applied to what comes. Documents bring no scores: places are scores.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

from goldproof.errors import InputError
from goldproof.retrieve.foreign.own import Own
from goldproof.retrieve.foreign.shapes import open_shape

if TYPE_CHECKING:
    from goldproof.retrieve.foreign.shapes import Opened

TellK = Literal["auto", "always", "never"]


class LangChain(Own):
    """An object with `invoke(query)`, or a vector store.

    id_field: the metadata field that holds the id; without it `.id`, else `_id`, `id`, `doc_id` or `source` of the
    metadata. tell_k: whether k is given with `invoke`; "auto": to a vector store's retriever that has no k of its own.
    """

    name: ClassVar[str] = "langchain"
    card_name: ClassVar[str] = "langchain"

    def __init__(
        self, target: object, *, id_field: str | None = None, tell_k: TellK = "auto", concurrency: int = 1
    ) -> None:
        if tell_k not in ("auto", "always", "never"):
            raise InputError(f"langchain: tell_k is {tell_k!r}, expected auto, always or never.")
        self._tell_k = tell_k
        super().__init__(target, id_field=id_field, concurrency=concurrency)

    def _open(self, target: object) -> Opened:
        opened = open_shape(target, self.title)
        if opened.shape not in ("langchain", "vector store"):
            raise InputError(f"{self.title} has no invoke(query); expected a LangChain retriever or vector store.")
        if self._tell_k == "auto":
            return opened
        return replace(opened, search=replace(opened.search, k="k" if self._tell_k == "always" else None))
