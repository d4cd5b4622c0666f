"""From a step to what is sent: errors in OpenAI's format, answers in the form of the endpoint that was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.testing.chat_form import chat_answer, chat_events
from goldproof.testing.responses_form import responses_answer, responses_events
from goldproof.testing.steps import BadRequest, Failure, NotFound, QuotaSpent, RateLimited, ServerError, Unauthorized
from goldproof.testing.wire import Outgoing, event_answer, json_answer

if TYPE_CHECKING:
    from goldproof.testing.request import Request
    from goldproof.testing.saying import Saying

INVALID = "invalid_request_error"


def said(saying: Saying, request: Request) -> Outgoing:
    """Return an answer with status 200."""
    if request.api == "chat":
        if request.stream:
            return event_answer(chat_events(request, saying), named=False)
        return json_answer(200, chat_answer(request, saying))
    if request.stream:
        return event_answer(responses_events(request, saying), named=True)
    return json_answer(200, responses_answer(request, saying))


def failed(failure: Failure) -> Outgoing:
    """Return an answer with an error's status."""
    match failure:
        case RateLimited(retry_after):
            message = "Rate limit reached for requests."
            return refused(429, message, kind="requests", code="rate_limit_exceeded", retry_after=retry_after)
        case QuotaSpent():
            message = "You exceeded your current quota, please check your plan and billing details."
            return refused(429, message, kind="insufficient_quota", code="insufficient_quota")
        case ServerError(status, message, retry_after):
            return refused(status, message, kind="server_error", retry_after=retry_after)
        case Unauthorized(message):
            return refused(401, message, code="invalid_api_key")
        case NotFound(message):
            return refused(404, message, code="model_not_found")
        case BadRequest(message, code):
            return refused(400, message, code=code)


def refused(
    status: int, message: str, *, kind: str = INVALID, code: str | None = None, retry_after: float | str | None = None
) -> Outgoing:
    """Return an error in OpenAI's format."""
    wait = f"{retry_after:g}" if isinstance(retry_after, int | float) else retry_after
    error = {"message": message, "type": kind, "param": None, "code": code}
    return json_answer(status, {"error": error}, {} if wait is None else {"Retry-After": wait})
