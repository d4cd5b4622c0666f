"""What a study's numbers rest on, and what its table hides: sentences below the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.report.numbers import number
from goldproof.study.verdict import ALPHA

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from goldproof.study.comparison import Comparison
    from goldproof.study.study import Study
    from goldproof.study.summary import RunSummary


EXACT_SIGN_FLIP = "sign-flip (exact)"
_LISTED = 4


def notes(study: Study) -> tuple[str, ...]:
    """What the table's numbers rest on, and what it hides."""
    summaries = [study.summary(run, metric) for metric in study.tested for run in study.panel.runs]
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
    own = [study.facts(metric) for metric in study.tested if study.facts(metric).assumed]
    if higher := ", ".join(facts.name for facts in own if facts.higher_is_better):
        lines.append(f"{higher}: not a metric of Goldproof's; higher is taken to be better.")
    if lower := ", ".join(facts.name for facts in own if not facts.higher_is_better):
        lines.append(f"{lower}: not a metric of Goldproof's; lower is better, as you say.")
    return tuple(lines)


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
    units, both = _counted(comparison.outcome.n, unit), " and ".join(comparison.pair)
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
    floor = f"with {_counted(units, noun)} no p can fall below {smallest:.3g}"
    if smallest >= ALPHA:
        return f"{floor}: no verdict of better or worse is possible; it takes more {plural(noun)}."
    over = f"and over {_counted(tests, 'test')} none below {ALPHA}"
    return f"{floor}, {over}: no verdict of better or worse is possible. Name fewer metrics, or a primary one."


def _failures_note(failing: Sequence[RunSummary]) -> str:
    """Say what the means are with failures counted; where nobody knows their worth, that they are left out."""
    known = [s for s in failing if s.mean_failed_as_zero is not None]
    unknown = [s for s in failing if s.mean_failed_as_zero is None]
    parts = [
        f"{s.metric} of {s.run} {number(s.mean_failed_as_zero)} ({_counted(s.n_failed, 'failure')})" for s in known
    ]
    lines = [f"means with failures at the worst value: {', '.join(parts)}."] if parts else []
    lines += [f"{s.metric} of {s.run}: {_counted(s.n_failed, 'failure')} left out, of unknown worth." for s in unknown]
    return " ".join(lines)


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun if n == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Return questions, conversations, queries."""
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


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
    family = f"p adjusted (Holm) over {_counted(study.family_size(), 'test')}"
    if study.design.primary is not None:
        own = _counted(study.family_size(study.design.primary), "test")
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
    return f", which takes {_counted(needed, 'cluster' if clustered else study.unit)} or more"
