"""What kind of answer a question wants: the strata within a kind of document.

| doc_type | types |
| --- | --- |
| table | numeric (computed), comparison (which is more, or by how much), lookup (read off), policy (a stated rule) |
| code_config | howto, definition (what and why), lookup (where), entity (an error, bug or fix) |
| clean_text, log_ticket | comparison, numeric (a quantity), howto, definition, entity (a named thing), lookup |

The rules are in `goldproof.jobs.build.questions.rules`. They read the question, and for tables also whether the answer
is computed where the dataset says so. Anything of the shape `Classifier` can stand in their place, a language model
too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from goldproof.jobs.build.questions.rules import code_type, table_type, text_type

Classifier = Callable[[str, str, bool | None], str]
"""doc_type, question, what the dataset says about computation -> question type."""

_TEXT_TYPES = ("comparison", "numeric", "howto", "definition", "entity", "lookup")
TYPES: Mapping[str, tuple[str, ...]] = {
    "table": ("numeric", "lookup", "comparison", "policy"),
    "code_config": ("howto", "definition", "lookup", "entity"),
    "clean_text": _TEXT_TYPES,
    "log_ticket": _TEXT_TYPES,
}


def question_type(doc_type: str, question: str, *, computation: bool | None) -> str:
    """Return the type of a question by the rules of its kind of document; an unknown kind is read as text."""
    if doc_type == "table":
        return table_type(question, computation=computation)
    return code_type(question) if doc_type == "code_config" else text_type(question)


def by_rules(doc_type: str, question: str, computation: bool | None) -> str:  # noqa: FBT001
    """Return the type of a question by the rules: the classifier that is used unless another is given."""
    return question_type(doc_type, question, computation=computation)
