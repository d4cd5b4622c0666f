"""Find the results of a conversation that are the same document: rules, keys, comparison, marks."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.dedup.comparison import STEPS, Verdict, decide
    from goldproof.dedup.explanation import Decision, NamedKey, Trial, explain_by_id, explain_marks
    from goldproof.dedup.items import ComparedItem
    from goldproof.dedup.marks import Marks, mark_by_id, mark_duplicates
    from goldproof.dedup.rules import DEFAULT_RULES, Enough, Evidence, Rules, TypeRules
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "comparison": ("STEPS", "Verdict", "decide"),
            "explanation": ("Decision", "NamedKey", "Trial", "explain_by_id", "explain_marks"),
            "items": ("ComparedItem",),
            "marks": ("Marks", "mark_by_id", "mark_duplicates"),
            "rules": ("DEFAULT_RULES", "Enough", "Evidence", "Rules", "TypeRules"),
        },
    )

__all__ = [
    "DEFAULT_RULES",
    "STEPS",
    "ComparedItem",
    "Decision",
    "Enough",
    "Evidence",
    "Marks",
    "NamedKey",
    "Rules",
    "Trial",
    "TypeRules",
    "Verdict",
    "decide",
    "explain_by_id",
    "explain_marks",
    "mark_by_id",
    "mark_duplicates",
]
