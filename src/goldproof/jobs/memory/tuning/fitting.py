"""What of a space makes sense for these scenarios.

A filter by a field that no memory has would be tried in vain. Decay and recency count turns or days: which, the moments
say at which queries are asked, else what the memories have. Goldproof's memory numbers what has no turn, so where some
scenarios ask by turns and others by times, turns are right for all.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.jobs.memory.timeline import is_time, timeline_of
from goldproof.retrieve.stages.ages import TIME_FIELDS

if TYPE_CHECKING:
    from goldproof.io.scenarios.scenario import Suite
    from goldproof.jobs.memory.rules import Rules
    from goldproof.jobs.memory.tuning.space import Space


def fitted(space: Space, development: Suite, rules: Rules) -> Space:
    """Return the space without what the development scenarios cannot tell apart."""
    for scenario in development.scenarios:
        timeline_of(scenario)  # a moment that is wrong is an error of the scenario, and is said as one
    by = ages_of(development)
    fields = fields_of(development)
    return replace(
        space,
        ages=by,
        filters_from_query=tuple(field for field in space.filters_from_query if field in fields),
        k=space.k or (1, rules.k),
    )


def left_out(space: Space, chosen: Space) -> tuple[str, ...]:
    """Say in sentences what of a space is not tried."""
    lacking = [field for field in space.filters_from_query if field not in chosen.filters_from_query]
    if not lacking:
        return ()
    return (f"No development memory has {', '.join(lacking)}, so filters by it were not tried.",)


def fields_of(development: Suite) -> tuple[str, ...]:
    """Return the fields by which memories can be filtered: the role, and their metadata."""
    found = {name for scenario in development.scenarios for memory in scenario.memories for name in memory.metadata}
    return ("role", *sorted(found - {"role"}))


def ages_of(development: Suite) -> str:
    """Return what ages are counted in: "turn", or "age" (days)."""
    moments = [query.asked_at for scenario in development.scenarios for query in scenario.queries]
    by_time = [is_time(moment) for moment in moments if moment is not None]
    fields = fields_of(development)
    if by_time:
        return "age" if all(by_time) else "turn"
    only_times = "turn" not in fields and any(name in fields for name in TIME_FIELDS)
    return "age" if only_times else "turn"
