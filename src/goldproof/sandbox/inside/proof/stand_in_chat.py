"""A model that is just called, and answers what it is told to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .texts import Foreign


class FakeChatModel:
    """Answers with its replies in turn; the last one again and again. A reply that is an exception is raised.

    calls: what it was called with, as (arguments, keywords).
    """

    def __init__(self, *replies: Foreign) -> None:
        self._waiting = list(replies) or ["done"]
        self.calls: list[tuple[tuple[Foreign, ...], dict[str, Foreign]]] = []

    def __call__(self, *given: Foreign, **named: Foreign) -> Foreign:
        """Return the next reply."""
        self.calls.append((given, named))
        reply = self._waiting.pop(0) if len(self._waiting) > 1 else self._waiting[0]
        if isinstance(reply, BaseException):
            raise reply
        return reply

    invoke = complete = generate = __call__

    async def ainvoke(self, *given: Foreign, **named: Foreign) -> Foreign:
        """Return the next reply, to be awaited."""
        return self(*given, **named)


def fake_chat_model(*replies: Foreign) -> FakeChatModel:
    """Return a callable that answers with the replies in turn."""
    return FakeChatModel(*replies)
