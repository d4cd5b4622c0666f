"""From expression to stages: parts joined with a bar; URLs, module:object, run:FILE as stages.

    query steps | source | steps        expand(minilm) | bm25 | floor(3) | top(5)

Query steps wrap the source that follows them, the first outermost; then each step wraps the stages before it. So the
pipeline above is `Top(Floor(Expand(Bm25(), "minilm"), 3), 5)`, and the last stage is the pipeline. A `Step` has no
retriever yet: `floor(0.3)`, `floor(0.3) | top(5)`, `expand("minilm")`.

Three kinds of names need no stage around them:

    package.module:object    a retriever of the user's    own(package.module:object)
    https://host/search      a search service             http(https://host/search)
    run:FILE                 a run that was made before   run(FILE)

Arguments may follow: `https://host/search(timeout=5)`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, overload

from goldproof.errors import InputError, UnknownNameError
from goldproof.retrieve.language.arguments import StageSignature
from goldproof.retrieve.language.expression import URL, Call, Object, Pipe, Word, literal
from goldproof.retrieve.language.parser import parse
from goldproof.retrieve.stage import STAGES, Declared, kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.retrieve.language.expression import Expression
    from goldproof.retrieve.pipeline import Pipeline
    from goldproof.retrieve.stage import Kind, Stage

MAX_STAGES = 100
_PYTHON_OBJECT = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_RUN_SUFFIXES = (".trec", ".run", ".jsonl", ".parquet", ".csv", ".tsv", ".txt", ".gz")
# What people call a stage elsewhere, or in our own Python form.
_ELSEWHERE = {
    "filter_by": "filter(field=value)",
    "where": "filter(field=value)",
    "run_file": "run(FILE)",
    "minilm": "dense(minilm)",
    "embed": "dense(minilm)",
    "vector": "dense(minilm)",
    "fusion": "hybrid(bm25, dense(minilm))",
    "rrf": "hybrid(bm25, dense(minilm), method=rrf)",
    "threshold": "floor(0.3)",
    "limit": "top(5)",
    "head": "top(5)",
}


def build(expression: Expression) -> Stage:
    """Return the last stage of a pipeline."""
    parts = expression.parts if isinstance(expression, Pipe) else (expression,)
    if len(parts) > MAX_STAGES:
        raise InputError(f"a pipeline of {len(parts)} stages is too long; at most {MAX_STAGES} may follow each other.")
    stages = [_part(part) for part in parts]
    place = _place_of_source(stages)
    pipeline = stages[place].build()
    for query_step in reversed(stages[:place]):
        pipeline = query_step.build(pipeline)
    for step in stages[place + 1 :]:
        pipeline = step.build(pipeline)
    return pipeline


@dataclass(frozen=True, slots=True)
class _Part:
    """One stage as written, with the class that it names; without a call, `maker` is the stage itself."""

    written: Expression
    kind: Kind
    maker: Any
    call: Word | Call | None = None

    def build(self, *source: Stage) -> Stage:
        """Return the stage; source: the stage that a step wraps."""
        if self.call is None:
            return cast("Stage", self.maker)
        stages = bool(getattr(self.maker, "takes_stages", False))
        bound = signature_of(_name(self.call)).bind(self.call, stages=stages)
        args = tuple(build(arg) for arg in bound.args) if stages else bound.args
        stage = self.maker(*source, *args, **bound.kwargs)
        return _own(stage) if kind_of(self.maker) is None else stage


def signature_of(name: str) -> StageSignature:
    """Return the parameters of a stage by its name."""
    maker = STAGES.get(name)
    return StageSignature(name, maker, takes_source=kind_of(maker) in ("step", "query step"))


def _part(written: Expression) -> _Part:
    if isinstance(written, Object):
        return _Part(written, "source", _stage_of(written.value))
    if isinstance(written, Pipe):
        return _Part(written, "source", build(written))
    if not isinstance(written, Word | Call):
        raise InputError(f"found {written} where a stage belongs; expected a name such as bm25 or dense(minilm).")
    call = named_stage(written)
    maker = STAGES.get(_name(call))
    kind = kind_of(maker)
    if kind is not None:
        return _Part(written, kind, maker, call)
    # A plug-in that is no stage is a retriever, or the class or factory of one.
    return _Part(written, "source", maker, call) if isinstance(call, Call) else _Part(written, "source", _own(maker))


def _stage_of(value: object) -> Stage:
    """Return the stage of a Python object; `own` knows the shapes of retrievers, and refuses others."""
    if isinstance(expression := getattr(value, "expression", None), Word | Call | Pipe | Object):
        return build(expression)
    looks_so = hasattr(value, "find") and hasattr(value, "index") and not hasattr(value, "search")
    if looks_so or isinstance(value, Declared):
        return cast("Stage", value)
    return _own(value)


def _own(value: object) -> Stage:
    return cast("Stage", STAGES.get("own")(value))


def _name(call: Word | Call) -> str:
    return call.name if isinstance(call, Call) else call.text


def _place_of_source(stages: Sequence[_Part]) -> int:
    """Return the place of the source; InputError where some stage is at the wrong place."""
    sources = [i for i, stage in enumerate(stages) if stage.kind == "source"]
    first = next((stage for stage in stages if stage.kind != "query step"), None)
    if first is None:
        last = stages[-1].written
        raise InputError(f"{last} changes the query for the retriever after it, but none follows: {last} | bm25.")
    if first.kind == "step":
        raise InputError(f"{first.written} needs a retriever before it, such as bm25 | {first.written}.")
    if len(sources) > 1:
        first_source, second = stages[sources[0]].written, stages[sources[1]].written
        raise InputError(
            f"{second} cannot follow {first_source}, since each searches by itself; to search with both use "
            f"hybrid({first_source}, {second})."
        )
    _check_query_steps(stages, sources[0])
    return sources[0]


def _check_query_steps(stages: Sequence[_Part], place: int) -> None:
    for late in stages[place + 1 :]:
        if late.kind == "query step":
            source = stages[place].written
            raise InputError(
                f"{late.written} changes the query, so it goes before the retriever: {late.written} | {source}."
            )


def named_stage(stage: Word | Call) -> Word | Call:
    """Return the stage by its registered name, or raise with near names."""
    name = stage.name if isinstance(stage, Call) else stage.text
    if name in STAGES:
        return stage
    prefix, colon, rest = name.partition(":")
    if URL.fullmatch(name):
        return _with_first("http", Word(name), stage)
    if colon and rest and prefix == "run":
        return _with_first("run", literal(rest), stage)
    if colon and prefix in STAGES:
        raise InputError(f"{name} is not a stage; write {prefix}({rest}).")
    if _PYTHON_OBJECT.fullmatch(name):
        return _with_first("own", Word(name), stage)
    raise _unknown(name)


def _with_first(name: str, first: Expression, stage: Word | Call) -> Call:
    args, kwargs = (stage.args, stage.kwargs) if isinstance(stage, Call) else ((), ())
    return Call(name, (first, *args), kwargs)


def _unknown(name: str) -> InputError:
    if name.lower().endswith(_RUN_SUFFIXES) or ("/" in name and _is_file(name)):
        return InputError(f"{name} is not a stage; a run file is written run:{name}.")
    if name.lower() in STAGES:
        return UnknownNameError("stage", name, (), advice=f"names are lower case: {name.lower()}.")
    advice = f"write {_ELSEWHERE[name.lower()]}." if name.lower() in _ELSEWHERE else ""
    if ":" in name:
        advice = f"a retriever of your own is written package.module:object, an embedder dense({name})."
    return UnknownNameError("stage", name, STAGES, advice=advice)


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except OSError:  # too long for the name of one
        return False


@dataclass(frozen=True, slots=True)
class Step:
    """One or more steps without a retriever; `retriever | step` is a pipeline."""

    expression: Expression

    def __str__(self) -> str:
        return str(self.expression)

    @overload
    def __or__(self, other: Step) -> Step: ...
    @overload
    def __or__(self, other: Pipeline) -> Pipeline: ...
    def __or__(self, other: object) -> object:
        """Put more steps behind these; a pipeline does the joining itself."""
        return Step(joined(self, other)) if isinstance(other, Step) else NotImplemented

    def __ror__(self, other: object) -> Pipeline:
        """Put these steps behind a retriever, given as text or as an object of the user's."""
        from goldproof.retrieve.pipeline import Pipeline  # noqa: PLC0415 - imported late: a cycle

        return Pipeline(joined(other, self))


def joined(left: object, right: object) -> Expression:
    """Return one pipeline of two parts: pipelines, steps, texts, or retrievers of the user's."""
    return Pipe((*_parts(expression_of(left)), *_parts(expression_of(right))))


def expression_of(part: object) -> Expression:
    """Return the expression of a part of a pipeline."""
    if isinstance(part, Word | Call | Pipe | Object):
        return part
    if isinstance(part, str):
        return parse(part)
    expression = getattr(part, "expression", None)
    if isinstance(expression, Word | Call | Pipe | Object):
        return expression
    if part is None or isinstance(part, int | float | bytes | list | tuple | dict):
        raise InputError(
            f"{part!r} cannot be part of a pipeline; expected a retriever, a step or a text such as 'bm25'."
        )
    return Object(part)


def _parts(expression: Expression) -> tuple[Expression, ...]:
    return expression.parts if isinstance(expression, Pipe) else (expression,)
