"""Measures and criteria of every query; grades by a judge; columns for the study.

A judge, where one is named, grades each item with the query; the gain is grade / highest grade of the judge's scale, or
1 for a yes and 0 for a no. A model that grades on a scale is asked for no quote: how relevant a memory is needs no
proof. Negative queries are not judged: nothing should come there. Where the ruling on an item that counts cannot be
used (unsupported, disputed, abstained), relevance is undefined for that query, with the reason, and where the judge
failed it has failed; it never becomes a 0.

A further column is `passed`: 1 where a query met its criteria, else 0; a query on which the system failed has not
passed. Where a judge's ruling that decides it cannot be used, it is undefined, and failed where the judge failed. In
every other measure a query on which the system failed is `failed`, with the reason, unless the measure is undefined for
it whatever is returned (recall where nothing should come): then it is undefined.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from goldproof.io.scenarios.scenario import MOST_GRADE
from goldproof.jobs.memory.matching import TextMatcher, match_rows
from goldproof.jobs.memory.records import CriterionResult, Matched, ScoredQuery, failure_first, no_ruling
from goldproof.jobs.memory.timeline import moments_of
from goldproof.judge import open_judge
from goldproof.judge.batch import Brief, judge_briefs
from goldproof.llm.prices import count_tokens
from goldproof.metrics.memory import MEASURES, Measured, Outcome, ReturnedItem, measure
from goldproof.metrics.memory.best_answer import best_answers
from goldproof.metrics.memory.measures import NO_ORDER, SOMETHING_EXPECTED
from goldproof.progress import OnProgress, ignore
from goldproof.records.entities import Document, Question
from goldproof.study import Column, Panel, encode_clusters
from goldproof.study.panel import FAILED, SCORED, UNDEFINED
from goldproof.study.summary import MetricFacts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.io.scenarios.scenario import Query
    from goldproof.jobs.memory.criteria import Rules
    from goldproof.jobs.memory.records import Answered, NoRuling
    from goldproof.judge import Judge, Ruling
    from goldproof.metrics.memory import Criterion
    from goldproof.metrics.memory.outcome import Order


PASSED = "passed"
METRICS = (PASSED, *MEASURES)
# The measures of the tables, the first of them tested between systems; all others are in `summary.json` alone.
SHOWN = (PASSED, "f1_or_silence", "precision", "recall", "f1", "relevance_score", "false_surface")
# Reasons for which a measure is undefined whatever is returned.
_UNDEFINED_ANYWAY = (SOMETHING_EXPECTED, NO_ORDER)


def open_grader(spec: object) -> Judge:
    """Open the judge of `--judge`; a model that grades on a scale is asked without quotes."""
    from goldproof.judge import LlmJudge  # noqa: PLC0415 - what it needs is loaded when a judge is named

    judge = open_judge(spec)
    return judge.without_quotes() if isinstance(judge, LlmJudge) else judge


def grade_rows(
    rows: Sequence[Answered],
    matches: Sequence[tuple[Matched, ...]],
    *,
    judge: Judge,
    on_progress: OnProgress = ignore,
) -> list[tuple[Matched, ...]]:
    """Return the items of each query as the judge grades them."""
    places = [
        (row, rank) for row, answered in enumerate(rows) if answered.query.expected for rank in range(len(matches[row]))
    ]
    briefs = [_brief(rows[row], matches[row][rank]) for row, rank in places]
    rulings = dict(zip(places, judge_briefs(judge, briefs, on_progress=on_progress), strict=True))
    return [
        tuple(_graded(match, rulings.get((row, rank)), judge) for rank, match in enumerate(items))
        for row, items in enumerate(matches)
    ]


def _brief(row: Answered, match: Matched) -> Brief:
    return Brief(Question(row.key, row.query.text), (Document(match.hit.doc_id, _text(match, row)),))


def _text(match: Matched, row: Answered) -> str:
    """Return an item's text as the system returned it, else as its memories were stored."""
    if match.hit.text:
        return match.hit.text
    texts = {memory.id: memory.content for memory in row.pool}
    return " ".join(texts[memory] for memory in match.memories if memory in texts)


def _graded(match: Matched, ruling: Ruling | None, judge: Judge) -> Matched:
    """Return an item with the judge's gain in place of the scenario's, which is dropped also where it gives none."""
    if ruling is None:
        return replace(match, gain=0.0)
    ungraded = no_ruling(ruling)
    return replace(match, gain=0.0 if ungraded else _gain(ruling, judge), ungraded=ungraded)


def _gain(ruling: Ruling, judge: Judge) -> float:
    return float(bool(ruling.sufficient)) if ruling.grade is None else ruling.grade / judge.scale.most


def score_rows(
    rows: Sequence[Answered],
    rules: Rules,
    *,
    matcher: TextMatcher | None = None,
    judge: Judge | None = None,
    on_progress: OnProgress = ignore,
) -> tuple[ScoredQuery, ...]:
    """Return every query with its measures and whether it passed.

    matcher: matches rewritten texts. judge: grades items, instead of the scenario; on_progress: called as it does.
    """
    answered = [row for row in rows if row.error is None]
    matches = match_rows(answered, texts=matcher or TextMatcher())
    if judge is not None:
        matches = grade_rows(answered, matches, judge=judge, on_progress=on_progress)
    scored = iter([_score(row, items, rules) for row, items in zip(answered, matches, strict=True)])
    return tuple(next(scored) if row.error is None else ScoredQuery(row) for row in rows)


def _score(row: Answered, matches: tuple[Matched, ...], rules: Rules) -> ScoredQuery:
    outcome = outcome_of(row, matches)
    unread = failure_first(match.unread for match in matches if match.unread is not None)
    if unread is not None and outcome.expected:  # where nothing should come, any item is wrong, whatever it stands for
        return _unmatched(row, matches, unread, measure(outcome))
    values = measure(outcome)
    ungraded = _ungraded(matches, outcome)
    values |= {name: Measured(None, ruling.reason, ruling.failed) for name, ruling in ungraded.items()}
    tried = tuple(_try(criterion, values, ungraded) for criterion in rules.criteria_of(row.query))
    decided = [result.holds for result in tried if result.holds is not None]
    undecided = [result.ungraded for result in tried if result.ungraded is not None]
    return ScoredQuery(
        row,
        matches,
        outcome,
        values,
        tried,
        passed=bool(decided) and all(decided) and not undecided,
        undecided=undecided[0] if undecided and all(decided) else None,
    )


def _unmatched(
    row: Answered, matches: tuple[Matched, ...], unread: NoRuling, values: Mapping[str, Measured]
) -> ScoredQuery:
    """Return a query whose items could not be matched: failed where the judge failed, else undefined."""
    reason = f"what was returned could not be matched: {unread.reason}"
    undecided = replace(unread, reason=reason)
    if unread.failed:
        return ScoredQuery(replace(row, error=reason), matches, undecided=undecided)
    known = {name: value for name, value in values.items() if name == "tokens" or value.reason in _UNDEFINED_ANYWAY}
    undefined = {name: known.get(name, Measured(None, reason)) for name in values}
    return ScoredQuery(row, matches, values=undefined, undecided=undecided)


def outcome_of(row: Answered, matches: Sequence[Matched]) -> Outcome:
    """Return one query in the form that measures take."""
    query = row.query
    moments = moments_of(row.pool) if order_of(query) else {}
    return Outcome(
        expected={memory: grade / MOST_GRADE for memory, grade in query.expected.items()},
        returned=tuple(
            ReturnedItem(match.memories, match.gain, match.hit.similarity, count_tokens(_text(match, row)))
            for match in matches
        ),
        kernels=tuple(frozenset(kernel) for kernel in query.kernels),
        moments={memory: moments[memory] for memory in query.expected} if moments else {},
        order=order_of(query),
    )


def order_of(query: Query) -> Order | None:
    """Return the order that a query asks for: its own, else newest first for a temporal one."""
    return query.order or ("newest" if query.kind == "temporal" else None)


def _ungraded(matches: Sequence[Matched], outcome: Outcome) -> dict[str, NoRuling]:
    """Return the measures that have no value, since the ruling on an item that counts in them cannot be used."""
    unusable = [(rank, match.ungraded) for rank, match in enumerate(matches) if match.ungraded is not None]
    first = [ruling for rank, ruling in unusable if rank < len(outcome.expected)]
    hits = [ruling for rank, ruling in unusable if outcome.is_expected(outcome.returned[rank])]
    reasons = {"relevance_score": failure_first(first), "relevance_of_hits": failure_first(hits)}
    return {name: reason for name, reason in reasons.items() if reason is not None}


def _try(criterion: Criterion, values: Mapping[str, Measured], ungraded: Mapping[str, NoRuling]) -> CriterionResult:
    value = values[criterion.measure].value
    holds = None if value is None else criterion.holds(value)
    return CriterionResult(criterion, value, holds, ungraded.get(criterion.measure))


def panel_of(runs: Mapping[str, Sequence[ScoredQuery]]) -> Panel:
    """Return the panel of a study: one row per query, one column per system and measure.

    All systems were asked the same queries in the same order.
    """
    first = next(iter(runs.values()))
    names = pl.Series("cluster", [row.answered.scenario.id for row in first], dtype=pl.String)
    clusters = None if names.n_unique() == len(names) else names  # one query each: no clusters
    return Panel(
        ids=pl.Series("id", [row.key for row in first], dtype=pl.String),
        runs=tuple(runs),
        metrics=METRICS,
        columns={(name, metric): _column(rows, metric) for name, rows in runs.items() for metric in METRICS},
        clusters=None if clusters is None else encode_clusters(clusters),
        cluster_names=clusters,
    )


def facts_of_measures() -> dict[str, MetricFacts]:
    """Return bounds and direction of each measure, for the study."""
    facts = {
        name: MetricFacts(name, info.lower, info.upper, higher_is_better=info.higher_is_better)
        for name, info in MEASURES.items()
    }
    return {PASSED: MetricFacts(PASSED, 0.0, 1.0, higher_is_better=True), **facts}


def _column(rows: Sequence[ScoredQuery], metric: str) -> Column:
    cells = [_measured(row, metric) for row in rows]
    reasons: dict[str | None, int] = {None: 0}
    for cell in cells:
        reasons.setdefault(cell.reason or None, len(reasons))
    status = [SCORED if cell.value is not None else FAILED if cell.failed else UNDEFINED for cell in cells]
    return Column(
        value=np.asarray([cell.value or 0.0 for cell in cells], dtype=np.float64),
        status=np.asarray(status, dtype=np.int8),
        reason=np.asarray([reasons[cell.reason or None] for cell in cells], dtype=np.int32),
        reasons=tuple(reasons),
        missing=np.zeros(len(rows), dtype=np.bool_),
    )


def _measured(row: ScoredQuery, metric: str) -> Measured:
    if metric == PASSED:
        undecided = row.undecided
        return Measured(float(row.passed)) if undecided is None else Measured(None, undecided.reason, undecided.failed)
    if not row.failed:
        return row.values[metric]
    undefined = never_defined(row).get(metric)
    return Measured(None, undefined) if undefined else Measured(None, row.answered.error or "failed", failed=True)


def never_defined(row: ScoredQuery) -> dict[str, str]:
    """Return the measures that are undefined for a query even with the best answer, and why."""
    outcome = outcome_of(row.answered, ())
    best = measure(best_answers(outcome, k=max(row.answered.k, len(outcome.expected)))[0])
    by_system = {"similarity"} if outcome.expected else set()  # the system would have returned it
    return {name: value.reason for name, value in best.items() if value.value is None and name not in by_system}
