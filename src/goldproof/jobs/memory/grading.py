"""Grades of returned items by a judge, in place of those that the scenario gives (`--judge`).

Each item is put before the judge with the query; its gain is grade / highest grade of the judge's scale, or 1 for a yes
and 0 for a no. A model that grades on a scale is asked for no quote: how relevant a memory is needs no proof. Negative
queries are not judged: nothing should come there. Where the ruling on an item that counts cannot be used (unsupported,
disputed, abstained), relevance is undefined for that query, with the reason, and where the judge failed it has failed;
it never becomes a 0.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.jobs.memory.scored import no_ruling
from goldproof.judge.batch import Brief, judge_briefs
from goldproof.judge.judge import open_judge
from goldproof.records.entities import Document, Question

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from goldproof.jobs.memory.answered import Answered
    from goldproof.jobs.memory.scored import Matched
    from goldproof.judge import Judge, Ruling


def open_grader(spec: object) -> Judge:
    """Open the judge of `--judge`; a model that grades on a scale is asked without quotes."""
    from goldproof.judge.llm_judge import LlmJudge  # noqa: PLC0415 - what it needs is loaded when a judge is named

    judge = open_judge(spec)
    return judge.without_quotes() if isinstance(judge, LlmJudge) else judge


def grade_rows(
    rows: Sequence[Answered],
    matches: Sequence[tuple[Matched, ...]],
    *,
    judge: Judge,
    watch: Callable[[int, int], None] | None = None,
) -> list[tuple[Matched, ...]]:
    """Return the items of each query as the judge grades them."""
    places = [
        (row, rank) for row, answered in enumerate(rows) if answered.query.expected for rank in range(len(matches[row]))
    ]
    briefs = [_brief(rows[row], matches[row][rank]) for row, rank in places]
    rulings = dict(zip(places, judge_briefs(judge, briefs, watch=watch), strict=True))
    return [
        tuple(_graded(match, rulings.get((row, rank)), judge) for rank, match in enumerate(found))
        for row, found in enumerate(matches)
    ]


def _brief(row: Answered, match: Matched) -> Brief:
    texts = {memory.id: memory.content for memory in row.pool}
    text = match.hit.text or " ".join(texts[memory] for memory in match.memories if memory in texts)
    return Brief(Question(row.key, row.query.text), (Document(match.hit.doc_id, text),))


def _graded(match: Matched, ruling: Ruling | None, judge: Judge) -> Matched:
    """Return an item with the judge's gain; one that is not graded has none of the scenario's either."""
    if ruling is None:
        return replace(match, gain=0.0)
    ungraded = no_ruling(ruling)
    return replace(match, gain=0.0 if ungraded else _gain(ruling, judge), ungraded=ungraded)


def _gain(ruling: Ruling, judge: Judge) -> float:
    return float(bool(ruling.sufficient)) if ruling.grade is None else ruling.grade / judge.scale.most
