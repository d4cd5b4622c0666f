"""A client's request, read from either format: chat completions or the Responses API.

Only text is read: parts of messages that are images or sound are left out. Headers that carry keys are never kept.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Api = Literal["chat", "responses"]
# What changes how an answer is sent, or where it is filed, but not what is asked.
_NOT_CONTENT = ("stream", "stream_options", "store", "user", "metadata", "safety_identifier", "prompt_cache_key")
_CARRY_KEYS = frozenset({"authorization", "proxy-authorization", "api-key", "x-api-key", "x-goog-api-key", "cookie"})


class BadBodyError(Exception):
    """A body that OpenAI would answer with status 400."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message: `system` (also where it was sent as `developer`), `user`, `assistant` or `tool`."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that the model may call; schema: the JSON schema of its arguments."""

    name: str
    schema: Mapping[str, Any]
    description: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """One request to the model.

    prompt: the last message of the user. instructions: the system's messages and the `instructions` field. messages:
    all of them, in order. schema: of the answer's form, asked for as JSON or as a tool that must be called; None
    where the answer is free. wants_json: the answer's text must be JSON. forced_tools: of these one must be called.
    content: a hash of all that is asked. headers: names in lower case, none that carries a key. number: which request
    of the server it is, from 1. nth: how often this content came, from 1. time: when, in seconds since 1970.
    """

    api: Api
    path: str
    model: str
    prompt: str
    instructions: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None
    wants_json: bool
    tools: tuple[Tool, ...]
    forced_tools: tuple[Tool, ...]
    stream: bool
    body: Mapping[str, Any]
    content: str
    headers: Mapping[str, str]
    number: int = 0
    nth: int = 0
    time: float = 0.0

    @property
    def characters(self) -> int:
        """Length of the text that was sent: tokens are counted from it."""
        extra = self.body.get("instructions") if self.api == "responses" else None
        return sum(len(message.text) for message in self.messages) + len(extra if isinstance(extra, str) else "")


def read_request(raw: bytes, *, api: Api, path: str, headers: Mapping[str, str]) -> Request:
    """Read a request; BadBodyError where it is not what OpenAI takes. The server adds the numbers."""
    body = _object(raw)
    model = body.get("model")
    if not isinstance(model, str) or not model:
        raise BadBodyError("you must provide a model parameter")
    messages = _chat_messages(body) if api == "chat" else _input_messages(body)
    tools = tuple(_tool(tool) for tool in _objects(body.get("tools"), "tools") if tool.get("type") == "function")
    forced = _forced(tools, body.get("tool_choice"))
    form = _form(body, api)
    schema = form.get("schema")
    if not isinstance(schema, dict):
        schema = forced[0].schema if forced else None
    system = [body["instructions"]] if api == "responses" and isinstance(body.get("instructions"), str) else []
    system += [message.text for message in messages if message.role == "system"]
    return Request(
        api=api,
        path=path,
        model=model,
        prompt=next((message.text for message in reversed(messages) if message.role == "user"), ""),
        instructions="\n\n".join(system),
        messages=messages,
        schema=schema,
        wants_json=form.get("type") in {"json_schema", "json_object"},
        tools=tools,
        forced_tools=forced,
        stream=body.get("stream") is True,
        body=body,
        content=_content_hash(body, api),
        headers={name: value for name, value in headers.items() if name not in _CARRY_KEYS},
    )


def _object(raw: bytes) -> dict[str, Any]:
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise BadBodyError(f"the body is not JSON: {error}") from error
    if not isinstance(body, dict):
        raise BadBodyError("the body is not a JSON object")
    return body


def _chat_messages(body: Mapping[str, Any]) -> tuple[Message, ...]:
    messages = _objects(body.get("messages"), "messages")
    if not messages:
        raise BadBodyError("messages: expected a list of at least one message")
    return tuple(_chat_message(message) for message in messages)


def _chat_message(message: Mapping[str, Any]) -> Message:
    calls = _objects(message.get("tool_calls"), "tool_calls")
    called = [str(call["function"].get("arguments", "")) for call in calls if isinstance(call.get("function"), dict)]
    return Message(_role(message.get("role")), "\n\n".join(filter(None, [_text(message.get("content")), *called])))


def _input_messages(body: Mapping[str, Any]) -> tuple[Message, ...]:
    content = body.get("input")
    if isinstance(content, str):
        return (Message("user", content),)
    items = _objects(content, "input")
    if not items:
        raise BadBodyError("input: expected text, or a list of at least one item")
    return tuple(message for item in items if (message := _input_message(item)) is not None)


def _input_message(item: Mapping[str, Any]) -> Message | None:
    match item.get("type", "message"):
        case "message":
            return Message(_role(item.get("role")), _text(item.get("content")))
        case "function_call":
            return Message("assistant", str(item.get("arguments", "")))
        case "function_call_output":
            return Message("tool", _text(item.get("output")))
        case _:
            return None


def _role(role: object) -> str:
    if not isinstance(role, str):
        raise BadBodyError("a message has no role")
    return "system" if role == "developer" else role


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text", part.get("refusal", "")) if isinstance(part, dict) else part for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str) and text)


def _objects(value: object, name: str) -> list[dict[str, Any]]:
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise BadBodyError(f"{name}: expected a list of objects")
    return value


def _tool(tool: Mapping[str, Any]) -> Tool:
    function = tool.get("function", tool)
    name = function.get("name") if isinstance(function, dict) else None
    if not isinstance(name, str):
        raise BadBodyError("a tool has no name")
    schema = function.get("parameters")
    return Tool(name, schema if isinstance(schema, dict) else {}, str(function.get("description") or ""))


def _forced(tools: Sequence[Tool], choice: object) -> tuple[Tool, ...]:
    """Return the tools of which one must be called: all, a named one, or those of a list."""
    if not isinstance(choice, dict):
        return tuple(tools) if choice == "required" else ()
    if choice.get("type") != "allowed_tools":
        names = [_name(choice)]
    else:
        allowed = choice.get("allowed_tools", choice)
        required = isinstance(allowed, dict) and allowed.get("mode") == "required"
        names = [_name(tool) for tool in _objects(allowed.get("tools"), "tool_choice")] if required else []
    return tuple(tool for tool in tools if tool.name in names)


def _name(choice: Mapping[str, Any]) -> object:
    function = choice.get("function", choice)
    return function.get("name") if isinstance(function, dict) else None


def _form(body: Mapping[str, Any], api: Api) -> Mapping[str, Any]:
    """Return the answer's form: its `type`, and its `schema` where it has one."""
    if api == "responses":
        text = body.get("text")
        form = text.get("format") if isinstance(text, dict) else None
        return form if isinstance(form, dict) else {}
    form = body.get("response_format")
    if not isinstance(form, dict):
        return {}
    inner = form.get("json_schema")
    return {"type": form.get("type"), "schema": inner.get("schema") if isinstance(inner, dict) else None}


def _content_hash(body: Mapping[str, Any], api: Api) -> str:
    asked = {name: value for name, value in body.items() if name not in _NOT_CONTENT}
    canonical = json.dumps([api, asked], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()
