"""A user's function as a model: prompt in; text, a mapping or a pydantic object out.

A function that is not async runs in a thread of its own, so that a slow one holds up no other caller; one that hangs
past the deadline is left behind, and cannot keep the process from ending. The function is given everything in one text:
the instructions, the prompt, the form that is asked for, and what was wrong with its last answers.

Its key is its own `key`, if it has one, else its name and the content of its file: see
`goldproof.user_code.user_object`.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import orjson
from pydantic import BaseModel

from goldproof.errors import GoldproofError, kind_of, reason_of
from goldproof.llm.conversation import form_request, repair_request
from goldproof.llm.model import EXPECTED, RawReply, TransportError
from goldproof.user_code.calls import start_daemon

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.llm.model import Ask, Turn
    from goldproof.user_code.user_object import UserObject


class FunctionTransport:
    """A function that answers a prompt, or an object with a method `ask` that does."""

    provider = None

    def __init__(self, user: UserObject) -> None:
        self._function = user.method("ask", expected=EXPECTED)
        self.model, self.key, self.is_lasting = user.name, user.key, user.is_lasting

    async def send(
        self, ask: Ask, turns: tuple[Turn, ...], *, timeout: float, most_tokens: int | None = None
    ) -> RawReply:
        """Call the function once; it is given no limit of tokens."""
        del most_tokens
        try:
            async with asyncio.timeout(timeout):
                returned = await self._called(whole_prompt(ask, turns))
        except GoldproofError:
            raise
        except (TimeoutError, ConnectionError) as error:
            late = isinstance(error, TimeoutError)
            raise TransportError(reason_of(error), kind="passing", may_be_billed=late) from None
        # The user's code may raise anything, and may try to exit; here it becomes a failed question.
        except (Exception, SystemExit) as error:  # noqa: BLE001
            raise TransportError(reason_of(error), kind="failed") from None
        return RawReply(self._text(returned), model=self.model)

    async def _called(self, prompt: str) -> object:
        if inspect.iscoroutinefunction(self._function):
            return await self._function(prompt)
        returned = await asyncio.wrap_future(start_daemon(_raisable, self._function, prompt))
        return await returned if inspect.isawaitable(returned) else returned

    def _text(self, returned: object) -> str:
        if isinstance(returned, str):
            return returned
        if isinstance(returned, BaseModel):
            return returned.model_dump_json()
        if isinstance(returned, Mapping):
            try:
                return orjson.dumps(dict(returned)).decode()
            except TypeError as error:
                raise TransportError(
                    f"returned a mapping that is not JSON: {reason_of(error)}", kind="failed"
                ) from None
        raise TransportError(f"returned {kind_of(returned)}; expected text or a mapping.", kind="failed")


def whole_prompt(ask: Ask, turns: tuple[Turn, ...] = ()) -> str:
    """Return everything that a function is given, as one text."""
    form = "" if ask.output is None else form_request(ask.output)
    earlier = [part for turn in turns for part in (turn.reply, repair_request(turn.complaint))]
    return "\n\n".join(part for part in (ask.instructions, ask.prompt, form, *earlier) if part)


def _raisable(function: Callable[[str], Any], prompt: str) -> object:
    """Call a function; what a future cannot hold, or would end the loop, becomes an error that it can."""
    try:
        return function(prompt)
    except (StopIteration, SystemExit, KeyboardInterrupt) as error:
        raise RuntimeError(reason_of(error)) from None
