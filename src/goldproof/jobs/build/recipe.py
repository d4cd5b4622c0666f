"""Recipe of a benchmark, and the whole numbers its quotas and shares come to.

Read from YAML by `goldproof.jobs.build.recipe_file`, or made from command-line options. The records are forms: a field
is a key of the file, and its annotation says how it is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from goldproof.errors import InputError, UnknownNameError
from goldproof.io.forms import (
    Count,
    FilePath,
    Flag,
    Form,
    Name,
    Paths,
    Reads,
    ShareOrOff,
    Unfolds,
    Whole,
    one_of,
    read_name,
)
from goldproof.jobs.build.adapters.adapter import ADAPTERS
from goldproof.jobs.build.question_types import TYPES
from goldproof.jobs.build.records import DIFFICULTIES
from goldproof.jobs.build.sampling.apportionment import apportion
from goldproof.jobs.build.sampling.selection import ANY_TYPE

if TYPE_CHECKING:
    from collections import Counter

    from goldproof.jobs.build.sampling.quotas import Cell

METHODS = ("temporal_shift", "entity_swap", "negation", "cross_domain")
DEFAULT_METHODS: Mapping[str, Fraction] = {
    "temporal_shift": Fraction(30, 100),
    "entity_swap": Fraction(30, 100),
    "negation": Fraction(20, 100),
    "cross_domain": Fraction(20, 100),
}
NEAR_DUPLICATES = 0.85
_SHARE = re.compile(r"(?P<number>\d{1,12}(?:\.\d{1,12})?)\s*(?:/\s*(?P<parts>\d{1,12})|(?P<percent>%))?", re.ASCII)
_MOST = 1_000_000_000


def share(text: str) -> Fraction:
    """Read a share: `10%`, `0.1`, `1/10`."""
    number = _SHARE.fullmatch(text.strip())
    whole = int(number["parts"] or 1) if number else 0
    value = Fraction(number["number"]) / whole / (100 if number["percent"] else 1) if number and whole else Fraction(-1)
    if not 0 <= value <= 1:
        raise InputError(f"{text!r} is not a share; expected a percentage such as 10%, or a number from 0 to 1.")
    return value


def _read_share(value: object) -> Fraction:
    if not isinstance(value, str | int | float):
        raise TypeError
    return share(str(value))


Share = Annotated[Fraction, Reads(_read_share, "a share such as 10%")]


def _shares_of(known: Iterable[str]) -> Reads:
    """Return the annotation of shares that sum to the whole, each of a known name."""

    def read(shares: Mapping[str, Fraction]) -> dict[str, Fraction]:
        if sum(shares.values()) != 1:
            total = float(100 * sum(shares.values()))
            raise InputError(f"the shares sum to {total:.9g}%, expected 100%: {', '.join(known)}.")
        return {name: shares.get(name, Fraction(0)) for name in known}

    return Reads(read, "shares", of=dict[Annotated[str, one_of(tuple(known), kind="key")], Share])


def _read_adapter(value: object) -> str:
    name = read_name(value)
    if name not in ADAPTERS:
        raise UnknownNameError("adapter", name, ADAPTERS)
    return name


def _read_file_name(value: object) -> str:
    name = read_name(value)
    if Path(name).name != name or "\\" in name or not name.isprintable():
        raise ValueError
    return name


FileName = Annotated[str, Reads(_read_file_name, "a file name without a folder; the folder is --out")]


@dataclass(frozen=True, slots=True)
class SourceSpec(Form):
    """One dataset: an adapter, and a file or folder, or a dataset of the hub at a revision.

    Keys of the file that are none of these are options of the adapter.
    """

    adapter: Annotated[str, Reads(_read_adapter, "the name of a dataset adapter")]
    path: FilePath | None = None
    hub: Name | None = None
    revision: Name | None = None
    doc_type: Name | None = None
    options: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def unfold(cls, value: object) -> object:
        """Return the keys of a source, with the options of its adapter in a mapping of their own."""
        if not isinstance(value, Mapping):
            return value
        known = [key.name for key in fields(cls)[:-1]]
        for key in ("hub", "revision"):
            if None not in (value.get("path"), value.get(key)):
                raise InputError(f"has both 'path' and {key!r}; a source is a file or folder, or a dataset of the hub.")
        options = {key: option for key, option in value.items() if key not in known}
        return {key: value[key] for key in known if key in value} | {"options": options}


@dataclass(frozen=True, slots=True)
class Quota:
    """The number of samples of a doc_type; `question_types` is empty, or sums to `total`."""

    doc_type: str
    total: int
    question_types: Mapping[str, int] = field(default_factory=dict)


def _read_quotas(counts: Mapping[str, Mapping[str, int]]) -> tuple[Quota, ...]:
    quotas = []
    for doc_type, types in counts.items():
        known = TYPES.get(doc_type, TYPES["clean_text"])
        for kind in types:
            if kind not in (*known, ANY_TYPE):
                raise InputError(f"{doc_type}: {UnknownNameError('key', kind, known)}")
        total = sum(types.values())
        if not 0 < total <= _MOST:
            raise InputError(f"{doc_type}: the quota is {total}, expected 1 to {_MOST:,}.")
        quotas.append(Quota(doc_type, total, {} if ANY_TYPE in types else types))
    return tuple(quotas)


# The numbers of a doc_type by question type; a number alone is of any type.
_Places = Annotated[dict[str, Whole], Unfolds(lambda value: value if isinstance(value, Mapping) else {ANY_TYPE: value})]
Quotas = Annotated[
    tuple[Quota, ...], Reads(_read_quotas, "numbers of samples, such as {table: 5}", of=dict[str, _Places])
]


@dataclass(frozen=True, slots=True)
class Borrow(Form):
    """A rule: free places of `short` go to samples of `lender`, at most `at_most` of them (None: any number).

    Both are `doc_type` or `doc_type/question_type`. What is borrowed keeps its own type and is reported.
    """

    short: Name = field(metadata={"key": "to"})
    lender: Name = field(metadata={"key": "from"})
    at_most: Count | None = None


@dataclass(frozen=True, slots=True)
class Unanswerable(Form):
    """The share of unanswerable samples, and how they are made.

    borrow: where a method cannot fill its part, the other methods may.
    """

    share: Share = Fraction(0)
    methods: Annotated[Mapping[str, Fraction], _shares_of(METHODS)] = field(
        default_factory=lambda: dict(DEFAULT_METHODS)
    )
    borrow: Flag = False

    @classmethod
    def unfold(cls, value: object) -> object:
        """Return the mapping that a share alone stands for."""
        return value if isinstance(value, Mapping) else {"share": value}


@dataclass(frozen=True, slots=True)
class Recipe(Form):
    """Sources in, quotas out.

    difficulty: shares of D1, D2, D3 that sum to 1; None: no target. strata: doc_type -> the metadata field over
    which its samples are spread evenly. near_duplicates: questions at least this similar are one (None: keep all).
    exclude: earlier benchmarks, whose questions are not taken again. corpus: `samples` (the documents of the chosen
    samples) or `sources` (every document of the sources).
    """

    EXPECTED = "a recipe with keys such as sources: and quotas:"

    name: FileName
    sources: tuple[SourceSpec, ...]
    quotas: Quotas
    difficulty: Annotated[Mapping[str, Fraction], _shares_of(DIFFICULTIES)] | None = None
    strata: Mapping[str, Name] = field(default_factory=dict)
    unanswerable: Unanswerable = field(default_factory=Unanswerable)
    near_duplicates: ShareOrOff = NEAR_DUPLICATES
    exclude: Paths = ()
    borrow: tuple[Borrow, ...] = ()
    corpus: Annotated[str, one_of(("samples", "sources"))] = "samples"
    seed: Whole = 42
    output: FileName | None = None
    manifest: FileName | None = None

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
