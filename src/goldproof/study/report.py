"""Report of a study in Markdown: results, comparisons, questions left out of the means, power, wins and losses."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.errors import plural
from goldproof.report import Heading, Table, render
from goldproof.report.numbers import count, number, share
from goldproof.report.result import notes_markdown
from goldproof.report.tables import markdown_text
from goldproof.study.notes import listed
from goldproof.study.tables import extremes_table, power_table, study_tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from goldproof.report import Note
    from goldproof.study.gates import GateResult
    from goldproof.study.study import Study


def report_markdown(
    study: Study,
    *,
    title: str,
    conclusion: str = "",
    notes: Sequence[Note] = (),
    gates: Sequence[GateResult] = (),
    texts: Mapping[str, str] | None = None,
    lead: Sequence[Table] = (),
    appendix: Sequence[Table] = (),
    figures: Sequence[str] = (),
) -> str:
    """Write the whole report.

    conclusion: the answer in a sentence. texts: question id -> its words; lead, appendix: tables of the job's own,
    above and below those of the study; figures: names of pictures beside the report.
    """
    parts = [f"# {title}\n", *([f"**{markdown_text(conclusion)}**\n"] if conclusion else [])]
    tables = (*lead, *study_tables(study, wide=True), *appendix)
    parts += [render(replace(table, notes=()), "markdown") for table in tables]
    parts += [f"![{name}]({name})\n" for name in figures]
    if notes:
        parts.append("## Notes\n\n" + notes_markdown(notes))
    if gates:
        parts.append("## Gates\n\n" + "".join(_gate_line(result) for result in gates))
    parts += list(_left_out(study))
    parts += list(_unjudged(study))
    parts.append("## Power\n\n" + _POWER_TEXT + render(power_table(study), "markdown"))
    parts += list(_extremes(study, texts or {}))
    return "\n".join(parts)


_POWER_TEXT = (
    "How often a paired t test at this n would find a true effect of size d (d_z: mean difference over its standard\n"
    "deviation), two-sided at 0.05, before any correction for several tests. It is planned from n alone, never from\n"
    "the effect that was observed.\n\n"
)


_UNJUDGED_TEXT = (
    "Unjudged results count as not relevant. Beside the mean stands what it would be if all of them, within the\n"
    "metric's cutoff, were judged not relevant, and if all were judged relevant.\n\n"
)


_EXTREMES_TEXT = "On the primary metric, or the first; every question on every metric is in `scores.parquet`.\n\n"


def _gate_line(result: GateResult) -> str:
    state = "passed" if result.passed else "FAILED: " + "; ".join(result.failures)
    return f"- `{result.gate.text}`: {state}\n"


def _left_out(study: Study) -> Iterator[str]:
    """Yield every reason once for each run, with the metrics it holds for."""
    metrics: dict[tuple[str, str, int], list[str]] = {}
    for run in study.panel.runs:
        for metric in study.shown:
            for reason, n in study.summary(run, metric).reasons.items():
                metrics.setdefault((run, reason, n), []).append(metric)
    rows = [(run, reason, count(n), listed(names)) for (run, reason, n), names in metrics.items()]
    if rows:
        names = (
            Heading("run", "left"),
            Heading("reason", "left"),
            Heading(plural(study.unit)),
            Heading("metrics", "left"),
        )
        yield "## Not scored, or scored by rule\n\n" + render(Table(names, tuple(rows)), "markdown")


def _unjudged(study: Study) -> Iterator[str]:
    """Yield the range of the means over all judgments of the unjudged documents."""
    rows = []
    for metric in study.shown:
        for run in study.panel.runs:
            summary = study.summary(run, metric)
            bounds, unjudged = summary.extra.get("bounds"), summary.extra.get("unjudged_share")
            if isinstance(bounds, dict) and isinstance(unjudged, float) and unjudged:
                ends = (number(end) for end in bounds.values())
                rows.append((metric, run, share(unjudged), number(summary.mean), *ends))
    if rows:
        names = ("unjudged", "mean", "if none is relevant", "if all are relevant")
        headings = (Heading("metric", "left"), Heading("run", "left"), *(Heading(name) for name in names))
        yield "## Unjudged results\n\n" + _UNJUDGED_TEXT + render(Table(headings, tuple(rows)), "markdown")


def _extremes(study: Study, texts: Mapping[str, str]) -> Iterator[str]:
    """Yield wins and losses on the primary metric, or the first."""
    metric = next(iter(study.tested), None)
    for comparison in study.comparisons:
        if comparison.metric != metric:
            continue
        table = extremes_table(study, comparison, texts=texts)
        body = _EXTREMES_TEXT + render(table, "markdown") if table.rows else "No question differs.\n"
        yield f"## {metric}: largest wins and losses, {comparison.pair.a} against {comparison.pair.b}\n\n{body}"
