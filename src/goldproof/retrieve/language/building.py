"""Builds the stages of a pipeline, each holding the one before it.

    query steps | source | steps        expand(minilm) | bm25 | floor(3) | top(5)

Query steps wrap the source that follows them, the first outermost; then each step wraps what stands before it. So the
pipeline above is `Top(Floor(Expand(Bm25(), "minilm"), 3), 5)`, and the last stage is the pipeline.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from goldproof.errors import InputError
from goldproof.retrieve.language.bare_forms import named_stage
from goldproof.retrieve.language.binding import StageSignature
from goldproof.retrieve.language.expression import Call, Object, Pipe, Word
from goldproof.retrieve.stages import STAGES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.retrieve.language.expression import Expression
    from goldproof.retrieve.stage import Stage
    from goldproof.retrieve.stages import Kind

MAX_STAGES = 100


def build(expression: Expression) -> Stage:
    """Return the last stage of a pipeline."""
    parts = expression.parts if isinstance(expression, Pipe) else (expression,)
    if len(parts) > MAX_STAGES:
        raise InputError(f"a pipeline of {len(parts)} stages is too long; at most {MAX_STAGES} may follow each other.")
    stages = [_part(part) for part in parts]
    place = _place_of_source(stages)
    built = stages[place].made()
    for query_step in reversed(stages[:place]):
        built = query_step.made(built)
    for step in stages[place + 1 :]:
        built = step.made(built)
    return built


@dataclass(frozen=True, slots=True)
class _Part:
    """One stage as written, with the class that it names; an object of the user's is its own stage."""

    written: Expression
    kind: Kind
    maker: Any
    call: Word | Call | None = None

    def made(self, *source: Stage) -> Stage:
        """Return the stage; a step is given the stage that it wraps."""
        if self.call is None:
            return cast("Stage", self.maker)
        stages = bool(getattr(self.maker, "takes_stages", False))
        bound = signature_of(_name(self.call)).bind(self.call, stages=stages)
        args = tuple(build(arg) for arg in bound.args) if stages else bound.args
        made = self.maker(*source, *args, **bound.kwargs)
        return made if hasattr(self.maker, "kind") else _own(made)


def signature_of(name: str) -> StageSignature:
    """Return the parameters of a stage by its name."""
    maker = STAGES.get(name)
    return StageSignature(name, maker, takes_source=getattr(maker, "kind", "source") != "source")


def _part(written: Expression) -> _Part:
    if isinstance(written, Object):
        return _Part(written, "source", _stage_of(written.value))
    if isinstance(written, Pipe):
        return _Part(written, "source", build(written))
    if not isinstance(written, Word | Call):
        raise InputError(f"found {written} at the place of a stage; expected a name such as bm25 or dense(minilm).")
    call = named_stage(written)
    maker = STAGES.get(_name(call))
    if hasattr(maker, "kind"):
        return _Part(written, maker.kind, maker, call)
    # A plug-in without a kind is a retriever, or the class or factory of one.
    return _Part(written, "source", maker, call) if isinstance(call, Call) else _Part(written, "source", _own(maker))


def _stage_of(value: object) -> Stage:
    """Return the stage of a Python object; `own` knows the shapes of retrievers, and complains."""
    if isinstance(held := getattr(value, "expression", None), Word | Call | Pipe | Object):
        return build(held)
    if hasattr(value, "find") and hasattr(value, "index") and not hasattr(value, "search"):
        return cast("Stage", value)
    return _own(value)


def _own(value: object) -> Stage:
    return cast("Stage", STAGES.get("own")(value))


def _place_of_source(stages: Sequence[_Part]) -> int:
    """Return where the source stands, or say what stands at the wrong place."""
    sources = [i for i, stage in enumerate(stages) if stage.kind == "source"]
    first = next((stage for stage in stages if stage.kind != "query step"), None)
    if first is None:
        last = stages[-1].written
        raise InputError(f"{last} changes the query of a retriever after it, and none is there: {last} | bm25.")
    if first.kind == "step":
        raise InputError(f"{first.written} needs a retriever before it, such as bm25 | {first.written}.")
    if len(sources) > 1:
        one, other = stages[sources[0]].written, stages[sources[1]].written
        raise InputError(
            f"{other} stands after {one}, but searches by itself; to search with both use hybrid({one}, {other})."
        )
    _check_query_steps(stages, sources[0])
    return sources[0]


def _check_query_steps(stages: Sequence[_Part], place: int) -> None:
    for late in stages[place + 1 :]:
        if late.kind == "query step":
            source = stages[place].written
            raise InputError(
                f"{late.written} changes the query, so it stands before the retriever: {late.written} | {source}."
            )


def _name(call: Word | Call) -> str:
    return call.name if isinstance(call, Call) else call.text
