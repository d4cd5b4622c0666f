"""A question about an interface, with the answers that count as right and the names that they are about.

    - question: "Which class runs an agent?"
      answers:
        - {answer: Runner, fully_qualified_class_name: [google.adk.runners.Runner]}
      file: src/google/adk/runners.py
      rationale: "..."

Several answers are alternatives: the first is the answer, the others are its aliases. The names are the targets. `file`
is where the library defines it; it need not be here and is not read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.core.records import Question
from goldproof.io.cases.case import Case
from goldproof.io.cases.fields import BadCaseError, CaseFields
from goldproof.io.cases.kinds import QUESTION_KEYS
from goldproof.io.cases.place import BuiltCase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.io.cases.code_files import CodeFiles
    from goldproof.io.cases.place import Place

_NAMES = ("fully_qualified_class_name", "fully_qualified_class_names", "fully_qualified_name", "fqn")


def api_understanding(fields: CaseFields, place: Place, *, files: CodeFiles) -> BuiltCase:  # noqa: ARG001 - one signature
    """Return the case."""
    asked = fields.needed(*QUESTION_KEYS)
    given = tuple(_answers(fields))
    answers = tuple(dict.fromkeys(text for text in (answer.text("answer") for answer in given) if text))
    if not answers:
        raise BadCaseError("has no answers, expected a list of {answer, fully_qualified_class_name}.")
    targets = dict.fromkeys(name for answer in given for key in _NAMES for name in answer.texts(key))
    metadata = place.metadata(
        "api_understanding",
        answer_aliases=list(answers[1:]),
        answer_parts=list(fields.texts("answer_parts")),
        source=fields.text("file"),
        answer_is_name=any(name.rpartition(".")[2] == answers[0] for name in targets),
    )
    return BuiltCase(
        Case(
            kind="api_understanding",
            suite=place.suite,
            question=Question(id=place.id, text=asked, answer=answers[0], metadata=metadata),
            where=place.where,
            asked=asked,
            targets=tuple(targets),
            explanation=fields.text("rationale", "explanation"),
        )
    )


def _answers(fields: CaseFields) -> Iterator[CaseFields]:
    value = fields.get("answers")
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, dict):
            yield CaseFields(item)
        elif item is not None:
            yield CaseFields({"answer": item})
