"""Mining: who is empirically relevant to a question, and the minimal set of documents that suffices."""

from typing import TYPE_CHECKING

from goldproof.plugins import lazy_exports

if TYPE_CHECKING:
    from goldproof.jobs.mine.candidates import write_candidates
    from goldproof.jobs.mine.estimating import MiningEstimate, estimate_plan
    from goldproof.jobs.mine.extending import mined_recipe, refuse_other
    from goldproof.jobs.mine.function import mine
    from goldproof.jobs.mine.mined import Candidate, Mined, MinedDocument, MinedQuestion, SetRuling
    from goldproof.jobs.mine.mining import run_plan
    from goldproof.jobs.mine.plan import MiningPlan, open_plan
    from goldproof.jobs.mine.recipe import Looking, Recipe
    from goldproof.jobs.mine.recipe_file import bundled_mines, read_mine, recipe_of
    from goldproof.jobs.mine.result import MiningResult
    from goldproof.jobs.mine.unlabelled import Unlabelled
    from goldproof.jobs.mine.watching import MiningProgress, MiningWatcher

__all__ = [
    "Candidate",
    "Looking",
    "Mined",
    "MinedDocument",
    "MinedQuestion",
    "MiningEstimate",
    "MiningPlan",
    "MiningProgress",
    "MiningResult",
    "MiningWatcher",
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
    "write_candidates",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "candidates": ("write_candidates",),
        "estimating": ("MiningEstimate", "estimate_plan"),
        "extending": ("mined_recipe", "refuse_other"),
        "function": ("mine",),
        "mined": ("Candidate", "Mined", "MinedDocument", "MinedQuestion", "SetRuling"),
        "mining": ("run_plan",),
        "plan": ("MiningPlan", "open_plan"),
        "recipe": ("Looking", "Recipe"),
        "recipe_file": ("bundled_mines", "read_mine", "recipe_of"),
        "result": ("MiningResult",),
        "unlabelled": ("Unlabelled",),
        "watching": ("MiningProgress", "MiningWatcher"),
    },
)
