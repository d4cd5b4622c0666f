"""Model, its questions and replies, the transport below it, and `open_model()`.

Two asks with equal content are one question: its answer is kept, and never paid for twice. `sample` tells apart several
answers that are wanted to the same words (votes of one model).

A `Transport` sends one request; it waits, repeats, counts and keeps nothing: `goldproof.llm.client` does, alike for
every transport.

Names are pydantic-ai's: `google:gemini-3-pro-preview`, `openai:gpt-5` (the Responses API), `openai-chat:NAME` for any
server that speaks OpenAI's chat completions (`OPENAI_BASE_URL` says where). Such a server can also be given by its
address, `http://host:port/v1#model=NAME` (`goldproof.llm.provider_model`). A prefix that pydantic-ai does not know is a
module; `goldproof.user_code.user_object` says where it is looked for.
"""

from __future__ import annotations

import importlib.util
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, cast

from goldproof.errors import InputError, MissingExtraError, UnknownNameError
from goldproof.user_code.user_object import UserObject, load_user_object

if TYPE_CHECKING:
    from pydantic import BaseModel

    from goldproof.llm.access import Access


MOST_TOKENS = 10**9
# How a reply ended: as it should, by the model or its filter refusing, or cut off at the limit of tokens.
Ended = Literal["", "refused", "length"]
EXPECTED = (
    "PROVIDER:MODEL (such as google:gemini-3-pro-preview), http://HOST:PORT/v1#model=NAME, module:function, "
    "or a function prompt -> text"
)


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to a model.

    prompt: what it is asked. instructions: what stands before it, for every question of a kind. output: the form of the
    answer (its schema is part of the question); None for plain text. purpose: name and version of the prompt, such as
    `judge-yes-1`. sample: which of several answers to the same words this is. expected_tokens: how long an answer is
    expected to be, for an estimate of its cost before it is asked.
    """

    prompt: str
    instructions: str = ""
    output: type[BaseModel] | None = None
    purpose: str = ""
    sample: int = 0
    temperature: float = 0.0
    expected_tokens: int = 200


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer.

    value: the answer in the form that was asked for; None where that was plain text. tokens_in, tokens_out: of all
    calls that it took (repairs are calls). cost: in dollars, as it was paid, also where it now comes from the cache;
    None where the price is not known. cached: it cost nothing this time. repairs: how often the form of the answer had
    to be asked for again.
    """

    text: str
    value: BaseModel | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None
    cached: bool = False
    repairs: int = 0


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimated cost of asks: calls that would be made, and answers that are kept already.

    cost: in dollars; None where the price is not known.
    """

    calls: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = 0.0

    def __add__(self, other: Estimate) -> Estimate:
        known = self.cost is not None and other.cost is not None
        return Estimate(
            self.calls + other.calls,
            self.cached + other.cached,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            (self.cost or 0.0) + (other.cost or 0.0) if known else None,
        )


class Model(Protocol):
    """A model that answers questions."""

    @property
    def key(self) -> str:
        """The model's name, with all that changes its answers; never a secret."""

    async def answer(self, ask: Ask) -> Reply:
        """Return the answer, from the cache where it is kept.

        ModelFailedError: this question could not be answered; others may go well. ModelDownError, BudgetSpentError: no
        further question will be answered now; what is answered so far is kept.
        """

    def ask(self, prompt: str) -> str:
        """Return the text of the answer to a prompt; for callers outside of the event loop."""

    def estimate(self, ask: Ask) -> Estimate:
        """Return what the question would cost, without asking it."""


class TextModel(Protocol):
    """A model that answers prompts with text."""

    @property
    def key(self) -> str:
        """The model's name, with all that changes its answers."""

    def ask(self, prompt: str) -> str:
        """Return the answer; raises what the model raises."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A useless reply, and the complaint that the model was told."""

    reply: str
    complaint: str


@dataclass(frozen=True, slots=True)
class RawReply:
    """A reply as the model gave it, not yet read.

    tokens_in, tokens_out: 0 where the server does not say. model: as the server calls it.
    """

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    model: str = ""
    ended: Ended = ""


class TransportError(Exception):
    """No reply came; the message gives the reason, in one line without secrets.

    kind: `passing` may go better the next time; `failed` holds for this question; `down` for every question. wait:
    seconds that the server asked for. advice: what to do where it holds for all. may_be_billed: the question was sent,
    and the server did not say that it failed.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: Literal["passing", "failed", "down"],
        wait: float | None = None,
        advice: str = "",
        may_be_billed: bool = False,
    ) -> None:
        self.kind, self.wait, self.advice, self.may_be_billed = kind, wait, advice, may_be_billed
        super().__init__(message)


class Transport(Protocol):
    """A connection to a model that sends one request at a time."""

    @property
    def key(self) -> str:
        """The model's name, with all that changes its answers; never a secret."""

    @property
    def is_lasting(self) -> bool:
        """Whether the key holds across processes: only then are answers kept on disk."""

    @property
    def provider(self) -> str | None:
        """The provider's name for pydantic-ai, for its list price; None where a call costs nothing."""

    @property
    def model(self) -> str:
        """The model's name on that list."""

    async def send(
        self, ask: Ask, turns: tuple[Turn, ...], *, timeout: float, most_tokens: int | None = None
    ) -> RawReply:
        """Ask once, in Goldproof's event loop; TransportError where no reply comes within `timeout` seconds.

        turns: what was said before, where the form of the answer is asked for again. most_tokens: how long the answer
        may be at most; left out where the model takes no such limit.
        """


def sane_tokens(told: object) -> int:
    """Return a count of tokens that a server reports; 0, for not reported, where no call can have so many."""
    is_count = isinstance(told, int) and not isinstance(told, bool)
    return int(told) if is_count and 0 <= told <= MOST_TOKENS else 0  # type: ignore[operator, call-overload]


def open_model(spec: object, access: Access | None = None) -> Model:
    """Return the model of a spec; a `Model` is returned as it is.

    access: limits, budget and cache; by default those of the command (`using_access`).
    """
    if isinstance(spec, str):
        return _named(spec.strip(), access)
    return _adapted(UserObject.of(spec), access)


def _named(spec: str, access: Access | None) -> Model:
    from goldproof.llm.client import CachedModel  # noqa: PLC0415 - it imports this module
    from goldproof.llm.provider_model import is_address  # noqa: PLC0415 - it imports this module

    if is_address(spec):
        return CachedModel(_of_pydantic_ai("open_server_model", spec), access)
    prefix, _, name = spec.partition(":")
    if not prefix or not name:
        raise InputError(f"{spec!r} does not name a model; expected {EXPECTED}.")
    # A dotted name is a module for sure; asking pydantic-ai would cost more than a second.
    if "." not in prefix and _is_provider(prefix, spec):
        return CachedModel(_of_pydantic_ai("open_named_model", spec), access)
    return _adapted(UserObject.of(spec), access)


def _adapted(user: UserObject, access: Access | None) -> Model:
    """Return a user's object as a model; a complete one as it is."""
    from goldproof.llm.client import CachedModel  # noqa: PLC0415 - it imports this module
    from goldproof.llm.function_model import FunctionTransport  # noqa: PLC0415 - it imports this module

    if inspect.iscoroutinefunction(getattr(user.target, "answer", None)) and not isinstance(user.target, type):
        return cast("Model", user.target)
    return CachedModel(FunctionTransport(user), access)


def _of_pydantic_ai(opener: str, spec: str) -> Transport:
    if importlib.util.find_spec("pydantic_ai") is None:
        raise MissingExtraError("asking a model", "llm")
    from goldproof.llm import provider_model  # noqa: PLC0415 - it loads pydantic-ai

    return cast("Transport", getattr(provider_model, opener)(spec))


def _is_provider(prefix: str, spec: str) -> bool:
    if importlib.util.find_spec("pydantic_ai") is None:
        return _without_pydantic_ai(spec)
    from pydantic_ai.providers import infer_provider_class  # noqa: PLC0415 - it takes more than a second

    try:
        infer_provider_class(prefix)
    except ValueError:
        return False
    except ImportError as error:
        raise InputError(f"{spec!r} needs a package that is not installed: {error}") from error
    return True


def _without_pydantic_ai(spec: str) -> bool:
    """Return False where the spec is a function that can be loaded; else raise that the extra is missing."""
    try:
        load_user_object(spec)
    except InputError as error:
        # `google` may be importable without being the provider; a module of the user's that fails is another matter.
        missing = getattr(error.__cause__, "name", None) == spec.partition(":")[0]
        if not missing and not isinstance(error, UnknownNameError):
            raise
        raise MissingExtraError("asking a model", "llm") from error
    return False
