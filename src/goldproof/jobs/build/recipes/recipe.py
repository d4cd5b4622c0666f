"""A recipe: what a benchmark is made of. Same recipe, sources and seed: the same bytes.

Read from YAML by `goldproof.jobs.build.recipes.recipe_file`, or made from the command line's options.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

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
    """How many samples of a doc_type; `question_types` is empty, or sums to `total`."""

    doc_type: str
    total: int
    question_types: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Borrow:
    """Where `short` underfills, samples of `lender` take the free places, at most `at_most` of them (None: any number).

    Both are `doc_type` or `doc_type/question_type`. What is borrowed keeps its own type and is reported.
    """

    short: str
    lender: str
    at_most: int | None = None


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """The share of all samples that nothing answers, and how they are made.

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
