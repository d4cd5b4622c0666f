"""What the server does with each request: an echo, one step for all, steps in turn, or a function of the request."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from goldproof.core.errors import InputError
from goldproof.core.wording import kind_of
from goldproof.testing.filling import filled
from goldproof.testing.steps import STEPS, Answer, Json, Step, Text, as_step

if TYPE_CHECKING:
    from goldproof.testing.request import Request

Function: TypeAlias = Callable[["Request"], Answer | Awaitable[Answer]]
Script: TypeAlias = Answer | Iterable[Answer] | Function | None


class Player:
    """Gives the step for each request.

    A function that waits must be async: others run in the server's loop, one call after the other.
    """

    def __init__(self, script: Script = None) -> None:
        self._function = _function(script)

    async def step(self, request: Request) -> Step:
        """Return what is done with a request; raises what the script raises."""
        answer = self._function(request)
        if inspect.isawaitable(answer):
            answer = await answer
        return as_step(answer)


def echo(request: Request) -> Step:
    """Return the prompt, in the form that was asked for: each text in it is the prompt."""
    if request.schema is not None:
        value = filled(request.schema, request.prompt)
        return Json(value if isinstance(value, Mapping) else {"text": request.prompt})
    return Json({"text": request.prompt}) if request.wants_json else Text(request.prompt)


def _function(script: Script) -> Function:
    if script is None:
        return echo
    if isinstance(script, (*STEPS, str, Mapping)) or hasattr(script, "model_dump"):
        step = as_step(script)
        return lambda _: step
    if callable(script) and not isinstance(script, type):
        return script
    if isinstance(script, Iterable):
        return _in_turn([as_step(answer) for answer in script])
    raise InputError(
        f"a script cannot be {kind_of(script)}; expected a step, a list of steps or a function of a request."
    )


def _in_turn(steps: list[Step]) -> Function:
    """Return a function that gives one step after the other, then the last again and again."""
    if not steps:
        raise InputError("a script cannot be an empty list; expected at least one step, of which the last is repeated.")
    left = iter(steps)
    return lambda _: next(left, steps[-1])
