"""How a mined question stands in the files: the question as it is written, its grades and its kernels.

A question that nobody can answer from the corpus is written as unanswerable, whatever its case said. One that has a
relevant document is answerable, whatever its case said.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from karat.io.beir_writing import JudgedQuestion
from karat.jobs.mine.mined import GRADES

if TYPE_CHECKING:
    from karat.core.records import Question
    from karat.jobs.mine.mined import MinedDocument, MinedQuestion, Standing


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
    if mined.status == "unanswerable here":
        return False
    relevant = mined.kernels or any(GRADES.get(one.standing, 0) for one in mined.documents)
    return bool(relevant) or mined.question.answerable


def of_standing(mined: MinedQuestion, standing: Standing) -> list[MinedDocument]:
    """Return the documents of one standing, in their order."""
    return [one for one in mined.documents if one.standing == standing]
