"""The distribution report of a build: `distribution.json`, `distribution.svg` and `report.md`.

Tables of target, actual and shortfall, the reasons given for what is missing, what was dropped on the way and why, and
where the data came from. Where the extra `report` is not installed the picture is left out, and the report says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.io.json_files import json_text
from goldproof.io.writing import write_hashed
from goldproof.jobs.build.output.distribution import GROUPS
from goldproof.report import Heading, Table, charts_available, render
from goldproof.report.charts import Bar, BarChart, BarGroup, bars_svg
from goldproof.report.numbers import NOTHING, count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from goldproof.jobs.build.output.distribution import Distribution, Share

DISTRIBUTION = "distribution.json"
PICTURE = "distribution.svg"
REPORT = "report.md"
_NO_PICTURE = "The picture is left out: drawing it needs the extra `report` (pip install 'goldproof[report]')."
_SCALES = "Each kind of count has a scale of its own, from 0."


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """One source as the report shows it.

    licence, revision: as the adapter and the hub say. sha256: file -> hash. read: its records; usable: the examples
    that came of them (a record may hold several); used: samples of the benchmark.
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
    """What a build has to say for itself.

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
    """Return the report as markdown; drawn: whether the picture stands beside it."""
    total = report.distribution.total
    wanted = "" if total.target is None else f" of {count(total.target)} wanted"
    nothing = "" if total.actual else "There is nothing to draw."
    shown = f"![Target and actual counts]({PICTURE})" if drawn else nothing or _NO_PICTURE
    head = [f"# {report.name}", "", f"{count(total.actual)} samples{wanted}; seed {report.seed}.", "", shown, ""]
    tables = [*report.distribution.tables(), *_process_tables(report)]
    return "\n".join([*head, *(render(table, "markdown") for table in tables)])


def picture(report: BuildReport) -> BarChart:
    """Return the counts as bars; question types and difficulties stand under their doc_type."""
    total, counted = report.distribution.total, report.distribution.groups
    order = [row.name for row in counted["doc_type"]]
    groups = [bars for group, rows in counted.items() for bars in _bar_groups(group, rows, order=order)]
    wanted = "" if total.target is None else f" of {count(total.target)}"
    return BarChart(f"{report.name}: {count(total.actual)}{wanted} samples", tuple(groups), notes=(_SCALES,))


def _bar_groups(group: str, rows: tuple[Share, ...], *, order: list[str]) -> list[BarGroup]:
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
            (one.name, one.licence, one.revision or NOTHING, *map(count, (one.read, one.usable, one.used)))
            for one in sources
        ),
        title="Where the data came from",
    )


def _files(sources: tuple[SourceFacts, ...]) -> Table:
    rows = tuple((one.name, name, digest) for one in sources for name, digest in one.sha256.items())
    return Table(tuple(Heading(name, "left") for name in ("source", "file", "sha256")), rows, title="Files read")
