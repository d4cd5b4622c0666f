"""The answer of a memory run in a few sentences: who is better, how many queries passed, and what went wrong.

    dense | top(5) passes 5 of 8 queries (62.5%) and misses all 5 targets. Of the 3 that did not pass, 1 returned
    something where nothing fits, 1 missed an expected memory, and 1 returned unrelated memories.

Each query that did not pass has one fault: the first that applies, in the order of FAULTS.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from goldproof.errors import counted, shortened
from goldproof.jobs.memory.scoring import PASSED
from goldproof.jobs.memory.timeline import moments_of
from goldproof.report.numbers import number, share

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.memory.records import ScoredQuery
    from goldproof.jobs.memory.targets import Target
    from goldproof.study import Comparison, Study

Rows = tuple["ScoredQuery", ...]
FAULTS: Mapping[str, str] = {
    "failed": "failed with an error",
    "undecided": "could not be decided by the judge",
    "not silent": "returned something where nothing fits",
    "nothing": "returned nothing",
    "outdated": "returned the old value first",
    "missed": "missed an expected memory",
    "not first": "ranked another memory first",
    "disordered": "came in the wrong order of time",
    "unrelated": "returned unrelated memories",
    "other": "missed another criterion",
}
NAMES: Mapping[str, str] = {
    "relevance_score": "relevance",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "pass_rate": "pass rate",
    "passed": "pass rate",
}
_NOT_ABOUT_RECALL = frozenset({"precision", "tokens", "ordering", "similarity", "relevance_of_hits"})
_ABOUT_FIRST = frozenset({"Hit@1", "relevance_score"})
_MOST_PAIRS = 3
_MOST_FAULTS = 3


def run_conclusion(study: Study, runs: Mapping[str, Rows], targets: Mapping[str, Sequence[Target]]) -> str:
    """Return the answer of a run: the comparison first where there are several systems; failures before anything."""
    down = {name: rows for name, rows in runs.items() if rows and all(row.failed for row in rows)}
    sentences = [_all_failed(name, rows) for name, rows in down.items()]
    sentences += comparison_sentences(study, without=down)
    alive = {name: rows for name, rows in runs.items() if name not in down}
    if len(runs) > 1:
        sentences += [_passes_shortly(alive)] if alive else []
    else:
        sentences += [_passes(name, rows, targets[name]) for name, rows in alive.items()]
    return " ".join(sentences)


def _all_failed(name: str, rows: Rows) -> str:
    reason = shortened(rows[0].answered.error or "", longest=160).rstrip(".")
    return f"All {len(rows):,} queries to {name} failed: {reason}."


def _passes(name: str, rows: Rows, targets: Sequence[Target]) -> str:
    faults = faults_sentence(rows)
    return f"{name} passes {_share_passed(rows)}{_targets(targets)}.{f' {faults}' if faults else ''}"


def _passes_shortly(runs: Mapping[str, Rows]) -> str:
    listed = [f"{name} {_share_passed(rows)}" for name, rows in runs.items()]
    return f"Passed: {', '.join(listed)}."


def _share_passed(rows: Rows) -> str:
    """Return `5 of 8 queries (62.5%)`, of those that are decided."""
    decided = sum(row.undecided is None for row in rows)
    passed = sum(row.passed for row in rows)
    if not decided:
        return f"none of {counted(len(rows), 'query')} for certain"
    return f"{passed:,} of {counted(decided, 'query')} ({share(passed / decided)})"


def _targets(targets: Sequence[Target]) -> str:
    """Return how many targets are missed; those of a few by name."""
    missed = [NAMES.get(t.criterion.measure, t.criterion.measure) for t in targets if t.met is False]
    open_ = sum(target.met is None for target in targets)
    if not targets:
        return ""
    if not missed:
        return f", and {open_} of {counted(len(targets), 'target')} cannot be decided" if open_ else _all_met(targets)
    if len(targets) == 1:
        return f" and misses its target for {missed[0]}"
    if len(missed) == len(targets):
        return f" and misses all {len(targets)} targets"
    return f" and misses {len(missed)} of {len(targets)} targets ({', '.join(missed)})"


def _all_met(targets: Sequence[Target]) -> str:
    unsure = sum(target.too_wide for target in targets)
    met = f" and meets {'its target' if len(targets) == 1 else f'all {len(targets)} targets'}"
    return f"{met} (too few queries to be sure of {unsure})" if unsure else met


def faults_sentence(rows: Rows) -> str:
    """Say what went wrong with the queries that did not pass; empty where all passed."""
    faults = Counter(fault for row in rows if (fault := fault_of(row)))
    if not faults:
        return ""
    common = faults.most_common(_MOST_FAULTS)
    rest = faults.total() - sum(n for _, n in common)
    if len(faults) == 1:
        fault, n = common[0]
        return f"The {n} that did not pass {FAULTS[fault]}." if n > 1 else f"The one that did not pass {FAULTS[fault]}."
    parts = [f"{n:,} {FAULTS[fault]}" for fault, n in common]
    parts += [f"{rest:,} had other faults"] if rest else []
    return f"Of the {faults.total():,} that did not pass, {_listed(parts)}."


def fault_of(row: ScoredQuery) -> str:
    """Return the fault of a query (a key of FAULTS); empty where it passed."""
    outcome = row.outcome
    if row.passed:
        return ""
    if row.failed:
        return "failed"
    if row.undecided is not None or outcome is None:
        return "undecided"
    if outcome.is_negative:
        return "not silent" if outcome.returned else "other"
    if not outcome.returned:
        return "nothing"
    measures = {result.criterion.measure for result in row.tried if result.holds is False}
    missed = len(outcome.found) < len(outcome.expected) and not measures <= _NOT_ABOUT_RECALL
    not_first = bool(measures & _ABOUT_FIRST) and not _best_came_first(row)
    if (missed or not_first) and _outdated_came_first(row):
        return "outdated"
    if missed:
        return "missed"
    if not_first:
        return "not first"
    if "ordering" in measures:
        return "disordered"
    return "other" if all(map(outcome.is_expected, outcome.returned)) else "unrelated"


def _best_came_first(row: ScoredQuery) -> bool:
    """Whether the first item stands for a memory of the highest expected grade."""
    expected = row.answered.query.expected
    return any(expected.get(memory) == max(expected.values()) for memory in row.matches[0].memories)


def _outdated_came_first(row: ScoredQuery) -> bool:
    """Whether a query asks for an updated value, and the first item is older than it."""
    query = row.answered.query
    if query.kind != "update" or _best_came_first(row):
        return False
    moments = moments_of(row.answered.pool)
    newest = max(moments[memory] for memory, grade in query.expected.items() if grade == max(query.expected.values()))
    came = [moments[memory] for memory in row.matches[0].memories if memory in moments]
    return bool(came) and max(came) < newest


def comparison_sentences(study: Study, *, without: Mapping[str, object] | None = None) -> list[str]:
    """Say of each pair who is better on the primary measure; without: systems that answered nothing."""
    metrics = [comparison.metric for comparison in study.comparisons]
    metric = next((name for name in (study.design.primary, PASSED, *metrics) if name in metrics), None)
    pairs = [c for c in study.comparisons if c.metric == metric and not set(c.pair) & set(without or ())]
    sentences = [f"{verdict_of(comparison, study)}." for comparison in pairs[:_MOST_PAIRS]]
    left = len(pairs) - _MOST_PAIRS
    return [*sentences, f"{counted(left, 'more comparison')} below."] if left > 0 else sentences


def verdict_of(comparison: Comparison, study: Study, *, where: str = "") -> str:
    """Return `a is better than b on recall by 0.12 (0.03 to 0.21)`; where: such as " on the hold-out"."""
    (a, b), metric = comparison.pair, comparison.metric
    difference, interval = comparison.outcome.difference, comparison.outcome.interval
    name = NAMES.get(metric, metric)
    if difference is None:
        reason = (comparison.note or "no query has a value for both").rstrip(".")
        return f"{a} and {b} cannot be compared on {name}{where}: {reason}"
    low, high = interval.low, interval.high
    if comparison.verdict in ("better", "worse"):
        if difference < 0:
            difference, low, high = -difference, None if high is None else -high, None if low is None else -low
        by = f"{_amount(difference, metric)}{_range(low, high, metric)}"
        return f"{a} is {comparison.verdict} than {b} on {name} by {by}{where}"
    means = " against ".join(_value(study.summary(run, metric).mean, metric) for run in comparison.pair)
    figures = f"{name} {means}, difference {_amount(difference, metric, sign=True)}{_range(low, high, metric)}"
    if comparison.verdict == "tied":
        return f"{a} and {b} are tied{where}: {figures}"
    return f"It is too early to tell whether {a} or {b} is better{where}: {figures}"


def _value(value: float | None, metric: str) -> str:
    return share(value) if metric == PASSED else number(value)


def _amount(difference: float, metric: str, *, sign: bool = False) -> str:
    plus = "+" if sign else ""
    return f"{100 * difference:{plus}.1f} points" if metric == PASSED else f"{difference:{plus}.4f}"


def _range(low: float | None, high: float | None, metric: str) -> str:
    if low is None or high is None:
        return ""
    return f" ({100 * low:.1f} to {100 * high:.1f})" if metric == PASSED else f" ({low:.4f} to {high:.4f})"


def _listed(parts: Sequence[str]) -> str:
    if len(parts) < 3:
        return " and ".join(parts)
    return f"{', '.join(parts[:-1])}, and {parts[-1]}"
