"""The message as JSON, by functions that were bound before the script ran.

`json.dumps` goes through classes and modules that a script can change; this goes through nothing but its own names.
"""

# ruff: noqa: A004, UP029 - names of this module, which `builtins` cannot change any more
from __future__ import annotations

from builtins import dict, float, int, list, repr, str, tuple, type
from json.encoder import encode_basestring_ascii as _quoted
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .texts import Foreign

_WORDS = {True: "true", False: "false"}
_NOT_NUMBERS = ("nan", "inf", "-inf")
_is_bool = bool


def encode(value: Foreign) -> str:
    """Return plain data as JSON; other values, and numbers that JSON does not have, as null."""
    kind = type(value)
    if kind is str:
        return _quoted(value)
    if kind is _is_bool:
        return _WORDS[value]
    if kind is int:
        return int.__repr__(value)
    if kind is float:
        text = repr(value)
        return "null" if text in _NOT_NUMBERS else text
    if kind is dict:
        pairs = [_quoted(key) + ": " + encode(one) for key, one in value.items() if type(key) is str]
        return "{" + ", ".join(pairs) + "}"
    if kind is list or kind is tuple:
        return "[" + ", ".join([encode(one) for one in value]) + "]"
    return "null"
