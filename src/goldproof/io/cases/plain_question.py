"""A question of a registry without options, answers or files: `id, question, answer, answer_aliases, targets`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.core.records import Question
from goldproof.io.cases.case import Case
from goldproof.io.cases.kinds import QUESTION_KEYS
from goldproof.io.cases.place import BuiltCase

if TYPE_CHECKING:
    from goldproof.io.cases.code_files import CodeFiles
    from goldproof.io.cases.fields import CaseFields
    from goldproof.io.cases.place import Place


def plain_question(fields: CaseFields, place: Place, *, files: CodeFiles) -> BuiltCase:  # noqa: ARG001 - one signature
    """Return the case."""
    lists = {name: list(fields.texts(name)) for name in ("answer_aliases", "answer_parts")}
    metadata = place.metadata("question", **lists)
    text, answer = fields.needed(*QUESTION_KEYS), fields.text("answer") or None
    return BuiltCase(
        Case(
            kind="question",
            suite=place.suite,
            question=Question(id=place.id, text=text, answer=answer, metadata=metadata),
            where=place.where,
            asked=text,
            targets=fields.texts("targets"),
            explanation=fields.text("explanation", "rationale"),
        )
    )
