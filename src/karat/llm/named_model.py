"""A model by its pydantic-ai name, asked directly (without an agent, which costs ten times as much per call).

Temperature 0 where the model takes one. A call has a deadline that covers every attempt. Only what can recover is tried
again: rate limits, servers that fail or are overloaded, broken connections, timeouts. `karat.core.waiting` says how
long is waited; no wait is begun that would outlast the deadline. Keys are blotted out of messages.
"""

from __future__ import annotations

import asyncio
import time
import weakref
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from karat.core.blotting import without_secrets
from karat.core.errors import InputError, ModelFailedError
from karat.core.event_loop import run_in_loop, start_in_loop
from karat.core.provider_errors import asked_to_wait, can_pass
from karat.core.waiting import Waits

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings

T = TypeVar("T")
DEADLINE = 120.0
RETRIES = 3
FIRST_WAIT = 0.5


class NamedModel:
    """A model of pydantic-ai.

    deadline: seconds for one question, with all attempts. retries: how often it is asked again.
    """

    def __init__(self, model: Model, name: str, *, deadline: float = DEADLINE, retries: int = RETRIES) -> None:
        import pydantic_ai  # noqa: PLC0415 - it takes more than a second

        pydantic_ai.BANNER_ENABLED = False
        self._model, self._name = model, name
        self._deadline, self._retries = deadline, retries
        self._settings = _settings(model)
        self.key = _key(model, name, self._settings)
        run_in_loop(model.__aenter__())
        # Its connections are closed with it, in the loop to which they belong. At exit they end with the process.
        weakref.finalize(self, _leave, model).atexit = False

    def ask(self, prompt: str) -> str:
        """Return the text of the answer; ModelFailedError where there is none."""
        from pydantic_ai.exceptions import AgentRunError  # noqa: PLC0415

        try:
            return run_in_loop(self._ask(prompt))
        except (AgentRunError, TimeoutError) as error:
            said = without_secrets(str(error)) or type(error).__name__
            # Not from the error, which holds the provider's answer as it came.
            raise ModelFailedError(f"model {self._name}: {said}") from None

    async def _ask(self, prompt: str) -> str:
        from pydantic_ai import ModelRequest  # noqa: PLC0415
        from pydantic_ai.direct import model_request  # noqa: PLC0415

        end = time.monotonic() + self._deadline

        async def once() -> str:
            left = max(end - time.monotonic(), 0.001)
            settings: ModelSettings = {**self._settings, "request_timeout": left}
            response = await model_request(
                self._model, [ModelRequest.user_text_prompt(prompt)], model_settings=settings, instrument=False
            )
            return response.text or ""

        return await _with_retries(once, retries=self._retries, end=end)


def open_named_model(spec: str) -> NamedModel:
    """Return the model of a name; what is wrong with it (no key, no such name) is said at once."""
    from pydantic_ai.exceptions import UserError  # noqa: PLC0415 - it takes more than a second
    from pydantic_ai.models import infer_model  # noqa: PLC0415

    try:
        return NamedModel(infer_model(spec), spec)
    except (UserError, ImportError, ValueError) as error:
        raise InputError(f"model {spec!r} cannot be opened: {without_secrets(str(error))}") from None
    except Exception as error:
        if "api_key" not in str(error):  # the clients of providers name a missing key by errors of their own
            raise
        raise InputError(f"model {spec!r} cannot be opened: {without_secrets(str(error))}") from None


def _leave(model: Model) -> None:
    start_in_loop(model.__aexit__(None, None, None))


async def _with_retries(once: Callable[[], Awaitable[T]], *, retries: int, end: float) -> T:
    from pydantic_ai.exceptions import ModelAPIError  # noqa: PLC0415

    waits = Waits(FIRST_WAIT, longest=DEADLINE)
    for attempt in range(1, retries + 1):
        try:
            return await once()
        except (ModelAPIError, TimeoutError) as error:
            wait = waits.after(attempt, asked_to_wait(error)) if can_pass(error) else None
            if wait is None or time.monotonic() + wait >= end:
                raise
        await asyncio.sleep(wait)
    return await once()


def _settings(model: Model) -> ModelSettings:
    """Return what is sent with every question: nothing that the model would reject or ignore with a warning."""
    profile: Mapping[str, Any] = model.profile
    ignored = {*model.unsupported_settings, *profile.get("openai_unsupported_model_settings", ())}
    settings: ModelSettings = {}
    if "temperature" not in ignored and not _always_reasons(profile):
        settings["temperature"] = 0.0
    if "max_retries" not in ignored:
        settings["max_retries"] = 0  # ours are the only ones
    return settings


def _always_reasons(profile: Mapping[str, Any]) -> bool:
    """Return whether it is a model of OpenAI's that reasons unless told otherwise: these take no temperature."""
    efforts = profile.get("openai_reasoning_efforts")
    can_be_off = profile.get("openai_supports_reasoning_effort_none", False) if efforts is None else "none" in efforts
    is_off = can_be_off and not profile.get("thinking_enabled_by_default", False)
    return bool(profile.get("openai_supports_reasoning", False)) and not is_off


def _key(model: Model, name: str, settings: ModelSettings) -> str:
    """Return the name with where it is asked (another server may hold another model of that name)."""
    address = urlsplit(model.base_url or "")
    where = f"@{address.netloc.rpartition('@')[2]}" if address.netloc else ""
    temperature = f" temperature={settings['temperature']:g}" if "temperature" in settings else ""
    return f"{name}{where}{temperature}"
