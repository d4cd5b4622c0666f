"""Run three retrievers on the bundled dataset, one of them your own, and compare them.

Run: python examples/run_retrievers.py
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import goldproof

if TYPE_CHECKING:
    from collections.abc import Sequence


class TitleMatch:
    """A retriever of your own: `search` is all that is needed; `index` gets the corpus, where it exists."""

    def index(self, documents: Sequence[goldproof.Document]) -> None:
        self.words = {document.id: set(document.title.lower().split()) for document in documents}

    def search(self, query: str, k: int) -> list[tuple[str, float]]:
        wanted = set(query.lower().strip("?").split())
        scores = {doc_id: float(len(wanted & words)) for doc_id, words in self.words.items()}
        return sorted((hit for hit in scores.items() if hit[1]), key=lambda hit: -hit[1])[:k]


result = goldproof.evaluate(
    str(files("goldproof.data") / "demo"),
    retrievers={"titles": TitleMatch(), "bm25": "bm25", "stemmed": "bm25(stem=english) | top(20)"},
    metrics="nDCG@10, SetSuccess@10",
    primary="nDCG@10",
)
print(result)

pipeline = goldproof.open_retriever("bm25 | top(3)")
pipeline.index(goldproof.open_corpus(str(files("goldproof.data") / "demo")).documents)
for hit in pipeline.search("how do I install it?"):
    print(f"{hit.score:6.3f}  {hit.doc_id}")
