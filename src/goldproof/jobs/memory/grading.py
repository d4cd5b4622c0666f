"""Grades of returned items by a judge, in place of those that the scenario gives (`--judge`).

Each item is put before the judge with the query; its gain is grade / highest grade of the judge's scale, or 1 for a yes
and 0 for a no. Negative queries are not judged: nothing should come there. Where the judge does not come to a ruling
on an item that counts, relevance is undefined for that query, with the reason; it never becomes a 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from goldproof.core.records import Document, Question
from goldproof.judge.at_once import Brief, judge_briefs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from goldproof.jobs.memory.answered import Answered
    from goldproof.jobs.memory.scored import Matched
    from goldproof.judge import Judge, Ruling


@dataclass(frozen=True, slots=True)
class Graded:
    """Items with a judge's gains; ungraded: rank (from 0) -> why the judge said nothing of it."""

    matches: tuple[Matched, ...]
    ungraded: Mapping[int, str] = field(default_factory=dict)


def grade_rows(
    rows: Sequence[Answered],
    matches: Sequence[tuple[Matched, ...]],
    *,
    judge: Judge,
    watch: Callable[[int, int], None] | None = None,
) -> list[Graded]:
    """Return the items of each query as the judge grades them."""
    places = [
        (row, rank) for row, answered in enumerate(rows) if answered.query.expected for rank in range(len(matches[row]))
    ]
    briefs = [_brief(rows[row], matches[row][rank]) for row, rank in places]
    rulings = dict(zip(places, judge_briefs(judge, briefs, watch=watch), strict=True))
    return [
        _graded(found, {rank: rulings[row, rank] for rank in range(len(found)) if (row, rank) in rulings}, judge)
        for row, found in enumerate(matches)
    ]


def _brief(row: Answered, match: Matched) -> Brief:
    texts = {memory.id: memory.content for memory in row.pool}
    text = match.hit.text or " ".join(texts[memory] for memory in match.memories if memory in texts)
    return Brief(Question(row.key, row.query.text), (Document(match.hit.doc_id, text),))


def _graded(matches: tuple[Matched, ...], rulings: Mapping[int, Ruling], judge: Judge) -> Graded:
    gains = {rank: _gain(ruling, judge) for rank, ruling in rulings.items()}
    return Graded(
        tuple(replace(match, gain=gains.get(rank) or 0.0) for rank, match in enumerate(matches)),
        {rank: _reason(rulings[rank]) for rank, gain in gains.items() if gain is None},
    )


def _gain(ruling: Ruling, judge: Judge) -> float | None:
    if ruling.sufficient is None:
        return 0.0 if ruling.label == "unsupported" else None
    return float(ruling.sufficient) if ruling.grade is None else ruling.grade / judge.scale.most


def _reason(ruling: Ruling) -> str:
    return f"the judge {ruling.label}" + (f": {ruling.reason}" if ruling.reason else "")
