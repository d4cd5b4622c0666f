"""The card of a benchmark: the recipe and the hashes of all it was made from, and how many of everything there were.

Paths are not in it, only file names: the same files in another folder make the same benchmark.
"""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from goldproof.records.entities import Card
from goldproof.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.build.output.distribution_report import BuildReport
    from goldproof.jobs.build.recipes.recipe import Recipe, SourceSpec
    from goldproof.jobs.build.sources.reading import SourceReadings

SCHEMA = "goldproof.benchmark"
SCHEMA_VERSION = 1


def building_card(
    recipe: Recipe,
    report: BuildReport,
    *,
    sources: SourceReadings,
    earlier: Mapping[str, str],
    counts: Mapping[str, int],
) -> Card:
    """Return the card; counts: those that the report does not have. The hashes of the files come when it is saved."""
    return Card(
        schema=SCHEMA,
        schema_version=SCHEMA_VERSION,
        inputs={**sources.hashes(), **{f"exclude/{name}": digest for name, digest in earlier.items()}},
        settings=_settings(recipe, sources),
        seed=recipe.seed,
        licence=sources.licence(),
        versions={"goldproof": __version__},
        counts=_counts(report, counts),
    )


def _settings(recipe: Recipe, sources: SourceReadings) -> dict[str, object]:
    found = _plain(asdict(recipe))
    if not isinstance(found, dict):
        raise TypeError(found)
    del found["seed"]
    found |= {"output": recipe.output_name, "manifest": recipe.manifest_name}
    specs = zip(recipe.sources, sources.revisions(), strict=True)
    return {**found, "sources": [_source(spec, revision) for spec, revision in specs]}


def _source(spec: SourceSpec, revision: str | None) -> dict[str, object]:
    found = _plain(asdict(spec))
    return {**found, "revision": revision} if isinstance(found, dict) else {}


def _plain(value: object) -> object:
    """Return a value as JSON has it: shares as text, paths as names."""
    if isinstance(value, Path):
        return value.name
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _counts(report: BuildReport, others: Mapping[str, int]) -> dict[str, int]:
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
