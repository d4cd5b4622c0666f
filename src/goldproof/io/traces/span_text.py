"""The words in an input: what was asked, where an input may be plain text, JSON in text, or chat messages.

    "capital of France"    {"query": "capital of France"}    {"messages": [{"role": "user", "content": "..."}]}
    [{"role": "user", "parts": [{"type": "text", "content": "..."}]}]    {"messages": [["user", "..."]]}

Of messages the last one of the user counts. An object is searched for the usual names of a question; where it has none,
its JSON text is the answer, since something was asked.
"""

from __future__ import annotations

import orjson

from goldproof.io.traces.span_values import parse_json

_DEEPEST = 8
_ASKED = ("query", "question", "search_query", "q", "input", "user_input", "prompt", "text", "message", "value", "args")
_MESSAGES = ("messages", "chat_history", "input", "inputs")
_USERS = ("user", "human")


def words_of(value: object) -> str | None:
    """Return what an input asks, or None where it says nothing."""
    return _words(value, 0) or _as_text(value)


def text_of(value: object) -> str | None:
    """Return content as text: itself, the texts of its parts, or its JSON; None where it says nothing."""
    if isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
        texts = [part.get("text", part.get("content")) for part in value]
        if all(isinstance(text, str) for text in texts):
            return "\n".join(str(text) for text in texts) or None
    return _as_text(value)


def _words(value: object, depth: int) -> str | None:
    if depth > _DEEPEST:
        return None
    match value:
        case str():
            inner = parse_json(value) if not value.startswith('"') else _quoted(value)
            return value.strip() or None if inner is None else _words(inner, depth + 1)
        case dict():
            return _words_of_object(value, depth + 1)
        case [single] if not _is_message(single) and not isinstance(single, list):
            return _words(single, depth + 1)
        case [[dict(), *_] as single]:  # one conversation in a batch of one
            return _words(single, depth + 1)
        case list():
            return _last_user_message(value)
    return None


def _words_of_object(value: dict[str, object], depth: int) -> str | None:
    for key in _MESSAGES:
        messages = value.get(key)
        if isinstance(messages, list) and (found := _words(messages, depth)):
            return found
    if _is_message(value):
        return _last_user_message([value])
    return next((found for key in _ASKED if key in value and (found := _words(value[key], depth))), None)


def _last_user_message(messages: list[object]) -> str | None:
    for message in reversed(messages):
        match message:
            case [str() as role, str() as said] if role.lower() in _USERS:
                return said or None
            case dict():
                pass
            case _:
                continue
        inner = message.get("kwargs", message)  # LangChain's own way to write an object
        if isinstance(inner, dict) and _role(inner) in _USERS:
            return text_of(inner.get("content", inner.get("parts")))
    return None


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and ("role" in value or "kwargs" in value or value.get("type") in _USERS)


def _role(message: dict[str, object]) -> str:
    role = message.get("role", message.get("type"))
    return role.lower() if isinstance(role, str) else ""


def _quoted(text: str) -> object:
    try:
        inner: object = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return inner


def _as_text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        return None  # nested deeper than JSON is written
