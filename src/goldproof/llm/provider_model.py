"""Models of pydantic-ai, by name or server address.

A form is asked for in the way that the model is known to take: by its JSON schema, else as the arguments of a tool that
it must call, else in words. Servers that claim to be compatible differ: where one rejects a request with a form (400 or
422) it is asked once more in words, and if that goes well every further question is. Where one rejects the limit of the
answer as longer than its models can write, half of it is tried, and from then on no more is sent.

Temperature as asked, where the model takes one. Connections belong to the event loop: after a fork the model is made
anew.

A key for a server address, where one is needed, comes from the environment (`GOLDPROOF_MODEL_KEY`) and nowhere else: an
address that holds a name, a password or a query is refused, since addresses reach cards and messages. The cost of a
call is known only to those who run the server (`--price IN,OUT`; `--price 0,0` for one's own).
"""

from __future__ import annotations

import os
import re
import sys
import warnings
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from goldproof.concurrency import asked_to_wait, is_permanent, may_pass, start_in_loop
from goldproof.errors import LONGEST, GoldproofError, InputError, reason_of, redact, shortened
from goldproof.llm.conversation import form_request, repair_request
from goldproof.llm.model import RawReply, TransportError, sane_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import BaseModel
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

    from goldproof.llm.model import Ask, Ended, Turn


Way = Literal["schema", "tool", "words"]
_TOOL = "answer"
_REJECTED = (400, 422)
_LEAST_LIMIT = 256
_HTTP_CLIENTS = ("httpx", "httpx2", "httpcore", "aiohttp")
_ABOUT_LIMIT = re.compile(r"max\w*tokens|(in|or)( the)? completion\b", re.IGNORECASE)
KEY_NAME = "GOLDPROOF_MODEL_KEY"
_NO_KEY = "no-key"  # the client wants something; servers without keys ignore it
# Of OpenAI's own models some know only the newer name of the limit of tokens; most other servers only the older.
_KNOW_NEW_NAME = (".openai.com", ".azure.com")
_NO_NAME = re.compile(r"#|,\s*\w+=")  # an option of a judge that the judge does not know, and so left to the model
_EXPECTED = "expected http://HOST:PORT/v1#model=NAME"


class ProviderTransport:
    """Sends questions to a model of pydantic-ai.

    make: returns the model, in each process anew. provider: whose list price holds. key: its name, where that is more
    than the name with the host.
    """

    is_lasting = True

    def __init__(self, make: Callable[[], Model], name: str, *, provider: str = "", key: str = "") -> None:
        import pydantic_ai  # noqa: PLC0415 - it takes more than a second

        pydantic_ai.BANNER_ENABLED = False
        # Wrong token counts of a server are replaced by estimates.
        warnings.filterwarnings("ignore", category=pydantic_ai.UsageExtractionFailedWarning)
        self._make, self._name = make, name
        self._model, self._process, self._entered = make(), os.getpid(), False
        self._settings = _settings(self._model)
        self._takes_temperature = _takes_temperature(self._model)
        self._most_tokens = 0 if "max_tokens" in _ignored(self._model) else sys.maxsize
        self._way = _way(self._model)
        self._parameters: dict[tuple[type[BaseModel], Way], ModelRequestParameters] = {}
        self.provider = provider or self._model.system
        self.model = self._model.model_name
        self.key = key or _key(self._model, name)

    async def send(
        self, ask: Ask, turns: tuple[Turn, ...], *, timeout: float, most_tokens: int | None = None
    ) -> RawReply:
        """Ask once; where the form is rejected, once more in words."""
        from pydantic_ai.exceptions import AgentRunError, UserError  # noqa: PLC0415

        try:
            return await self._send(ask, turns, {**self._settings_for(ask, most_tokens), "request_timeout": timeout})
        except UserError as error:
            raise InputError(f"model {self._name}: {_message_of(error)}") from None
        except UnicodeEncodeError as error:
            raise _unsendable(error) from None
        except (AgentRunError, TimeoutError) as error:
            # Not from the error, which holds the provider's answer as it came.
            raise _transport_error(error, _place(self._model)) from None
        except GoldproofError:
            raise
        # The client of a provider may raise anything over an answer that it does not expect.
        except Exception as error:  # noqa: BLE001
            raise _unreadable(error) from None

    async def _send(self, ask: Ask, turns: tuple[Turn, ...], settings: ModelSettings) -> RawReply:
        from pydantic_ai.exceptions import ModelRequestRejectedError  # noqa: PLC0415

        way: Way = "words" if ask.output is None else self._way
        try:
            return await self._request(ask, turns, settings=settings, way=way)
        except ModelRequestRejectedError as error:
            half = settings.get("max_tokens", 0) // 2
            if half >= _LEAST_LIMIT and _ABOUT_LIMIT.search(str(error)):
                reply = await self._send(ask, turns, {**settings, "max_tokens": half})
                if "context" not in str(error):  # else it was this question that was too long
                    self._most_tokens = min(half, self._most_tokens)
                return reply
            if way == "words" or is_permanent(error) or getattr(error, "status_code", None) not in _REJECTED:
                raise
        reply = await self._request(ask, turns, settings=settings, way="words")
        self._way = "words"
        return reply

    async def _request(self, ask: Ask, turns: tuple[Turn, ...], *, settings: ModelSettings, way: Way) -> RawReply:
        from pydantic_ai.direct import model_request  # noqa: PLC0415

        response = await model_request(
            await self._ready(),
            _messages(ask, turns, way=way),
            model_settings=settings,
            model_request_parameters=None if ask.output is None else self._parameters_for(ask.output, way),
            instrument=False,
        )
        return _raw(response)

    def _settings_for(self, ask: Ask, most_tokens: int | None) -> ModelSettings:
        settings: ModelSettings = {**self._settings}
        if self._takes_temperature:
            settings["temperature"] = ask.temperature
        if most_tokens is not None and self._most_tokens:
            settings["max_tokens"] = min(most_tokens, self._most_tokens)
        return settings

    def _parameters_for(self, form: type[BaseModel], way: Way) -> ModelRequestParameters:
        parameters = self._parameters.get((form, way))
        if parameters is None:
            parameters = self._parameters[form, way] = _parameters(form, way)
        return parameters

    async def _ready(self) -> Model:
        """Return this process's model, its connections opened in this process's loop."""
        if self._process != os.getpid():
            self._model, self._process, self._entered = self._make(), os.getpid(), False
        if not self._entered:
            self._entered = True
            await self._model.__aenter__()
            # Its connections are closed with it, in the loop to which they belong. At exit they end with the process.
            weakref.finalize(self, _leave, self._model, os.getpid()).atexit = False
        return self._model


@dataclass(frozen=True, slots=True)
class Server:
    """Address of a server, and its name for the model."""

    url: str
    model: str

    @property
    def key(self) -> str:
        """The address as it was given."""
        return f"{self.url}#model={self.model}"


def is_address(spec: str) -> bool:
    """Return whether a spec is an address."""
    return spec.lower().startswith(("http://", "https://"))


def open_named_model(spec: str) -> ProviderTransport:
    """Return the model of a name; a missing key or an unknown name raises at once."""
    from pydantic_ai.models import infer_model  # noqa: PLC0415 - it takes more than a second

    return _opened(spec, lambda: ProviderTransport(lambda: infer_model(spec), spec, provider=spec.partition(":")[0]))


def open_server_model(spec: str) -> ProviderTransport:
    """Return the model of a server by its address."""
    server = parse_server(spec)
    return _opened(
        spec,
        lambda: ProviderTransport(lambda: make_server_model(server), server.key, provider="server", key=server.key),
    )


def parse_server(spec: str) -> Server:
    """Read an address; error messages do not repeat possible secrets."""
    try:
        address = urlsplit(spec)
        has_host = bool(address.hostname) and address.port != 0  # reading the port checks it
    except ValueError:
        has_host, address = False, urlsplit("")
    if not has_host:
        raise InputError(f"the address of the model has no host, or a wrong port; {_EXPECTED}.")
    if "@" in address.netloc or address.query:
        raise InputError(
            f"the address of the model at {address.hostname} holds a name, a password or a query; {_EXPECTED}, and the "
            f"key in the environment as {KEY_NAME}."
        )
    name, _, model = address.fragment.partition("=")
    if name != "model" or not model:
        raise InputError(f"{spec!r} does not say which model of the server; {_EXPECTED}.")
    if _NO_NAME.search(model):
        raise InputError(f"{spec!r}: {model!r} is not a model name: it holds an option or a second '#'; {_EXPECTED}.")
    return Server(f"{address.scheme}://{address.netloc}{address.path.rstrip('/')}", model)


def make_server_model(server: Server) -> Model:
    """Return the model of pydantic-ai that asks the server."""
    from pydantic_ai.profiles.openai import OpenAIModelProfile  # noqa: PLC0415 - it takes more than a second
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415

    from goldproof.llm.compatible_chat import CompatibleChat  # noqa: PLC0415

    key = os.environ.get(KEY_NAME, "").strip() or _NO_KEY
    is_openai = (urlsplit(server.url).hostname or "").endswith(_KNOW_NEW_NAME)
    profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=is_openai)
    return CompatibleChat(server.model, provider=OpenAIProvider(base_url=server.url, api_key=key), profile=profile)


def _opened(spec: str, make: Callable[[], ProviderTransport]) -> ProviderTransport:
    from pydantic_ai.exceptions import UserError  # noqa: PLC0415 - it takes more than a second

    try:
        return make()
    except (UserError, ImportError, ValueError) as error:
        raise _not_opened(spec, error) from None
    except Exception as error:
        if "api_key" not in str(error):  # the clients of providers name a missing key by errors of their own
            raise
        raise _not_opened(spec, error) from None


def _not_opened(spec: str, error: Exception) -> InputError:
    """Return what the provider says, without its advice on a test model of its own."""
    reason = redact(str(error)).partition(" To try Pydantic AI")[0]
    hint = "Set the key, or name a server that needs none: --model http://localhost:PORT/v1#model=NAME."
    return InputError(f"model {spec!r} cannot be opened: {reason}\n  {hint}")


def _leave(model: Model, process: int) -> None:
    if process == os.getpid():
        start_in_loop(model.__aexit__(None, None, None))


def _messages(ask: Ask, turns: tuple[Turn, ...], *, way: Way) -> list[ModelMessage]:
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart  # noqa: PLC0415

    form = form_request(ask.output) if ask.output is not None and way == "words" else ""
    instructions = "\n\n".join(part for part in (ask.instructions, form) if part) or None
    messages: list[ModelMessage] = [ModelRequest([UserPromptPart(ask.prompt)], instructions=instructions)]
    for turn in turns:
        # An empty reply is not sent back: most servers would reject it.
        messages += [ModelResponse([TextPart(turn.reply)])] if turn.reply.strip() else []
        messages.append(ModelRequest([UserPromptPart(repair_request(turn.complaint))], instructions=instructions))
    return messages


def _parameters(form: type[BaseModel], way: Way) -> ModelRequestParameters:
    from pydantic_ai.models import ModelRequestParameters  # noqa: PLC0415
    from pydantic_ai.output import OutputObjectDefinition  # noqa: PLC0415
    from pydantic_ai.tools import ToolDefinition  # noqa: PLC0415

    schema = form.model_json_schema()
    if way == "schema":
        described = OutputObjectDefinition(schema, name=form.__name__, description=schema.get("description"))
        return ModelRequestParameters(output_mode="native", output_object=described)
    if way == "tool":
        tool = ToolDefinition(name=_TOOL, parameters_json_schema=schema, description="Give the answer.", kind="output")
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
    return ModelRequestParameters()


def _raw(response: ModelResponse) -> RawReply:
    from pydantic_ai.messages import ToolCallPart  # noqa: PLC0415

    called = next((part for part in response.parts if isinstance(part, ToolCallPart)), None)
    text = (response.text or "") if called is None else called.args_as_json_str()
    ended: Ended = ""
    if response.finish_reason == "content_filter":
        ended, text = "refused", str((response.provider_details or {}).get("refusal") or text)
    elif response.finish_reason == "length":
        ended = "length"
    tokens_in, tokens_out = (sane_tokens(n) for n in (response.usage.input_tokens, response.usage.output_tokens))
    return RawReply(text, tokens_in, tokens_out, response.model_name or "", ended)


def _transport_error(error: Exception, place: str) -> TransportError:
    from pydantic_ai import exceptions  # noqa: PLC0415

    if isinstance(error, exceptions.ModelConnectionError) and place:
        message = f"{_message_of(error).rstrip('.')} (to {place})"
        return TransportError(message, kind="passing", wait=asked_to_wait(error), may_be_billed=_may_be_billed(error))
    if redirect := _redirect(error):
        return TransportError(redirect, kind="failed")
    if is_permanent(error):
        return TransportError(_message_of(error), kind="down", advice=_advice(error))
    # A server that answers with something unreadable may do better, and a deadline that passed holds only for now.
    recoverable = may_pass(error) or isinstance(
        error, (exceptions.ModelRequestTimeout, exceptions.UnexpectedModelBehavior)
    )
    kind: Literal["passing", "failed"] = "passing" if recoverable else "failed"
    return TransportError(_message_of(error), kind=kind, wait=asked_to_wait(error), may_be_billed=_may_be_billed(error))


def _unreadable(error: Exception) -> TransportError:
    """Return the error for an exception that no client should raise: a cut connection may pass, others would not."""
    is_cut = isinstance(error, OSError) or type(error).__module__.partition(".")[0] in _HTTP_CLIENTS
    message = f"the answer cannot be read: {reason_of(error)}"
    return TransportError(message, kind="passing" if is_cut else "failed", may_be_billed=True)


def _redirect(error: Exception) -> str:
    """Return the message for an address that redirects, without secrets; empty where it does not."""
    response = getattr(error.__cause__, "response", None)  # pydantic-ai leaves it to the client's error
    status = getattr(response, "status_code", None)
    if not (isinstance(status, int) and 300 <= status < 400):
        return ""
    headers: Mapping[str, str] = getattr(response, "headers", {})
    target = urlsplit(headers.get("location") or "")
    host = target.netloc.rpartition("@")[2]
    place = redact(f"{target.scheme}://{host}{target.path}" if host else target.path)
    where = f"to {shortened(place, longest=LONGEST)}" if place else "without saying where to"
    return f"the address redirects {where} (status {status}); redirects are not followed, so give the final address"


def _place(model: Model) -> str:
    """Return the host and port that are asked; empty where there are none."""
    return redact(urlsplit(model.base_url or "").netloc.rpartition("@")[2])


def _may_be_billed(error: Exception) -> bool:
    """Return whether the question was sent, and no status of the server says that it failed."""
    from pydantic_ai import exceptions  # noqa: PLC0415

    if isinstance(error, exceptions.ModelConnectionError):
        return error.phase not in {"pool", "connect"}
    return isinstance(error, (exceptions.ModelRequestTimeout, exceptions.UnexpectedModelBehavior, TimeoutError))


def _unsendable(error: UnicodeEncodeError) -> TransportError:
    """Return the error for half of a surrogate pair in a document, or for a key that fits into no header."""
    if error.encoding == "ascii":
        advice = "Check the API key in the environment: it holds characters that are not valid in a key."
        return TransportError("the key cannot be sent", kind="down", advice=advice)
    return TransportError(f"the question cannot be sent: {_message_of(error)}", kind="failed")


def _advice(error: Exception) -> str:
    from pydantic_ai import exceptions  # noqa: PLC0415

    if isinstance(error, exceptions.ModelQuotaExceededError):
        return "Its quota is used up: raise it, or wait until it is renewed."
    if isinstance(error, exceptions.ModelNotFoundError):
        return "Check the model's name and the address of the server."
    return "Check the API key in the environment, and that it may use this model."


def _message_of(error: Exception) -> str:
    # Redacted before it is cut: half a key is a secret too.
    message = shortened(" ".join(redact(str(error)).split()), longest=LONGEST)
    return message or type(error).__name__


def _way(model: Model) -> Way:
    """Return how a form is asked for: by schema, as a tool call, or in words."""
    profile: Mapping[str, Any] = model.profile
    if profile.get("supports_json_schema_output", False):
        return "schema"
    return "tool" if profile.get("supports_tools", True) else "words"


def _settings(model: Model) -> ModelSettings:
    """Return the settings sent with every question: none that the model would reject or ignore with a warning."""
    return {} if "max_retries" in model.unsupported_settings else {"max_retries": 0}  # ours are the only ones


def _takes_temperature(model: Model) -> bool:
    return "temperature" not in _ignored(model) and not _always_reasons(model.profile)


def _ignored(model: Model) -> set[str]:
    profile: Mapping[str, Any] = model.profile
    return {*model.unsupported_settings, *profile.get("openai_unsupported_model_settings", ())}


def _always_reasons(profile: Mapping[str, Any]) -> bool:
    """Return whether it is a model of OpenAI's that reasons unless told otherwise: these take no temperature."""
    efforts = profile.get("openai_reasoning_efforts")
    can_be_off = profile.get("openai_supports_reasoning_effort_none", False) if efforts is None else "none" in efforts
    is_off = can_be_off and not profile.get("thinking_enabled_by_default", False)
    return bool(profile.get("openai_supports_reasoning", False)) and not is_off


def _key(model: Model, name: str) -> str:
    """Return the name with where it is asked: another server, or another path of a gateway, may hold another model.

    What may be a secret is left out: names and passwords, and the query.
    """
    address = urlsplit(model.base_url or "")
    host = address.netloc.rpartition("@")[2]
    return redact(f"{name}@{host}{address.path.rstrip('/')}") if host else name
