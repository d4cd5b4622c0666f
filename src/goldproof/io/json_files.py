"""JSON values, lines and files, read and written; ids, values and failures of a JSON record.

Written numbers have twelve digits: more than any metric means and fewer than the last bits in which two machines may
differ. NaN and infinity are refused (orjson would write null), and so is whatever else JSON cannot hold.

Read, NaN and Infinity are refused, or null in records of datasets (`nan="null"`): they are no JSON numbers, but Python
writes them. Everything else in such a text is held to the same rules as any other: no lone surrogate, no number beyond
double precision.

    judgments  {"query_id": "q1", "doc_id": "d1", "grade": 2}
    rankings   see `goldproof.io.datasets.qrels_and_runs`

Keys have the aliases of `goldproof.io.columns`. An id may be a number and is kept as its text; other keys are ignored.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

import numpy as np
import orjson

from goldproof.errors import FileFormatError, InputError
from goldproof.io.atomic_files import replace_file
from goldproof.io.columns import ALIASES, find_key, shown_names
from goldproof.io.text_files import check_file, decode_text, read_blocks
from goldproof.io.values import BadValueError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.io.diagnostics import Diagnostics
    from goldproof.io.values import ValueKind


JsonObject = dict[str, object]
OnNan = Literal["refuse", "null"]


class BadJsonError(ValueError):
    """Bytes that are not one JSON value; the text is a sentence."""


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
    """Return the value in JSON's own types, floats rounded; raise with the path of a value that JSON cannot hold."""
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


def json_line(record: Mapping[str, object], *, where: str) -> bytes:
    """Return a record as a line of JSON; `where` names the record in messages."""
    try:
        line = orjson.dumps(record, default=_as_dict, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError as error:
        raise InputError(f"{where}: cannot be written as JSON ({error}).") from error
    # Only a line with a null in it can hold one that was a number: most need no closer look.
    odd = next(_not_finite(record, ""), None) if b"null" in line else None
    if odd is not None:
        raise InputError(f"{where}: {odd} is not a finite number, which JSON cannot hold; write null or leave it out.")
    return line


def _not_finite(value: object, path: str) -> Iterator[str]:
    """Yield the paths of numbers that are not finite."""
    if isinstance(value, float):
        if not math.isfinite(value):
            yield path
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _not_finite(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            if not isinstance(item, str):
                yield from _not_finite(item, f"{path}[{index}]")


def _as_dict(value: object) -> object:
    """Return a mapping of another type as a dict, which orjson knows."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a {type(value).__name__} is no JSON value")


# A string is matched whole, or up to the end where nothing closes it: what stands inside is left alone.
_STRING_OR_NAN = re.compile(rb'"(?:[^"\\]|\\.)*+"?|(-?Infinity|NaN)', re.DOTALL)


def parse_object(text: bytes, *, nan: OnNan = "refuse") -> JsonObject:
    """Return the object that a JSON text is."""
    value = _parsed(text, nan=nan)
    if isinstance(value, dict):
        return value
    raise BadJsonError(f"is {json_kind(value)}, expected a JSON object.")


def _parsed(text: bytes, *, nan: OnNan) -> object:
    try:
        return cast("object", orjson.loads(text))
    except orjson.JSONDecodeError as error:
        if nan == "refuse" or (without := _without_nan(text)) == text:
            raise BadJsonError(_why(text, error)) from error
    try:
        return cast("object", orjson.loads(without))
    except orjson.JSONDecodeError as error:
        raise BadJsonError(_why(without, error)) from error


def _without_nan(text: bytes) -> bytes:
    """Return the text with null for NaN and Infinity, as wide as they were where that is possible."""
    if b"NaN" not in text and b"Infinity" not in text:
        return text
    return _STRING_OR_NAN.sub(lambda match: b"null".ljust(len(match[0])) if match[1] else match[0], text)


def _why(text: bytes, error: orjson.JSONDecodeError) -> str:
    if not text.strip():
        return "is empty, expected a JSON object."
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as bad:
        return f"byte {bad.start + 1} (0x{text[bad.start]:02X}) is not UTF-8."
    if _without_nan(text) != text:
        return "is not JSON: NaN and Infinity are not JSON numbers."
    if "infinity" in error.msg:
        return f"holds a number beyond double precision (column {error.colno}), which is not finite."
    return f"is not JSON ({error.msg}, column {error.colno})."


class NumberedRecord(NamedTuple):
    """One record and its number, from 1."""

    number: int
    record: JsonObject


def read_objects(path: Path, diagnostics: Diagnostics, *, nan: OnNan = "refuse") -> Iterator[NumberedRecord]:
    """Yield the objects of a file with their lines; a line that is not a JSON object is reported and left out."""
    for block in read_blocks(path):
        for number, raw in enumerate(block.data.split(b"\n"), start=block.first_line):
            if not raw or raw.isspace():
                continue
            try:
                record = parse_object(raw, nan=nan)
            except BadJsonError as error:
                _report_line(raw, error, line=number, diagnostics=diagnostics)
            else:
                yield NumberedRecord(number, record)


def _report_line(raw: bytes, error: BadJsonError, *, line: int, diagnostics: Diagnostics) -> None:
    try:
        decode_text(raw, diagnostics.path)
    except FileFormatError as not_text:
        diagnostics.report(not_text.problem, line=line, hint=not_text.hint)
    else:
        diagnostics.report(str(error), line=line)


class BadRecordError(ValueError):
    """A JSON object with missing or wrong values; the text is a sentence."""


def get_id(record: JsonObject, role: str) -> str:
    """Return the id that plays a role."""
    key = find_key(record, role)
    if key is None:
        raise BadRecordError(f"no key {ALIASES[role][0]!r} (found {_keys(record)}).")
    return id_under(key, record)


def id_under(key: str, record: JsonObject) -> str:
    """Return the id under a key: text, or a whole number as text."""
    value = record[key]
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise BadRecordError(f"key {key!r} is {json_kind(value)}, expected text.")
    if not value:
        raise BadRecordError(f"key {key!r} is empty.")
    return value


def get_value(record: JsonObject, kind: ValueKind) -> float:
    """Return the grade or score of an object."""
    key = find_key(record, kind.name)
    if key is None:
        raise BadRecordError(f"no key {ALIASES[kind.name][0]!r} (found {_keys(record)}).")
    try:
        return kind.parse(record[key])
    except BadValueError as error:
        raise BadRecordError(f"{error} (key {key!r}).") from error


def get_failure(record: JsonObject) -> str | None:
    """Return the reason why the system failed, or None where it did not."""
    key = find_key(record, "error")
    error = None if key is None else record[key]
    if error is None or error is False:
        return None
    if error is True:
        return "no reason given"
    shown = orjson.dumps(error).decode()
    if not error or (isinstance(error, str) and not error.strip()):
        raise BadRecordError(f"key {key!r} is {shown}, expected the reason why the system failed, or null.")
    return error if isinstance(error, str) else shown


def json_kind(value: object) -> str:
    """Return the kind of a JSON value with its article, for messages."""
    if value is None:
        return "null"
    names = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}
    return names[type(value)]


def _keys(record: JsonObject) -> str:
    return shown_names(list(record)) or "no key"
