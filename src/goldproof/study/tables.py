"""A study as tables for people, as one flat table for machines, and the notes below the tables."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from goldproof.errors import counted, plural
from goldproof.report import Heading, Table
from goldproof.report.numbers import bracket, count, number, p_value, share, signed
from goldproof.study.comparison import ALPHA

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from goldproof.study.comparison import Comparison, Description, Pair
    from goldproof.study.study import Study
    from goldproof.study.summary import RunSummary


_RUN_HEADINGS = (
    Heading("metric", "left"),
    Heading("run", "left"),
    Heading("mean"),
    Heading("95% interval"),
    Heading("n"),
    Heading("undefined"),
    Heading("failed"),
    Heading("missing"),
    Heading("unjudged"),
)

_DIFFERENCE_HEADINGS = (
    Heading("difference"),
    Heading("95% interval"),
    Heading("p adj."),
    Heading("d_z"),
    Heading("verdict", "left"),
)


def study_tables(study: Study, *, narrow: bool = False) -> list[Table]:
    """Return the tables of a study: the runs, with the comparisons beside them or, where they do not fit, below."""
    if study.design.pairs and (narrow or not _only_comparison(study)):
        return [results_table(study, beside=False), replace(comparisons_table(study), notes=notes(study))]
    return [replace(results_table(study), notes=notes(study))]


def results_table(study: Study, *, beside: bool = True) -> Table:
    """Return a row per metric and run; beside it the comparison, where each run has just one."""
    by_run = _only_comparison(study) if beside else {}
    rows = []
    for metric in study.asked_for:
        for i, run in enumerate(study.panel.runs):
            cells = _run_cells(study.summary(run, metric), metric if i == 0 else "")
            rows.append(cells + (_comparison_cells(by_run.get((metric, run))) if by_run else ()))
    against = f"vs {study.design.pairs[0].b}" if by_run else ""
    headings = _RUN_HEADINGS + ((Heading(against), *_DIFFERENCE_HEADINGS[1:]) if by_run else ())
    return Table(headings, tuple(rows)).without_empty_columns()


def comparisons_table(study: Study) -> Table:
    """Return a row per metric and pair."""
    headings = (Heading("metric", "left"), Heading("pair", "left"), Heading("n"), *_DIFFERENCE_HEADINGS)
    rows = tuple(
        (c.metric, f"{c.pair.a} − {c.pair.b}", count(c.outcome.n), *_comparison_cells(c)) for c in study.comparisons
    )
    return Table(headings, rows)


def power_table(study: Study) -> Table:
    """Return the power of this many questions at usual effects, and the smallest effect they find."""
    metrics: dict[tuple[str, ...], list[str]] = {}
    for metric in study.tested:
        analysis = study.power_analysis(metric)
        cells = [number(_float(analysis[key]), digits=2) for key in ("d=0.2", "d=0.3", "d=0.5")]
        row = (str(analysis["n"]), *cells, number(_float(analysis["mde"]), digits=3))
        metrics.setdefault(row, []).append(metric)
    rows = [(listed(same), *row) for row, same in metrics.items()]
    names = ("n", "power at d = 0.2", "0.3", "0.5", "smallest d found with power 0.8")
    return Table((Heading("metric", "left"), *(Heading(name) for name in names)), tuple(rows))


def extremes_table(study: Study, comparison: Comparison, *, most: int = 10, texts: Mapping[str, str]) -> Table:
    """Return the largest wins and losses of a pair, question by question."""
    pair, metric = comparison.pair, comparison.metric
    a, b = study.panel.column(pair.a, metric), study.panel.column(pair.b, metric)
    both = np.flatnonzero(a.scored & b.scored)
    gain = (a.value - b.value)[both] * (1 if study.facts(metric).higher_is_better else -1)
    order = np.argsort(-gain, kind="stable")
    wins = [i for i in order[:most] if gain[i] > 0]
    losses = [i for i in order[::-1][:most] if gain[i] < 0]
    ids = study.panel.ids
    rows = []
    for kind, chosen in (("win", wins), ("loss", losses)):
        for i in chosen:
            q = int(both[i])
            values = (number(float(a.value[q])), number(float(b.value[q])), signed(float(a.value[q] - b.value[q])))
            rows.append((kind, str(ids[q]), *values, _shortened(texts.get(str(ids[q]), ""))))
    names = (Heading("", "left"), Heading("question", "left"), Heading(pair.a), Heading(pair.b), Heading("difference"))
    return Table((*names, Heading("text", "left")), tuple(rows)).without_empty_columns()


def _only_comparison(study: Study) -> dict[tuple[str, str], Comparison]:
    """Return comparisons by (metric, run), if all are against one baseline; else nothing."""
    pairs = study.design.pairs
    if len({pair.b for pair in pairs}) != 1 or len({pair.a for pair in pairs}) != len(pairs):
        return {}
    return {(c.metric, c.pair.a): c for c in study.comparisons}


def _run_cells(summary: RunSummary, metric: str) -> tuple[str, ...]:
    unjudged = summary.extra.get("unjudged_share")
    return (
        metric,
        summary.run,
        number(summary.mean),
        bracket(summary.interval.low, summary.interval.high),
        count(summary.n),
        count(summary.n_undefined),
        count(summary.n_failed),
        count(summary.n_missing) if summary.n_missing else "",
        share(_float(unjudged)) if unjudged is not None else "",
    )


def _comparison_cells(comparison: Comparison | None) -> tuple[str, ...]:
    if comparison is None:
        return ("",) * len(_DIFFERENCE_HEADINGS)
    outcome = comparison.outcome
    return (
        signed(outcome.difference),
        bracket(outcome.interval.low, outcome.interval.high, sign=True),
        p_value(comparison.p_adjusted),
        signed(outcome.effect.value, digits=2),
        comparison.verdict + (f" ({comparison.reason})" if comparison.reason else ""),
    )


def _float(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _shortened(text: str, *, most: int = 80) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def flat_table(study: Study) -> Table:
    """Return all numbers, unrounded, in one table: a row per metric and comparison, or run that has none."""
    names = (
        *("metric", "run", "mean", "ci_low", "ci_high", "n", "n_undefined", "n_failed", "n_missing", "unjudged_share"),
        *(
            "against",
            "difference",
            "difference_low",
            "difference_high",
            "p_adjusted",
            "effect_size",
            "verdict",
            "reason",
        ),
    )
    rows = []
    for metric in study.panel.metrics:
        for run in study.panel.runs:
            own = _flat_run(study.summary(run, metric))
            rows += [(*own, *cells) for cells in _flat_comparisons(study, run, metric)] or [(*own, *("",) * 8)]
    return Table(tuple(Heading(name) for name in names), tuple(rows))


def _flat_run(summary: RunSummary) -> tuple[str, ...]:
    counts = (summary.n, summary.n_undefined, summary.n_failed, summary.n_missing)
    numbers = (summary.mean, summary.interval.low, summary.interval.high, *counts, summary.extra.get("unjudged_share"))
    return (summary.metric, summary.run, *(_plain(value) for value in numbers))


def _flat_comparisons(study: Study, run: str, metric: str) -> list[tuple[str, ...]]:
    if metric not in study.tested:
        pairs = [pair for pair in study.design.pairs if pair.a == run]
        return [_flat_description(pair, study.describe(metric, pair)) for pair in pairs]
    return [_flat_comparison(c) for c in study.comparisons if c.metric == metric and c.pair.a == run]


def _flat_description(pair: Pair, description: Description) -> tuple[str, ...]:
    numbers = (description.difference, description.interval.low, description.interval.high)
    return (pair.b, *(_plain(value) for value in numbers), *("",) * 4)


def _flat_comparison(comparison: Comparison) -> tuple[str, ...]:
    outcome = comparison.outcome
    numbers = (
        outcome.difference,
        outcome.interval.low,
        outcome.interval.high,
        comparison.p_adjusted,
        outcome.effect.value,
    )
    return (comparison.pair.b, *(_plain(value) for value in numbers), comparison.verdict, comparison.reason or "")


def _plain(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.12g}" if isinstance(value, float) else str(value)


EXACT_SIGN_FLIP = "sign-flip (exact)"

_LISTED = 4


def notes(study: Study) -> tuple[str, ...]:
    """Return the notes below the tables: methods, families, failures, caveats."""
    summaries = [study.summary(run, metric) for metric in study.asked_for for run in study.panel.runs]
    lines = [_intervals_note(study, summaries)]
    if study.comparisons:
        lines.append(_tests_note(study))
    lines += _gathered((_nothing_note(s), f"{s.metric} of {s.run}") for s in summaries if not s.n)
    failing = [s for s in summaries if s.n_failed]
    lines += [_failures_note(failing)] if failing else []
    lines += _gathered(
        (_pairs_note(c, study.unit), f"{c.metric} {c.pair}") for c in study.comparisons if _rests_on_fewer(study, c)
    )
    lines += _gathered((_hopeless_note(study, c), f"{c.metric} {c.pair}") for c in study.comparisons)
    lines += _gathered((c.note, f"{c.metric} {c.pair}") for c in study.comparisons)
    lines += _gathered((s.interval.note, f"{s.metric} of {s.run}") for s in summaries if s.n)
    lines += _kinds_notes(study)
    own = [study.facts(metric) for metric in study.tested if study.facts(metric).assumed]
    if higher := ", ".join(facts.name for facts in own if facts.higher_is_better):
        lines.append(f"{higher}: not a metric of Goldproof's; higher is taken to be better.")
    if lower := ", ".join(facts.name for facts in own if not facts.higher_is_better):
        lines.append(f"{lower}: not a metric of Goldproof's; lower is better, as you say.")
    return tuple(lines)


def _kinds_notes(study: Study) -> list[str]:
    """Say which numbers are geometric means, and which metrics are counts that no test compares."""
    geometric = [metric for metric in study.asked_for if study.facts(metric).geometric]
    counts = [metric for metric in study.asked_for if metric not in study.tested]
    lines = []
    if geometric:
        tests = "; tests are on the logarithms" if study.comparisons else ""
        lines.append(f"{listed(geometric)}: the geometric mean over {plural(study.unit)}{tests}.")
    if counts and study.design.pairs:
        lines.append(f"{listed(counts)}: described, not tested; of a count neither more nor less is better.")
    return lines


def _intervals_note(study: Study, summaries: Sequence[RunSummary]) -> str:
    means = ", ".join(sorted({s.interval.method for s in summaries}))
    differences = ", ".join(sorted({c.outcome.interval.method for c in study.comparisons}))
    return (
        f"intervals: {means}"
        + (f"; of differences: {differences}" if differences else "")
        + f".{_clusters_note(summaries, study.unit)}"
    )


def _nothing_note(summary: RunSummary) -> str:
    reasons = ", ".join(f"{reason} ({n:,})" for reason, n in summary.reasons.items()) or "no question"
    return f"nothing is scored: {reasons}."


def _rests_on_fewer(study: Study, comparison: Comparison) -> bool:
    scored = [study.summary(run, comparison.metric).n for run in comparison.pair]
    return comparison.outcome.n < max(scored)


def _pairs_note(comparison: Comparison, unit: str) -> str:
    units, both = counted(comparison.outcome.n, unit), " and ".join(comparison.pair)
    return f"compared on the {units} that {both} have both scored."


def _hopeless_note(study: Study, comparison: Comparison) -> str | None:
    """Say that so few units cannot reach a verdict, whatever their values: not even if all point one way."""
    outcome = comparison.outcome
    clusters = outcome.interval.clusters
    units = outcome.n if clusters is None else clusters
    if outcome.test.test != EXACT_SIGN_FLIP or outcome.test.p_value is None:
        return None
    smallest = 2.0 ** (1 - units)
    own_family = study.design.primary == comparison.metric
    tests = study.family_size(comparison.metric) if own_family else study.family_size()
    if smallest * tests < ALPHA:
        return None
    noun = study.unit if clusters is None else "cluster"
    floor = f"with {counted(units, noun)} no p can fall below {smallest:.3g}"
    if smallest >= ALPHA:
        return f"{floor}: no verdict of better or worse is possible; it takes more {plural(noun)}."
    over = f"and over {counted(tests, 'test')} none below {ALPHA}"
    return f"{floor}, {over}: no verdict of better or worse is possible. Name fewer metrics, or a primary one."


def _failures_note(failing: Sequence[RunSummary]) -> str:
    """Say what the means are with failures counted; where their worth is unknown, that they are left out."""
    known = [s for s in failing if s.mean_failed_as_zero is not None]
    unknown = [s for s in failing if s.mean_failed_as_zero is None]
    parts = [f"{s.metric} of {s.run} {number(s.mean_failed_as_zero)} ({counted(s.n_failed, 'failure')})" for s in known]
    lines = [f"means with failures at the worst value: {', '.join(parts)}."] if parts else []
    lines += [f"{s.metric} of {s.run}: {counted(s.n_failed, 'failure')} left out, of unknown worth." for s in unknown]
    return " ".join(lines)


def _gathered(notes: Iterable[tuple[str | None, str]]) -> list[str]:
    """Say each note once, with all that it is true of."""
    subjects: dict[str, list[str]] = {}
    for note, subject in notes:
        if note:
            subjects.setdefault(note, []).append(subject)
    return [f"{listed(concerned)}: {note}" for note, concerned in subjects.items()]


def listed(subjects: Sequence[str]) -> str:
    """Name a few, and count the rest."""
    if len(subjects) <= _LISTED:
        return ", ".join(subjects)
    return f"{', '.join(subjects[:_LISTED])} and {len(subjects) - _LISTED} more"


def _clusters_note(summaries: Sequence[RunSummary], unit: str) -> str:
    """Say how many clusters the scored questions form; clusters of one question each are none."""
    counts = sorted({s.interval.clusters for s in summaries if s.interval.clusters is not None})
    if not counts:
        return ""
    shown = " to ".join(str(n) for n in dict.fromkeys((counts[0], counts[-1])))
    return f" Clusters of scored {plural(unit)}: {shown}; {plural(unit)} of one cluster are not independent."


def _tests_note(study: Study) -> str:
    tests = sorted({c.outcome.test.test for c in study.comparisons if not c.foreign}) or ["none"]
    margins = sorted({c.margin for c in study.comparisons if c.margin is not None})
    shown = ", ".join(f"±{m:g}" for m in margins)
    tied = f" tied: the 90% interval lies within {shown}{_needed_for_tie(study)}." if margins else ""
    if margins and any(c.margin is None for c in study.comparisons):
        tied += " Metrics without a margin are never tied."
    family = f"p adjusted (Holm) over {counted(study.family_size(), 'test')}"
    if study.design.primary is not None:
        own = counted(study.family_size(study.design.primary), "test")
        rest = study.family_size()
        family = f"p adjusted (Holm) over {own} for the primary {study.design.primary}, over all {rest} for others"
    return f"tests: {', '.join(tests)}; {family}.{tied}"


def _needed_for_tie(study: Study) -> str:
    """Say how many questions a tie takes at least, where the metric's bounds say so."""
    bounded = [c for c in study.comparisons if c.needed_for_tie is not None]
    if not bounded:
        return ""
    clustered = any(c.outcome.tie_interval.clusters is not None for c in bounded)
    needed = max(c.needed_for_tie or 0 for c in bounded)
    return f", which takes {counted(needed, 'cluster' if clustered else study.unit)} or more"
