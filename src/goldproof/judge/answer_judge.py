"""Judges by the answer rule and by gold kernels, and the question metadata they read.

Answer judge: a document suffices when it holds the question's own answer, or an alias (`metadata["answer_aliases"]`),
by the rules of `goldproof.judge.answer`; an answer that is a name in code (`metadata["answer_is_name"]`) to the letter.
Finding the words does not prove that they answer the question, and their absence says nothing about other words for the
same.

The answer of a multi-hop question is only its last hop. So several documents together are judged only where more is
known: every part of the answer chain (`metadata["answer_parts"]`), each of which must stand in one of the documents; or
the sets that are known to suffice (`metadata["gold_kernels"]`). Where one of these is known, a single document is
judged by the same rule. Without an answer, and where the rule abstains, so does the judge.

Gold judge: no text is read, `metadata["gold_kernels"]` decides alone. It serves to measure the miner, not the
documents: with it as the judge, mining must find exactly the known kernels. missing: the sub-question of a document
that is not there, where `metadata["sub_questions"]` has it. A question that its dataset calls unanswerable: no,
whatever the documents. Any other without gold kernels: abstained.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from goldproof.errors import shortened
from goldproof.judge.answer import find_answer
from goldproof.judge.judge import YES_NO, Evidence, Ruling, no_rest
from goldproof.llm import Estimate
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
    """Says yes where the documents contain the answer."""

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

    def can_judge(self, question: Question) -> bool:
        """Return whether there is anything to look for: an answer, its parts, or gold kernels."""
        return bool(question.answer or texts_of(question, "answer_parts") or kernels_of(question))

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:  # noqa: ARG002 - it costs nothing
        """Return an empty estimate: no model is asked."""
        return Estimate()

    def why_not_sets(self, question: Question) -> str | None:
        """Return why several documents together cannot be judged, None where they can."""
        known = texts_of(question, "answer_parts") or kernels_of(question)
        return None if known else f"question {question.id}: {_ONLY_LAST_HOP}."


def answer_judge(rest: str, options: Mapping[str, str]) -> AnswerJudge:
    """Return the judge; it takes no argument and no option."""
    no_rest(rest, kind="answer")
    check_options(options, (), of="the answer judge")
    return AnswerJudge()


def _all_parts(parts: Sequence[str], question: Question, documents: Sequence[Document]) -> Ruling:
    """Say yes where every part is in some document."""
    evidence: list[Evidence] = []
    absent: list[str] = []
    unsure: list[str] = []
    for part in parts:
        verdict, spans_of_part, reason = _in_some(_Wanted.of(part, question), documents)
        evidence += spans_of_part
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
    """A part to look for. is_name: a name in code, so that `Progress` is not the word "progress"."""

    part: str
    aliases: tuple[str, ...]
    is_name: bool

    @classmethod
    def of(cls, part: str, question: Question) -> _Wanted:
        if part != question.answer:  # aliases and kind are known of the answer alone
            return cls(part, (), is_name=False)
        is_name = question.metadata.get("answer_is_name") is True
        return cls(part, texts_of(question, "answer_aliases"), is_name)

    def find(self, context: str) -> AnswerFinding:
        return find_answer(self.part, context, aliases=self.aliases, is_name=self.is_name)


def _in_some(wanted: _Wanted, documents: Sequence[Document]) -> tuple[Verdict, tuple[Evidence, ...], str]:
    """Return the best verdict of any document: present, else abstained, else absent."""
    unsure = ""
    for document in documents:
        finding, evidence = _in_document(wanted, document)
        if finding.verdict == "present":
            return "present", evidence, ""
        unsure = unsure or finding.reason
    return ("abstained" if unsure else "absent"), (), unsure


def _in_document(wanted: _Wanted, document: Document) -> tuple[AnswerFinding, tuple[Evidence, ...]]:
    finding = wanted.find(document.text)
    if finding.verdict == "present" or not document.title:
        return finding, tuple(_evidence(span, document, offset=0) for span in finding.spans)
    # A list may have one value in the title and one in the text.
    offset = len(document.title) + len(_BETWEEN)
    finding = wanted.find(f"{document.title}{_BETWEEN}{document.text}")
    return finding, tuple(_evidence(span, document, offset=offset) for span in finding.spans)


def _evidence(span: Span, document: Document, *, offset: int) -> Evidence:
    """Return the evidence for a span of title and text. offset: where the text begins."""
    if span.start < offset:
        end = min(span.end, len(document.title))
        return Evidence(document.id, span.start, end, document.title[span.start : end], in_title=True)
    start, end = span.start - offset, span.end - offset
    return Evidence(document.id, start, end, document.text[start:end])


class GoldJudge:
    """Says yes where a whole gold kernel is among the documents."""

    key = "gold"
    scale = YES_NO
    concurrency = 1

    async def judge(self, question: Question, documents: Sequence[Document]) -> Ruling:
        """Compare the documents with the gold kernels."""
        return gold_ruling(question, documents)

    def estimate(self, question: Question, documents: Sequence[Document]) -> Estimate:  # noqa: ARG002 - it costs nothing
        """Return an empty estimate: no model is asked."""
        return Estimate()

    def why_not_sets(self, question: Question) -> str | None:
        """Return why several documents together cannot be judged, None where they can."""
        known = kernels_of(question) or not question.answerable
        return None if known else f"question {question.id}: its metadata have no gold_kernels."


def gold_judge(rest: str, options: Mapping[str, str]) -> GoldJudge:
    """Return the judge; it takes no argument and no option."""
    no_rest(rest, kind="gold")
    check_options(options, (), of="the gold judge")
    return GoldJudge()


def gold_ruling(question: Question, documents: Sequence[Document]) -> Ruling:
    """Rule whether the documents hold a whole gold kernel, and what the nearest one lacks."""
    if not question.answerable:
        return Ruling("no", reason="its dataset says that nothing answers it.")
    kernels = kernels_of(question)
    if not kernels:
        return Ruling("abstained", reason="the question's metadata have no gold_kernels.")
    present = {document.id for document in documents}
    lacking = min(([name for name in kernel if name not in present] for kernel in kernels), key=len)
    if not lacking:
        return Ruling("yes", reason="a gold kernel is complete.")
    sub_questions = sub_questions_of(question)
    missing = next((sub_questions[name] for name in lacking if sub_questions.get(name)), "")
    named = shortened(", ".join(lacking), longest=200)
    return Ruling("no", missing=missing, reason=f"the nearest gold kernel lacks {named}.")


def texts_of(question: Question, name: str) -> tuple[str, ...]:
    """Return a metadata field as texts, without blank ones; none where it is missing."""
    return _texts(question.metadata.get(name))


def kernels_of(question: Question) -> tuple[tuple[str, ...], ...]:
    """Return the sets of documents that are known to suffice (`gold_kernels`), without empty ones."""
    value = question.metadata.get("gold_kernels")
    kernels = [_texts(kernel) for kernel in value] if isinstance(value, list | tuple) else []
    return tuple(kernel for kernel in kernels if kernel)


def sub_questions_of(question: Question) -> dict[str, str]:
    """Return the sub-question that each document answers (`sub_questions`): document -> question."""
    value = question.metadata.get("sub_questions")
    steps = [step for step in value if isinstance(step, Mapping)] if isinstance(value, list | tuple) else []
    return {str(step["document"]): str(step["question"]) for step in steps if "document" in step and "question" in step}


def _texts(value: object) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list | tuple):
        return ()
    return tuple(str(text) for text in values if isinstance(text, str | int | float) and str(text).strip())
