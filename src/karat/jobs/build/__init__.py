"""Building benchmarks: public datasets in, one stratified benchmark with gold documents out."""

from karat.jobs.build.adapters.listing import adapters_table
from karat.jobs.build.building import build
from karat.jobs.build.checking.checking import CheckReport, check_benchmark
from karat.jobs.build.phases.combining import CombineResult, combine
from karat.jobs.build.recipes.quick_recipe import quick_recipe, with_changes
from karat.jobs.build.recipes.recipe import Recipe
from karat.jobs.build.recipes.recipe_file import bundled_recipes, read_recipe
from karat.jobs.build.result import BuildResult
from karat.jobs.build.sample import Sample

__all__ = [
    "BuildResult",
    "CheckReport",
    "CombineResult",
    "Recipe",
    "Sample",
    "adapters_table",
    "build",
    "bundled_recipes",
    "check_benchmark",
    "combine",
    "quick_recipe",
    "read_recipe",
    "with_changes",
]
