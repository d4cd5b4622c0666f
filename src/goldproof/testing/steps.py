"""Steps of a script: what the server does with a request, and the reply of the model.

Text, Json, ToolCall                              good answers
Slow                                              waits first
RateLimited, QuotaSpent                           status 429
ServerError                                       status 500, 503, ...
CutConnection                                     the connection ends before the answer does
InvalidJson, SchemaViolation, Refusal, Empty      status 200, but not what was asked for
Unauthorized, NotFound, BadRequest                status 401, 404, 400: asking again is of no use
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from goldproof.testing.request import Request, Tool


class Dumped(Protocol):
    """A pydantic model, or anything else with `model_dump`."""

    def model_dump(self, *, mode: str) -> Mapping[str, Any]:
        """Return the values."""


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text, whatever form was asked for."""

    text: str


@dataclass(frozen=True, slots=True)
class Json:
    """An object in the form that was asked for: the call of the tool that must be called, or text that is JSON."""

    value: Mapping[str, Any] | Dumped


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The call of a tool by name."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Slow:
    """An answer after some seconds.

    then: what follows; None: what a script with `Faults` would have answered without them, elsewhere an echo.
    """

    seconds: float
    then: Answer | None = None


@dataclass(frozen=True, slots=True)
class RateLimited:
    """Too many requests. retry_after: seconds (or an HTTP date) in the Retry-After header; None leaves it out."""

    retry_after: float | str | None = None


@dataclass(frozen=True, slots=True)
class QuotaSpent:
    """Status 429 too, but no waiting helps: the account has nothing left."""


@dataclass(frozen=True, slots=True)
class ServerError:
    """The server's fault: 500, or another status."""

    status: int = 500
    message: str = "The server had an error while processing your request."
    retry_after: float | str | None = None


@dataclass(frozen=True, slots=True)
class CutConnection:
    """The connection ends after some bytes of the answer (head and body), never after all of them.

    then: the answer, as in Slow.
    """

    after_bytes: int = 0
    then: Answer | None = None


@dataclass(frozen=True, slots=True)
class InvalidJson:
    """Text that begins like JSON, where JSON was asked for."""

    text: str = '{"answer": "cut off in the midd'


@dataclass(frozen=True, slots=True)
class SchemaViolation:
    """JSON that is not of the form that was asked for."""

    value: Mapping[str, Any] = field(default_factory=lambda: {"not": "what was asked for"})


@dataclass(frozen=True, slots=True)
class Refusal:
    """The model declines."""

    text: str = "I'm sorry, but I cannot help with that."


@dataclass(frozen=True, slots=True)
class Empty:
    """An answer without text."""


@dataclass(frozen=True, slots=True)
class Unauthorized:
    """The key is wrong."""

    message: str = "Incorrect API key provided."


@dataclass(frozen=True, slots=True)
class NotFound:
    """There is no such model."""

    message: str = "The model does not exist or you do not have access to it."


@dataclass(frozen=True, slots=True)
class BadRequest:
    """The request is wrong."""

    message: str = "The request is invalid."
    code: str | None = None


ReplyStep: TypeAlias = Text | Json | ToolCall | InvalidJson | SchemaViolation | Refusal | Empty

Failure: TypeAlias = RateLimited | QuotaSpent | ServerError | Unauthorized | NotFound | BadRequest

Step: TypeAlias = ReplyStep | Failure | Slow | CutConnection

Answer: TypeAlias = Step | str | Mapping[str, Any] | Dumped

FAILURES = (RateLimited, QuotaSpent, ServerError, Unauthorized, NotFound, BadRequest)

STEPS = (Text, Json, ToolCall, InvalidJson, SchemaViolation, Refusal, Empty, *FAILURES, Slow, CutConnection)


def as_step(answer: object) -> Step:
    """Return the answer of a script as a step: text is Text, an object is Json; TypeError for anything else."""
    if isinstance(answer, STEPS):
        return answer
    if isinstance(answer, str):
        return Text(answer)
    if isinstance(answer, Mapping) or (callable(getattr(answer, "model_dump", None)) and not isinstance(answer, type)):
        return Json(answer)  # type: ignore[arg-type] # one of the two, as just checked
    raise TypeError(
        f"a script answered with {type(answer).__name__}; expected a step, text, a dict or a pydantic model"
    )


@dataclass(frozen=True, slots=True)
class Reply:
    """The model's reply. tool: the name of the tool that it calls; text is then JSON of the arguments, as written."""

    text: str = ""
    tool: str | None = None
    refused: bool = False


def reply_to(step: ReplyStep, request: Request) -> Reply:
    """Return the reply of a step, in the form that was asked for."""
    match step:
        case Text(text):
            return Reply(text)
        case ToolCall(name, arguments):
            return Reply(_json(arguments), tool=name)
        case Json(value):
            return _in_form(value if isinstance(value, Mapping) else value.model_dump(mode="json"), request)
        case SchemaViolation(value):
            return _in_form(value, request)
        case InvalidJson(text):
            return Reply(text, tool=_form_of({}, request))
        case Refusal(text):
            return Reply(text, refused=True)
        case Empty():
            return Reply()


def _in_form(value: Mapping[str, Any], request: Request) -> Reply:
    return Reply(_json(value), tool=_form_of(value, request))


def _form_of(value: Mapping[str, Any], request: Request) -> str | None:
    """Return the tool whose arguments the value can be; None where text was asked for, JSON or not."""
    if request.wants_json or not request.forced_tools:
        return None
    fitting = [tool.name for tool in request.forced_tools if _fits(value, tool)]
    return fitting[0] if fitting else request.forced_tools[-1].name


def _fits(value: Mapping[str, Any], tool: Tool) -> bool:
    return set(tool.schema.get("required", ())) <= set(value) <= set(tool.schema.get("properties", ()))


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
