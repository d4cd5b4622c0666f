"""JSON values as YAML that no reader takes for anything else: text in double quotes, lists and mappings in a line.

A scalar in double quotes is text to every reader of YAML, whatever it looks like (`No`, `01`, `2026-01-24`, ` x`).
Inside, JSON's escapes are YAML's as well, except for pairs of surrogates: characters beyond ASCII stand as they are.
Those that YAML does not let stand (control characters, among them the line separators NEL, LS and PS, and U+FFFE) are
escaped by number. A number has the form of YAML 1.1, where `1e-05` would be text: `1.0e-05`. Half of a surrogate pair
is refused: UTF-8 has no form for it.

Much faster than PyYAML's emitter: one pass in C over each text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import orjson

from goldproof.core.errors import InputError

_ODD = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_LONGEST_KEY = 1000  # a key of 1024 characters or more needs a question mark before it


def yaml_text(text: str) -> str:
    """Return a text in double quotes."""
    try:
        quoted = orjson.dumps(text).decode()
    except TypeError as error:
        raise InputError(
            f"the text {text[:40]!r} holds half of a surrogate pair, which UTF-8 has no form for."
        ) from error
    return _ODD.sub(_escaped, quoted)


def yaml_value(value: object) -> str:
    """Return a JSON value in one line."""
    if isinstance(value, str):
        return yaml_text(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)}: {yaml_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(yaml_value(item) for item in value) + "]"
    raise InputError(f"a {type(value).__name__} cannot be written as YAML; expected what JSON can hold.")


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise InputError(f"the key {key!r} is no text, which a mapping of JSON needs.")
    text = yaml_text(key)
    return text if len(text) < _LONGEST_KEY else f"? {text}"


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise InputError(f"{value} is not a finite number; write null or leave it out.")
    digits, sign, exponent = repr(float(value)).partition("e")
    return digits + (".0" if "." not in digits else "") + sign + exponent


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
