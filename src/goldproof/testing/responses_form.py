"""An answer in the form of OpenAI's Responses API, whole or as events of a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from goldproof.testing.tokens import usage

if TYPE_CHECKING:
    from goldproof.testing.request import Request
    from goldproof.testing.saying import Saying


def responses_answer(request: Request, saying: Saying) -> dict[str, Any]:
    """Return the body of an answer."""
    return _response(request, status="completed", output=[_item(request, saying)], usage=_usage(request, saying))


def responses_events(request: Request, saying: Saying) -> list[dict[str, Any]]:
    """Return the events of a stream: what is said comes in one piece."""
    begun = _response(request, status="in_progress", output=[], usage=None)
    whole = _item(request, saying)
    at = {"output_index": 0, "item_id": whole["id"]}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": _begun(whole)},
        *(_part_events(whole, at) if saying.tool is None else _call_events(whole, at)),
        {"type": "response.output_item.done", "output_index": 0, "item": whole},
        {"type": "response.completed", "response": responses_answer(request, saying)},
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
    said = item["arguments"]
    kind = "response.function_call_arguments"
    return [
        {"type": f"{kind}.delta", **at, "delta": said},
        {"type": f"{kind}.done", **at, "name": item["name"], "arguments": said},
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


def _item(request: Request, saying: Saying) -> dict[str, Any]:
    mark = f"{request.content[:16]}_{request.nth}"
    if saying.tool is not None:
        call = {"name": saying.tool, "arguments": saying.text, "call_id": f"call_{mark}"}
        return {"type": "function_call", "id": f"fc_{mark}", "status": "completed", **call}
    part: dict[str, Any] = {"type": "output_text", "text": saying.text, "annotations": [], "logprobs": []}
    if saying.refused:
        part = {"type": "refusal", "refusal": saying.text}
    return {"type": "message", "id": f"msg_{mark}", "status": "completed", "role": "assistant", "content": [part]}


def _usage(request: Request, saying: Saying) -> dict[str, Any]:
    count = usage(request, saying)
    return {
        "input_tokens": count.tokens_in,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": count.tokens_out,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": count.tokens_in + count.tokens_out,
    }
