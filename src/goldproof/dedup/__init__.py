"""Which results of a conversation are the same document: keys, rules, marking."""

from goldproof.dedup.default_rules import DEFAULT_RULES
from goldproof.dedup.explanation import Decision, NamedKey, Trial, explain_marks
from goldproof.dedup.items import Item
from goldproof.dedup.marking import mark_duplicates
from goldproof.dedup.marks import Marks
from goldproof.dedup.rules import Enough, Evidence, Rules, TypeRules
from goldproof.dedup.same_id import explain_by_id, mark_by_id
from goldproof.dedup.verification import STEPS, Verdict, decide

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
