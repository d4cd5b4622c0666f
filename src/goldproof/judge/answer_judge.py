"""The answer rule and gold kernels as judges; what metadata say.

A document suffices when it holds the question's own answer, or an alias (`metadata["answer_aliases"]`), by the rules of
`goldproof.judge.answer`; an answer that is a name in code (`metadata["answer_is_name"]`) to the letter. That the words
stand there does not prove that they answer the question; that they do not, says nothing about other words for the same.

The answer of a multi-hop question is only its last hop. So several documents together are judged only where more is
known: every part of the answer chain (`metadata["answer_parts"]`), each of which must stand in one of the documents; or
the sets that are known to suffice (`metadata["gold_kernels"]`). Where one of these is known, a single document is
judged by the same rule. Without an answer, and where the rule abstains, so does the judge.

Nothing is read: `metadata["gold_kernels"]` decides alone. It serves to measure the miner, not the documents: with it as
the judge, mining must find exactly what is known. missing: what the sub-question of a document that is not there asks,
where `metadata["sub_questions"]` knows it. A question that its dataset calls unanswerable: no, whatever the documents.
Any other without gold kernels: abstained.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from goldproof.errors import shortened
from goldproof.judge.answer import find_answer
from goldproof.judge.judge import YES_NO, Evidence, Ruling, no_rest
from goldproof.llm.model import Estimate
from goldproof.plugins import check_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.judge.answer import AnswerFinding, Verdict
    from goldproof.records.entities import Document, Question
    from goldproof.text.spans import Span


_ONLY_LAST_HOP: Final = (
    "the answer judge sees only the last hop of a multi-hop question; sets need metadata answer_parts or gold_kernels, "
    "or another judge"
)

_BETWEEN: Final = "\n\n"


class AnswerJudge:
    """Says yes where the answer stands in the documents."""

    key = "answer"
    scale = YES_NO
    concurrency = 1

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        """Look for the answer, or for all its parts."""
        parts = texts_of(question, "answer_parts")
        if parts:
            return _all_parts(parts, question, documents)
        if kernels_of(question):
            return gold_ruling(question, documents)
        if not question.answer:
            return Ruling("abstained", reason="the question has no answer to look for.")
        if len(documents) > 1:
            return Ruling("abstained", reason=f"{_ONLY_LAST_HOP}.")
        return _all_parts((question.answer,), question, documents)

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:  # noqa: ARG002 - it costs nothing
        """Return nothing: no model is asked."""
        return Estimate()

    def why_not_sets(self, question: Question) -> str | None:
        """Return why several documents together cannot be judged, None where they can."""
        known = texts_of(question, "answer_parts") or kernels_of(question)
        return None if known else f"question {question.id}: {_ONLY_LAST_HOP}."


def _all_parts(parts: Sequence[str], question: Question, documents: Sequence[Document]) -> Ruling:
    """Say yes where every part stands in some document."""
    evidence: list[Evidence] = []
    absent: list[str] = []
    unsure: list[str] = []
    for part in parts:
        verdict, found, reason = _in_some(_Wanted.of(part, question), documents)
        evidence += found
        if verdict == "absent":
            absent.append(part)
        elif verdict == "abstained":
            unsure.append(f"{part!r}: {reason}")
    spans = tuple(dict.fromkeys(evidence))
    if absent:
        return Ruling("no", evidence=spans, missing=", ".join(absent), reason=f"not there: {', '.join(absent)}.")
    if unsure:
        return Ruling("abstained", evidence=spans, reason=f"the answer rule cannot tell {'; '.join(unsure)}.")
    return Ruling("yes", evidence=spans, reason="the answer stands there; by rule, not by reading.")


class _Wanted(NamedTuple):
    """What is looked for. is_name: a name in code, so that `Progress` is not the word "progress"."""

    part: str
    aliases: tuple[str, ...]
    is_name: bool

    @classmethod
    def of(cls, part: str, question: Question) -> _Wanted:
        if part != question.answer:  # aliases, and what kind of answer it is, are known of the answer alone
            return cls(part, (), is_name=False)
        is_name = question.metadata.get("answer_is_name") is True
        return cls(part, texts_of(question, "answer_aliases"), is_name)

    def find(self, context: str) -> AnswerFinding:
        return find_answer(self.part, context, aliases=self.aliases, is_name=self.is_name)


def _in_some(wanted: _Wanted, documents: Sequence[Document]) -> tuple[Verdict, tuple[Evidence, ...], str]:
    """Return the best that any document says: present, else abstained, else absent."""
    unsure = ""
    for document in documents:
        found, evidence = _in_document(wanted, document)
        if found.verdict == "present":
            return "present", evidence, ""
        unsure = unsure or found.reason
    return ("abstained" if unsure else "absent"), (), unsure


def _in_document(wanted: _Wanted, document: Document) -> tuple[AnswerFinding, tuple[Evidence, ...]]:
    found = wanted.find(document.text)
    if found.verdict == "present" or not document.title:
        return found, tuple(_evidence(span, document, offset=0) for span in found.spans)
    # A list may have one value in the title and one in the text.
    offset = len(document.title) + len(_BETWEEN)
    found = wanted.find(f"{document.title}{_BETWEEN}{document.text}")
    return found, tuple(_evidence(span, document, offset=offset) for span in found.spans)


def _evidence(span: Span, document: Document, *, offset: int) -> Evidence:
    """Return the evidence for a span of the text, which begins at the offset; before that stands the title."""
    if span.start < offset:
        end = min(span.end, len(document.title))
        return Evidence(document.id, span.start, end, document.title[span.start : end], in_title=True)
    start, end = span.start - offset, span.end - offset
    return Evidence(document.id, start, end, document.text[start:end])


def answer_judge(rest: str, options: Mapping[str, str]) -> AnswerJudge:
    """Return the judge; it takes nothing."""
    no_rest(rest, kind="answer")
    check_options(options, (), of="the answer judge")
    return AnswerJudge()


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


def texts_of(question: Question, name: str) -> tuple[str, ...]:
    """Return a list of texts, without blank ones; empty where there is none."""
    found = question.metadata.get(name)
    return _texts(found)


def kernels_of(question: Question) -> tuple[tuple[str, ...], ...]:
    """Return the sets of documents that are known to suffice (`gold_kernels`), without empty ones."""
    found = question.metadata.get("gold_kernels")
    sets = [_texts(each) for each in found] if isinstance(found, list | tuple) else []
    return tuple(each for each in sets if each)


def sub_questions_of(question: Question) -> dict[str, str]:
    """Return what is asked of each document on the way to the answer (`sub_questions`): document -> question."""
    found = question.metadata.get("sub_questions")
    steps = [each for each in found if isinstance(each, Mapping)] if isinstance(found, list | tuple) else []
    return {str(step["document"]): str(step["question"]) for step in steps if "document" in step and "question" in step}


def _texts(found: object) -> tuple[str, ...]:
    if isinstance(found, str):
        found = [found]
    if not isinstance(found, list | tuple):
        return ()
    return tuple(str(each) for each in found if isinstance(each, str | int | float) and str(each).strip())
