"""An answer in the form of OpenAI's chat completions, whole or as events of a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from goldproof.testing.tokens import usage

if TYPE_CHECKING:
    from goldproof.testing.request import Request
    from goldproof.testing.saying import Saying


def chat_answer(request: Request, saying: Saying) -> dict[str, Any]:
    """Return the body of an answer."""
    choice = {"index": 0, "message": _message(request, saying), "logprobs": None, "finish_reason": _finish(saying)}
    return {**_head(request, "chat.completion"), "choices": [choice], "usage": _usage(request, saying)}


def chat_events(request: Request, saying: Saying) -> list[dict[str, Any]]:
    """Return the events of a stream: what is said in one piece, the end, and the usage where it was asked for."""
    head = _head(request, "chat.completion.chunk")
    delta = _message(request, saying)
    for number, call in enumerate(delta.get("tool_calls", ())):
        call["index"] = number
    pieces = [
        {"index": 0, "delta": delta, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": _finish(saying)},
    ]
    events = [{**head, "choices": [piece]} for piece in pieces]
    options = request.body.get("stream_options")
    if isinstance(options, dict) and options.get("include_usage"):
        events.append({**head, "choices": [], "usage": _usage(request, saying)})
    return events


def _head(request: Request, kind: str) -> dict[str, Any]:
    name = f"chatcmpl-{request.content[:24]}-{request.nth}"
    return {"id": name, "object": kind, "created": int(request.time), "model": request.model}


def _message(request: Request, saying: Saying) -> dict[str, Any]:
    if saying.refused:
        return {"role": "assistant", "content": None, "refusal": saying.text}
    if saying.tool is None:
        return {"role": "assistant", "content": saying.text, "refusal": None}
    function = {"name": saying.tool, "arguments": saying.text}
    call = {"id": f"call_{request.content[:16]}_{request.nth}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "refusal": None, "tool_calls": [call]}


def _finish(saying: Saying) -> str:
    return "stop" if saying.tool is None else "tool_calls"


def _usage(request: Request, saying: Saying) -> dict[str, int]:
    count = usage(request, saying)
    both = count.tokens_in + count.tokens_out
    return {"prompt_tokens": count.tokens_in, "completion_tokens": count.tokens_out, "total_tokens": both}
