"""What the model said, in an answer of status 200: text, a call of a tool, or a refusal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from goldproof.testing.steps import Empty, InvalidJson, Json, Refusal, Said, SchemaViolation, Text, ToolCall

if TYPE_CHECKING:
    from goldproof.testing.request import Request, Tool


@dataclass(frozen=True, slots=True)
class Saying:
    """What the model said. tool: the name of the tool that it calls; text is then JSON of the arguments, as it came."""

    text: str = ""
    tool: str | None = None
    refused: bool = False


def say(step: Said, request: Request) -> Saying:
    """Return the step's words in the form that was asked for."""
    match step:
        case Text(text):
            return Saying(text)
        case ToolCall(name, arguments):
            return Saying(_json(arguments), tool=name)
        case Json(value):
            return _in_form(value if isinstance(value, Mapping) else value.model_dump(mode="json"), request)
        case SchemaViolation(value):
            return _in_form(value, request)
        case InvalidJson(text):
            return Saying(text, tool=_form_of({}, request))
        case Refusal(text):
            return Saying(text, refused=True)
        case Empty():
            return Saying()


def _in_form(value: Mapping[str, Any], request: Request) -> Saying:
    return Saying(_json(value), tool=_form_of(value, request))


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
