"""From what a user wrote to a model: a name of pydantic-ai, `module:function`, or a function prompt -> text.

Names are pydantic-ai's: `google:gemini-3-pro-preview`, `openai:gpt-5` (the Responses API), `openai-chat:NAME` for any
server that speaks OpenAI's chat completions (`OPENAI_BASE_URL` says where). A prefix that pydantic-ai does not know is
a module; `karat.core.own_code` says where it is looked for.
"""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, cast

from karat.core.errors import InputError, MissingExtraError, UnknownNameError
from karat.core.own_code import load_own
from karat.core.wording import kind_of
from karat.llm.function_model import FunctionTextModel, is_text_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from karat.llm.text_model import TextModel

EXPECTED = (
    "expected PROVIDER:MODEL (such as google:gemini-3-pro-preview), module:function, or a function prompt -> text"
)


def open_model(spec: object) -> TextModel:
    """Return the model that a name stands for; a `TextModel` is returned as it is."""
    if isinstance(spec, str):
        return _named(spec.strip())
    return _given(spec, spec)


def _named(spec: str) -> TextModel:
    prefix, _, name = spec.partition(":")
    if not prefix or not name:
        raise InputError(f"{spec!r} does not name a model; {EXPECTED}.")
    # A dotted name is a module for sure; asking pydantic-ai would cost more than a second.
    if "." not in prefix and _is_provider(prefix, spec):
        from karat.llm.named_model import open_named_model  # noqa: PLC0415 - it loads pydantic-ai

        return open_named_model(spec)
    return _given(load_own(spec), spec)


def _given(model: object, given: object) -> TextModel:
    if is_text_model(model):
        return cast("TextModel", model)
    if not callable(model) or isinstance(model, type):
        raise InputError(f"{given if isinstance(given, str) else kind_of(given)} is no model; {EXPECTED}.")
    return FunctionTextModel(cast("Callable[[str], str]", model), given)


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
