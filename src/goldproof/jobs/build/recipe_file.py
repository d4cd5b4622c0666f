"""Recipes from YAML files, mappings and command-line options.

    name: finance_and_code
    seed: 42
    sources:
      - {adapter: t2-ragbench, path: data/t2}          # a file or folder, from the recipe's own folder
      - {adapter: hotpotqa, hub: hotpotqa/hotpot_qa, revision: <40 hex digits>}
      - {adapter: table, path: faq.csv, doc_type: clean_text, columns: {question: q, answer: a, context: page}}
    quotas:
      table: {numeric: 50, lookup: 25, comparison: 20, policy: 5}
      clean_text: 100                                  # of any question type
    difficulty: {D1: 30%, D2: 40%, D3: 30%}
    strata: {table: company_name}
    unanswerable: {share: 10%, methods: {temporal_shift: 30%, entity_swap: 30%, negation: 20%, cross_domain: 20%}}
    near_duplicates: 0.85                              # null keeps them
    exclude: [phase1.jsonl]
    borrow:
      - {to: table/policy, from: table/lookup, at_most: 5}
    corpus: samples                                    # or sources: every document that was read
    output: finance_and_code.jsonl
    manifest: finance_and_code_manifest.csv

Keys of a source other than adapter, path, hub, revision and doc_type are options of its adapter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.errors import InputError, UnknownNameError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.forms import check_form
from goldproof.io.text_files import file_stem
from goldproof.io.yaml_files import line_of, load_yaml, shown
from goldproof.jobs.build.adapters.adapter import get_adapter, safe_id
from goldproof.jobs.build.question_types import TYPES
from goldproof.jobs.build.recipe import Recipe, SourceSpec

if TYPE_CHECKING:
    from collections.abc import Iterable

_HINT = "The page on building shows a whole recipe."


def bundled_recipes() -> dict[str, Path]:
    """Return the recipes that come with Goldproof, by name."""
    folder = Path(str(files("goldproof.data") / "recipes"))
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def read_recipe(recipe: Recipe | Mapping[str, object] | Path | str) -> Recipe:
    """Return a recipe from a bundled name, a YAML file, a mapping, or a recipe."""
    if isinstance(recipe, Recipe):
        return recipe
    if not isinstance(recipe, Mapping | Path | str):
        raise InputError(f"a recipe is a {type(recipe).__name__}, expected a name, a YAML file or a mapping.")
    if isinstance(recipe, Mapping):
        return _checked(recipe, Diagnostics(Path("recipe")), base=Path(), earlier=Path())
    bundled = bundled_recipes()
    if str(recipe) in bundled:
        return _read(bundled[str(recipe)], earlier=Path())
    path = Path(recipe)
    if path.suffix not in (".yaml", ".yml") and not path.exists():
        raise UnknownNameError("recipe", str(recipe), bundled, hint="Give one of these names, or a YAML file.")
    return _read(path, earlier=path.parent)


def _read(path: Path, *, earlier: Path) -> Recipe:
    diagnostics = Diagnostics(path)
    return _checked(load_yaml(path, diagnostics), diagnostics, base=path.parent, earlier=earlier)


def _checked(content: object, diagnostics: Diagnostics, *, base: Path, earlier: Path) -> Recipe:
    """Return the recipe of a mapping; sources are looked for from `base`, earlier benchmarks from `earlier`."""
    recipe = check_form(content, Recipe, diagnostics, hint=_HINT)
    try:
        _check_parts(recipe)
        sources = tuple(_located(source, base) for source in recipe.sources)
    except InputError as error:
        raise diagnostics.error(str(error), line=line_of(content), hint=_HINT) from error
    return replace(recipe, sources=sources, exclude=tuple(earlier / path for path in recipe.exclude))


def _located(source: SourceSpec, base: Path) -> SourceSpec:
    """Return a source whose paths begin at the recipe's folder."""
    options = dict(source.options)
    for name in get_adapter(source.adapter).path_options & options.keys():
        if not isinstance(options[name], str):
            raise InputError(f"sources: {name} is {shown(options[name])}, expected a name.")
        options[name] = base / Path(str(options[name])).expanduser()
    return replace(source, path=None if source.path is None else base / source.path, options=options)


def _check_parts(recipe: Recipe) -> None:
    """Refuse settings for a doc_type or question type without a quota, which would silently do nothing."""
    if not recipe.sources or not recipe.quotas:
        raise InputError(f"{'quotas' if recipe.sources else 'sources'} is empty, expected at least one.")
    known = [quota.doc_type for quota in recipe.quotas]
    own = [source.doc_type for source in recipe.sources if source.doc_type is not None]
    for doc_type in known:
        if doc_type not in (*TYPES, *own):
            raise InputError(f"quotas: {UnknownNameError('doc_type', doc_type, (*TYPES, *own))}")
    for source in recipe.sources:
        if source.doc_type is not None and source.doc_type not in known:
            raise InputError(f"sources: {UnknownNameError('doc_type', source.doc_type, known)}")
    for doc_type in recipe.strata:
        if doc_type not in known:
            raise InputError(f"strata: {UnknownNameError('doc_type', doc_type, known)}")
    cells = [*known, *(f"{quota.doc_type}/{kind}" for quota in recipe.quotas for kind in quota.question_types)]
    kinds = (*TYPES, *own)
    lenders = [*kinds, *(f"{kind}/{asked}" for kind in kinds for asked in TYPES.get(kind, TYPES["clean_text"]))]
    for rule in recipe.borrow:
        if rule.short not in cells:
            raise InputError(f"borrow: {UnknownNameError('quota', rule.short, cells)}")
        if rule.lender not in lenders:
            raise InputError(f"borrow: {UnknownNameError('lender', rule.lender, lenders)}")
        if rule.short == rule.lender:
            raise InputError(f"borrow: {rule.short} cannot borrow from itself.")


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
            "sources": _named([_quick_source(text) for text in sources]),
            "quotas": _quick_quotas(quotas),
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


def _quick_source(text: str) -> dict[str, str]:
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
    named = _quick_source(text)
    like = next((spec for spec in recipe.sources if spec.adapter == named["adapter"]), SourceSpec(named["adapter"]))
    path = Path(named["path"]).expanduser() if "path" in named else None
    return replace(like, path=path, hub=named.get("hub"), revision=named.get("revision"))


def _quick_quotas(texts: Iterable[str]) -> dict[str, object]:
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
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise InputError(f"{option} {text}: expected {form}.")
    return name.strip(), value.strip()
