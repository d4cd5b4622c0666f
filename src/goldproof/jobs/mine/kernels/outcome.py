"""What a search for kernels is given, may do, and brings back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, TypeAlias

from goldproof.errors import InputError
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from goldproof.jobs.mine.mined import SetRuling

# Words, how many documents, ids that must not be among them -> documents, best first.
Search: TypeAlias = Callable[[str, int, frozenset[str]], Awaitable[Sequence[Document]]]

EXPANSION = "expansion"
BOUNDS = ("steps", "size", "alternatives", "rulings", "search failed")


@dataclass(frozen=True, slots=True)
class KernelSettings:
    """How far the search goes, per question.

    steps: how often a set that does not suffice is added to. per_step: how many documents each time. seeds: how many
    documents of the start the first set holds. size: how many documents the judge sees at once. alternatives: how many
    kernels are looked for beyond the first. rulings: how many may be asked for, in all.

    By default a set has room for every step: 4 seeds and 4 times 3 documents.
    """

    steps: int = 4
    per_step: int = 3
    seeds: int = 4
    size: int = 16
    alternatives: int = 3
    rulings: int = 60

    def __post_init__(self) -> None:
        for field in fields(self):
            value, least = getattr(self, field.name), 0 if field.name in ("steps", "alternatives") else 1
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InputError(f"kernels: {field.name} is {value!r}, expected a whole number of at least {least}.")


@dataclass(frozen=True, slots=True)
class KernelOutcome:
    """What was found, and how.

    kernels: minimal sets that suffice, ids in order, the first found first. unverified: sets that suffice, but of which
    some member may be spare: a ruling has no outcome, or no more could be asked for. rulings: every one that was asked
    for, in order. added: documents that the search brought in, each with where it came from. exhausted: everything was
    tried, no bound was hit. bounded: which were (of BOUNDS, with commas between), else empty. informed: after every no
    the judge named what is missing, and that was searched for. failed: rulings asked for that came without an outcome.
    """

    kernels: tuple[tuple[str, ...], ...] = ()
    unverified: tuple[tuple[str, ...], ...] = ()
    rulings: tuple[SetRuling, ...] = ()
    added: tuple[tuple[str, str], ...] = ()
    exhausted: bool = False
    bounded: str = ""
    informed: bool = False
    failed: int = 0
