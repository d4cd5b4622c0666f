"""Keyword overlap and embedding similarity as judges.

Keyword:

    overlap = |keywords of the question that stand in the document| / |keywords of the question|

Relevant above 0.4. Keywords are content words (`goldproof.text.tokens`), each once; the document's are those of title
and text. A question without a keyword has no overlap: abstained.

Similarity: relevant where the cosine of question and document is above a cut-off, `#least`. The right one belongs to
the embedder and the documents: with MiniLM a right answer scores 0.3 to 0.7. Where none is given `goldproof mine`
chooses it on labels: those of people in `#labels=FILE`, else the gold documents of the cases; without either it is 0.7,
a guess. Title and text of a document are embedded. Each text is embedded once, and its vector is kept on disk by
`goldproof.embed` where the embedder has a lasting key.

Neither gives evidence, since a score proves nothing, and neither rules on several documents together. Labels of either
favour the retrievers that rank by the same thing: `AUTOMATED_SCORES` says which.
"""

from __future__ import annotations

import asyncio
import re
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple

from goldproof.closeable import Closeable, HasClose
from goldproof.errors import EmbeddingFailedError, InputError
from goldproof.judge.judge import YES_NO, Ruling, no_rest, number
from goldproof.llm import Estimate
from goldproof.plugins import check_options
from goldproof.text.tokens import content_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.embed import Embedder, Purpose, Vectors
    from goldproof.records.entities import Document, Question

LEAST_OVERLAP: Final = 0.4
LEAST_SIMILARITY: Final = 0.7
DEFAULT_EMBEDDER: Final = "minilm"
_KEPT_VECTORS: Final = 4096
_NO_KEYWORD_SETS: Final = "keyword overlap is a score of one document; whether several suffice together it cannot tell."
_NO_SIMILARITY_SETS: Final = "similarity is a score of one document; whether several suffice together it cannot tell."


class AutomatedScore(NamedTuple):
    """What the score of a judge measures, the retrievers that rank by the same, and the stage that such a one has."""

    measures: str
    favours: str
    stage: str


AUTOMATED_SCORES: Final[Mapping[str, AutomatedScore]] = {
    "keyword": AutomatedScore("shared words", "retrievers by words", "bm25"),
    "similarity": AutomatedScore("embedding similarity", "retrievers by embeddings", "dense"),
}


def automated_score(key: str) -> AutomatedScore | None:
    """Return what the judge of a key measures; None where it is no automated score."""
    return AUTOMATED_SCORES.get(re.split(r"[ :]", key, maxsplit=1)[0])


class KeywordJudge:
    """Says yes where more than `least` of the question's keywords stand in the document."""

    scale = YES_NO
    concurrency = 1

    def __init__(self, *, least: float = LEAST_OVERLAP) -> None:
        self._least = least
        self.key = f"keyword least={least:g} (automated score)"

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        """Compare the overlap with the threshold."""
        if len(documents) != 1:
            return Ruling("abstained", reason=_NO_KEYWORD_SETS)
        wanted = content_words(question.text)
        if not wanted:
            return Ruling("abstained", reason="the question has no keyword, so the overlap is undefined.")
        present = _words_of(f"{documents[0].title}\n{documents[0].text}")
        lacking = tuple(word for word in wanted if word not in present)
        overlap = 1 - len(lacking) / len(wanted)
        reason = f"keyword overlap {overlap:.2f}, threshold {self._least:g}: an automated score, not a proof."
        return Ruling("yes" if overlap > self._least else "no", missing=" ".join(lacking), reason=reason, score=overlap)

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:  # noqa: ARG002 - it costs nothing
        """Return an empty estimate: no model is asked."""
        return Estimate()

    def why_not_sets(self, question: Question) -> str | None:
        """Return why not: it is a score of one document."""
        return f"question {question.id}: {_NO_KEYWORD_SETS}"


def keyword_judge(rest: str, options: Mapping[str, str]) -> KeywordJudge:
    """Return the judge; it takes no argument."""
    no_rest(rest, kind="keyword")
    check_options(options, ("least",), of="the keyword judge")
    least = number(options, "least", least=0, most=1)
    return KeywordJudge(least=LEAST_OVERLAP if least is None else least)


@lru_cache(maxsize=256)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


class SimilarityJudge(Closeable):
    """Says yes where the cosine is above `least`.

    least: None where it is not chosen yet, and 0.7 is a guess. labels: a file of people's labels to choose it by.
    """

    scale = YES_NO
    concurrency = 1

    def __init__(self, embedder: Embedder, *, least: float | None = None, labels: str | None = None) -> None:
        self.is_guess, self.labels = least is None, labels
        least = LEAST_SIMILARITY if least is None else least
        self._embedder, self._least = embedder, least
        self.key = f"similarity:{embedder.key} least={least:g} (automated score)"
        here = getattr(embedder, "local_model", embedder)
        self._is_local = bool(getattr(here, "is_local", False))
        # Caches a function of the embedder, not a method, so that the judge is freed with its last user.
        self._vector = lru_cache(maxsize=_KEPT_VECTORS)(partial(_embed, embedder))

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        """Compare the cosine with the threshold."""
        if len(documents) != 1:
            return Ruling("abstained", reason=_NO_SIMILARITY_SETS)
        text = searched_text(documents[0])
        if not text.strip() or not question.text.strip():
            return Ruling("abstained", reason="there is no text to embed, so the similarity is undefined.")
        try:
            cosine = await asyncio.to_thread(self._cosine, question.text, text)
        except EmbeddingFailedError as error:
            return Ruling("failed", reason=str(error))
        reason = f"cosine {cosine:.3f}, threshold {self._least:g}: an automated score, not a proof."
        return Ruling("yes" if cosine > self._least else "no", reason=reason, score=cosine)

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:  # noqa: ARG002 - it is the same for all
        """Return no calls: no language model is asked. The cost of an embedder is known only where it runs locally."""
        return Estimate(cost=0.0 if self._is_local else None)

    def why_not_sets(self, question: Question) -> str | None:
        """Return why not: it is a score of one document."""
        return f"question {question.id}: {_NO_SIMILARITY_SETS}"

    @property
    def least(self) -> float:
        """The cut-off."""
        return self._least

    def with_least(self, least: float) -> SimilarityJudge:
        """Return the judge with another cut-off."""
        return SimilarityJudge(self._embedder, least=least)

    def close(self) -> None:
        """Close the embedder's file of vectors; the next text opens it again."""
        if isinstance(self._embedder, HasClose):
            self._embedder.close()

    def _cosine(self, query: str, text: str) -> float:
        return float(self._vector(query, "query") @ self._vector(text, "document"))


def similarity_judge(rest: str, options: Mapping[str, str]) -> SimilarityJudge:
    """Return the judge with the embedder after the colon; MiniLM where none is named."""
    from goldproof.embed import open_embedder  # noqa: PLC0415 - it loads numpy

    check_options(options, ("least", "labels"), of="the similarity judge")
    least, labels = number(options, "least", least=-1, most=1), options.get("labels")
    if least is not None and labels is not None:
        raise InputError("similarity: least= gives the cut-off and labels= has one chosen; give one of them.")
    return SimilarityJudge(open_embedder(rest or DEFAULT_EMBEDDER), least=least, labels=labels)


def _embed(embedder: Embedder, text: str, purpose: Purpose) -> Vectors:
    row: Vectors = embedder.embed((text,), purpose)[0]
    return row


def searched_text(document: Document) -> str:
    """Return title and text as one; the title only once where the text begins with it."""
    if not document.title or document.text.startswith(document.title):
        return document.text
    return f"{document.title}\n{document.text}" if document.text else document.title
