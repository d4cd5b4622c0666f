"""A range of a filter, `{"gte": 2019, "lte": 2021}`, as the one word that it is in the language: `2019..2021`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.retrieve.language.expression import literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.retrieve.language.expression import Text, Word

_ENDS = ("gte", "lte")


def range_word(ends: Mapping[str, object]) -> Word | Text | None:
    """Return the range; None where the language has no word for it, as for an end that is not included."""
    texts = {name: _end(value) for name, value in ends.items()}
    if not texts or any(name not in _ENDS or not text for name, text in texts.items()):
        return None
    return literal("..".join(texts.get(name) or "" for name in _ENDS))


def _end(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(value)
    return None if ".." in text or "/" in text or "\\" in text else text
