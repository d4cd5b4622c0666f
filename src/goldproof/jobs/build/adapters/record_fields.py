"""Fields of a record, whatever type their values turn out to have: nothing here raises on odd data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from goldproof.jobs.build.adapters.adapter import JsonObject


def text_of(value: object) -> str:
    """Return a text without blanks at its ends; "" for anything that is no text."""
    return value.strip() if isinstance(value, str) else ""


def number_of(value: object) -> int | None:
    """Return a whole number; None for anything else, True and False among them."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def list_of(value: object) -> list[object]:
    """Return a list, also where a column holds it as a JSON text; [] for anything else."""
    value = parsed(value)
    return value if isinstance(value, list) else []


def record_id(record: JsonObject) -> str | None:
    """Return the dataset's own id of a record (`_id` or `id`), None where it has none."""
    for key in ("_id", "id"):
        number = number_of(record.get(key))
        text = str(number) if number is not None else text_of(record.get(key))
        if text:
            return text
    return None


def parsed(value: object) -> object:
    """Return what a JSON text says; any other value, and text that is no JSON, as it is."""
    if not isinstance(value, str):
        return value
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return value


def pairs(value: object, *, first: tuple[str, ...], second: tuple[str, ...]) -> Iterator[tuple[object, object]]:
    """Yield the two members of each element of a list of pairs; (None, None) for an element that is none.

    The list may be one of pairs, one of objects, or an object of two parallel lists; `first` and `second` are the names
    that the members have in objects.
    """
    value = parsed(value)
    if isinstance(value, dict):
        heads, tails = _member(value, first), _member(value, second)
        if isinstance(heads, list) and isinstance(tails, list) and len(heads) == len(tails):
            yield from zip(heads, tails, strict=True)
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, dict):
                yield _member(item, first), _member(item, second)
            else:
                yield tuple(item) if isinstance(item, list) and len(item) == 2 else (None, None)


def _member(item: Mapping[str, object], names: tuple[str, ...]) -> object:
    return next((item[name] for name in names if name in item), None)
