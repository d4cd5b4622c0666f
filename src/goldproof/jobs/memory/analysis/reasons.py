"""Why an expected memory was missed or late: one code and one sentence.

The first code that applies, in this order:

    filtered            it does not satisfy the query's filters, or a filter of Goldproof's own pipeline kept it out
    lost in rewriting   items came that match no stored memory: it may be among them in other words
    below the floor     the floor of Goldproof's own pipeline kept it out; both numbers are given
    outranked           others came in its place, or before it
    not returned        fewer than k came, and why it was left out is not known

A memory is late behind an item of a lower grade, where a criterion on Hit@1 or relevance_score is missed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goldproof.jobs.memory.analysis.deeper_search import stage_label
from goldproof.jobs.memory.analysis.findings import Advice, fields_of, named_items, place_of, satisfies
from goldproof.jobs.memory.analysis.returned import rounded_down
from goldproof.retrieve.document_index import value_of
from goldproof.retrieve.stages.cutoff import Floor, Top
from goldproof.retrieve.stages.filter_from_query import FilterFromQuery
from goldproof.retrieve.stages.filters import Filter
from goldproof.retrieve.stages.rerank import Rerank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.io.scenarios.scenario import MemoryItem
    from goldproof.jobs.memory.analysis.deeper_search import RankedMemory, StageRank
    from goldproof.jobs.memory.analysis.findings import Code, ReturnedItem
    from goldproof.jobs.memory.records import Answered
    from goldproof.retrieve.stage import Stage

LATE_MEASURES = ("Hit@1", "relevance_score")
_UNKNOWN = "; why is not visible from outside"


class Reason(NamedTuple):
    """Why a memory was missed or late; empty where it came in time.

    own_rank: in the deeper search of Goldproof's own memory. besides: what must change beside a larger k. advice: that
    follows from the reason alone. unasked: the deeper search ended before the last stage.
    """

    code: Code | None = None
    sentence: str = ""
    own_rank: int | None = None
    besides: str = ""
    advice: tuple[Advice, ...] = ()
    unasked: bool = False


class ExpectedMemory(NamedTuple):
    """An expected memory, its query and the returned items; stage_rank: in Goldproof's own memory, where known."""

    memory: MemoryItem
    answered: Answered
    items: Sequence[ReturnedItem]
    stage_rank: StageRank | None


def reason_of(expected: ExpectedMemory, *, late_counts: bool) -> Reason:
    """Say why a memory did not come, or came too late; late_counts: a criterion on the first items is missed."""
    place = place_of(expected.memory.id, expected.items)
    if place is not None:
        return _too_late(expected, place) if late_counts else Reason()
    for explain in (_filtered, _rewritten, _in_own_memory):
        reason = explain(expected)
        if reason is not None:
            return reason
    return _in_other_system(expected)


def _too_late(expected: ExpectedMemory, place: int) -> Reason:
    grade = expected.answered.query.expected[expected.memory.id]
    before = [item for item in expected.items[: place - 1] if item.grade < grade]
    if not before:
        return Reason()
    rank = None if expected.stage_rank is None or expected.stage_rank.at is None else expected.stage_rank.at.rank
    advice = Advice("D", f"it came at {place}; re-ranking what came can move it up", expected.memory.id)
    return Reason("outranked", f"came at {place}, behind {named_items(before)}", rank, advice=(advice,))


def _filtered(expected: ExpectedMemory) -> Reason | None:
    filters = expected.answered.query.filters or {}
    stage_rank = expected.stage_rank
    if stage_rank is not None and (stage_rank.at or stage_rank.before):
        return None  # it satisfies the filters: the search had it
    failing = [name for name in filters if not satisfies({name: filters[name]}, expected.memory)]
    if not failing:
        return None
    name = failing[0]
    value = value_of(fields_of(expected.memory), name)
    has = f"it has no {name}" if value is None else f"its {name} is {value!r}"
    sentence = f"the query's filter asks for {name} = {filters[name]!r}, and {has}"
    advice = Advice("B", "change or drop the filter", expected.memory.id, choice="another filter or none")
    return Reason("filtered", sentence, advice=(advice,))


def _rewritten(expected: ExpectedMemory) -> Reason | None:
    unmatched = [item for item in expected.items if item.match.how == "none"]
    if not unmatched:
        return None
    return Reason(
        "lost in rewriting",
        f"{len(unmatched)} of {len(expected.items)} returned items match no stored memory ({named_items(unmatched)}); "
        "it may be among them in other words",
    )


def _in_own_memory(expected: ExpectedMemory) -> Reason | None:
    stage_rank = expected.stage_rank
    if stage_rank is None:
        return None
    if stage_rank.unsearched:
        return _in_other_system(expected, more=f"; it was not searched deeper ({stage_rank.unsearched})")
    if stage_rank.at is not None:
        return _ranked(expected, stage_rank, stage_rank.at.rank)
    if stage_rank.kept_out_by is None or stage_rank.before is None:
        return _in_other_system(expected, more="; no stage of the pipeline finds it at any depth")
    if isinstance(stage_rank.kept_out_by, Floor):
        return _below(expected, stage_rank.kept_out_by, before=stage_rank.before, rank=stage_rank.without_floors)
    return _kept_out(expected, stage_rank.kept_out_by, rank=stage_rank.before.rank)


def _ranked(expected: ExpectedMemory, stage_rank: StageRank, rank: int) -> Reason:
    """Say at which rank the deeper search has it, all of whose stages let it through."""
    if stage_rank.unasked is not None:
        label = stage_label(stage_rank.unasked)
        where = f"a deeper search ranks it {rank} before {label}, which was not run again"
        advice = _beyond_reranker(expected, stage_rank.unasked, rank=rank)
        return _outranked(expected, rank, where)._replace(advice=advice, unasked=True)
    if rank > expected.answered.k:
        return _outranked(expected, rank, f"a deeper search ranks it {rank}")
    where = f"a deeper search ranks it {rank}, since its stages then look at more"
    deeper = Advice("B", "a larger depth of its stages would bring it", expected.memory.id, choice="a larger depth")
    return _outranked(expected, rank, where)._replace(advice=(deeper,))


def _kept_out(expected: ExpectedMemory, stage: Stage, *, rank: int) -> Reason:
    name = stage_label(stage)
    if isinstance(stage, Top):
        reason = _outranked(expected, rank, f"it ranks {rank} before {name}")
        return reason._replace(besides=f", with {name} raised as well,")
    sentence = f"the stage {name} drops it at rank {rank}"
    if isinstance(stage, Filter | FilterFromQuery):
        because = f"change or remove the stage {name}"
        advice = Advice("B", because, expected.memory.id, choice="another filter or none")
        return Reason("filtered", sentence, rank, advice=(advice,))
    return _in_other_system(expected, more=f"; {sentence}")


def _below(expected: ExpectedMemory, stage: Floor, *, before: RankedMemory, rank: int | None) -> Reason:
    """Compare its value with the floor; rank: without floors."""
    by_score = stage.of == "score" or (stage.of is None and before.similarity is None)
    value, name = (before.score, "score") if by_score else (before.similarity, "similarity")
    if value is None:
        return Reason("below the floor", f"its {name} is unknown, and the floor is {stage.least:g}")
    k = expected.answered.k
    stands = "" if rank is None else f"; without the floor it ranks {rank}"
    sentence = f"its {name} is {value:.3f}, the floor is {stage.least:g}{stands}"
    lower = f"a floor of {rounded_down(value)} or lower"
    if rank is None or rank <= k:
        because = f"{lower} would bring it, and everything else above it"
        advice = Advice("E", because, expected.memory.id, choice="a lower floor")
        return Reason("below the floor", sentence, rank, advice=(advice,))
    because = f"{lower}, with k = {rank}, would bring it"
    advice = Advice("E", because, expected.memory.id, choice="a lower floor with a larger k")
    return Reason("below the floor", f"{sentence}, beyond k = {k}", rank, besides=f", with {lower},", advice=(advice,))


def _beyond_reranker(expected: ExpectedMemory, stage: Stage, *, rank: int) -> tuple[Advice, ...]:
    """Advise on a reranker, which is not asked again: it read too few, or ranked the memory lower."""
    if not isinstance(stage, Rerank):
        return ()
    reads = f"it ranks {rank} before the reranker, which reads {stage.depth}"
    because = f"{reads}; let it read more" if rank > stage.depth else f"{reads} and ranked it lower; try another"
    return (Advice("D", because, expected.memory.id),)


def _outranked(expected: ExpectedMemory, rank: int | None, where: str = "") -> Reason:
    """Name the items in its place; where: its rank in the deeper search, in words."""
    others = [item for item in expected.items if item.grade == 0]
    came = f"{len(expected.items)} came"
    more = f"; {where}" if where else ""
    if others:
        return Reason("outranked", f"{came}, with {named_items(others)} in its place{more}", rank)
    if not expected.items:
        return Reason("outranked", f"nothing came{more}", rank)
    count = len(expected.answered.query.expected)
    sentence = f"{came}, all of them expected{more}"
    because = f"{count} memories are expected, and k is only {expected.answered.k}"
    advice = Advice("B", because, choice="a larger k")
    return Reason("outranked", sentence, rank, advice=(advice,) if count > expected.answered.k else ())


def _in_other_system(expected: ExpectedMemory, more: str = "") -> Reason:
    """Say what the returned items tell of a system that cannot be searched again."""
    came, k = len(expected.items), expected.answered.k
    if came >= k:
        reason = _outranked(expected, None)
        return reason._replace(sentence=f"{reason.sentence}{more}")
    sentence = f"only {came} of {k} came, so a larger k alone would not bring it"
    return Reason("not returned", f"{sentence}{more or _UNKNOWN}")
