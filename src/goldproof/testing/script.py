"""Scripts of the model server: echo, steps, functions, random faults, and the smallest value of a schema.

Whether a request fails, and how, follows from the seed, from its content and from how often that was asked: not from
the order in which requests come. So a run with many at once meets the same faults as one without, and a client that
asks again gets through: after `at_most` faults the same content is answered well.
"""

from __future__ import annotations

import hashlib
import inspect
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from goldproof.errors import InputError, kind_of
from goldproof.testing.steps import (
    STEPS,
    Answer,
    CutConnection,
    InvalidJson,
    Json,
    RateLimited,
    SchemaViolation,
    ServerError,
    Slow,
    Step,
    Text,
    as_step,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.testing.request import Request


Function: TypeAlias = Callable[["Request"], Answer | Awaitable[Answer]]

Script: TypeAlias = Answer | Iterable[Answer] | Function | None


class ScriptRunner:
    """Runs a script: returns the step for each request.

    A function that waits must be async: others run in the server's loop, one call after the other.
    """

    def __init__(self, script: Script = None) -> None:
        self._function = _function(script)

    async def step(self, request: Request) -> Step:
        """Return the step for a request; raises what the script raises."""
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


# What a client gets over by waiting and asking again.
PASSING: tuple[Step, ...] = (
    RateLimited(retry_after=0),
    ServerError(500),
    ServerError(503),
    CutConnection(),
    CutConnection(after_bytes=200),
    Slow(0.02),
)

# What a client gets over by asking for the right form.
MALFORMED: tuple[Step, ...] = (InvalidJson(), SchemaViolation())


class Faults:
    """A script that fails on average at one of `every` requests.

    then: the good script. kinds: the faults, each as likely; Slow and CutConnection without a `then` of their own take
    the good answer. at_most: how often the same content may fail. injected: what was injected, by name.
    """

    def __init__(
        self,
        then: Script = None,
        *,
        every: float = 3,
        kinds: Sequence[Step] = PASSING,
        seed: int = 0,
        at_most: int = 2,
    ) -> None:
        if every < 1 or not kinds:
            raise InputError("Faults: expected every >= 1 (on average one of so many requests fails) and some kinds.")
        self._good, self._kinds, self._seed = ScriptRunner(then), tuple(kinds), seed
        self._share, self._at_most = 1 / every, at_most
        self._failed: Counter[str] = Counter()
        self.injected: Counter[str] = Counter()

    async def __call__(self, request: Request) -> Step:
        """Return a fault, or the answer of the good script."""
        fault = self._fault(request)
        if fault is None:
            return await self._good.step(request)
        self._failed[request.content] += 1
        self.injected[type(fault).__name__] += 1
        if isinstance(fault, Slow | CutConnection) and fault.then is None:
            return replace(fault, then=await self._good.step(request))
        return fault

    def _fault(self, request: Request) -> Step | None:
        if self._failed[request.content] >= self._at_most:
            return None
        digest = hashlib.sha256(f"{self._seed} {request.content} {request.nth}".encode()).digest()
        if int.from_bytes(digest[:8]) / 2**64 >= self._share:
            return None
        return self._kinds[int.from_bytes(digest[8:16]) % len(self._kinds)]


_DEEPEST = 20  # a schema may hold itself


def filled(schema: Mapping[str, Any], text: str) -> Any:  # noqa: ANN401 - whatever the schema describes
    """Return a value of the schema: required properties only, the simplest of several choices."""
    return _value(schema, text, root=schema, depth=0)


def _value(schema: Mapping[str, Any], text: str, *, root: Mapping[str, Any], depth: int) -> Any:  # noqa: ANN401
    schema = _resolved(schema, root)
    if depth > _DEEPEST:
        return None
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    for several in ("anyOf", "oneOf", "allOf"):
        if schema.get(several):
            # One without a reference, if there is one: it cannot hold itself.
            choice = min(schema[several], key=lambda each: "$ref" in each)
            return _value(choice, text, root=root, depth=depth + 1)
    kind = schema.get("type")
    match kind[0] if isinstance(kind, list) else kind:
        case "string":
            return text[: schema.get("maxLength")]
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return False
        case "array":
            item = schema.get("items", {})
            return [_value(item, text, root=root, depth=depth + 1) for _ in range(schema.get("minItems", 0))]
        case "object":
            inner = schema.get("properties", {})
            names = [name for name in schema.get("required", ()) if name in inner]
            return {name: _value(inner[name], text, root=root, depth=depth + 1) for name in names}
        case _:
            return None


def _resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow references within the schema."""
    for _ in range(_DEEPEST):
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#"):
            break
        target: Any = root
        for name in reference.removeprefix("#").strip("/").split("/"):
            target = target.get(name, {}) if name else target
        schema = target
    return schema
