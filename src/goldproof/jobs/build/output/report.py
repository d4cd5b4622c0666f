"""Distribution, report.md, chart and card of a benchmark.

Distribution. Samples are counted in six groups, by names such as

    doc_type             table                      answerable           true, false
    question_type        table/numeric              unanswerable_method  entity_swap
    difficulty           table/D2                   source_dataset       tatqa

A target is set by the recipe or is not set (None). shortfall = max(0, target - actual): a surplus, as from borrowing,
does not make up for a shortfall elsewhere. Rows are in the order of the targets, then those without one by name, so
that the order of the samples does not matter.

Report. Tables of target, actual and shortfall with the reasons for shortfalls, records dropped on the way and why, and
where the data came from. Where the extra `report` is not installed the picture is left out, and the report says so.

Card. Its settings hold file names, not paths: the same files in another folder make the same benchmark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof import __version__
from goldproof.errors import InputError
from goldproof.io import json_text
from goldproof.io.atomic_files import write_hashed
from goldproof.records.entities import Card
from goldproof.report import Heading, Table, charts_available, render
from goldproof.report.charts import Bar, BarChart, BarGroup, bars_svg
from goldproof.report.numbers import NOTHING, count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from goldproof.jobs.build.recipe import Recipe, SourceSpec
    from goldproof.jobs.build.records import Sample

GROUPS: Mapping[str, str] = {
    "doc_type": "Document types",
    "question_type": "Question types",
    "difficulty": "Difficulty",
    "answerable": "Answerable",
    "unanswerable_method": "Unanswerable, by method",
    "source_dataset": "Sources",
}
QUOTAS = ("question_type", "doc_type", "answerable", "unanswerable_method")  # the finer one first
Targets = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class DistributionRow:
    """One row: its target (None: not set) and its actual count."""

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

    total: DistributionRow
    groups: Mapping[str, tuple[DistributionRow, ...]]
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
        return cls(DistributionRow("all", wanted, total), rows, tuple(explanations))

    @property
    def targets(self) -> dict[str, dict[str, int]]:
        """The targets that were set, by group."""
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

    @property
    def short(self) -> tuple[DistributionRow, ...]:
        """The quotas that are not full, largest shortfall first, of the group that lacks most: groups overlap.

        Difficulties are wishes, not quotas.
        """
        by_group = [[row for row in self.groups[group] if row.shortfall] for group in QUOTAS]
        rows = max(by_group, key=lambda group: sum(row.shortfall or 0 for row in group), default=[])
        return tuple(sorted(rows, key=lambda row: -(row.shortfall or 0)))

    def tables(self, *, only_short: bool = False) -> tuple[Table, ...]:
        """Return a table for each group that has a row, with the explanations below the first.

        only_short: the first, and at most two more that are short.
        """
        shown = [(group, rows) for group, rows in self.groups.items() if rows]
        if only_short:
            shown = [*shown[:1], *((g, rows) for g, rows in shown[1:] if any(row.shortfall for row in rows))][:3]
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


def _rows(counted: Mapping[str, int], targets: Mapping[str, int]) -> tuple[DistributionRow, ...]:
    others = sorted(name for name in counted if name not in targets)
    return tuple(DistributionRow(name, targets.get(name), counted.get(name, 0)) for name in (*targets, *others))


def _heading(group: str) -> str:
    return group.replace("_", " ")


def _cells(row: DistributionRow) -> tuple[str, ...]:
    target, shortfall = (NOTHING if value is None else count(value) for value in (row.target, row.shortfall))
    return (row.name, target, count(row.actual), shortfall)


DISTRIBUTION = "distribution.json"
PICTURE = "distribution.svg"
REPORT = "report.md"
_NO_PICTURE = "The picture is left out: drawing it needs the extra `report` (pip install 'goldproof[report]')."
_SCALES = "Each kind of count has a scale of its own, from 0."


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """One source as the report shows it.

    licence, revision: as the adapter and the hub say. sha256: file -> hash. read: its records; usable: their
    examples (a record may hold several); used: samples of the benchmark.
    """

    name: str
    licence: str
    revision: str | None = None
    sha256: Mapping[str, str] = field(default_factory=dict)
    read: int = 0
    usable: int = 0
    used: int = 0


@dataclass(frozen=True, slots=True)
class BuildReport:
    """Counts and facts of a build, for report.md and the card.

    dropped: source -> reason -> records. rejected: reason -> unanswerables that did not pass the check. left_out:
    reason -> samples that were usable but not taken into the pool (near-duplicates, those of an earlier phase).
    """

    name: str
    seed: int
    distribution: Distribution
    sources: tuple[SourceFacts, ...] = ()
    dropped: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    rejected: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)


def write_distribution(folder: Path | str, report: BuildReport) -> dict[str, str]:
    """Write the three files; return name -> sha256. A picture of an earlier build does not stay."""
    folder = Path(folder)
    written = {DISTRIBUTION: write_hashed(folder / DISTRIBUTION, [json_text(report.distribution.to_dict()).encode()])}
    drawn = charts_available() and report.distribution.total.actual > 0
    if drawn:
        written[PICTURE] = write_hashed(folder / PICTURE, [bars_svg(picture(report)).encode()])
    else:
        (folder / PICTURE).unlink(missing_ok=True)
    return written | {REPORT: write_hashed(folder / REPORT, [report_text(report, drawn=drawn).encode()])}


def report_text(report: BuildReport, *, drawn: bool) -> str:
    """Return the report as markdown; drawn: whether there is a picture beside it."""
    total = report.distribution.total
    wanted = "" if total.target is None else f" of {count(total.target)} wanted"
    nothing = "" if total.actual else "There is nothing to draw."
    shown = f"![Target and actual counts]({PICTURE})" if drawn else nothing or _NO_PICTURE
    head = [f"# {report.name}", "", f"{count(total.actual)} samples{wanted}; seed {report.seed}.", "", shown, ""]
    tables = [*report.distribution.tables(), *_process_tables(report)]
    return "\n".join([*head, *(render(table, "markdown") for table in tables)])


def picture(report: BuildReport) -> BarChart:
    """Return the counts as bars; question types and difficulties are grouped by doc_type."""
    total, counted = report.distribution.total, report.distribution.groups
    order = [row.name for row in counted["doc_type"]]
    groups = [bars for group, rows in counted.items() for bars in _bar_groups(group, rows, order=order)]
    wanted = "" if total.target is None else f" of {count(total.target)}"
    return BarChart(f"{report.name}: {count(total.actual)}{wanted} samples", tuple(groups), notes=(_SCALES,))


def _bar_groups(group: str, rows: tuple[DistributionRow, ...], *, order: list[str]) -> list[BarGroup]:
    """Return one group of bars, or one for each doc_type in their order, all on the scale of the largest."""
    whole = BarGroup(GROUPS[group], tuple(Bar(row.name, row.actual, row.target) for row in rows))
    if group not in ("question_type", "difficulty"):
        return [whole]
    parts: dict[str, list[Bar]] = {name: [] for name in order}
    for bar in whole.bars:
        doc_type, _, name = bar.name.partition("/")
        parts.setdefault(doc_type, []).append(Bar(name, bar.actual, bar.target))
    full = max(whole.greatest, 1)
    return [BarGroup(f"{GROUPS[group]}: {name}", tuple(bars), full=full) for name, bars in parts.items() if bars]


def _process_tables(report: BuildReport) -> list[Table]:
    dropped = [(source, reason, n) for source, reasons in report.dropped.items() for reason, n in reasons.items()]
    tables = [
        _counts("Dropped records", ("source", "reason"), [(key[:2], key[2]) for key in dropped]),
        _counts("Left out of the pool", ("reason",), [((reason,), n) for reason, n in report.left_out.items()]),
        _counts("Unanswerables rejected", ("reason",), [((reason,), n) for reason, n in report.rejected.items()]),
        _sources(report.sources),
        _files(report.sources),
    ]
    return [table for table in tables if table.rows]


def _counts(title: str, names: tuple[str, ...], rows: Iterable[tuple[tuple[str, ...], int]]) -> Table:
    """Return a table of counts, the greatest of a source first."""
    ordered = sorted(rows, key=lambda row: (row[0][:-1], -row[1], row[0][-1]))
    return Table(
        headings=(*(Heading(name, "left") for name in names), Heading("count")),
        rows=tuple((*key, count(n)) for key, n in ordered),
        title=title,
    )


def _sources(sources: tuple[SourceFacts, ...]) -> Table:
    names = ("source", "licence", "revision")
    return Table(
        headings=(*(Heading(name, "left") for name in names), *(Heading(n) for n in ("read", "usable", "used"))),
        rows=tuple(
            (
                source.name,
                source.licence,
                source.revision or NOTHING,
                *map(count, (source.read, source.usable, source.used)),
            )
            for source in sources
        ),
        title="Where the data came from",
    )


def _files(sources: tuple[SourceFacts, ...]) -> Table:
    rows = tuple((source.name, name, digest) for source in sources for name, digest in source.sha256.items())
    return Table(tuple(Heading(name, "left") for name in ("source", "file", "sha256")), rows, title="Files read")


SCHEMA = "goldproof.benchmark"
SCHEMA_VERSION = 1


def building_card(
    recipe: Recipe,
    report: BuildReport,
    *,
    licence: str,
    excluded: Mapping[str, str],
    counts: Mapping[str, int],
) -> Card:
    """Return the card; the hashes of its outputs are added when it is saved.

    licence: of all sources. excluded: file -> sha256 of the earlier benchmarks. counts: those that the report lacks.
    """
    hashes = {f"{source.name}/{name}": sha for source in report.sources for name, sha in source.sha256.items()}
    return Card(
        schema=SCHEMA,
        schema_version=SCHEMA_VERSION,
        inputs={**hashes, **{f"exclude/{name}": sha for name, sha in excluded.items()}},
        settings=_settings(recipe, report.sources),
        seed=recipe.seed,
        licence=licence,
        versions={"goldproof": __version__},
        counts=_card_counts(report, counts),
    )


def _settings(recipe: Recipe, sources: Iterable[SourceFacts]) -> dict[str, object]:
    settings = _plain(asdict(recipe))
    if not isinstance(settings, dict):
        raise TypeError(settings)
    del settings["seed"]
    settings |= {"output": recipe.output_name, "manifest": recipe.manifest_name}
    specs = zip(recipe.sources, sources, strict=True)
    return {**settings, "sources": [_source(spec, source.revision) for spec, source in specs]}


def _source(spec: SourceSpec, revision: str | None) -> dict[str, object]:
    settings = _plain(asdict(spec))
    return {**settings, "revision": revision} if isinstance(settings, dict) else {}


def _plain(value: object) -> object:
    """Return a value as JSON has it: shares as text, paths as names."""
    if isinstance(value, Path):
        return value.name
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _card_counts(report: BuildReport, others: Mapping[str, int]) -> dict[str, int]:
    """Return every count under a name of its own."""
    marks = {row.name: row.actual for row in report.distribution.groups["answerable"]}
    counts = {
        "samples": report.distribution.total.actual,
        "answerable": marks.get("true", 0),
        "unanswerable": marks.get("false", 0),
    }
    for source in report.sources:
        counts |= {f"{source.name}: records read": source.read, f"{source.name}: usable": source.usable}
        counts[f"{source.name}: used"] = source.used
    for name, reasons in report.dropped.items():
        counts |= {f"{name}: dropped: {reason}": count for reason, count in reasons.items()}
    counts |= {f"left out: {reason}": count for reason, count in report.left_out.items()}
    counts |= {f"unanswerables rejected: {reason}": count for reason, count in report.rejected.items()}
    return counts | dict(others)
