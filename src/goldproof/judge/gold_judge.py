"""The gold of the cases themselves as judge: documents suffice when they hold a whole gold kernel.

Nothing is read: `metadata["gold_kernels"]` decides alone. It serves to measure the miner, not the documents: with it as
the judge, mining must find exactly what is known. missing: what the sub-question of a document that is not there asks,
where `metadata["sub_questions"]` knows it. A question that its dataset calls unanswerable: no, whatever the documents.
Any other without gold kernels: abstained.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.core.spec_options import check_options
from goldproof.core.wording import shortened
from goldproof.judge.judge import YES_NO
from goldproof.judge.metadata import kernels_of, sub_questions_of
from goldproof.judge.ruling import Ruling
from goldproof.judge.spec import no_rest
from goldproof.llm.ask import Estimate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.core.records import Document, Question


class GoldJudge:
    """Says yes where a whole gold kernel is among the documents."""

    key = "gold"
    scale = YES_NO
    concurrency = 1

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        """Compare the documents with the gold kernels."""
        return gold_ruling(question, documents)

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:  # noqa: ARG002 - it costs nothing
        """Return nothing: no model is asked."""
        return Estimate()

    def why_not_sets(self, question: Question) -> str | None:
        """Return why several documents together cannot be judged, None where they can."""
        known = kernels_of(question) or not question.answerable
        return None if known else f"question {question.id}: its metadata have no gold_kernels."


def gold_ruling(question: Question, documents: Sequence[Document]) -> Ruling:
    """Say whether the documents hold a whole gold kernel, and what the nearest one still lacks."""
    if not question.answerable:
        return Ruling("no", reason="its dataset says that nothing answers it.")
    kernels = kernels_of(question)
    if not kernels:
        return Ruling("abstained", reason="the question's metadata have no gold_kernels.")
    given = {document.id for document in documents}
    lacking = min(([name for name in kernel if name not in given] for kernel in kernels), key=len)
    if not lacking:
        return Ruling("yes", reason="a gold kernel is complete.")
    asked = sub_questions_of(question)
    missing = next((asked[name] for name in lacking if asked.get(name)), "")
    named = shortened(", ".join(lacking), longest=200)
    return Ruling("no", missing=missing, reason=f"the nearest gold kernel lacks {named}.")


def gold_judge(rest: str, options: Mapping[str, str]) -> GoldJudge:
    """Return the judge; it takes nothing."""
    no_rest(rest, kind="gold")
    check_options(options, (), of="the gold judge")
    return GoldJudge()
