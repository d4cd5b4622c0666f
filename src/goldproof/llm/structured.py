"""Answers in a form: what the model is told of it, and how its reply is read.

A reply is read as JSON of the form. Around one JSON object a fence or other text is tolerated, since many local models
cannot leave it out; where several objects stand in the text, exactly one of them must have the form. A reply that
cannot be read so has a complaint, which the model is told.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

from goldproof.core.wording import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_COMPLAINT = 600
_MOST_ERRORS = 5
_MOST_STARTS = 200  # of text with more braces the rest is not looked at: it would take time without end
_DECODER = json.JSONDecoder()


class FormError(ValueError):
    """A reply does not have the form; the message is what the model is told."""


@lru_cache(maxsize=256)
def schema_text(form: type[BaseModel]) -> str:
    """Return the JSON schema of a form, as text that is the same in every process."""
    return json.dumps(form.model_json_schema(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@lru_cache(maxsize=256)
def form_request(form: type[BaseModel]) -> str:
    """Return how a model is told the form in words."""
    return (
        "Answer with one JSON object that fits this JSON schema, and with nothing before or after it:\n"
        f"{schema_text(form)}"
    )


def repair_request(complaint: str) -> str:
    """Return how a model is asked for the form again."""
    return f"Your answer could not be used: {complaint}\nAnswer again, in the form that was asked for."


def read_form(text: str, form: type[BaseModel]) -> BaseModel:
    """Return the reply in the form; FormError where it does not have it."""
    try:
        return form.model_validate_json(text)
    except ValidationError as error:
        first = error
    return _read_around(text, form, first)


def _read_around(text: str, form: type[BaseModel], first: ValidationError) -> BaseModel:
    objects = list(_objects(text))
    fitting: list[BaseModel] = []
    wrong = first
    for one in objects:
        try:
            fitting.append(form.model_validate_json(one))
        except ValidationError as error:
            wrong = error
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise FormError(f"it holds {len(fitting)} JSON objects; expected one.")
    if not objects:
        raise FormError("it is not a JSON object.")
    raise FormError(_complaint(wrong))


def _objects(text: str) -> Iterator[str]:
    """Yield the JSON objects that stand in a text, none within another; as text, which pydantic reads more strictly."""
    start = text.find("{")
    for _ in range(_MOST_STARTS):
        if start < 0:
            return
        try:
            _, end = _DECODER.raw_decode(text, start)
        except ValueError:  # no object begins here
            end = start + 1
        except RecursionError:  # nor one that anybody would write
            return
        else:
            yield text[start:end]
        start = text.find("{", end)


def _complaint(error: ValidationError) -> str:
    """Return what is wrong with an object: field by field, without the address of the manual."""
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    said = [f"{'.'.join(map(str, one['loc'])) or 'the object'}: {one['msg']}" for one in errors[:_MOST_ERRORS]]
    more = f"; and {len(errors) - _MOST_ERRORS} more" if len(errors) > _MOST_ERRORS else ""
    return shortened("; ".join(said) + more + ".", longest=LONGEST_COMPLAINT)
