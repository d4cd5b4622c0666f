"""Which results of a conversation are the same document: keys, rules, marking."""

from karat.dedup.default_rules import DEFAULT_RULES
from karat.dedup.explanation import Decision, NamedKey, Trial, explain_marks
from karat.dedup.items import Item
from karat.dedup.marking import mark_duplicates
from karat.dedup.marks import Marks
from karat.dedup.rules import Enough, Evidence, Rules, TypeRules
from karat.dedup.same_id import explain_by_id, mark_by_id
from karat.dedup.verification import STEPS, Verdict, decide

__all__ = [
    "DEFAULT_RULES",
    "STEPS",
    "Decision",
    "Enough",
    "Evidence",
    "Item",
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
