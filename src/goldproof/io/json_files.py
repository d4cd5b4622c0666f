"""JSON as this package writes it: 12 significant digits, two-space indent, UTF-8, a newline at the end.

Twelve digits are more than any metric means and fewer than the last bits in which two machines may differ. NaN and
infinity are refused: JSON has no such numbers.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, cast

import numpy as np
import orjson

from goldproof.core.errors import FileFormatError, InputError
from goldproof.io.opening import check_file, decode_text
from goldproof.io.replacing import replace_file

if TYPE_CHECKING:
    from pathlib import Path


def json_text(value: object, *, sort_keys: bool = False) -> str:
    """Return the JSON text of a value; mappings keep their order unless sorted."""
    plain = _plain(value, where="$")
    return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False, sort_keys=sort_keys) + "\n"


def write_json(path: Path | str, value: object, *, sort_keys: bool = False) -> None:
    """Write a value as JSON."""
    # A file name that is not UTF-8 reaches Python as half characters, which no file can hold.
    replace_file(path, json_text(value, sort_keys=sort_keys).encode("utf-8", "replace"))


def read_json(path: Path | str) -> object:
    """Read one JSON document."""
    path = check_file(path)
    text = decode_text(path.read_bytes(), path)
    try:
        return cast("object", orjson.loads(text))
    except orjson.JSONDecodeError as error:
        raise FileFormatError(path, f"is not JSON ({error.msg}).", line=error.lineno) from error


def _plain(value: object, *, where: str) -> object:
    """Return the value in JSON's own types, floats rounded; says where a value stands that JSON cannot hold."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InputError(f"{where} is {value}, which JSON cannot hold; write null and the reason instead.")
        return float(f"{value:.12g}") + 0.0  # + 0.0 turns -0.0 into 0.0
    if isinstance(value, Mapping):
        return {str(key): _plain(item, where=f"{where}.{key}") for key, item in value.items()}
    if isinstance(value, Set):
        return sorted((_plain(item, where=where) for item in value), key=str)
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, Sequence):
        return [_plain(item, where=f"{where}[{index}]") for index, item in enumerate(value)]
    raise InputError(f"{where} is a {type(value).__name__}, which JSON cannot hold.")
