"""A memory run as tables and as `rag_benchmark_results.json`.

In the file, `summary` and `individual_results` have the usual keys, and more: how many values a mean is over, what
failed and why, the targets, the triggers. A measure that is undefined for a query (recall where nothing should come) is
null and left out of its average; so is every measure of a query on which the system failed, with its error, and
relevance where the judge failed (`failed`: measure -> reason).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import shortened
from goldproof.jobs.memory.targets import PASS_RATE, run_figure, unexpected_share
from goldproof.report import Heading, Table
from goldproof.report.numbers import NOTHING, bracket, count, share

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.memory.records import ScoredQuery
    from goldproof.jobs.memory.targets import FiredTrigger, Target
    from goldproof.study import Study

_MOST_ROWS = 30
_MET = {True: "met", False: "not met", None: "undecided"}
_NAMES = {
    "relevance_score": "average relevance",
    "precision": "average precision",
    "recall": "average recall",
    "f1": "average F1",
    "pass_rate": "pass rate",
}


def overview_table(run: str, rows: Sequence[ScoredQuery], targets: Sequence[Target]) -> Table:
    """Return the tests run and passed, and every target: value, interval, met or not."""
    failed = sum(row.failed for row in rows)
    body: list[tuple[str, ...]] = [
        ("tests run", count(len(rows)), "", "", ""),
        ("tests passed", count(sum(row.passed for row in rows)), "", "", ""),
    ]
    if failed:
        body.append(("tests that failed to run", count(failed), "", "", ""))
    undecided = sum(row.undecided is not None for row in rows)
    if undecided:
        body.append(("tests a judge left undecided", count(undecided), "", "", ""))
    body += [_target_row(target) for target in targets]
    headings = (
        Heading("figure", "left"),
        Heading("value"),
        Heading("95% interval"),
        Heading("target", "left"),
        Heading("", "left"),
    )
    return Table(headings, tuple(body), title=f"Memory benchmark: {run}")


def _target_row(target: Target) -> tuple[str, ...]:
    figure, criterion = target.standing, target.criterion
    verdict = "not scored" if figure.value is None else _MET[target.met]
    if target.too_wide:
        verdict += ", too few queries to tell"
    return (
        _NAMES.get(criterion.measure, criterion.measure),
        share(figure.value),
        _percent(figure.low, figure.high),
        f"{criterion.how} {share(criterion.threshold)}",
        verdict,
    )


def _percent(low: float | None, high: float | None) -> str:
    return NOTHING if low is None or high is None else bracket(100 * low, 100 * high, digits=1)


def kinds_table(runs: Mapping[str, Sequence[ScoredQuery]]) -> Table:
    """Return how many queries of each kind passed, for every system."""
    first = next(iter(runs.values()))
    kinds = dict.fromkeys(row.answered.query.kind for row in first)
    body = tuple(
        (
            kind,
            count(sum(row.answered.query.kind == kind for row in first)),
            *(_passed([row for row in rows if row.answered.query.kind == kind]) for rows in runs.values()),
        )
        for kind in kinds
    )
    headings = (Heading("kind", "left"), Heading("queries"), *(Heading(f"passed: {name}") for name in runs))
    return Table(headings, body, title="By kind")


def _passed(rows: Sequence[ScoredQuery]) -> str:
    """Return how many passed, of those that are decided."""
    undecided = sum(row.undecided is not None for row in rows)
    passed = sum(row.passed for row in rows)
    more = f", {undecided} undecided" if undecided else ""
    return f"{passed} ({share(passed / (len(rows) - undecided) if undecided < len(rows) else None)}){more}"


def triggers_table(fired: Sequence[FiredTrigger], *, of: str = "") -> Table:
    """Return the triggers that fired, and the queries that cause them; of: the system, where there are several."""
    body = tuple(
        (alarm.trigger.level, str(alarm.trigger.criterion), _value(alarm), _few(alarm.queries)) for alarm in fired
    )
    headings = (Heading("level", "left"), Heading("trigger", "left"), Heading("value"), Heading("caused by", "left"))
    return Table(headings, body, title=_titled("Triggers", of))


def unpassed_table(rows: Sequence[ScoredQuery], *, of: str = "") -> Table:
    """Return the queries that did not pass, with the criteria they missed."""
    missed = [row for row in rows if not row.passed]
    body = tuple((row.key, row.answered.query.kind, _why(row)) for row in missed[:_MOST_ROWS])
    left = len(missed) - _MOST_ROWS
    notes = (f"{left:,} more are in rag_benchmark_results.json.",) if left > 0 else ()
    headings = (Heading("test", "left"), Heading("kind", "left"), Heading("missed", "left"))
    return Table(headings, body, title=_titled("Tests that did not pass", of), notes=notes)


def _why(row: ScoredQuery) -> str:
    if row.answered.error is not None:
        return f"failed: {shortened(row.answered.error, longest=80)}"
    if row.undecided is not None:
        return f"undecided: {shortened(row.undecided.reason, longest=80)}"
    missed = [
        f"{result.criterion} (is {result.value:.3g})"
        for result in row.tried
        if result.holds is False and result.value is not None
    ]
    return "; ".join(missed) or "none of its criteria can be tried"


def _few(names: Sequence[str], *, most: int = 4) -> str:
    more = f", and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _titled(title: str, of: str) -> str:
    """Name the system where there are several."""
    return f"{title}: {of}" if of else title


def _value(fired: FiredTrigger) -> str:
    return f"{share(fired.value)} with failures" if fired.by_failures else share(fired.value)


RESULTS = "rag_benchmark_results.json"
_AVERAGES = {
    "avg_precision": "precision",
    "avg_recall": "recall",
    "avg_f1": "f1",
    "avg_relevance_score": "relevance_score",
}
_METRICS = {"precision": "precision", "recall": "recall", "f1_score": "f1", "relevance_score": "relevance_score"}
_FURTHER = (
    "Hit@1",
    "set_success",
    "relevance_of_hits",
    "similarity",
    "false_surface",
    "ordering",
    "tokens",
    "f1_or_silence",
)


def system_results(
    study: Study, run: str, rows: Sequence[ScoredQuery], *, targets: Sequence[Target], triggers: Sequence[FiredTrigger]
) -> dict[str, object]:
    """Return one system's results as the file has them."""
    figures = {key: run_figure(study, run, rows, measure) for key, measure in _AVERAGES.items()}
    return {
        "system": run,
        "summary": {
            "total_tests": len(rows),
            "passed": sum(row.passed for row in rows),
            "pass_rate": run_figure(study, run, rows, PASS_RATE).value,
            **{key: figure.value for key, figure in figures.items()},
            "target_met": target_met(targets),
            "failed": sum(row.failed for row in rows),
            "undecided": sum(row.undecided is not None for row in rows),
            "n": {key: figure.n for key, figure in figures.items()},
            "with_failed_as_zero": {key: figure.worst for key, figure in figures.items()},
            "unexpected_share": unexpected_share(rows),
            "targets": [target.to_dict() for target in targets],
            "triggers": [trigger.to_dict() for trigger in triggers],
        },
        "individual_results": [query_result(row) for row in rows],
    }


def target_met(targets: Sequence[Target]) -> bool | None:
    """Return whether the target on relevance is met, or all where the rules have none on it; None: undecided."""
    relevance = [target for target in targets if target.criterion.measure == "relevance_score"]
    met = [target.met for target in relevance or targets]
    return False if False in met else None if None in met else True


def query_result(row: ScoredQuery) -> dict[str, object]:
    """Return one query as the file has it."""
    return {
        "test": row.key,
        "passed": row.passed if row.undecided is None else None,
        "metrics": _metrics(row),
        "kind": row.answered.query.kind,
        "query": row.answered.query.text,
        "criteria": [
            {"criterion": str(result.criterion), "value": result.value, "holds": result.holds} for result in row.tried
        ],
        "expected": sorted(row.answered.query.expected),
        "returned": [
            {
                "id": match.hit.doc_id,
                "memories": list(match.memories),
                "matched_by": match.how,
                "score": match.hit.score,
            }
            for match in row.matches
        ],
        "undefined": {
            name: value.reason for name, value in row.values.items() if value.value is None and not value.failed
        },
        "failed": {name: value.reason for name, value in row.values.items() if value.failed},
        "error": row.answered.error,
    }


def _metrics(row: ScoredQuery) -> dict[str, object]:
    """Return the measures by their usual names; null where there is no value."""
    values = {name: measured.value for name, measured in row.values.items()}
    outcome = row.outcome
    return {
        **{key: values.get(name) for key, name in _METRICS.items()},
        "retrieved_count": None if outcome is None else len(row.matches),
        "expected_count": len(row.answered.query.expected),
        "true_positives": None if outcome is None else len(outcome.found),
        **{name: values.get(name) for name in _FURTHER},
    }
