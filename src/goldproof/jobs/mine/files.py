"""The files of a mined dataset: pairs YAML, BEIR rows, judgments, discoveries.

A question that is unanswerable here is written as unanswerable, and no other, whatever its case said.

`retrieval_dataset.yaml`:

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
status: nothing is known of it, as of a question without qrels in a BEIR folder.

`judgments.jsonl`, every line: `query_id, documents, label, judge_grade, evidence, missing, reason, agreement, votes,
judge`. On a single document also `doc_id, grade` (2, 1, 0 as in the qrels; null where the ruling does not count),
`standing`, `sources`; on several together, or on none, `why` they were judged.

A reader of judgments takes `query_id`, `doc_id` and `grade`, so a line on a set has neither `doc_id` nor `grade`, and
the judge's own grade, which may be 3 of 4, has a name of its own. Such a reader refuses a file with rulings on sets
or without a grade instead of misreading it; the judged pairs are in the BEIR folder.

`discoveries.jsonl`, every line: `query_id, ended, steps, inspected, candidates, cited, used, unread, answer, reason`.
`ended` is `answered`, `out of steps` or `failed`. `candidates` are the documents that the agent inspected and then
`cited`, or whose names stand in the code of its answer (`used`); `unread` are names that it cited and never looked
at.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.io.datasets.beir import JudgedQuestion
from goldproof.io.json_files import json_line
from goldproof.io.yaml_files import yaml_text, yaml_value
from goldproof.jobs.mine.records import GRADES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from goldproof.jobs.mine.discovery import Discovery
    from goldproof.jobs.mine.records import Mined, MinedDocument, MinedQuestion, Standing
    from goldproof.judge import Evidence, Ruling, Vote
    from goldproof.records.entities import Document, Question

DATASET = "retrieval_dataset.yaml"
JUDGMENTS = "judgments.jsonl"
DISCOVERIES = "discoveries.jsonl"
NEVER = "not judged"
NEVER_REASON = "only seen together with others, in the search for kernels"
_LISTS: Mapping[str, Standing] = {"positive_ctxs": "positive", "partial_ctxs": "partial", "negative_ctxs": "negative"}


def dataset_pieces(mined: Mined) -> Iterator[bytes]:
    """Yield `retrieval_dataset.yaml`, pair by pair."""
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
        for document in listed:
            yield from _context_lines(document, documents[document.id])
    unjudged = of_standing(mined, "unjudged")
    if unjudged:
        yield "    unjudged:"
        yield from (f"      - {yaml_value(unjudged_record(document))}" for document in unjudged)
    if mined.kernels:
        yield f"    kernels: {yaml_value(mined.kernels)}"


def _facts(mined: MinedQuestion) -> dict[str, object]:
    """Return the fields of the question itself; unknown ones are left out."""
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


def _context_lines(mined: MinedDocument, document: Document) -> Iterator[str]:
    yield f"      - fqn: {yaml_text(mined.id)}"
    yield f"        grade: {GRADES[mined.standing]}"
    yield f"        source: {yaml_value(mined.sources)}"
    if mined.ruling is not None and mined.ruling.evidence:
        yield f"        evidence: {yaml_value([_span(evidence) for evidence in mined.ruling.evidence])}"
    if document.title:
        yield f"        title: {yaml_text(document.title)}"
    yield f"        text: {yaml_text(document.text)}"


def _span(evidence: Evidence) -> dict[str, object]:
    mark = {"in_title": True} if evidence.in_title else {}
    return {"start": evidence.start, "end": evidence.end, "text": evidence.text, **mark}


def unjudged_record(document: MinedDocument) -> dict[str, object]:
    """Return the entry of a document without a ruling that counts."""
    ruling = document.ruling
    label, reason = (NEVER, NEVER_REASON) if ruling is None else (ruling.label, ruling.reason)
    because = {"reason": reason} if reason else {}
    return {"fqn": document.id, "label": label, **because, "source": list(document.sources)}


def of_standing(mined: MinedQuestion, standing: Standing) -> list[MinedDocument]:
    """Return the documents of one standing, in their order."""
    return [document for document in mined.documents if document.standing == standing]


def judged_question(mined: MinedQuestion) -> JudgedQuestion:
    """Return the question with its grades and kernels, for the BEIR folder."""
    judged = (document for document in mined.documents if document.standing in GRADES)
    grades = {document.id: GRADES[document.standing] for document in judged}
    return JudgedQuestion(written_question(mined), grades, mined.kernels)


def written_question(mined: MinedQuestion) -> Question:
    """Return the question, marked as answerable or not by what mining found."""
    question = mined.question
    answerable = is_answerable(mined)
    metadata = dict(question.metadata)
    if "answerable" in metadata:  # a mark of the case's own must not contradict what was found
        metadata["answerable"] = answerable
    return replace(question, answerable=answerable, metadata=metadata)


def is_answerable(mined: MinedQuestion) -> bool:
    """Say whether the question counts as answerable."""
    return mined.status != "unanswerable here"


def judgment_lines(mined: Mined) -> Iterator[bytes]:
    """Yield the lines of `judgments.jsonl`: question by question, single documents first."""
    for question in mined.questions:
        for record in judgment_records(question):
            yield json_line({**record, "judge": mined.judge}, where=f"rulings on question {question.question.id!r}")


def judgment_records(mined: MinedQuestion) -> Iterator[dict[str, object]]:
    """Yield the rulings of a question, without the judge."""
    name = mined.question.id
    for document in mined.documents:
        if document.ruling is not None:
            yield {"query_id": name, **_single(document), **_ruling(document.ruling)}
    for asked in mined.set_rulings:
        yield {"query_id": name, "documents": list(asked.documents), "why": asked.why, **_ruling(asked.ruling)}


def _single(document: MinedDocument) -> dict[str, object]:
    return {
        "doc_id": document.id,
        "documents": [document.id],
        "grade": GRADES.get(document.standing),
        "standing": document.standing,
        "sources": list(document.sources),
    }


def _ruling(ruling: Ruling) -> dict[str, object]:
    return {
        "label": ruling.label,
        "judge_grade": ruling.grade,
        "score": ruling.score,
        "evidence": [_evidence(evidence) for evidence in ruling.evidence],
        "missing": ruling.missing,
        "reason": ruling.reason,
        "agreement": ruling.agreement,
        "votes": [_vote(vote) for vote in ruling.votes],
    }


def _evidence(evidence: Evidence) -> dict[str, object]:
    return {"document": evidence.document, **_span(evidence)}


def _vote(vote: Vote) -> dict[str, object]:
    return {"by": vote.by, "label": vote.label, "grade": vote.grade, "quotes": list(vote.quotes), "reason": vote.reason}


def discovery_lines(mined: Mined) -> Iterator[bytes]:
    """Yield the lines of `discoveries.jsonl`: one for each question that an agent was sent for."""
    for mined_question in mined.questions:
        discovery, name = mined_question.discovery, mined_question.question.id
        if discovery is not None:
            yield json_line({"query_id": name, **_record(discovery)}, where=f"discovery for question {name!r}")


def _record(discovery: Discovery) -> dict[str, object]:
    lists = {name: list(getattr(discovery, name)) for name in ("inspected", "candidates", "cited", "used", "unread")}
    ended = {"ended": discovery.ended, "steps": discovery.steps}
    return {**ended, **lists, "answer": discovery.answer, "reason": discovery.reason}
