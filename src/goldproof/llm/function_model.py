"""A function of the user's as a model: prompt in; text, a mapping or a pydantic object out.

A function that is not async runs in a thread of its own, so that a slow one holds up no other caller; one that hangs
past the deadline is left behind, and cannot keep the process from ending. The function is given everything in one text:
the instructions, the prompt, the form that is asked for, and what was wrong with its last answers.

Its key is its own `key`, if it has one, else its name and the content of its file: see `goldproof.plugins`.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import orjson
from pydantic import BaseModel

from goldproof.errors import GoldproofError, kind_of, reason_of
from goldproof.llm.conversation import form_request, repair_request
from goldproof.llm.model import RawReply, TransportError
from goldproof.plugins import lasting_key, name_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.llm.model import Ask, Turn


class FunctionTransport:
    """A function that answers a prompt; spec: the name by which it was found, where it has one."""

    provider = None

    def __init__(self, function: Callable[[str], Any], spec: object = None, *, key: str | None = None) -> None:
        spec = function if spec is None else spec
        self._function = function
        self.model = name_of(spec)
        key = key or lasting_key(spec, function)
        self.is_lasting = key is not None
        self.key = key or f"{self.model} (not in a file)"

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
        returned = await _in_thread(self._function, prompt)
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
                raise TransportError(f"returned a mapping that is no JSON: {reason_of(error)}", kind="failed") from None
        raise TransportError(f"returned {kind_of(returned)}; expected text or a mapping.", kind="failed")


def whole_prompt(ask: Ask, turns: tuple[Turn, ...] = ()) -> str:
    """Return everything that a function is given, as one text."""
    form = "" if ask.output is None else form_request(ask.output)
    earlier = [part for turn in turns for part in (turn.reply, repair_request(turn.complaint))]
    return "\n\n".join(part for part in (ask.instructions, ask.prompt, form, *earlier) if part)


def is_text_model(model: object) -> bool:
    """Return whether an object answers prompts with text, under a key of its own."""
    return callable(getattr(model, "ask", None)) and isinstance(getattr(model, "key", None), str)


async def _in_thread(function: Callable[[str], Any], prompt: str) -> object:
    """Call a function in a daemon thread: the standard library's pools wait for theirs at the end."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[object] = loop.create_future()
    context = contextvars.copy_context()

    def resolve(value: object, error: BaseException | None) -> None:
        if done.done():  # past the deadline
            return
        if error is None:
            done.set_result(value)
        else:
            done.set_exception(error)

    def work() -> None:
        value, failure = None, None
        try:
            value = context.run(function, prompt)
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            failure = _raisable(error)
        try:
            loop.call_soon_threadsafe(resolve, value, failure)
        except RuntimeError:  # the loop is closed: the program ends
            return

    threading.Thread(target=work, name="goldproof-function", daemon=True).start()
    return await done


def _raisable(error: BaseException) -> BaseException:
    """Return an error that a future can hold: it takes no StopIteration, and an exit would end the loop."""
    if isinstance(error, (StopIteration, SystemExit, KeyboardInterrupt)):
        return RuntimeError(reason_of(error))
    return error
