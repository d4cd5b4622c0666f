"""The files of a mined dataset: pairs YAML, judgments, discoveries, BEIR rows.

Every line: `query_id, documents, label, judge_grade, evidence, missing, reason, agreement, votes, judge`. On a single
document also `doc_id, grade` (2, 1, 0 as in the qrels; null where the ruling does not count), `standing`, `sources`;
on several together, or on none, `why` they were judged.

A reader of judgments takes `query_id`, `doc_id` and `grade`, so a line on a set has neither `doc_id` nor `grade`, and
the judge's own grade, which may be 3 of 4, has a name of its own. Such a reader refuses a file with rulings on sets
or without a grade instead of misreading it; what is judged stands in the BEIR folder.

Every line: `query_id, ended, steps, inspected, candidates, cited, used, unread, answer, reason`. `ended` is `answered`,
`out of steps` or `failed`. `candidates` are the documents that the agent inspected and then `cited`, or
whose names stand in the code of its answer (`used`); `unread` are names that it cited and never looked at.

A question that is unanswerable here is written as unanswerable, and no other, whatever its case said.

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

from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from goldproof.io.datasets.beir import JudgedQuestion
from goldproof.io.json_files import json_line
from goldproof.io.yaml_files import yaml_text, yaml_value
from goldproof.jobs.mine.discovery import Ended
from goldproof.jobs.mine.records import GRADES
from goldproof.report import Heading, Table
from goldproof.report.numbers import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from goldproof.jobs.mine.discovery import Discovery
    from goldproof.jobs.mine.records import Mined, MinedDocument, MinedQuestion, SetRuling, Standing
    from goldproof.judge.judge import Evidence, Ruling, Vote
    from goldproof.records.entities import Document, Question

JUDGMENTS = "judgments.jsonl"


def judgment_lines(mined: Mined) -> Iterator[bytes]:
    """Yield the lines, question by question: single documents first."""
    for question in mined.questions:
        for record in judgment_records(question):
            yield json_line({**record, "judge": mined.judge}, where=f"rulings on question {question.question.id!r}")


def judgment_records(mined: MinedQuestion) -> Iterator[dict[str, object]]:
    """Yield the rulings of a question, without the judge."""
    name = mined.question.id
    for one in mined.documents:
        if one.ruling is not None:
            yield {"query_id": name, **_single(one), **_ruling(one.ruling)}
    for ruling in mined.set_rulings:
        yield {"query_id": name, **_several(ruling), **_ruling(ruling.ruling)}


def _single(one: MinedDocument) -> dict[str, object]:
    return {
        "doc_id": one.id,
        "documents": [one.id],
        "grade": GRADES.get(one.standing),
        "standing": one.standing,
        "sources": list(one.sources),
    }


def _several(ruling: SetRuling) -> dict[str, object]:
    return {"documents": list(ruling.documents), "why": ruling.why}


def _ruling(ruling: Ruling) -> dict[str, object]:
    return {
        "label": ruling.label,
        "judge_grade": ruling.grade,
        "score": ruling.score,
        "evidence": [_evidence(one) for one in ruling.evidence],
        "missing": ruling.missing,
        "reason": ruling.reason,
        "agreement": ruling.agreement,
        "votes": [_vote(one) for one in ruling.votes],
    }


def _evidence(one: Evidence) -> dict[str, object]:
    mark = {"in_title": True} if one.in_title else {}
    return {"document": one.document, "start": one.start, "end": one.end, "text": one.text, **mark}


def _vote(one: Vote) -> dict[str, object]:
    return {"by": one.by, "label": one.label, "grade": one.grade, "quotes": list(one.quotes), "reason": one.reason}


DISCOVERIES = "discoveries.jsonl"


def discovery_lines(mined: Mined) -> Iterator[bytes]:
    """Yield a line for each question for which an agent was sent; none where there was no agent."""
    for one in mined.questions:
        if one.discovery is not None:
            record = {"query_id": one.question.id, **_record(one.discovery)}
            yield json_line(record, where=f"discovery for question {one.question.id!r}")


def _record(found: Discovery) -> dict[str, object]:
    lists = {name: list(getattr(found, name)) for name in ("inspected", "candidates", "cited", "used", "unread")}
    return {"ended": found.ended, "steps": found.steps, **lists, "answer": found.answer, "reason": found.reason}


def discovery_counts(mined: Mined) -> dict[str, int]:
    """Return how many questions ended each way, and how many names were cited and never read; empty without agent."""
    found = [one.discovery for one in mined.questions if one.discovery is not None]
    if not found:
        return {}
    ends = {ended: sum(one.ended == ended for one in found) for ended in get_args(Ended)}
    return {
        **ends,
        "answered from nothing read": sum(one.ended == "answered" and not one.candidates for one in found),
        "cited but never read": sum(len(one.unread) for one in found),
    }


def discovery_table(mined: Mined) -> Table:
    """Return the counts; without rows where no agent was sent."""
    counts = discovery_counts(mined)
    rows = tuple((what, count(counts[what])) for what in get_args(Ended) if what in counts)
    note = (
        f"Of the answers {count(counts['answered from nothing read'])} rest on nothing that was read; "
        f"{count(counts['cited but never read'])} names were cited but never read. Neither makes a candidate."
        if counts
        else ""
    )
    return Table(
        (Heading("the agent", "left"), Heading("questions")),
        rows,
        title="Discovery by an agent",
        notes=(note,) if note else (),
    )


def judged_question(mined: MinedQuestion) -> JudgedQuestion:
    """Return what a BEIR folder says of the question."""
    grades = {one.id: GRADES[one.standing] for one in mined.documents if one.standing in GRADES}
    return JudgedQuestion(written_question(mined), grades, mined.kernels)


def written_question(mined: MinedQuestion) -> Question:
    """Return the question with the mark that mining found: answerable, or not from this corpus."""
    question = mined.question
    answerable = is_answerable(mined)
    metadata = dict(question.metadata)
    if "answerable" in metadata:  # a mark of the case's own must not contradict what was found
        metadata["answerable"] = answerable
    return replace(question, answerable=answerable, metadata=metadata)


def is_answerable(mined: MinedQuestion) -> bool:
    """Say whether the question counts as answerable."""
    return mined.status != "unanswerable here"


def of_standing(mined: MinedQuestion, standing: Standing) -> list[MinedDocument]:
    """Return the documents of one standing, in their order."""
    return [one for one in mined.documents if one.standing == standing]


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
