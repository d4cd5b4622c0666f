"""A model for google-adk that answers what it is told to."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from .texts import Foreign

Answers = AsyncGenerator[Foreign, None]


def fake_adk_model(*replies: Foreign, model: str = "goldproof-stand-in") -> Foreign:
    """Return a `BaseLlm` that answers with the replies in turn; the last one again and again.

    A reply is a text, a call of a tool as `("name", {"argument": 1})`, a list of both, or an `LlmResponse`.
    `asked` of the model: the requests that it got.
    """
    from google.adk.models.base_llm import BaseLlm  # noqa: PLC0415 - only where google-adk is there
    from google.adk.models.llm_response import LlmResponse  # noqa: PLC0415
    from google.genai import types  # noqa: PLC0415
    from pydantic import PrivateAttr  # noqa: PLC0415

    waiting = list(replies) or ["done"]

    class FakeModel(BaseLlm):  # type: ignore[misc, unused-ignore]
        """Answers without a network."""

        _asked: list = PrivateAttr(default_factory=list)  # type: ignore[type-arg]

        @property
        def asked(self) -> list[Foreign]:
            """Return the requests that it got."""
            return list(self._asked)

        async def generate_content_async(self, llm_request: Foreign, *_: Foreign, **__: Foreign) -> Answers:
            self._asked.append(llm_request)
            reply = waiting.pop(0) if len(waiting) > 1 else waiting[0]
            if isinstance(reply, LlmResponse):
                yield reply
            else:
                parts = [_part(one, types) for one in (reply if isinstance(reply, list) else [reply])]
                yield LlmResponse(content=types.Content(role="model", parts=parts))

    return FakeModel(model=model)


def _part(reply: Foreign, types: Foreign) -> Foreign:
    if isinstance(reply, tuple):
        return types.Part(function_call=types.FunctionCall(name=reply[0], args=dict(reply[1])))
    return types.Part(text=str(reply))
