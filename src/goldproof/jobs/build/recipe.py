"""Recipe of a benchmark, and the whole numbers its quotas and shares come to.

Read from YAML by `goldproof.jobs.build.recipe_file`, or made from command-line options.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from goldproof.jobs.build.sampling.apportionment import apportion
from goldproof.jobs.build.sampling.selection import ANY_TYPE

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping
    from pathlib import Path

    from goldproof.jobs.build.sampling.quotas import Cell

METHODS = ("temporal_shift", "entity_swap", "negation", "cross_domain")
DEFAULT_METHODS: Mapping[str, Fraction] = {
    "temporal_shift": Fraction(30, 100),
    "entity_swap": Fraction(30, 100),
    "negation": Fraction(20, 100),
    "cross_domain": Fraction(20, 100),
}
NEAR_DUPLICATES = 0.85


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """One dataset: an adapter, and a file or folder, or a dataset of the hub at a revision."""

    adapter: str
    path: Path | None = None
    hub: str | None = None
    revision: str | None = None
    doc_type: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Quota:
    """The number of samples of a doc_type; `question_types` is empty, or sums to `total`."""

    doc_type: str
    total: int
    question_types: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Borrow:
    """A rule: free places of `short` go to samples of `lender`, at most `at_most` of them (None: any number).

    Both are `doc_type` or `doc_type/question_type`. What is borrowed keeps its own type and is reported.
    """

    short: str
    lender: str
    at_most: int | None = None


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """The share of unanswerable samples, and how they are made.

    borrow: where a method cannot fill its part, the other methods may.
    """

    share: Fraction = Fraction(0)
    methods: Mapping[str, Fraction] = field(default_factory=lambda: dict(DEFAULT_METHODS))
    borrow: bool = False


@dataclass(frozen=True, slots=True)
class Recipe:
    """Sources in, quotas out.

    difficulty: shares of D1, D2, D3 that sum to 1, None to take what comes. strata: doc_type -> the metadata field over
    which its samples are spread evenly. near_duplicates: questions at least this similar are one (None: keep all).
    exclude: earlier benchmarks, whose questions are not taken again. corpus: `samples` (the documents of the chosen
    samples) or `sources` (every document of the sources).
    """

    name: str
    sources: tuple[SourceSpec, ...]
    quotas: tuple[Quota, ...]
    difficulty: Mapping[str, Fraction] | None = None
    strata: Mapping[str, str] = field(default_factory=dict)
    unanswerable: Unanswerable = field(default_factory=Unanswerable)
    near_duplicates: float | None = NEAR_DUPLICATES
    exclude: tuple[Path, ...] = ()
    borrow: tuple[Borrow, ...] = ()
    corpus: str = "samples"
    seed: int = 42
    output: str | None = None
    manifest: str | None = None

    @property
    def output_name(self) -> str:
        """What the benchmark's file is called."""
        return self.output or f"{self.name}.jsonl"

    @property
    def manifest_name(self) -> str:
        """What the manifest is called."""
        return self.manifest or f"{self.name}_manifest.csv"

    @property
    def total(self) -> int:
        """How many samples are wanted: the sum of the quotas."""
        return sum(quota.total for quota in self.quotas)


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
