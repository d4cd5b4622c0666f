"""`judgments.jsonl`: one line for each ruling, with all that is known of how it came about.

Every line: `query_id, documents, label, judge_grade, evidence, missing, reason, agreement, votes, judge`. On a single
document also `doc_id, grade` (2, 1, 0 as in the qrels; null where the ruling does not count), `standing`, `sources`;
on several together, or on none, `why` they were judged.

A reader of judgments takes `query_id`, `doc_id` and `grade`, so a line on a set has neither `doc_id` nor `grade`, and
the judge's own grade, which may be 3 of 4, has a name of its own. Such a reader refuses a file with rulings on sets
or without a grade instead of misreading it; what is judged stands in the BEIR folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.io.json_files import json_line
from goldproof.jobs.mine.mined import GRADES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.jobs.mine.mined import Mined, MinedDocument, MinedQuestion, SetRuling
    from goldproof.judge.judge import Evidence, Ruling, Vote

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
