"""How a benchmark is made up: for each group of counts the target, what is there, and what is missing.

    doc_type             table                      answerable           true, false
    question_type        table/numeric              unanswerable_method  entity_swap
    difficulty           table/D2                   source_dataset       tatqa

A target is set by the recipe or is not set (None). shortfall = max(0, target - actual): a surplus, as from borrowing,
does not make up for what is missing elsewhere. Rows stand as the targets do, then those without one by name, so that
the order of the samples does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.report import Heading, Table
from goldproof.report.numbers import NOTHING, count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from goldproof.jobs.build.sample import Sample

GROUPS: Mapping[str, str] = {
    "doc_type": "Document types",
    "question_type": "Question types",
    "difficulty": "Difficulty",
    "answerable": "Answerable",
    "unanswerable_method": "Unanswerable, by method",
    "source_dataset": "Sources",
}
Targets = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Share:
    """One row: how many were wanted (None: no number was set), and how many there are."""

    name: str
    target: int | None
    actual: int

    @property
    def shortfall(self) -> int | None:
        """How many are missing."""
        return None if self.target is None else max(0, self.target - self.actual)

    def to_dict(self) -> dict[str, object]:
        """Return the row for JSON."""
        return {"name": self.name, "target": self.target, "actual": self.actual, "shortfall": self.shortfall}


@dataclass(frozen=True, slots=True)
class Distribution:
    """The counts of a benchmark: group -> rows; explanations say why something is missing or borrowed."""

    total: Share
    groups: Mapping[str, tuple[Share, ...]]
    explanations: tuple[str, ...] = field(default=())

    @classmethod
    def of(
        cls, samples: Iterable[Sample], targets: Targets | None = None, *, explanations: Iterable[str] = ()
    ) -> Distribution:
        """Count samples, one at a time; targets: group -> name -> number."""
        targets = targets or {}
        unknown = [group for group in targets if group not in GROUPS]
        if unknown:
            raise InputError(f"no group of counts is called {unknown[0]!r}; known: {', '.join(GROUPS)}.")
        counted: dict[str, Counter[str]] = {group: Counter() for group in GROUPS}
        total = 0
        for sample in samples:
            total += 1
            for group, name in _places(sample):
                counted[group][name] += 1
        wanted = sum(targets["doc_type"].values()) if targets.get("doc_type") else None
        rows = {group: _rows(counted[group], targets.get(group, {})) for group in GROUPS}
        return cls(Share("all", wanted, total), rows, tuple(explanations))

    @property
    def targets(self) -> dict[str, dict[str, int]]:
        """The targets, as they were given."""
        return {
            group: {row.name: row.target for row in rows if row.target is not None}
            for group, rows in self.groups.items()
        }

    def to_dict(self) -> dict[str, object]:
        """Return what `distribution.json` holds."""
        return {
            "total": self.total.to_dict(),
            "groups": {group: [row.to_dict() for row in rows] for group, rows in self.groups.items()},
            "explanations": list(self.explanations),
        }

    def tables(self) -> tuple[Table, ...]:
        """Return a table for each group that has a row; explanations stand below the first."""
        shown = [(group, rows) for group, rows in self.groups.items() if rows]
        return tuple(
            Table(
                headings=(Heading(_heading(group), "left"), Heading("target"), Heading("actual"), Heading("shortfall")),
                rows=tuple(_cells(row) for row in (*rows, *([self.total] if number == 0 else []))),
                title=GROUPS[group],
                notes=self.explanations if number == 0 else (),
            )
            for number, (group, rows) in enumerate(shown)
        )


def _places(sample: Sample) -> Iterator[tuple[str, str]]:
    """Yield the group and the row in which a sample counts."""
    yield "doc_type", sample.doc_type
    yield "question_type", f"{sample.doc_type}/{sample.question_type}"
    yield "difficulty", f"{sample.doc_type}/{sample.difficulty}"
    yield "answerable", "true" if sample.answerable else "false"
    yield "source_dataset", sample.source_dataset
    method = sample.metadata.get("unanswerable_method")
    if not sample.answerable:
        yield "unanswerable_method", method if isinstance(method, str) else "not said"


def _rows(counted: Mapping[str, int], targets: Mapping[str, int]) -> tuple[Share, ...]:
    others = sorted(name for name in counted if name not in targets)
    return tuple(Share(name, targets.get(name), counted.get(name, 0)) for name in (*targets, *others))


def _heading(group: str) -> str:
    return group.replace("_", " ")


def _cells(row: Share) -> tuple[str, ...]:
    target, shortfall = (NOTHING if value is None else count(value) for value in (row.target, row.shortfall))
    return (row.name, target, count(row.actual), shortfall)
