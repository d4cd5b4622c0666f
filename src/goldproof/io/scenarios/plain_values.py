"""Values of a scenario file as YAML 1.2 means them: 3 is a number, "3" is text, and so is a date.

Ids are never read this way: `01` stays as it was written.
"""

from __future__ import annotations

import math
import re
from datetime import datetime

from goldproof.io.yaml_text import LINE, Number

_DEEPEST = 4
_MONTH_LENGTH = 7
_ISO = re.compile(r"\d{4}-\d\d(?:-\d\d(?:[Tt ]\d.*)?)?")
_TURN = re.compile(r"-?\d+(?:\.\d+)?")
_BASES = {"0x": 16, "0o": 8}


class BadPlainValueError(ValueError):
    """A value that no metadata can hold; the text says what it is."""


def plain_value(value: object, *, depth: int = 0) -> object:
    """Return a value of the file in Python's own types."""
    if isinstance(value, Number):
        return _number(value)
    if isinstance(value, list | dict):
        if depth == _DEEPEST:
            raise BadPlainValueError("nested too deeply")
        if isinstance(value, list):
            return [plain_value(item, depth=depth + 1) for item in value]
        return {str(key): plain_value(item, depth=depth + 1) for key, item in value.items() if key != LINE}
    return value


def _number(text: Number) -> int | float:
    base = _BASES.get(text[:2])
    digits = text.lstrip("+-")
    try:
        if base or digits.isdigit():
            return int(text, base or 10)
        number = float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
    except ValueError as error:  # more digits than Python takes for a number
        raise BadPlainValueError(f"a number of {len(digits)} digits") from error
    if not math.isfinite(number):
        raise BadPlainValueError(f"{text}, which is not finite")
    return number


def is_moment(value: object) -> bool:
    """Say whether a value may be a turn or a time: a number, or an ISO date with or without a time of day."""
    if not isinstance(value, str):
        return isinstance(value, int | float) and not isinstance(value, bool)
    text = value.strip()
    if not _ISO.fullmatch(text):
        return _TURN.fullmatch(text) is not None
    try:
        datetime.fromisoformat(f"{text}-01" if len(text) == _MONTH_LENGTH else text)
    except ValueError:
        return False
    return True
