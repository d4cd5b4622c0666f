"""The conclusion of a study in one sentence: which run is better, by how much, or that it is too early to tell."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from goldproof.errors import counted
from goldproof.report.numbers import number, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.study.comparison import Comparison
    from goldproof.study.study import Study
    from goldproof.study.summary import RunSummary

_MOST_PAIRS = 4  # of one verdict that are named with their differences


def conclude(study: Study) -> str:
    """Say what the primary metric (or the first) shows, and how many other tested metrics are decided."""
    metric = next(iter(study.tested), None) or next(iter(study.shown), None)
    if metric is None or not study.has_scores:
        return "Nothing could be scored; the notes say why."
    if not study.design.pairs or metric not in study.tested:
        return _means(study, metric)
    comparisons = [c for c in study.comparisons if c.metric == metric]
    parts = [
        _decided([c for c in comparisons if c.verdict == "better"], "better"),
        _decided([c for c in comparisons if c.verdict == "worse"], "worse"),
        _tied([c for c in comparisons if c.verdict == "tied"]),
        *_undecided([c for c in comparisons if c.verdict == "undecided"]),
        _other_metrics(study, metric),
    ]
    return _sentence([part for part in parts if part])


def _means(study: Study, metric: str) -> str:
    summaries = [study.summary(run, metric) for run in study.panel.runs]
    return _sentence([_mean(summary, unit=study.unit) for summary in summaries])


def _mean(summary: RunSummary, *, unit: str) -> str:
    if summary.mean is None:
        return f"{summary.metric} of {summary.run} has no value"
    interval = _range(summary.interval.low, summary.interval.high)
    failed = f"; {summary.n_failed:,} more failed" if summary.n_failed else ""
    value = _rounded(summary.mean, summary.interval.low, summary.interval.high)
    return f"{summary.metric} of {summary.run} is {value}{interval} over {counted(summary.n, unit)}{failed}"


def _decided(comparisons: Sequence[Comparison], verdict: str) -> str:
    """Write `a is better than b on nDCG@10 by 0.35 (0.17 to 0.53)`, or several runs at once."""
    if not comparisons:
        return ""
    first = comparisons[0]
    if len(comparisons) == 1:
        return f"{first.pair.a} is {verdict} than {first.pair.b} on {first.metric} by {_difference(first)}"
    if len({c.pair.b for c in comparisons}) > 1:
        pairs = _listed([f"{c.pair.a} than {c.pair.b} by {_difference(c)}" for c in comparisons])
        return f"on {first.metric} {verdict}: {pairs}"
    runs = _listed([f"{c.pair.a} (by {_in_a_list(_difference(c))})" for c in comparisons])
    return f"{runs} are {verdict} than {first.pair.b} on {first.metric}"


def _tied(comparisons: Sequence[Comparison]) -> str:
    if not comparisons:
        return ""
    first = comparisons[0]
    if len(comparisons) == 1:
        return f"{first.pair.a} and {first.pair.b} are tied on {first.metric}, within ±{first.margin:g}"
    pairs = _listed([f"{c.pair.a} with {c.pair.b}" for c in comparisons])
    return f"tied on {first.metric}, within ±{first.margin:g}: {pairs}"


def _undecided(comparisons: Sequence[Comparison]) -> list[str]:
    """Write what keeps each pair undecided: too few questions, failures, unjudged results, foreign ids."""
    nothing = [c for c in comparisons if c.reason is None and c.outcome.difference is None]
    early = [c for c in comparisons if c.reason is None and c.outcome.difference is not None]
    unscored = [f"no verdict on {_pair(c)}: no {c.unit} is scored in both" for c in nothing]
    blocked = [f"no verdict on {_pair(c)}: {_REASONS[c.reason]}" for c in comparisons if c.reason]
    return [_too_early(early), *unscored, *blocked]


_REASONS = {
    "failed": "it depends on the questions that failed",
    "unjudged": "it depends on results that were never judged",
    "ids": "none of the returned documents is judged",
}


def _too_early(comparisons: Sequence[Comparison]) -> str:
    if not comparisons:
        return ""
    first = comparisons[0]
    if len(comparisons) > 1:
        names = _listed([f"{c.pair.a} ({_in_a_list(_signed(c))})" for c in comparisons])
        others = _listed(list(dict.fromkeys(c.pair.b for c in comparisons)))
        return f"too early to tell whether {names} differ from {others} on {first.metric}"
    n = counted(first.outcome.n, first.unit)
    if not first.outcome.n_differing:
        return f"no difference between {first.pair.a} and {first.pair.b} on {first.metric} in {n}, too few for a tie"
    a, b = first.pair
    return f"too early to tell whether {a} or {b} is better on {first.metric}: {a} − {b} is {_signed(first)} over {n}"


def _other_metrics(study: Study, metric: str) -> str:
    """Count the verdicts on the other tested metrics."""
    others = [c for c in study.comparisons if c.metric != metric]
    verdicts = {verdict: sum(c.verdict == verdict for c in others) for verdict in ("better", "worse", "tied")}
    early = sum(c.verdict == "undecided" and c.reason is None for c in study.comparisons)
    blocked = sum(c.reason is not None for c in others)
    if not others:
        return ""
    if len(study.design.pairs) > 1:
        counts = {**verdicts, "undecided": sum(c.verdict == "undecided" for c in others)}
        named = ", ".join(f"{n} {verdict}" for verdict, n in counts.items() if n)
        return f"on the other metrics: {named}"
    parts = [f"{verdict} on {_listed([c.metric for c in others if c.verdict == verdict])}" for verdict in verdicts]
    said = [part for part, n in zip(parts, verdicts.values(), strict=True) if n]
    if early:
        said.append(f"on {early} of {counted(len(study.tested), 'metric')} it is too early to tell")
    if blocked:
        said.append(f"no verdict on {counted(blocked, 'other metric')}")
    return ", ".join(said)


def _pair(comparison: Comparison) -> str:
    return f"{comparison.pair.a} against {comparison.pair.b} on {comparison.metric}"


def _difference(comparison: Comparison) -> str:
    """Write the size of a difference and its interval: `0.35 (0.17 to 0.53)`."""
    outcome = comparison.outcome
    difference, low, high = outcome.difference or 0.0, outcome.interval.low, outcome.interval.high
    if difference < 0:
        low, high = None if high is None else -high, None if low is None else -low
    return f"{_rounded(abs(difference), low, high)}{_range(low, high)}"


def _in_a_list(difference: str) -> str:
    """Write `0.35, 0.17 to 0.53` for `0.35 (0.17 to 0.53)`, where brackets stand around it."""
    return difference.replace(" (", ", ").removesuffix(")")


def _signed(comparison: Comparison) -> str:
    outcome = comparison.outcome
    low, high = outcome.interval.low, outcome.interval.high
    digits = _digits(outcome.difference, low, high)
    interval = (
        "" if low is None or high is None else f" ({signed(low, digits=digits)} to {signed(high, digits=digits)})"
    )
    return f"{signed(outcome.difference, digits=digits)}{interval}"


def _range(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return ""
    digits = _digits(low, high)
    return f" ({number(low, digits=digits)} to {number(high, digits=digits)})"


def _rounded(value: float, low: float | None, high: float | None) -> str:
    return number(value, digits=_digits(value if low is None or high is None else None, low, high))


def _digits(*values: float | None) -> int:
    """Return as many decimals as show the largest value with two digits: 0.35, 0.035, 0.0035."""
    largest = max((abs(value) for value in values if value is not None), default=1.0)
    return 2 if largest >= 0.095 or not largest else min(12, 1 - math.floor(math.log10(largest * 1.0527)))


def _listed(names: Sequence[str]) -> str:
    if len(names) > _MOST_PAIRS:
        return f"{', '.join(names[:_MOST_PAIRS])} and {len(names) - _MOST_PAIRS} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _sentence(parts: Sequence[str]) -> str:
    """Join the parts; a name of a run or a metric keeps its first letter."""
    text = "; ".join(part for part in parts if part)
    begins = text.split(maxsplit=1)[0] if text else ""
    return f"{text[:1].upper()}{text[1:]}." if begins in {"too", "no", "on", "tied"} else f"{text}."
