"""`rag_benchmark_results.json`: a run in the plain shape that scripts and dashboards know.

`summary` and `individual_results` have the usual keys; beside them stand how many values a mean is over, what failed
and why, the targets, the triggers. A measure that is undefined for a query (recall where nothing should come) is null
and left out of its average; so is every measure of a query on which the system failed, whose error stands beside it,
and relevance where the judge failed (`failed`: measure -> reason).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.memory.targets import PASS_RATE, standing, unexpected_share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.memory.scored import ScoredQuery
    from goldproof.jobs.memory.targets import Fired, Target
    from goldproof.study import Study

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


def results_of(
    study: Study, run: str, rows: Sequence[ScoredQuery], *, targets: Sequence[Target], triggers: Sequence[Fired]
) -> dict[str, object]:
    """Return one system's results."""
    figures = {key: standing(study, run, rows, measure) for key, measure in _AVERAGES.items()}
    return {
        "system": run,
        "summary": {
            "total_tests": len(rows),
            "passed": sum(row.passed for row in rows),
            "pass_rate": standing(study, run, rows, PASS_RATE).value,
            **{key: one.value for key, one in figures.items()},
            "target_met": target_met(targets),
            "failed": sum(row.failed for row in rows),
            "undecided": sum(row.undecided is not None for row in rows),
            "n": {key: one.n for key, one in figures.items()},
            "with_failed_as_zero": {key: one.worst for key, one in figures.items()},
            "unexpected_share": unexpected_share(rows),
            "targets": [target.to_dict() for target in targets],
            "triggers": [trigger.to_dict() for trigger in triggers],
        },
        "individual_results": [individual(row) for row in rows],
    }


def target_met(targets: Sequence[Target]) -> bool | None:
    """Say whether the target on relevance is met, or all where the rules have none on it; None: nobody can tell."""
    relevance = [target for target in targets if target.criterion.measure == "relevance_score"]
    met = [target.met for target in relevance or targets]
    return False if False in met else None if None in met else True


def individual(row: ScoredQuery) -> dict[str, object]:
    """Return one query."""
    return {
        "test": row.key,
        "passed": row.passed if row.undecided is None else None,
        "metrics": _metrics(row),
        "kind": row.answered.query.kind,
        "query": row.answered.query.text,
        "criteria": [{"criterion": str(one.criterion), "value": one.value, "holds": one.holds} for one in row.tried],
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
        "undefined": {name: one.reason for name, one in row.values.items() if one.value is None and not one.failed},
        "failed": {name: one.reason for name, one in row.values.items() if one.failed},
        "error": row.answered.error,
    }


def _metrics(row: ScoredQuery) -> dict[str, object]:
    """Return the measures by their usual names; null where there is no value."""
    values = {name: one.value for name, one in row.values.items()}
    outcome = row.outcome
    return {
        **{key: values.get(name) for key, name in _METRICS.items()},
        "retrieved_count": None if outcome is None else len(row.matches),
        "expected_count": len(row.answered.query.expected),
        "true_positives": None if outcome is None else len(outcome.found),
        **{name: values.get(name) for name in _FURTHER},
    }
