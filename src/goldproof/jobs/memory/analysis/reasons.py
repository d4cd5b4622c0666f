"""Why an expected memory was missed or late: one code and one sentence.

In this order, the first that applies:

    filtered            it does not satisfy the query's filters, or a filter of Goldproof's own pipeline kept it out
    lost in rewriting   items came that match no stored memory: it may be among them in other words
    below the floor     the floor of Goldproof's own pipeline kept it out; both numbers are given
    outranked           others came in its place, or before it
    not returned        fewer than k came, and what kept it out is not known

Coming too late is coming behind an item of a lower grade, where a criterion on Hit@1 or relevance_score is missed.
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


class Reason(NamedTuple):
    """Why.

    own_rank: in the deeper search of Goldproof's own memory. besides: what a larger k needs beside it. advice: what
    rests on the reason alone. unasked: the deeper search ended before the last stage.
    """

    code: Code | None = None
    sentence: str = ""
    own_rank: int | None = None
    besides: str = ""
    advice: tuple[Advice, ...] = ()
    unasked: bool = False


class ExpectedMemory(NamedTuple):
    """An expected memory, the query that sought it, and what came; standing: in Goldproof's own memory, where known."""

    memory: MemoryItem
    answered: Answered
    items: Sequence[ReturnedItem]
    standing: StageRank | None


def reason_of(sought: ExpectedMemory, *, late_counts: bool) -> Reason:
    """Say why a memory did not come, or came too late; late_counts: a criterion on the first items is missed."""
    place = place_of(sought.memory.id, sought.items)
    if place is not None:
        return _too_late(sought, place) if late_counts else Reason()
    for why in (_filtered, _rewritten, _in_own_memory):
        found = why(sought)
        if found is not None:
            return found
    return _in_other_system(sought)


def _too_late(sought: ExpectedMemory, place: int) -> Reason:
    grade = sought.answered.query.expected[sought.memory.id]
    before = [item for item in sought.items[: place - 1] if item.grade < grade]
    if not before:
        return Reason()
    rank = None if sought.standing is None or sought.standing.at is None else sought.standing.at.rank
    advice = Advice("D", "it came, so a reranker that reads what came sees it", sought.memory.id)
    return Reason("outranked", f"came at {place}, behind {named_items(before)}", rank, advice=(advice,))


def _filtered(sought: ExpectedMemory) -> Reason | None:
    filters = sought.answered.query.filters or {}
    standing = sought.standing
    if standing is not None and (standing.at or standing.before):
        return None  # it was seen behind the filters
    failing = [name for name in filters if not satisfies({name: filters[name]}, sought.memory)]
    if not failing:
        return None
    name = failing[0]
    found = value_of(fields_of(sought.memory), name)
    has = f"it has no {name}" if found is None else f"its {name} is {found!r}"
    sentence = f"the query's filter asks for {name} = {filters[name]!r}, and {has}"
    return Reason("filtered", sentence, advice=(Advice("B", "another filter, or none", sought.memory.id),))


def _rewritten(sought: ExpectedMemory) -> Reason | None:
    nobodys = [item for item in sought.items if item.match.how == "none"]
    if not nobodys:
        return None
    return Reason(
        "lost in rewriting",
        f"{len(nobodys)} of {len(sought.items)} returned items match no stored memory ({named_items(nobodys)}); "
        "it may be among them in other words",
    )


def _in_own_memory(sought: ExpectedMemory) -> Reason | None:
    standing = sought.standing
    if standing is None:
        return None
    if standing.unsearched:
        return _in_other_system(sought, more=f"; it was not searched deeper ({standing.unsearched})")
    if standing.at is not None:
        return _ranked(sought, standing, standing.at.rank)
    if standing.kept_out_by is None or standing.before is None:
        return _in_other_system(sought, more="; no stage of the pipeline finds it, however deep it is searched")
    if isinstance(standing.kept_out_by, Floor):
        return _below(sought, standing.kept_out_by, standing=standing, before=standing.before)
    return _kept_out(sought, standing.kept_out_by, rank=standing.before.rank)


def _ranked(sought: ExpectedMemory, standing: StageRank, rank: int) -> Reason:
    """Say where it stands in the deeper search, all of whose stages let it through."""
    if standing.unasked is not None:
        said = f"searched deeper, it stands at {rank} before {stage_label(standing.unasked)}, which was not asked again"
        advice = _beyond_reranker(sought, standing.unasked, rank=rank)
        return _outranked(sought, rank, said)._replace(advice=advice, unasked=True)
    if rank > sought.answered.k:
        return _outranked(sought, rank, f"searched deeper, it stands at {rank}")
    said = f"searched deeper, it stands at {rank}, since stages that look at more then see it"
    advice = (Advice("B", "stages that look deeper (depth) would bring it", sought.memory.id),)
    return _outranked(sought, rank, said)._replace(advice=advice)


def _kept_out(sought: ExpectedMemory, stage: Stage, *, rank: int) -> Reason:
    name = stage_label(stage)
    if isinstance(stage, Top):
        reason = _outranked(sought, rank, f"before {name} it stands at {rank}")
        return reason._replace(besides=f" and {name} raised as far")
    sentence = f"the stage {name} lets it go; before that it stands at {rank}"
    if isinstance(stage, Filter | FilterFromQuery):
        advice = Advice("B", f"the stage {name} changed or left out", sought.memory.id)
        return Reason("filtered", sentence, rank, advice=(advice,))
    return _in_other_system(sought, more=f"; {sentence}")


def _below(sought: ExpectedMemory, stage: Floor, *, standing: StageRank, before: RankedMemory) -> Reason:
    by_score = stage.of == "score" or (stage.of is None and before.similarity is None)
    value, what = (before.score, "score") if by_score else (before.similarity, "similarity")
    if value is None:
        return Reason("below the floor", f"its {what} is not known, and the floor asks for {stage.least:g}")
    rank, k = standing.without_floors, sought.answered.k
    stands = "" if rank is None else f"; without the floor it stands at {rank}"
    sentence = f"its {what} is {value:.3f}, the floor is {stage.least:g}{stands}"
    lower = f"a floor of at most {rounded_down(value)}"
    if rank is None or rank <= k:
        advice = Advice("E", f"{lower} would bring it, and whatever else lies above that", sought.memory.id)
        return Reason("below the floor", sentence, rank, advice=(advice,))
    advice = Advice("E", f"{lower}, with k = {rank}, would bring it", sought.memory.id)
    return Reason("below the floor", f"{sentence}, beyond k = {k}", rank, besides=f" and {lower}", advice=(advice,))


def _beyond_reranker(sought: ExpectedMemory, stage: Stage, *, rank: int) -> tuple[Advice, ...]:
    """Say what a reranker, which is not asked again, may have to do with it."""
    if not isinstance(stage, Rerank):
        return ()
    reads = f"it stands at {rank}, the reranker reads {stage.depth}"
    said = f"{reads}: let it read more" if rank > stage.depth else f"{reads} and put it lower: try another"
    return (Advice("D", said, sought.memory.id),)


def _outranked(sought: ExpectedMemory, rank: int | None, standing: str = "") -> Reason:
    others = [item for item in sought.items if item.grade == 0]
    came = f"{len(sought.items)} came"
    said = f"; {standing}" if standing else ""
    if others:
        return Reason("outranked", f"{came}, and in its place stand {named_items(others)}{said}", rank)
    if not sought.items:
        return Reason("outranked", f"nothing came{said}", rank)
    many = len(sought.answered.query.expected)
    sentence = f"{came}, all of them expected{said}"
    advice = Advice("B", f"{many} are expected, and k is {sought.answered.k}")
    return Reason("outranked", sentence, rank, advice=(advice,) if many > sought.answered.k else ())


def _in_other_system(sought: ExpectedMemory, more: str = "") -> Reason:
    came, k = len(sought.items), sought.answered.k
    if came >= k:
        reason = _outranked(sought, None)
        return reason._replace(sentence=f"{reason.sentence}{more}")
    sentence = f"fewer than k came ({came} of {k}), so something other than k kept it out"
    return Reason("not returned", f"{sentence}{more or _UNKNOWN}")


_UNKNOWN = "; what, is not known of this system"
