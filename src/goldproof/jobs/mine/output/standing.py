"""How a mined question stands in the files: the question as it is written, its grades and its kernels.

A question that is unanswerable here is written as unanswerable, and no other, whatever its case said.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.io.datasets.beir import JudgedQuestion
from goldproof.jobs.mine.mined import GRADES

if TYPE_CHECKING:
    from goldproof.jobs.mine.mined import MinedDocument, MinedQuestion, Standing
    from goldproof.records.entities import Question


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
