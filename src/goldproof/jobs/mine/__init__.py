"""Mining: which documents answer a question, by a judge's rulings, and which minimal sets of them suffice."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.mine.candidate_file import write_candidates
    from goldproof.jobs.mine.estimate import MiningEstimate, estimate_plan
    from goldproof.jobs.mine.job import mine, run_plan
    from goldproof.jobs.mine.plan import (
        MiningPlan,
        mined_recipe,
        open_plan,
        refuse_other,
        ways_on,
        what_is_kept,
        why_no_answers,
    )
    from goldproof.jobs.mine.recipe import CandidateSettings, Recipe, bundled_mines, read_mine, recipe_of
    from goldproof.jobs.mine.records import Candidate, Mined, MinedDocument, MinedQuestion, SetRuling
    from goldproof.jobs.mine.result import MiningResult, Unlabelled
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "candidate_file": ("write_candidates",),
            "estimate": ("MiningEstimate", "estimate_plan"),
            "job": ("mine", "run_plan"),
            "plan": (
                "MiningPlan",
                "mined_recipe",
                "open_plan",
                "refuse_other",
                "ways_on",
                "what_is_kept",
                "why_no_answers",
            ),
            "recipe": ("CandidateSettings", "Recipe", "bundled_mines", "read_mine", "recipe_of"),
            "records": ("Candidate", "Mined", "MinedDocument", "MinedQuestion", "SetRuling"),
            "result": ("MiningResult", "Unlabelled"),
        },
    )

__all__ = [
    "Candidate",
    "CandidateSettings",
    "Mined",
    "MinedDocument",
    "MinedQuestion",
    "MiningEstimate",
    "MiningPlan",
    "MiningResult",
    "Recipe",
    "SetRuling",
    "Unlabelled",
    "bundled_mines",
    "estimate_plan",
    "mine",
    "mined_recipe",
    "open_plan",
    "read_mine",
    "recipe_of",
    "refuse_other",
    "run_plan",
    "ways_on",
    "what_is_kept",
    "why_no_answers",
    "write_candidates",
]
