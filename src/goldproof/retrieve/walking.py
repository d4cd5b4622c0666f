"""Looking through the stages of a pipeline: a step has a `source`, a hybrid has `members`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.retrieve.stage import HasConcurrency, HasFacts, HasRemarks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from goldproof.retrieve.stage import Stage


def stages_of(stage: Stage) -> Iterator[Stage]:
    """Yield every stage, the sources first."""
    for before in _before(stage):
        yield from stages_of(before)
    yield stage


def stage_facts(stage: Stage) -> list[dict[str, object]]:
    """Return what each stage says of itself: `facts`, with its word."""
    return [{"stage": card_name(part), **_facts(part)} for part in stages_of(stage)]


def card_name(stage: Stage) -> str:
    """Return the word for a stage in cards and in the key of an unfinished run.

    Its class attribute `card_name`, so that a class can be renamed and what was written stays readable; else its class.
    """
    named = getattr(type(stage), "card_name", None)
    return named if isinstance(named, str) else type(stage).__name__.lower()


def stage_remarks(stage: Stage) -> list[str]:
    """Return what each stage has to say after a run, in sentences."""
    return [remark for one in stages_of(stage) if isinstance(one, HasRemarks) for remark in one.remarks]


def concurrency_of(stage: Stage) -> int | None:
    """Return how many queries may be asked at once of the slowest kind of stage; None where every stage is ours."""
    said = [one.concurrency for one in stages_of(stage) if isinstance(one, HasConcurrency)]
    return min((most for most in said if isinstance(most, int)), default=None)


def _facts(stage: Stage) -> Mapping[str, object]:
    return stage.facts if isinstance(stage, HasFacts) else {}


def is_ours(stage: Stage) -> bool:
    """Whether no retriever of the user's is asked: searching once more then costs nobody anything."""
    from goldproof.retrieve.foreign.own import Own  # noqa: PLC0415 - which imports stages itself

    return not any(isinstance(one, Own) for one in stages_of(stage)) and concurrency_of(stage) is None


def _before(stage: Stage) -> tuple[Stage, ...]:
    source: Stage | None = getattr(stage, "source", None)
    members: tuple[Stage, ...] = getattr(stage, "members", ())
    return (*members, *(() if source is None else (source,)))
