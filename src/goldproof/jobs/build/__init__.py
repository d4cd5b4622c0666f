"""Building benchmarks: public datasets in, one stratified benchmark with gold documents out."""

from typing import TYPE_CHECKING

from goldproof.plugins import lazy_exports

if TYPE_CHECKING:
    from goldproof.jobs.build.adapters.listing import adapters_table
    from goldproof.jobs.build.building import build
    from goldproof.jobs.build.checking.checking import CheckReport, check_benchmark
    from goldproof.jobs.build.phases.combining import CombineResult, combine
    from goldproof.jobs.build.recipes.quick_recipe import quick_recipe, with_changes
    from goldproof.jobs.build.recipes.recipe import Recipe
    from goldproof.jobs.build.recipes.recipe_file import bundled_recipes, read_recipe
    from goldproof.jobs.build.result import BuildResult
    from goldproof.jobs.build.sample import Sample

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

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "adapters.listing": ("adapters_table",),
        "building": ("build",),
        "checking.checking": ("CheckReport", "check_benchmark"),
        "phases.combining": ("CombineResult", "combine"),
        "recipes.quick_recipe": ("quick_recipe", "with_changes"),
        "recipes.recipe": ("Recipe",),
        "recipes.recipe_file": ("bundled_recipes", "read_recipe"),
        "result": ("BuildResult",),
        "sample": ("Sample",),
    },
)
