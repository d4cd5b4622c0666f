"""A memory run as tables and as `rag_benchmark_results.json`.

In the file, `summary` and `individual_results` have the usual keys, and more: how many values a mean is over, what
failed and why, the targets, the triggers. A measure that is undefined for a query (recall where nothing should come) is
null and left out of its average; so is every measure of a query on which the system failed, with its error, and
relevance where the judge failed (`failed`: measure -> reason).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import counted, shortened
from goldproof.jobs.memory.conclusion import FAULTS, NAMES, fault_of
from goldproof.jobs.memory.targets import PASS_RATE, run_figure, unexpected_share
from goldproof.report import Heading, Table
from goldproof.report.numbers import NOTHING, bracket, count, share

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.memory.analysis.findings import Diagnosis
    from goldproof.jobs.memory.records import ScoredQuery
    from goldproof.jobs.memory.targets import FiredTrigger, Target
    from goldproof.study import Study

WIDEST = 100  # columns of a table on a terminal
_MOST_ROWS = 30
MANY_FAILED = 10  # above that the kinds say more than the first queries
_FIRST_FAILED = 5
_MOST_TARGETS = 5
_LONGEST_NAME = 40
# Remedies by what they are good for, best first; others follow.
_HELP = {
    **dict.fromkeys(("missed", "nothing"), "GHCABD"),
    "not silent": "HEB",
    "unrelated": "EBH",
    **dict.fromkeys(("not first", "disordered", "outdated"), "FD"),
}
_MET = {True: "met", False: "missed", None: "undecided"}


def overview_table(
    run: str, rows: Sequence[ScoredQuery], targets: Sequence[Target], triggers: Sequence[FiredTrigger] = ()
) -> Table:
    """Return how many queries passed, every target (value, interval, met or not), and the triggers that fired."""
    counts = {
        "queries passed": sum(row.passed for row in rows),
        "queries that failed to run": sum(row.failed for row in rows),
        "queries left undecided by the judge": sum(row.undecided is not None for row in rows),
    }
    body: list[tuple[str, ...]] = [
        (name, f"{n:,} of {len(rows):,}", "", "", "") for name, n in counts.items() if n or name == "queries passed"
    ]
    body += [_target_row(target) for target in targets]
    body += [
        (str(alarm.trigger.criterion), _value(alarm), "", alarm.trigger.level, "trigger fired") for alarm in triggers
    ]
    headings = (
        Heading("figure", "left"),
        Heading("value"),
        Heading("95% interval"),
        Heading("target", "left"),
        Heading("", "left"),
    )
    return Table(headings, tuple(body), title=f"Memory benchmark: {shortened(run, longest=WIDEST - 20)}")


def systems_table(runs: Mapping[str, Sequence[ScoredQuery]], targets: Mapping[str, Sequence[Target]]) -> Table:
    """Return a row per system: queries passed, the figures that have targets, and how many targets are met."""
    measures = [target.criterion.measure for target in next(iter(targets.values()))]
    shown = [measure for measure in dict.fromkeys(measures) if measure != PASS_RATE][:_MOST_TARGETS]
    body = []
    for name, rows in runs.items():
        values = {target.criterion.measure: share(target.standing.value) for target in targets[name]}
        met = f"{sum(target.met is True for target in targets[name])} of {len(targets[name])}" if measures else NOTHING
        failed = count(sum(row.failed for row in rows))
        body.append((_short(name), _passed(rows), failed, *(values[measure] for measure in shown), met))
    figures = [_short(NAMES.get(measure, measure), 12) for measure in shown]
    headings = (Heading("system", "left"), *map(Heading, ("passed", "failed", *figures, "targets met")))
    table = Table(headings, tuple(body), title=f"Memory benchmark: {counted(len(next(iter(runs.values()))), 'query')}")
    return table if any(row[2] != "0" for row in body) else _without_column(table, 2)


def _without_column(table: Table, column: int) -> Table:
    rows = tuple((*row[:column], *row[column + 1 :]) for row in table.rows)
    return Table((*table.headings[:column], *table.headings[column + 1 :]), rows, title=table.title)


def failures_table(rows: Sequence[ScoredQuery], diagnoses: Sequence[Diagnosis]) -> Table:
    """Return the queries that did not pass, of many the first: what went wrong, and what to try."""
    diagnosed = {diagnosis.key: diagnosis for diagnosis in diagnoses}
    failed = [row for row in rows if not row.passed]
    first = [(_short(row.key), FAULTS[fault_of(row)]) for row in failed[: _shown_of(len(failed))]]
    room = WIDEST - _width(first)
    body = []
    for cells, row in zip(first, failed, strict=False):
        body.append((*cells, _as_many_as_fit(_titles(diagnosed[row.key], fault_of(row)), room=room, more=False)))
    headings = (Heading("query", "left"), Heading("what went wrong", "left"), Heading("what may help", "left"))
    which = "Queries that did not pass" if len(body) == len(failed) else f"First {len(body)} that did not pass"
    return Table(headings, tuple(body), title=which)


def more_failures_note(diagnoses: Sequence[Diagnosis]) -> str:
    """Say how many failed queries the table leaves out, and where they are explained; empty where it has all."""
    left = len(diagnoses) - _shown_of(len(diagnoses))
    if not left:
        return ""
    unexplained = sum(not diagnosis.analysed for diagnosis in diagnoses)
    which = f"the first {len(diagnoses) - unexplained:,}" if unexplained else "each"
    return f"{left:,} more did not pass; failures.md explains {which} (--out DIR)."


def _shown_of(failed: int) -> int:
    return failed if failed <= MANY_FAILED else _FIRST_FAILED


def _titles(diagnosis: Diagnosis, fault: str) -> list[str]:
    """Return what this query's diagnosis says to try, best first for its fault."""
    supported = diagnosis.letters
    best = dict.fromkeys([letter for letter in _HELP.get(fault, "") if letter in supported] + list(supported))
    return [diagnosis.title_of(letter) for letter in best]


def _target_row(target: Target) -> tuple[str, ...]:
    figure, criterion = target.standing, target.criterion
    verdict = "not scored" if figure.value is None else _MET[target.met]
    if target.too_wide:
        verdict += ", too few queries to tell"
    return (
        NAMES.get(criterion.measure, criterion.measure),
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
    room = max(12, (WIDEST - 30) // len(runs) - 2)
    names = ("passed",) if len(runs) == 1 else tuple(_short(name, room) for name in runs)
    headings = (Heading("kind", "left"), Heading("queries"), *map(Heading, names))
    return Table(headings, body, title="Queries passed, by kind")


def _passed(rows: Sequence[ScoredQuery]) -> str:
    """Return how many passed, of those that are decided."""
    undecided = sum(row.undecided is not None for row in rows)
    passed = sum(row.passed for row in rows)
    more = f", {undecided} undecided" if undecided else ""
    return f"{passed} ({share(passed / (len(rows) - undecided) if undecided < len(rows) else None)}){more}"


def triggers_table(fired: Sequence[FiredTrigger], *, of: str = "") -> Table:
    """Return the triggers that fired, and the queries that cause them; of: the system, where there are several."""
    first = [(alarm.trigger.level, str(alarm.trigger.criterion), _value(alarm)) for alarm in fired]
    room = WIDEST - _width(first)
    body = tuple((*cells, _as_many_as_fit(alarm.queries, room=room)) for cells, alarm in zip(first, fired, strict=True))
    headings = (Heading("level", "left"), Heading("trigger", "left"), Heading("value"), Heading("caused by", "left"))
    return Table(headings, body, title=_titled("Triggers", of))


def unpassed_table(rows: Sequence[ScoredQuery], *, of: str = "") -> Table:
    """Return the queries that did not pass, with the criteria they missed."""
    missed = [row for row in rows if not row.passed]
    first = [(_short(row.key), row.answered.query.kind) for row in missed[:_MOST_ROWS]]
    room = WIDEST - _width(first)
    body = tuple((*cells, _short(_why(row), room)) for cells, row in zip(first, missed, strict=False))
    left = len(missed) - _MOST_ROWS
    notes = (f"{left:,} more are in rag_benchmark_results.json.",) if left > 0 else ()
    headings = (Heading("query", "left"), Heading("kind", "left"), Heading("criteria missed", "left"))
    return Table(headings, body, title=_titled("Criteria that were missed", of), notes=notes)


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


def _as_many_as_fit(names: Sequence[str], *, room: int, more: bool = True) -> str:
    """List names while they fit; more: count those that are left."""
    for shown in range(len(names), 0, -1):
        left = f", and {len(names) - shown} more" if more and shown < len(names) else ""
        text = ", ".join(names[:shown]) + left
        if len(text) <= room:
            return text
    return _short(", ".join(names), room)


def _width(rows: Sequence[Sequence[str]]) -> int:
    """Return the width of the first columns of a table, with the blanks behind each."""
    return sum(max(map(len, column)) + 2 for column in zip(*rows, strict=True))


def _short(text: str, longest: int = _LONGEST_NAME) -> str:
    return shortened(text, longest=max(12, longest))


def _titled(title: str, of: str) -> str:
    """Name the system where there are several."""
    return f"{title}: {_short(of)}" if of else title


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
