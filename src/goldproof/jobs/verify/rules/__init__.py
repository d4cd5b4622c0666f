"""Rules: propose proofs for a question without a model."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.verify.rules.asked import Asked, Kind
    from goldproof.jobs.verify.rules.reading import read_question
    from goldproof.jobs.verify.rules.rule import Reading, Rule
    from goldproof.jobs.verify.rules.table import RULES
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "asked": ("Asked", "Kind"),
            "reading": ("read_question",),
            "rule": ("Reading", "Rule"),
            "table": ("RULES",),
        },
    )

__all__ = ["RULES", "Asked", "Kind", "Reading", "Rule", "read_question"]
