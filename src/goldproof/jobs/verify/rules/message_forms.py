"""Variants of a quoted exception message: in the author's own quotation marks, with a remark in brackets, cut short."""

from __future__ import annotations

import re
from typing import Final

_REMARK: Final = re.compile(r"\s*\([^()]*\)\s*$")
_SHORTEST: Final = 8  # characters; less stands in too many messages


def message_forms(message: str, *, any_case: bool = False) -> tuple[str, ...]:
    """Return the forms in which a message may be found in what was raised, as it is written first.

    any_case: whether the first letter is a capital does not count.
    """
    bare = _tidy(message)
    forms = [bare, bare.replace("`", "'"), bare.replace("`", '"'), bare.replace("`", ""), bare.replace("'", '"')]
    without = _REMARK.sub("", bare)
    if without != bare and len(without) >= _SHORTEST:
        forms.append(_tidy(without))
    if any_case:
        forms += [form[:1].swapcase() + form[1:] for form in forms]
    return tuple(dict.fromkeys(form for form in forms if form))


def _tidy(message: str) -> str:
    return message.strip().rstrip(".\u2026").strip()
