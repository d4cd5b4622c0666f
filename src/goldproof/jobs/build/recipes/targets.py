"""What a recipe wants, as whole numbers: the targets of the distribution, and the places that sampling fills."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from goldproof.jobs.build.sampling.apportion import apportion
from goldproof.jobs.build.sampling.selection import ANY_TYPE

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping

    from goldproof.jobs.build.recipes.recipe import Recipe
    from goldproof.jobs.build.sampling.choosing import Cell


def cells(recipe: Recipe) -> dict[Cell, int]:
    """Return the places by doc_type and question type (`*` for any)."""
    return {
        (quota.doc_type, kind): wanted
        for quota in recipe.quotas
        for kind, wanted in (quota.question_types or {ANY_TYPE: quota.total}).items()
        if wanted
    }


def unanswerable_places(recipe: Recipe) -> dict[Cell, int]:
    """Return how many unanswerables each cell has: the share of all samples, rounded half up, spread by the quotas."""
    wanted = int(recipe.unanswerable.share * recipe.total + Fraction(1, 2))
    named = {"/".join(cell): cell for cell in cells(recipe)}
    weights = {name: cells(recipe)[cell] for name, cell in named.items()}
    return {named[name]: count for name, count in apportion(wanted, weights).items() if count}


def distribution_targets(recipe: Recipe) -> dict[str, Mapping[str, int]]:
    """Return every number that the recipe sets, by the groups of the distribution."""
    unanswerable = sum(unanswerable_places(recipe).values())
    targets: dict[str, Mapping[str, int]] = {
        "doc_type": {quota.doc_type: quota.total for quota in recipe.quotas},
        "question_type": {
            f"{quota.doc_type}/{kind}": wanted
            for quota in recipe.quotas
            for kind, wanted in quota.question_types.items()
        },
        "answerable": {"true": recipe.total - unanswerable, "false": unanswerable},
    }
    if recipe.difficulty is not None:
        targets["difficulty"] = {
            f"{quota.doc_type}/{level}": wanted
            for quota in recipe.quotas
            for level, wanted in apportion(quota.total, recipe.difficulty).items()
        }
    if unanswerable:
        targets["unanswerable_method"] = apportion(unanswerable, recipe.unanswerable.methods)
    return targets


def free_places(recipe: Recipe, unanswerables: Counter[Cell]) -> dict[Cell, int]:
    """Return the places that unanswerables have left."""
    return {cell: wanted - unanswerables[cell] for cell, wanted in cells(recipe).items()}
