"""Looking through the stages of a pipeline: a step has a `source`, a hybrid has `members`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from karat.retrieve.stage import Stage


def stages_of(stage: Stage) -> Iterator[Any]:
    """Yield every stage, the sources first."""
    for before in _before(stage):
        yield from stages_of(before)
    yield stage


def stage_facts(stage: Stage) -> list[dict[str, object]]:
    """Return what each stage says of itself: `facts`, with its class."""
    return [{"stage": type(one).__name__.lower(), **getattr(one, "facts", {})} for one in stages_of(stage)]


def stage_remarks(stage: Stage) -> list[str]:
    """Return what each stage has to say after a run, in sentences."""
    return [remark for one in stages_of(stage) for remark in getattr(one, "remarks", ())]


def concurrency_of(stage: Stage) -> int | None:
    """Return how many queries may be asked at once of the slowest kind of stage; None where every stage is ours.

    A stage that waits for something outside (a server, a model, a retriever of the user's) says so by `concurrency`.
    """
    said = [one.concurrency for one in stages_of(stage) if isinstance(getattr(one, "concurrency", None), int)]
    return min(said, default=None)


def _before(stage: Stage) -> tuple[Stage, ...]:
    source: Stage | None = getattr(stage, "source", None)
    members: tuple[Stage, ...] = getattr(stage, "members", ())
    return (*members, *(() if source is None else (source,)))
