"""Mining: who is empirically relevant to a question, and the minimal set of documents that suffices."""

from karat.jobs.mine.candidates import write_candidates
from karat.jobs.mine.estimating import MiningEstimate, estimate_plan
from karat.jobs.mine.extending import mined_recipe, refuse_other
from karat.jobs.mine.function import mine
from karat.jobs.mine.mined import Candidate, Mined, MinedDocument, MinedQuestion, SetRuling
from karat.jobs.mine.mining import run_plan
from karat.jobs.mine.plan import MiningPlan, open_plan
from karat.jobs.mine.recipe import Looking, Recipe
from karat.jobs.mine.recipe_file import bundled_mines, read_mine, recipe_of
from karat.jobs.mine.result import MiningResult
from karat.jobs.mine.unlabelled import Unlabelled
from karat.jobs.mine.watching import MiningProgress, MiningWatcher

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
