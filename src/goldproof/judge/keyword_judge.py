"""Keyword overlap as judge: an automated score, not a proof.

    overlap = |keywords of the question that stand in the document| / |keywords of the question|

Relevant above 0.4. Keywords are content words (`goldproof.text.words`), each once; the document's are those of title
and text. A question without a keyword has no overlap: abstained. There is no evidence, since nothing is proven, and
several documents together are not judged.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from goldproof.core.spec_options import check_options
from goldproof.judge.judge import YES_NO
from goldproof.judge.ruling import Ruling
from goldproof.judge.spec import no_rest, number
from goldproof.llm.ask import Estimate
from goldproof.text.words import content_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.core.records import Document, Question

LEAST: Final = 0.4
_NO_SETS: Final = "keyword overlap is a score of one document; whether several suffice together it cannot tell."


class KeywordJudge:
    """Says yes where more than `least` of the question's keywords stand in the document."""

    scale = YES_NO
    concurrency = 1

    def __init__(self, *, least: float = LEAST) -> None:
        self._least = least
        self.key = f"keyword least={least:g} (automated score)"

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        """Compare the overlap with the threshold."""
        if len(documents) != 1:
            return Ruling("abstained", reason=_NO_SETS)
        wanted = content_words(question.text)
        if not wanted:
            return Ruling("abstained", reason="the question has no keyword, so the overlap is undefined.")
        there = _words_of(f"{documents[0].title}\n{documents[0].text}")
        lacking = tuple(word for word in wanted if word not in there)
        overlap = 1 - len(lacking) / len(wanted)
        said = f"keyword overlap {overlap:.2f}, threshold {self._least:g}: an automated score, not a proof."
        return Ruling("yes" if overlap > self._least else "no", missing=" ".join(lacking), reason=said, score=overlap)

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:  # noqa: ARG002 - it costs nothing
        """Return nothing: no model is asked."""
        return Estimate()

    def why_not_sets(self, question: Question) -> str | None:
        """Return why: it is a score of one document."""
        return f"question {question.id}: {_NO_SETS}"


@lru_cache(maxsize=256)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


def keyword_judge(rest: str, options: Mapping[str, str]) -> KeywordJudge:
    """Return the judge."""
    no_rest(rest, kind="keyword")
    check_options(options, ("least",), of="the keyword judge")
    least = number(options, "least", least=0, most=1)
    return KeywordJudge(least=LEAST if least is None else least)
