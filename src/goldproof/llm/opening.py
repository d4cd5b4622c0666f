"""From what a user wrote to a model: a name of pydantic-ai, the address of a server, `module:function`, or a function.

Names are pydantic-ai's: `google:gemini-3-pro-preview`, `openai:gpt-5` (the Responses API), `openai-chat:NAME` for any
server that speaks OpenAI's chat completions (`OPENAI_BASE_URL` says where). Such a server can also be given by its
address, `http://host:port/v1#model=NAME` (`goldproof.llm.server_model`). A prefix that pydantic-ai does not know is a
module; `goldproof.core.own_code` says where it is looked for.
"""

from __future__ import annotations

import importlib.util
import inspect
from typing import TYPE_CHECKING, Any, cast

from goldproof.core.errors import InputError, MissingExtraError, UnknownNameError
from goldproof.core.own_code import load_own
from goldproof.core.wording import kind_of
from goldproof.llm.asked_model import AskedModel
from goldproof.llm.function_model import FunctionTransport, is_text_model
from goldproof.llm.server_model import is_address

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.llm.access import Access
    from goldproof.llm.model import Model
    from goldproof.llm.transport import Transport

EXPECTED = (
    "expected PROVIDER:MODEL (such as google:gemini-3-pro-preview), http://HOST:PORT/v1#model=NAME, module:function, "
    "or a function prompt -> text"
)


def open_model(spec: object, access: Access | None = None) -> Model:
    """Return the model that a name stands for; a `Model` is returned as it is.

    access: limits, budget and cache; what the command said (`using_access`) where it is left out.
    """
    if isinstance(spec, str):
        return _named(spec.strip(), access)
    return _given(spec, spec, access)


def _named(spec: str, access: Access | None) -> Model:
    if is_address(spec):
        return AskedModel(_of_pydantic_ai("open_server_model", spec), access)
    prefix, _, name = spec.partition(":")
    if not prefix or not name:
        raise InputError(f"{spec!r} does not name a model; {EXPECTED}.")
    # A dotted name is a module for sure; asking pydantic-ai would cost more than a second.
    if "." not in prefix and _is_provider(prefix, spec):
        return AskedModel(_of_pydantic_ai("open_named_model", spec), access)
    return _given(load_own(spec), spec, access)


def _given(model: object, given: object, access: Access | None) -> Model:
    is_object = not isinstance(model, type)
    if is_object and inspect.iscoroutinefunction(getattr(model, "answer", None)):
        return cast("Model", model)
    if is_object and is_text_model(model):
        text_model = cast("Any", model)
        return AskedModel(FunctionTransport(text_model.ask, given, key=text_model.key), access)
    if not (is_object and callable(model)):
        raise InputError(f"{given if isinstance(given, str) else kind_of(given)} is no model; {EXPECTED}.")
    return AskedModel(FunctionTransport(cast("Callable[[str], Any]", model), given), access)


def _of_pydantic_ai(opener: str, spec: str) -> Transport:
    if importlib.util.find_spec("pydantic_ai") is None:
        raise MissingExtraError("asking a model", "llm")
    from goldproof.llm import named_model  # noqa: PLC0415 - it loads pydantic-ai

    return cast("Transport", getattr(named_model, opener)(spec))


def _is_provider(prefix: str, spec: str) -> bool:
    if importlib.util.find_spec("pydantic_ai") is None:
        return _without_pydantic_ai(spec)
    from pydantic_ai.providers import infer_provider_class  # noqa: PLC0415 - it takes more than a second

    try:
        infer_provider_class(prefix)
    except ValueError:
        return False
    except ImportError as error:
        raise InputError(f"{spec!r} needs a package that is not here: {error}") from error
    return True


def _without_pydantic_ai(spec: str) -> bool:
    """Return False where the spec is a function that can be loaded; else the extra is what is missing."""
    try:
        load_own(spec)
    except InputError as error:
        # `google` may be importable without being the provider; a module of the user's that fails is another matter.
        missing = getattr(error.__cause__, "name", None) == spec.partition(":")[0]
        if not missing and not isinstance(error, UnknownNameError):
            raise
        raise MissingExtraError("asking a model", "llm") from error
    return False
