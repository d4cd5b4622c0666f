"""One typed Python function per stage.

    hybrid(bm25(), dense("minilm")) | floor(0.3) | decay("exp", half_life=10) | top(5)

A function has the parameters, defaults and types of the stage's class. It makes the same expression as the text form,
so the pipeline prints as text; named arguments that have their default are left out. Retrievers of the user's may stand
wherever one of ours may: `hybrid(my_retriever, bm25())`.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

from goldproof.retrieve.language import Step, expression_of
from goldproof.retrieve.language.expression import as_argument, call
from goldproof.retrieve.pipeline import Pipeline
from goldproof.retrieve.stage import BUILT_IN, STAGES, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.retrieve.external import Http, RunFile, UserRetriever
    from goldproof.retrieve.language import Call, Word
    from goldproof.retrieve.stage import Declared, Stage
    from goldproof.retrieve.stages.bm25 import Bm25
    from goldproof.retrieve.stages.cutoff import Floor, Top
    from goldproof.retrieve.stages.decay import Decay, Recency
    from goldproof.retrieve.stages.dense import Dense
    from goldproof.retrieve.stages.expand import Expand
    from goldproof.retrieve.stages.filter_from_query import FilterFromQuery
    from goldproof.retrieve.stages.filters import Filter
    from goldproof.retrieve.stages.hybrid import Hybrid
    from goldproof.retrieve.stages.recent_from_query import RecentFromQuery
    from goldproof.retrieve.stages.rerank import Rerank

P = ParamSpec("P")
# Functions that are not called as their stage: the name belongs to Python, or says too little.
STAGE_NAMES = {"filter_by": "filter", "run_file": "run"}


def source(stage: Callable[P, Stage]) -> Callable[P, Pipeline]:
    """Return the function of a stage that searches by itself."""
    return _function(stage, Pipeline)


def step(stage: Callable[Concatenate[Stage, P], Stage]) -> Callable[P, Step]:
    """Return the function of a step, which is given all but its source."""
    return _function(stage, Step)


if TYPE_CHECKING:
    bm25 = source(Bm25)
    dense = source(Dense)
    hybrid = source(Hybrid)
    recency = source(Recency)
    own = source(UserRetriever)
    http = source(Http)
    run_file = source(RunFile)
    floor = step(Floor)
    filter_by = step(Filter)
    filter_from_query = step(FilterFromQuery)
    decay = step(Decay)
    recent_from_query = step(RecentFromQuery)
    rerank = step(Rerank)
    top = step(Top)
    expand = step(Expand)
else:

    def __getattr__(name: str) -> Callable[..., object]:
        """Make the function when it is first used, and load its stage alone."""
        if STAGE_NAMES.get(name, name) not in BUILT_IN:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        stage = STAGES.get(STAGE_NAMES.get(name, name))
        function = (source if kind_of(stage) == "source" else step)(stage)
        function.__name__ = function.__qualname__ = name
        return globals().setdefault(name, function)


def _function(stage: Any, result: type[Pipeline | Step]) -> Callable[..., Any]:  # noqa: ANN401 - a declared class
    signature = inspect.Signature(stage.signature.parameters, return_annotation=result.__name__)

    def function(*args: object, **kwargs: object) -> Pipeline | Step:
        return result(_expression(stage, signature.bind(*args, **kwargs)))

    made: Any = function
    made.__name__ = made.__qualname__ = stage.name
    made.__doc__ = "\n\n".join([stage.summary, *(f"{name}: {doc}." for name, doc in stage.docs.items())])
    made.__signature__ = signature
    return function


def _expression(stage: type[Declared], bound: inspect.BoundArguments) -> Word | Call:
    """Return the stage with its arguments: all by position, and those by name that differ from their default."""
    bound.apply_defaults()
    by_position = map(expression_of if stage.takes_stages else as_argument, bound.args)
    named = {name: value for name, value in bound.kwargs.items() if not _is_default(bound.signature, name, value)}
    return call(stage.name, tuple(by_position), tuple((name, as_argument(named[name])) for name in named))


def _is_default(signature: inspect.Signature, name: str, value: object) -> bool:
    parameter = signature.parameters.get(name)  # none where **fields take any name
    default = inspect.Parameter.empty if parameter is None else parameter.default
    return value is default or (isinstance(value, str | int | float) and value == default)
