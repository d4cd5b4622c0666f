"""Notes on a study: what limits its conclusion, what was left out of the means, and how its numbers were made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import counted, plural
from goldproof.report import Note
from goldproof.report.numbers import bracket, number, share, signed
from goldproof.study.comparison import ALPHA
from goldproof.study.panel import MISSING
from goldproof.study.summary import is_tested

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from goldproof.study.comparison import Comparison, Pair
    from goldproof.study.study import Study
    from goldproof.study.summary import RunSummary


EXACT_SIGN_FLIP = "sign-flip (exact)"
_LISTED = 4
# The methods of intervals as a report calls them; the others go by their own names.
_METHODS = {"hall": "Hall", "wilson": "Wilson", "tango": "Tango", "gaffke": "Gaffke", "t": "Student's t"}


def study_notes(study: Study) -> list[Note]:
    """Return the notes: limits of the conclusion, questions without a value, methods and families of tests."""
    summaries = [study.summary(run, metric) for metric in study.shown for run in study.panel.runs]
    limits = [
        *_gathered((_nothing_note(s, study.unit), _of(s)) for s in summaries if not s.n),
        *_failures_notes(summaries),
        *_gathered((_hopeless_note(study, c), _of_pair(c)) for c in study.comparisons),
        *_gathered(
            [
                *((note.text, _of_pair(c)) for c in study.comparisons for note in c.notes if note.kind == "limits"),
                *((_detectable_note(study, c), _of_pair(c)) for c in study.comparisons),
                *((s.interval.note, _of(s)) for s in summaries if s.n and s.metric in study.tested),
            ]
        ),
        *_opposed_notes(study),
    ]
    data = [
        *_unjudged_notes(study),
        *_gathered((_pairs_note(c, study.unit), _of_pair(c)) for c in study.comparisons if _rests_on_fewer(study, c)),
        *_unscored_notes(study, summaries),
    ]
    method = [
        *_gathered((note.text, _of_pair(c)) for c in study.comparisons for note in c.notes if note.kind == "method"),
        *_tests_notes(study),
        _intervals_note(study, summaries),
        *_gathered((s.interval.note, _of(s)) for s in summaries if s.n and s.metric not in study.tested),
        *(["↓: lower is better."] if any(not study.facts(m).higher_is_better for m in study.shown) else []),
        *_kinds_notes(study),
        *_assumed_notes(study),
    ]
    return [
        *(Note(text, "limits") for text in limits),
        *(Note(text, "data") for text in data),
        *(Note(text, "method") for text in method),
    ]


def _intervals_note(study: Study, summaries: Sequence[RunSummary]) -> str:
    means = _methods(s.interval.method for s in summaries)
    others = [metric for metric in study.shown if metric not in study.tested]
    tested = [c.outcome.interval.method for c in study.comparisons]
    described = [study.describe(metric, pair).interval.method for metric in others for pair in study.design.pairs]
    differences = _methods([*tested, *described])
    of_differences = f" for means; {differences} for differences" if differences else ""
    return f"95% intervals: {means or 'none'}{of_differences}.{_clusters_note(summaries, study.unit)}"


def _methods(names: Iterable[str]) -> str:
    return " and ".join(_METHODS.get(name, name) for name in sorted(set(names) - {"degenerate"}))


def _unscored_notes(study: Study, summaries: Sequence[RunSummary]) -> Iterator[str]:
    """Yield why questions have no value, once for all metrics and runs of which it is true."""
    runs: dict[tuple[str, int], dict[str, list[str]]] = {}
    for s in summaries:
        for reason, n in s.reasons.items():
            if reason != MISSING:
                runs.setdefault((reason, n), {}).setdefault(s.metric, []).append(s.run)
    every = len(study.panel.runs)
    for (reason, n), metrics in runs.items():
        whole = len(metrics) == len(study.shown) and all(len(of) == every for of in metrics.values())
        subjects = [metric if len(of) == every else f"{metric} of {listed(of)}" for metric, of in metrics.items()]
        where = "" if whole else f"{listed(subjects)}: "
        yield f"{where}{n:,} of {counted(len(study.panel.ids), study.unit)} not scored ({reason})."


def _unjudged_notes(study: Study) -> Iterator[str]:
    """Yield which share of each run's results is unjudged, within the metric that decides."""
    metric = next(iter(study.tested), None) or next(iter(study.shown), None)
    shares = (
        {}
        if metric is None
        else {run: study.summary(run, metric).extra.get("unjudged_share") for run in study.panel.runs}
    )
    shown = [f"{run} {share(value)}" for run, value in shares.items() if isinstance(value, float) and value > 0]
    if shown:
        yield f"Unjudged results within {metric}, counted as not relevant: {', '.join(shown)}."


def _opposed_notes(study: Study) -> Iterator[str]:
    """Yield the metrics, described only, whose interval lies on the other side of a verdict."""
    for c in study.comparisons:
        if c.metric != study.primary or c.verdict not in ("better", "worse"):
            continue
        for metric in study.shown:
            if (
                is_tested(metric)
                and metric not in study.tested
                and (against := _against(study, metric, c.pair, verdict=c.verdict))
            ):
                yield f"{metric} points the other way for {c.pair.a} against {c.pair.b}: {against}, not tested."


def _against(study: Study, metric: str, pair: Pair, *, verdict: str) -> str:
    """Return the difference of a described metric where its whole interval contradicts the verdict; else nothing."""
    described = study.describe(metric, pair)
    low, high = described.interval.low, described.interval.high
    if low is None or high is None or low <= 0 <= high:
        return ""
    is_better = (low > 0) == study.facts(metric).higher_is_better
    if is_better == (verdict == "better"):
        return ""
    return f"{signed(described.difference)} {bracket(low, high, sign=True)}"


def _of(summary: RunSummary) -> str:
    return f"{summary.metric} of {summary.run}"


def _of_pair(comparison: Comparison) -> str:
    return f"{comparison.metric} of {comparison.pair.a} against {comparison.pair.b}"


def _detectable_note(study: Study, comparison: Comparison) -> str | None:
    """Say how large a difference would have to be to show, where there is no verdict for want of data."""
    smallest = comparison.outcome.mde_difference
    if comparison.verdict != "undecided" or comparison.reason or smallest is None or _hopeless_note(study, comparison):
        return None
    n = counted(comparison.outcome.n, study.unit)
    return f"{n} can show a true difference of {number(smallest, digits=2)} or more (power 0.8), hardly a smaller one."


def _kinds_notes(study: Study) -> Iterator[str]:
    """Yield which numbers are geometric means, and which metrics are counts that no test compares."""
    if geometric := [metric for metric in study.shown if study.facts(metric).geometric]:
        tests = "; tests are on the logarithms" if study.comparisons else ""
        yield f"{listed(geometric)}: the geometric mean over {plural(study.unit)}{tests}."
    counts = [metric for metric in study.shown if not is_tested(metric)]
    if counts and study.design.pairs:
        yield f"{listed(counts)}: described, never tested; of a count neither more nor less is better."


def _assumed_notes(study: Study) -> Iterator[str]:
    own = [study.facts(metric) for metric in study.shown if study.facts(metric).assumed]
    if higher := ", ".join(facts.name for facts in own if facts.higher_is_better):
        yield f"{higher}: not one of Goldproof's metrics; higher is taken to be better (--lower-is-better METRIC)."
    if lower := ", ".join(facts.name for facts in own if not facts.higher_is_better):
        yield f"{lower}: not one of Goldproof's metrics; lower is better, as given."


def _nothing_note(summary: RunSummary, unit: str) -> str:
    reasons = ", ".join(f"{reason} ({n:,})" for reason, n in summary.reasons.items()) or "there is none"
    return f"no {unit} is scored ({reasons})."


def _rests_on_fewer(study: Study, comparison: Comparison) -> bool:
    scored = [study.summary(run, comparison.metric).n for run in comparison.pair]
    return comparison.outcome.n < max(scored)


def _pairs_note(comparison: Comparison, unit: str) -> str:
    units, both = counted(comparison.outcome.n, unit), " and ".join(comparison.pair)
    return f"compared on the {units} that both {both} have scored."


def _hopeless_note(study: Study, comparison: Comparison) -> str | None:
    """Say that so few units cannot reach a verdict, whatever their values: not even if all point one way."""
    outcome = comparison.outcome
    clusters = outcome.interval.clusters
    units = outcome.n if clusters is None else clusters
    if outcome.test.test != EXACT_SIGN_FLIP or outcome.test.p_value is None:
        return None
    smallest = 2.0 ** (1 - units)
    own_family = study.primary == comparison.metric
    tests = study.family_size(comparison.metric) if own_family else study.family_size()
    if smallest * tests < ALPHA:
        return None
    noun = study.unit if clusters is None else "cluster"
    floor = f"with {counted(units, noun)} no p can be below {smallest:.3g}"
    if smallest >= ALPHA:
        return f"{floor}, so no verdict of better or worse is possible; add {plural(noun)}."
    over = f"and over {counted(tests, 'test')} none below {ALPHA}"
    fewer = "fewer pairs: --pairs A:B" if own_family or len(study.tested) == 1 else "fewer metrics: --primary METRIC"
    return f"{floor}, {over}, so no verdict of better or worse is possible. Add {plural(noun)}, or test {fewer}."


def _failures_notes(summaries: Sequence[RunSummary]) -> Iterator[str]:
    """Yield the means with failures counted; where their worth is unknown, that they are left out."""
    failing = [s for s in summaries if s.n_failed]
    known = [s for s in failing if s.mean_failed_as_zero is not None]
    parts = [f"{s.metric} of {s.run} {number(s.mean_failed_as_zero)} ({counted(s.n_failed, 'failure')})" for s in known]
    if parts:
        yield f"Means with failures at the worst value: {', '.join(parts)}."
    for s in failing:
        if s.mean_failed_as_zero is None:
            yield f"{s.metric} of {s.run}: {counted(s.n_failed, 'failure')} left out, of unknown worth."


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
    return f" The scored {plural(unit)} form {shown} clusters, within which they are not independent."


def _tests_notes(study: Study) -> Iterator[str]:
    if not study.design.pairs:
        return
    described = sum(is_tested(metric) for metric in study.shown) - len(study.tested)
    if described and study.primary is not None:
        others = "1 other metric is" if described == 1 else f"{described} other metrics are"
        yield f"{listed(study.tested)} tested; the {others} described only (--primary METRIC, or --primary all)."
    made = {c.outcome.test.test for c in study.comparisons if not c.foreign and c.outcome.n}
    tests = ", ".join(sorted(made) or ["none"])
    yield f"Tests: {tests}; p adjusted by Holm over {_family(study)}."
    margins = sorted({c.margin for c in study.comparisons if c.margin is not None})
    if margins:
        shown = ", ".join(f"±{margin:g}" for margin in margins)
        never = " Metrics without a margin are never tied." if any(c.margin is None for c in study.comparisons) else ""
        yield f"Tied: the 90% interval lies within {shown}{_needed_for_tie(study)}.{never}"


def _family(study: Study) -> str:
    everything = counted(study.family_size(), "test")
    if study.primary is None or len(study.tested) == 1:
        return everything
    return (
        f"{counted(study.family_size(study.primary), 'test')} on {study.primary}, over all {everything} on the others"
    )


def _needed_for_tie(study: Study) -> str:
    """Say how many questions a tie takes at least, where the metric's bounds say so."""
    bounded = [c for c in study.comparisons if c.needed_for_tie is not None]
    if not bounded:
        return ""
    clustered = any(c.outcome.tie_interval.clusters is not None for c in bounded)
    needed = max(c.needed_for_tie or 0 for c in bounded)
    return f", which takes {counted(needed, 'cluster' if clustered else study.unit)} or more"
