"""Filters as they are typed on the command line: FIELD=VALUE, FIELD=A,B (any of them), FIELD=2019..2021."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.retrieve.filtering.filter import read_range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.retrieve.retriever import Filters


def parse_filters(texts: Sequence[str]) -> Filters | None:
    """Return the filters; None where there are none."""
    filters: dict[str, object] = {}
    for text in texts:
        field, separator, value = text.partition("=")
        if not separator or not field.strip() or not value.strip():
            raise InputError(f"--filter {text}: expected FIELD=VALUE, such as role=user or year=2019..2021.")
        if field.strip() in filters:
            raise InputError(f"--filter {text}: {field.strip()!r} is filtered twice; list its values: {field}=A,B.")
        filters[field.strip()] = _value(value.strip())
    return filters or None


def _value(text: str) -> object:
    bounds = read_range(text)
    if bounds != text:
        return bounds
    return [reading for part in text.split(",") for reading in _readings(part.strip())]


def _readings(text: str) -> list[object]:
    """Return a value as text and, where it looks like one, as a number or a flag: the metadata decide which it is."""
    flags: dict[str, object] = {"true": True, "false": False}
    if text in flags:
        return [text, flags[text]]
    try:
        return [text, float(text)]
    except ValueError:
        return [text]
