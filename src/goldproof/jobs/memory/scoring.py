"""From what came to what it is worth: matches, measures and criteria of every query."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.io.scenarios.scenario import MOST_GRADE
from goldproof.jobs.memory.grading import grade_rows
from goldproof.jobs.memory.matching import match_rows
from goldproof.jobs.memory.rewritten import TextMatcher
from goldproof.jobs.memory.scored import Matched, ScoredQuery, Tried
from goldproof.jobs.memory.timeline import moments_of
from goldproof.llm.prices import count_tokens
from goldproof.metrics.memory import measure
from goldproof.metrics.memory.measures import NO_ORDER, SOMETHING_EXPECTED
from goldproof.metrics.memory.outcome import Came, Measured, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from goldproof.io.scenarios.scenario import Query
    from goldproof.jobs.memory.answered import Answered
    from goldproof.jobs.memory.rules import Rules
    from goldproof.jobs.memory.scored import NoRuling
    from goldproof.judge import Judge
    from goldproof.metrics.memory.criterion import Criterion
    from goldproof.metrics.memory.outcome import Order

_WHATEVER_CAME = (SOMETHING_EXPECTED, NO_ORDER)  # why a measure has no value for a query that expects something


def score_rows(
    rows: Sequence[Answered],
    rules: Rules,
    *,
    matcher: TextMatcher | None = None,
    judge: Judge | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> tuple[ScoredQuery, ...]:
    """Return every query with its measures and whether it passed.

    matcher: who matches rewritten texts. judge: who grades items, instead of the scenario; watch: told of its progress.
    """
    answered = [row for row in rows if row.error is None]
    matches = match_rows(answered, texts=matcher or TextMatcher())
    if judge is not None:
        matches = grade_rows(answered, matches, judge=judge, watch=watch)
    scored = iter([_score(row, found, rules) for row, found in zip(answered, matches, strict=True)])
    return tuple(next(scored) if row.error is None else ScoredQuery(row) for row in rows)


def _score(row: Answered, matches: tuple[Matched, ...], rules: Rules) -> ScoredQuery:
    outcome = outcome_of(row, matches)
    unread = _unread(matches)
    if unread is not None and outcome.expected:  # what is nobody's counts the same where nothing should come
        return _unmatched(row, matches, unread, measure(outcome))
    values = measure(outcome)
    ungraded = _ungraded(matches, outcome)
    values |= {name: Measured(None, why.reason, why.failed) for name, why in ungraded.items()}
    tried = tuple(_try(criterion, values, ungraded) for criterion in rules.criteria_of(row.query))
    decided = [one.holds for one in tried if one.holds is not None]
    open_ones = [one.ungraded for one in tried if one.ungraded is not None]
    return ScoredQuery(
        row,
        matches,
        outcome,
        values,
        tried,
        passed=bool(decided) and all(decided) and not open_ones,
        undecided=open_ones[0] if open_ones and all(decided) else None,
    )


def _unread(matches: Sequence[Matched]) -> NoRuling | None:
    """Return why the judge of rewritten texts could not tell what came; a failure before what it left open."""
    found = [match.unread for match in matches if match.unread is not None]
    return min(found, key=lambda why: not why.failed, default=None)


def _unmatched(
    row: Answered, matches: tuple[Matched, ...], unread: NoRuling, values: Mapping[str, Measured]
) -> ScoredQuery:
    """Return a query of which nobody knows what came: failed where the judge failed, else undefined."""
    why = replace(unread, reason=f"what was returned could not be matched: {unread.reason}")
    if why.failed:
        return ScoredQuery(replace(row, error=why.reason), matches, undecided=why)
    known = {name: one for name, one in values.items() if name == "tokens" or one.reason in _WHATEVER_CAME}
    return ScoredQuery(
        row, matches, values={name: known.get(name, Measured(None, why.reason)) for name in values}, undecided=why
    )


def outcome_of(row: Answered, matches: Sequence[Matched]) -> Outcome:
    """Return what measures need of one query."""
    query = row.query
    moments = moments_of(row.pool) if order_of(query) else {}
    return Outcome(
        expected={memory: grade / MOST_GRADE for memory, grade in query.expected.items()},
        returned=tuple(
            Came(match.memories, match.gain, match.hit.similarity, count_tokens(_text(match, row))) for match in matches
        ),
        kernels=tuple(frozenset(kernel) for kernel in query.kernels),
        moments={memory: moments[memory] for memory in query.expected} if moments else {},
        order=order_of(query),
    )


def order_of(query: Query) -> Order | None:
    """Return the order in which an answer should come: what the query says, else newest first for a temporal one."""
    return query.order or ("newest" if query.kind == "temporal" else None)


def _text(match: Matched, row: Answered) -> str:
    """Return what came: the text as the system returned it, else as it was stored."""
    return match.hit.text or " ".join(memory.content for memory in row.pool if memory.id in match.memories)


def _ungraded(matches: Sequence[Matched], outcome: Outcome) -> dict[str, NoRuling]:
    """Return the measures that nobody knows, since the ruling on an item that counts in them cannot be used."""
    found: dict[str, NoRuling] = {}
    unusable = [(rank, match.ungraded) for rank, match in enumerate(matches) if match.ungraded is not None]
    for rank, why in sorted(unusable, key=lambda pair: not pair[1].failed):  # a failure before what was left open
        if rank < len(outcome.expected):
            found.setdefault("relevance_score", why)
        if outcome.is_expected(outcome.returned[rank]):
            found.setdefault("relevance_of_hits", why)
    return found


def _try(criterion: Criterion, values: Mapping[str, Measured], ungraded: Mapping[str, NoRuling]) -> Tried:
    value = values[criterion.measure].value
    holds = None if value is None else criterion.holds(value)
    return Tried(criterion, value, holds, ungraded.get(criterion.measure))
