"""Benchmarks from public datasets: stratified samples with gold documents, and unanswerable questions."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.jobs.build.adapters.adapter import adapters_table
    from goldproof.jobs.build.combination import CombineResult, combine
    from goldproof.jobs.build.job import build
    from goldproof.jobs.build.output.check import CheckReport, check_benchmark
    from goldproof.jobs.build.recipe import Recipe
    from goldproof.jobs.build.recipe_file import bundled_recipes, quick_recipe, read_recipe, with_changes
    from goldproof.jobs.build.records import Sample
    from goldproof.jobs.build.result import BuildResult
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "adapters.adapter": ("adapters_table",),
            "combination": ("CombineResult", "combine"),
            "job": ("build",),
            "output.check": ("CheckReport", "check_benchmark"),
            "recipe": ("Recipe",),
            "recipe_file": ("bundled_recipes", "quick_recipe", "read_recipe", "with_changes"),
            "records": ("Sample",),
            "result": ("BuildResult",),
        },
    )

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
