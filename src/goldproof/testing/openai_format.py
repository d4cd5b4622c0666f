"""Answers of the model server in both OpenAI formats, chat completions and Responses, with token counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from goldproof.testing.http import Outgoing, event_answer, json_answer
from goldproof.testing.steps import BadRequest, Failure, NotFound, QuotaSpent, RateLimited, ServerError, Unauthorized

if TYPE_CHECKING:
    from goldproof.testing.request import Request
    from goldproof.testing.steps import Reply


INVALID = "invalid_request_error"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens read (messages and instructions; schemas and tools count nothing) and written."""

    tokens_in: int
    tokens_out: int


def reply_answer(reply: Reply, request: Request) -> Outgoing:
    """Return an answer with status 200."""
    if request.api == "chat":
        if request.stream:
            return event_answer(chat_events(request, reply), named=False)
        return json_answer(200, chat_answer(request, reply))
    if request.stream:
        return event_answer(responses_events(request, reply), named=True)
    return json_answer(200, responses_answer(request, reply))


def failure_answer(failure: Failure) -> Outgoing:
    """Return an answer with the status of a failure."""
    match failure:
        case RateLimited(retry_after):
            message = "Rate limit reached for requests."
            return error_answer(429, message, kind="requests", code="rate_limit_exceeded", retry_after=retry_after)
        case QuotaSpent():
            message = "You exceeded your current quota, please check your plan and billing details."
            return error_answer(429, message, kind="insufficient_quota", code="insufficient_quota")
        case ServerError(status, message, retry_after):
            return error_answer(status, message, kind="server_error", retry_after=retry_after)
        case Unauthorized(message):
            return error_answer(401, message, code="invalid_api_key")
        case NotFound(message):
            return error_answer(404, message, code="model_not_found")
        case BadRequest(message, code):
            return error_answer(400, message, code=code)


def error_answer(
    status: int, message: str, *, kind: str = INVALID, code: str | None = None, retry_after: float | str | None = None
) -> Outgoing:
    """Return an error in OpenAI's format."""
    wait = f"{retry_after:g}" if isinstance(retry_after, int | float) else retry_after
    error = {"message": message, "type": kind, "param": None, "code": code}
    return json_answer(status, {"error": error}, {} if wait is None else {"Retry-After": wait})


def chat_answer(request: Request, reply: Reply) -> dict[str, Any]:
    """Return the body of a chat completion."""
    choice = {"index": 0, "message": _message(request, reply), "logprobs": None, "finish_reason": _finish(reply)}
    return {**_head(request, "chat.completion"), "choices": [choice], "usage": _usage(request, reply)}


def chat_events(request: Request, reply: Reply) -> list[dict[str, Any]]:
    """Return the events of a stream: the reply in one piece, the end, and the usage where it was asked for."""
    head = _head(request, "chat.completion.chunk")
    delta = _message(request, reply)
    for number, call in enumerate(delta.get("tool_calls", ())):
        call["index"] = number
    pieces = [
        {"index": 0, "delta": delta, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": _finish(reply)},
    ]
    events = [{**head, "choices": [piece]} for piece in pieces]
    options = request.body.get("stream_options")
    if isinstance(options, dict) and options.get("include_usage"):
        events.append({**head, "choices": [], "usage": _usage(request, reply)})
    return events


def _head(request: Request, kind: str) -> dict[str, Any]:
    name = f"chatcmpl-{request.content[:24]}-{request.nth}"
    return {"id": name, "object": kind, "created": int(request.time), "model": request.model}


def _message(request: Request, reply: Reply) -> dict[str, Any]:
    if reply.refused:
        return {"role": "assistant", "content": None, "refusal": reply.text}
    if reply.tool is None:
        return {"role": "assistant", "content": reply.text, "refusal": None}
    function = {"name": reply.tool, "arguments": reply.text}
    call = {"id": f"call_{request.content[:16]}_{request.nth}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "refusal": None, "tool_calls": [call]}


def _finish(reply: Reply) -> str:
    return "stop" if reply.tool is None else "tool_calls"


def _usage(request: Request, reply: Reply) -> dict[str, int]:
    count = usage(request, reply)
    both = count.tokens_in + count.tokens_out
    return {"prompt_tokens": count.tokens_in, "completion_tokens": count.tokens_out, "total_tokens": both}


def responses_answer(request: Request, reply: Reply) -> dict[str, Any]:
    """Return the body of a response."""
    return _response(
        request, status="completed", output=[_item(request, reply)], usage=_responses_usage(request, reply)
    )


def responses_events(request: Request, reply: Reply) -> list[dict[str, Any]]:
    """Return the events of a stream: the reply comes in one piece."""
    begun = _response(request, status="in_progress", output=[], usage=None)
    whole = _item(request, reply)
    at = {"output_index": 0, "item_id": whole["id"]}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": _begun(whole)},
        *(_part_events(whole, at) if reply.tool is None else _call_events(whole, at)),
        {"type": "response.output_item.done", "output_index": 0, "item": whole},
        {"type": "response.completed", "response": responses_answer(request, reply)},
    ]
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


def _part_events(item: dict[str, Any], at: dict[str, Any]) -> list[dict[str, Any]]:
    part = item["content"][0]
    name = "refusal" if part["type"] == "refusal" else "text"
    kind = "response.refusal" if name == "refusal" else "response.output_text"
    extra: dict[str, Any] = {} if name == "refusal" else {"logprobs": []}
    at = {**at, "content_index": 0}
    return [
        {"type": "response.content_part.added", **at, "part": {**part, name: ""}},
        {"type": f"{kind}.delta", **at, "delta": part[name], **extra},
        {"type": f"{kind}.done", **at, name: part[name], **extra},
        {"type": "response.content_part.done", **at, "part": part},
    ]


def _call_events(item: dict[str, Any], at: dict[str, Any]) -> list[dict[str, Any]]:
    arguments = item["arguments"]
    kind = "response.function_call_arguments"
    return [
        {"type": f"{kind}.delta", **at, "delta": arguments},
        {"type": f"{kind}.done", **at, "name": item["name"], "arguments": arguments},
    ]


def _begun(item: dict[str, Any]) -> dict[str, Any]:
    nothing: dict[str, Any] = {"content": []} if item["type"] == "message" else {"arguments": ""}
    return {**item, **nothing, "status": "in_progress"}


def _response(request: Request, *, status: str, output: list[dict[str, Any]], usage: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "id": f"resp_{request.content[:24]}_{request.nth}",
        "object": "response",
        "created_at": int(request.time),
        "status": status,
        "error": None,
        "incomplete_details": None,
        "instructions": request.body.get("instructions"),
        "metadata": {},
        "model": request.model,
        "output": output,
        "parallel_tool_calls": True,
        "temperature": request.body.get("temperature"),
        "tool_choice": request.body.get("tool_choice", "auto"),
        "tools": request.body.get("tools", []),
        "top_p": None,
        "usage": usage,
    }


def _item(request: Request, reply: Reply) -> dict[str, Any]:
    mark = f"{request.content[:16]}_{request.nth}"
    if reply.tool is not None:
        call = {"name": reply.tool, "arguments": reply.text, "call_id": f"call_{mark}"}
        return {"type": "function_call", "id": f"fc_{mark}", "status": "completed", **call}
    part: dict[str, Any] = {"type": "output_text", "text": reply.text, "annotations": [], "logprobs": []}
    if reply.refused:
        part = {"type": "refusal", "refusal": reply.text}
    return {"type": "message", "id": f"msg_{mark}", "status": "completed", "role": "assistant", "content": [part]}


def _responses_usage(request: Request, reply: Reply) -> dict[str, Any]:
    count = usage(request, reply)
    return {
        "input_tokens": count.tokens_in,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": count.tokens_out,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": count.tokens_in + count.tokens_out,
    }


def usage(request: Request, reply: Reply) -> Usage:
    """Return the tokens of an answer."""
    return Usage(_tokens(request.characters), _tokens(len(reply.text)))


def _tokens(characters: int) -> int:
    return (characters + 3) // 4
