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

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldproof.errors import InputError, UnknownNameError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.text_files import file_stem
from goldproof.io.yaml_files import YamlSection, load_yaml, shown
from goldproof.jobs.build.adapters.adapter import ADAPTERS, get_adapter, safe_id
from goldproof.jobs.build.question_types import TYPES
from goldproof.jobs.build.recipe import METHODS, Borrow, Quota, Recipe, SourceSpec, Unanswerable
from goldproof.jobs.build.records import DIFFICULTIES

if TYPE_CHECKING:
    from collections.abc import Iterable

_HINT = "The page on building shows a whole recipe."
_SOURCE_KEYS = ("adapter", "path", "hub", "revision", "doc_type")
_CORPORA = ("samples", "sources")
_SHARE = re.compile(r"(?P<number>\d{1,12}(?:\.\d{1,12})?)\s*(?:/\s*(?P<parts>\d{1,12})|(?P<percent>%))?", re.ASCII)
_MOST = 1_000_000_000


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
        return _parsed(recipe, Diagnostics(Path("recipe")), base=Path(), earlier=Path())
    bundled = bundled_recipes()
    if str(recipe) in bundled:
        return _read(bundled[str(recipe)], earlier=Path())
    path = Path(recipe)
    if path.suffix not in (".yaml", ".yml") and not path.exists():
        raise UnknownNameError("recipe", str(recipe), bundled, hint="Give one of these names, or a YAML file.")
    return _read(path, earlier=path.parent)


def share(text: str) -> Fraction:
    """Read a share: `10%`, `0.1`, `1/10`."""
    number = _SHARE.fullmatch(text.strip())
    whole = int(number["parts"] or 1) if number else 0
    value = Fraction(number["number"]) / whole / (100 if number["percent"] else 1) if number and whole else Fraction(-1)
    if not 0 <= value <= 1:
        raise InputError(f"{text!r} is not a share; expected a percentage such as 10%, or a number from 0 to 1.")
    return value


def _read(path: Path, *, earlier: Path) -> Recipe:
    diagnostics = Diagnostics(path)
    content = load_yaml(path, diagnostics)
    if not isinstance(content, dict):
        raise diagnostics.error("is not a recipe, expected keys such as sources: and quotas:.", hint=_HINT)
    return _parsed(content, diagnostics, base=path.parent, earlier=earlier)


def _parsed(mapping: Mapping[str, object], diagnostics: Diagnostics, *, base: Path, earlier: Path) -> Recipe:
    """Return the recipe of a mapping; sources are looked for from `base`, earlier benchmarks from `earlier`."""
    top = _Section(mapping, diagnostics=diagnostics, hint=_HINT)
    values = top.read(
        name=top.file_name,
        seed=top.whole,
        sources=lambda key, value: tuple(_source(section, base) for section in top.sections(key, value)),
        quotas=lambda key, value: _quotas(top.part(key, value)),
        difficulty=lambda key, value: None if value is None else _difficulty(top.part(key, value)),
        strata=lambda key, value: top.part(key, value).texts(),
        unanswerable=lambda key, value: _unanswerable(top, key, value),
        near_duplicates=lambda key, value: None if value == "off" else top.share(key, value),
        exclude=lambda key, value: tuple(earlier / name for name in top.names(key, _listed(value))),
        borrow=lambda key, value: tuple(_borrow(section) for section in top.sections(key, value)),
        corpus=lambda key, value: top.one_of(key, value, _CORPORA),
        output=top.file_name,
        manifest=top.file_name,
    )
    for key in ("name", "sources", "quotas"):
        if not values.get(key):
            raise top.wrong(f"no key {key!r}, which a recipe must have.")
    recipe = Recipe(**values)
    _check_parts(recipe, top)
    return recipe


class _Section(YamlSection):
    """One mapping of a recipe, with the kinds of values that only recipes have."""

    def part(self, key: str, value: object) -> _Section:
        """Return the mapping under a key."""
        if not isinstance(value, Mapping):
            raise self.wrong(f"{key} is {shown(value)}, expected a mapping.")
        return _Section(value, diagnostics=self._diagnostics, where=f"{self.where}{key}: ", hint=_HINT)

    def sections(self, key: str, value: object) -> Iterable[_Section]:
        """Return the mappings of a list."""
        if not isinstance(value, list | tuple) or not value:
            raise self.wrong(f"{key} is {shown(value)}, expected a list of mappings, such as - {{adapter: hotpotqa}}.")
        return [self.part(f"{key}[{number}]", item) for number, item in enumerate(value, start=1)]

    def name(self, key: str, value: object) -> str:
        """Read one word or text that is not empty."""
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(f"{key} is {shown(value)}, expected a name.")
        return value.strip()

    def file_name(self, key: str, value: object) -> str:
        """Read the name of a file of the output folder."""
        name = self.name(key, value)
        if Path(name).name != name or "\\" in name or not name.isprintable():
            raise self.wrong(f"{key} is {name!r}, expected a file name without a folder; the folder is --out.")
        return name

    def one_of(self, key: str, value: object, known: Iterable[str]) -> str:
        """Read one of a few names."""
        name = self.name(key, value)
        if name not in known:
            raise self.wrong(str(UnknownNameError(key, name, known)))
        return name

    def part_of_one(self, key: str, value: object) -> Fraction:
        """Read a share of the whole."""
        try:
            return share(str(value))
        except InputError as error:
            raise self.wrong(f"{key}: {error}") from error

    def texts(self) -> dict[str, str]:
        """Read a mapping of names to names."""
        return {key: self.name(key, value) for key, value in self.values.items()}

    def shares(self, known: Iterable[str]) -> dict[str, Fraction]:
        """Read shares that sum to the whole, each of a known name."""
        known = tuple(known)
        shares = self.read(**dict.fromkeys(known, self.part_of_one))
        if sum(shares.values()) != 1:
            total = float(100 * sum(shares.values()))
            raise self.wrong(f"the shares sum to {total:.9g}%, expected 100%: {', '.join(known)}.")
        return {name: shares.get(name, Fraction(0)) for name in known}


def _source(section: _Section, base: Path) -> SourceSpec:
    texts = {key: section.name(key, section.values[key]) for key in _SOURCE_KEYS if section.values.get(key) is not None}
    if "adapter" not in texts:
        raise section.wrong("no key 'adapter', expected the name of a dataset adapter.")
    if texts["adapter"] not in ADAPTERS:
        raise section.wrong(str(UnknownNameError("adapter", texts["adapter"], ADAPTERS)))
    for key in ("hub", "revision"):
        if "path" in texts and key in texts:
            raise section.wrong(f"has both 'path' and {key!r}; a source is a file or folder, or a dataset of the hub.")
    path = base / Path(texts.pop("path")).expanduser() if "path" in texts else None
    paths = get_adapter(texts["adapter"]).path_options
    options = {
        key: base / Path(section.name(key, value)).expanduser() if key in paths else value
        for key, value in section.values.items()
        if key not in _SOURCE_KEYS
    }
    return SourceSpec(**texts, path=path, options=options)


def _listed(value: object) -> object:
    """Return a Python caller's tuple or paths as the list of texts that a file would have."""
    if not isinstance(value, list | tuple):
        return value
    return [str(item) if isinstance(item, Path) else item for item in value]


def _quotas(section: _Section) -> tuple[Quota, ...]:
    quotas = []
    for doc_type, value in section.values.items():
        if not isinstance(value, Mapping):
            quotas.append(Quota(doc_type, section.count(doc_type, value)))
            if quotas[-1].total > _MOST:
                raise section.wrong(f"{doc_type} is {quotas[-1].total}, expected at most {_MOST:,}.")
            continue
        types = section.part(doc_type, value)
        counts = types.read(**dict.fromkeys(TYPES.get(doc_type, TYPES["clean_text"]), types.whole))
        if not 0 < sum(counts.values()) <= _MOST:
            raise types.wrong(f"the quotas sum to {sum(counts.values())}, expected 1 to {_MOST:,}.")
        quotas.append(Quota(doc_type, sum(counts.values()), counts))
    return tuple(quotas)


def _difficulty(section: _Section) -> dict[str, Fraction]:
    return section.shares(DIFFICULTIES)


def _unanswerable(top: _Section, key: str, value: object) -> Unanswerable:
    if not isinstance(value, Mapping):
        return Unanswerable(top.part_of_one(key, value))
    section = top.part(key, value)
    values: dict[str, Any] = section.read(
        share=section.part_of_one,
        methods=lambda name, shares: section.part(name, shares).shares(METHODS),
        borrow=section.flag,
    )
    return Unanswerable(**values)


def _borrow(section: _Section) -> Borrow:
    values: dict[str, Any] = section.read(**{"to": section.name, "from": section.name, "at_most": section.count})
    for key in ("to", "from"):
        if key not in values:
            raise section.wrong(f"no key {key!r}; expected {{to: table/policy, from: table/lookup}}.")
    return Borrow(short=values["to"], lender=values["from"], at_most=values.get("at_most"))


def _check_parts(recipe: Recipe, top: _Section) -> None:
    """Refuse settings for a doc_type or question type without a quota: they would silently do nothing."""
    known = [quota.doc_type for quota in recipe.quotas]
    own = [source.doc_type for source in recipe.sources if source.doc_type is not None]
    for doc_type in known:
        if doc_type not in (*TYPES, *own):
            raise top.wrong(f"quotas: {UnknownNameError('doc_type', doc_type, (*TYPES, *own))}")
    for source in recipe.sources:
        if source.doc_type is not None and source.doc_type not in known:
            raise top.wrong(f"sources: {UnknownNameError('doc_type', source.doc_type, known)}")
    for doc_type in recipe.strata:
        if doc_type not in known:
            raise top.wrong(f"strata: {UnknownNameError('doc_type', doc_type, known)}")
    cells = [*known, *(f"{quota.doc_type}/{kind}" for quota in recipe.quotas for kind in quota.question_types)]
    kinds = (*TYPES, *own)
    lenders = [*kinds, *(f"{kind}/{asked}" for kind in kinds for asked in TYPES.get(kind, TYPES["clean_text"]))]
    for rule in recipe.borrow:
        if rule.short not in cells:
            raise top.wrong(f"borrow: {UnknownNameError('quota', rule.short, cells)}")
        if rule.lender not in lenders:
            raise top.wrong(f"borrow: {UnknownNameError('lender', rule.lender, lenders)}")
        if rule.short == rule.lender:
            raise top.wrong(f"borrow: {rule.short} cannot borrow from itself.")


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
