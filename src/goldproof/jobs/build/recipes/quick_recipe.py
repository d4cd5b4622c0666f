"""Recipes from a command line: sources and quotas as `NAME=VALUE`, and changes to a recipe that is already there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.io.text_files import file_stem
from goldproof.jobs.build.adapters.ids import safe_id
from goldproof.jobs.build.recipes.recipe import Recipe, SourceSpec
from goldproof.jobs.build.recipes.recipe_file import read_recipe

if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT_NAME = "benchmark"
DEFAULT_SEED = 42
_HUB = "hub:"


def quick_recipe(
    *,
    sources: Iterable[str],
    quotas: Iterable[str],
    unanswerable: str | None = None,
    name: str | None = None,
    seed: int | None = None,
) -> Recipe:
    """Return a recipe from `ADAPTER=PATH` (or `ADAPTER=hub:ID@REVISION`) and `DOC_TYPE=N` (or `DOC_TYPE/TYPE=N`).

    Where a method cannot make its part of the unanswerables, the others do: a quick start wants the share.
    """
    return read_recipe(
        {
            "name": name or DEFAULT_NAME,
            "seed": DEFAULT_SEED if seed is None else seed,
            "sources": _named([_source(text) for text in sources]),
            "quotas": _quotas(quotas),
            "unanswerable": {"share": unanswerable or "0%", "borrow": True},
        }
    )


def with_changes(
    recipe: Recipe, *, sources: Iterable[str] | None = None, name: str | None = None, seed: int | None = None
) -> Recipe:
    """Return a recipe with another seed or name, or that reads other files.

    Given sources are then the only ones; what the recipe says about a source of the same adapter (doc_type, options)
    holds for them too. With another name the recipe's own file names no longer fit, and are taken from the name.
    """
    if name is not None:
        recipe = replace(recipe, name=name, output=None, manifest=None)
    if seed is not None:
        recipe = replace(recipe, seed=seed)
    if sources:
        recipe = replace(recipe, sources=tuple(_replacement(text, recipe) for text in sources))
    return recipe


def _source(text: str) -> dict[str, str]:
    """Return a source as a recipe has it: a path, or an id of the hub with or without a revision."""
    adapter, place = _pair(text, option="--source", form="ADAPTER=PATH or ADAPTER=hub:ID@REVISION")
    if not place.startswith(_HUB):
        return {"adapter": adapter, "path": place}
    hub, _, revision = place.removeprefix(_HUB).partition("@")
    return {"adapter": adapter, "hub": hub} | ({"revision": revision} if revision else {})


def _named(sources: list[dict[str, str]]) -> list[dict[str, str]]:
    """Give several tables of one's own the names of their files, since they may number their rows alike."""
    tables = [source["path"] for source in sources if source["adapter"] == "table" and "path" in source]
    names = {path: safe_id(file_stem(path)) for path in tables}
    if len(tables) < 2 or len(set(names.values())) < len(tables):
        return sources
    return [
        {**source, "name": names[source["path"]]} if source["adapter"] == "table" and "path" in source else source
        for source in sources
    ]


def _replacement(text: str, recipe: Recipe) -> SourceSpec:
    given = _source(text)
    like = next((spec for spec in recipe.sources if spec.adapter == given["adapter"]), SourceSpec(given["adapter"]))
    path = Path(given["path"]).expanduser() if "path" in given else None
    return replace(like, path=path, hub=given.get("hub"), revision=given.get("revision"))


def _quotas(texts: Iterable[str]) -> dict[str, object]:
    plain: dict[str, object] = {}
    typed: dict[str, dict[str, str]] = {}
    for text in texts:
        cell, number = _pair(text, option="--quota", form="DOC_TYPE=N")
        doc_type, _, kind = cell.partition("/")
        there = typed.get(doc_type, {}) if kind else plain
        if (kind or doc_type) in there or (doc_type in plain if kind else doc_type in typed):
            raise InputError(f"--quota {text}: {doc_type} has a quota already; give each place one quota.")
        if kind:
            typed.setdefault(doc_type, {})[kind] = number
        else:
            plain[doc_type] = number
    return {**plain, **typed}


def _pair(text: str, *, option: str, form: str) -> tuple[str, str]:
    name, found, value = text.partition("=")
    if not found or not name.strip() or not value.strip():
        raise InputError(f"{option} {text}: expected {form}.")
    return name.strip(), value.strip()
