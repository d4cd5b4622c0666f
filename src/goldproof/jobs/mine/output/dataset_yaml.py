"""`retrieval_dataset.yaml`: a pair for each question, with the contexts that answer it and those that do not.

    pairs:
      - id: "fix_errors:01"
        query: "How do I create a minimal LlmAgent?"
        answer: "..."
        status: "answerable"
        positive_ctxs:                  sufficient alone
          - fqn: "google.adk.agents.LlmAgent"
            grade: 2
            source: ["target", "bm25"]
            evidence: [{"start": 10, "end": 42, "text": "..."}]
            text: "..."
        partial_ctxs:                   in a kernel, not sufficient alone: grade 1
        negative_ctxs:                  judged, and neither
        unjudged:                       {fqn, label, reason, source}: no ruling that counts
        kernels: [["google.adk.agents.LlmAgent"]]

`goldproof.io.datasets.pairs` reads it back. A question that has neither context nor kernel stays in the file with its
status: it is a question of which nothing is known, as one without qrels in a BEIR folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.io.yaml_files import yaml_text, yaml_value
from goldproof.jobs.mine.mined import GRADES
from goldproof.jobs.mine.output.standing import of_standing, written_question

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from goldproof.jobs.mine.mined import Mined, MinedDocument, MinedQuestion, Standing
    from goldproof.judge.judge import Evidence
    from goldproof.records.entities import Document

DATASET = "retrieval_dataset.yaml"
_LISTS: Mapping[str, Standing] = {"positive_ctxs": "positive", "partial_ctxs": "partial", "negative_ctxs": "negative"}
NEVER = "not judged"
NEVER_REASON = "only seen together with others, in the search for kernels"


def dataset_pieces(mined: Mined) -> Iterator[bytes]:
    """Yield the file, pair by pair."""
    yield b"pairs:\n" if mined.questions else b"pairs: []\n"
    for question in mined.questions:
        yield "".join(f"{line}\n" for line in _pair_lines(question, mined.documents)).encode()


def _pair_lines(mined: MinedQuestion, documents: Mapping[str, Document]) -> Iterator[str]:
    yield f"  - id: {yaml_text(mined.question.id)}"
    for key, value in _facts(mined).items():
        yield f"    {key}: {yaml_value(value)}"
    for key, standing in _LISTS.items():
        listed = of_standing(mined, standing)
        yield f"    {key}:" if listed else f"    {key}: []"
        for one in listed:
            yield from _context_lines(one, documents[one.id])
    unjudged = of_standing(mined, "unjudged")
    if unjudged:
        yield "    unjudged:"
        yield from (f"      - {yaml_value(unjudged_record(one))}" for one in unjudged)
    if mined.kernels:
        yield f"    kernels: {yaml_value(mined.kernels)}"


def _facts(mined: MinedQuestion) -> dict[str, object]:
    """Return what is said of the question itself; what is not known is left out."""
    question = written_question(mined)
    known = {
        "query": question.text,
        "answer": question.answer,
        "options": list(question.options) or None,
        "cluster": question.cluster,
        "status": mined.status,
        "reason": mined.reason or None,
        "answerable": None if question.answerable else False,
        "without_context": mined.without_context,
        "without_context_reason": mined.without_context_reason or None,
        "metadata": dict(question.metadata) or None,
    }
    return {key: value for key, value in known.items() if value is not None}


def _context_lines(one: MinedDocument, document: Document) -> Iterator[str]:
    yield f"      - fqn: {yaml_text(one.id)}"
    yield f"        grade: {GRADES[one.standing]}"
    yield f"        source: {yaml_value(one.sources)}"
    if one.ruling is not None and one.ruling.evidence:
        yield f"        evidence: {yaml_value([_span(evidence) for evidence in one.ruling.evidence])}"
    if document.title:
        yield f"        title: {yaml_text(document.title)}"
    yield f"        text: {yaml_text(document.text)}"


def _span(evidence: Evidence) -> dict[str, object]:
    mark = {"in_title": True} if evidence.in_title else {}
    return {"start": evidence.start, "end": evidence.end, "text": evidence.text, **mark}


def unjudged_record(one: MinedDocument) -> dict[str, object]:
    """Return what is known of a document without a ruling that counts."""
    ruling = one.ruling
    label, reason = (NEVER, NEVER_REASON) if ruling is None else (ruling.label, ruling.reason)
    said = {"reason": reason} if reason else {}
    return {"fqn": one.id, "label": label, **said, "source": list(one.sources)}
