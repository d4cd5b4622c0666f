"""Similarity of embeddings as judge: an automated score, not a proof.

Relevant where the cosine of question and document is above 0.7. That threshold belongs to the embedder: with MiniLM a
right answer scores 0.3 to 0.7, so it is to be chosen on labels (`goldproof judge calibrate`). What is embedded of a
document is its title and text. Each text is embedded once, and kept on disk by `goldproof.embed` where the embedder's
key is a lasting one. There is no evidence, since nothing is proven, and several documents together are not judged.
"""

from __future__ import annotations

import asyncio
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

from goldproof.core.closing import Closes, Closing
from goldproof.core.errors import EmbeddingFailedError
from goldproof.core.spec_options import check_options
from goldproof.judge.judge import YES_NO
from goldproof.judge.ruling import Ruling
from goldproof.judge.spec import number
from goldproof.llm.ask import Estimate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.core.records import Document, Question
    from goldproof.embed.embedder import Embedder, Purpose, Vectors

LEAST: Final = 0.7
DEFAULT_EMBEDDER: Final = "minilm"
_KEPT_VECTORS: Final = 4096
_NO_SETS: Final = "similarity is a score of one document; whether several suffice together it cannot tell."


class SimilarityJudge(Closing):
    """Says yes where the cosine is above `least`."""

    scale = YES_NO
    concurrency = 1

    def __init__(self, embedder: Embedder, *, least: float = LEAST) -> None:
        self._embedder, self._least = embedder, least
        self.key = f"similarity:{embedder.key} least={least:g} (automated score)"
        here = getattr(embedder, "local_model", embedder)
        self._is_local = bool(getattr(here, "is_local", False))
        # Of the embedder, not of a method: the judge then goes away, and closes its file, with its last user.
        self._vector = lru_cache(maxsize=_KEPT_VECTORS)(partial(_embed, embedder))

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        """Compare the cosine with the threshold."""
        if len(documents) != 1:
            return Ruling("abstained", reason=_NO_SETS)
        text = searched_text(documents[0])
        if not text.strip() or not question.text.strip():
            return Ruling("abstained", reason="there is no text to embed, so the similarity is undefined.")
        try:
            cosine = await asyncio.to_thread(self._cosine, question.text, text)
        except EmbeddingFailedError as error:
            return Ruling("failed", reason=str(error))
        said = f"cosine {cosine:.3f}, threshold {self._least:g}: an automated score, not a proof."
        return Ruling("yes" if cosine > self._least else "no", reason=said, score=cosine)

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:  # noqa: ARG002 - it is the same for all
        """Return no call: no language model is asked. What an embedder costs is known only where it runs here."""
        return Estimate(cost=0.0 if self._is_local else None)

    def why_not_sets(self, question: Question) -> str | None:
        """Return why: it is a score of one document."""
        return f"question {question.id}: {_NO_SETS}"

    def close(self) -> None:
        """Let go of the embedder's file of vectors; the next text opens it again."""
        if isinstance(self._embedder, Closes):
            self._embedder.close()

    def _cosine(self, query: str, text: str) -> float:
        return float(self._vector(query, "query") @ self._vector(text, "document"))


def _embed(embedder: Embedder, text: str, purpose: Purpose) -> Vectors:
    row: Vectors = embedder.embed((text,), purpose)[0]
    return row


def searched_text(document: Document) -> str:
    """Return title and text as one; a text that already begins with its title is not given it twice."""
    if not document.title or document.text.startswith(document.title):
        return document.text
    return f"{document.title}\n{document.text}" if document.text else document.title


def similarity_judge(rest: str, options: Mapping[str, str]) -> SimilarityJudge:
    """Return the judge with the embedder that follows the colon, MiniLM where none does."""
    from goldproof.embed import open_embedder  # noqa: PLC0415 - it loads numpy

    check_options(options, ("least",), of="the similarity judge")
    least = number(options, "least", least=-1, most=1)
    return SimilarityJudge(open_embedder(rest or DEFAULT_EMBEDDER), least=LEAST if least is None else least)
