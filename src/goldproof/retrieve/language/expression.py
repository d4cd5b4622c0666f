"""The syntax tree of a pipeline and how it prints.

    hybrid(bm25, dense(minilm)) | floor(0.3)
    Pipe((Call("hybrid", (Word("bm25"), Call("dense", (Word("minilm"),)))), Call("floor", (Number(0.3),))))

The same meaning is the same tree: a call without arguments is a `Word`, and text is a `Word` wherever one can hold it
(`dense("minilm")` is `dense(minilm)`). A `Word` may later be read as a stage, a text, a flag or a number, depending on
its place; a `Text` is always text. Only canonical numbers are a `Number`, so that `version=1.10` keeps its 0.

An address is printed without its query, which may hold a key: what is printed goes into cards and messages.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from numbers import Integral, Real
from pathlib import PurePath
from typing import TypeAlias

from goldproof.errors import InputError

URL = re.compile(r"https?://[^\s,|()\[\]\"']+", re.IGNORECASE)
WORD = re.compile(r"[\w./:@+\-%~]+")
NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_QUERY = re.compile(r"(https?://[^\s?#]*)[?#].*", re.IGNORECASE | re.DOTALL)
FLAGS = {"true": True, "false": False}
NOTHING = ("none", "null")
_ENDS = ("gte", "lte")


@dataclass(frozen=True, slots=True)
class Word:
    """A name or other text that needs no quotes."""

    text: str

    def __post_init__(self) -> None:
        if not is_word(self.text):
            raise InputError(f"{self.text!r} is not a single word; put it in quotes.")

    def __str__(self) -> str:
        return without_query(self.text)


@dataclass(frozen=True, slots=True)
class Number:
    """A number."""

    value: int | float

    def __post_init__(self) -> None:
        if not abs(self.value) <= sys.float_info.max:  # nor a whole number that no float can hold
            raise InputError(f"{self.value} cannot be used in a pipeline; give a finite number.")

    def __str__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True, slots=True)
class Text:
    """Text that a word cannot hold, or that would mean something else as a word: "new york", "true", "1.10"."""

    value: str

    def __str__(self) -> str:
        return quoted(without_query(self.value))


@dataclass(frozen=True, slots=True)
class List:
    """Several values: [1, 2]."""

    items: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.items))}]"


@dataclass(frozen=True, slots=True, eq=False)
class Object:
    """A Python object, given from Python. It prints as its type, which cannot be read back."""

    value: object

    def __str__(self) -> str:
        named = self.value if hasattr(self.value, "__qualname__") else type(self.value)
        return f"<{named.__module__}:{named.__qualname__}>"


@dataclass(frozen=True, slots=True)
class Call:
    """A stage with arguments, by position and by name; `Word` where there are none."""

    name: str
    args: tuple[Expression, ...] = ()
    kwargs: tuple[tuple[str, Expression], ...] = ()

    def __post_init__(self) -> None:
        if not is_word(self.name):
            raise InputError(f"{self.name!r} cannot be the name of a stage.")

    def __str__(self) -> str:
        named = (f"{_printed_name(key)}={value}" for key, value in self.kwargs)
        return f"{without_query(self.name)}({', '.join([*map(str, self.args), *named])})"


@dataclass(frozen=True, slots=True)
class Pipe:
    """Stages one after the other; at least two, and none of them a pipe."""

    parts: tuple[Expression, ...]

    def __str__(self) -> str:
        return " | ".join(map(str, self.parts))


Expression: TypeAlias = Word | Number | Text | List | Object | Call | Pipe


def is_word(text: str) -> bool:
    """Whether the text can stand without quotes (it may be the text of a number)."""
    return bool(WORD.fullmatch(text) or URL.fullmatch(text))


def without_query(text: str) -> str:
    """Return an address without what follows its path; other text as it is."""
    address = _QUERY.fullmatch(text)
    return address[1] if address else text


def quoted(text: str) -> str:
    """Return text in quotes. A quote within is doubled; a backslash is a backslash, as in paths of Windows."""
    quote = "'" if '"' in text and "'" not in text else '"'
    return quote + text.replace(quote, quote * 2) + quote


def _printed_name(name: str) -> str:
    # An address would take the "=" after it for its own.
    return name if WORD.fullmatch(name) and not URL.match(name) else quoted(name)


def call(name: str, args: tuple[Expression, ...] = (), kwargs: tuple[tuple[str, Expression], ...] = ()) -> Word | Call:
    """Return a stage with these arguments."""
    return Call(name, args, kwargs) if args or kwargs else Word(name)


def unquoted(text: str) -> Word | Number:
    """Return the node of a token without quotes."""
    if NUMBER.fullmatch(text) and len(text) <= 30:
        number = Number(float(text) if any(mark in text for mark in ".eE") else int(text)) if _fits(text) else None
        if number is not None and str(number) == text:
            return number
    return Word(text)


def _fits(text: str) -> bool:
    return math.isfinite(float(text))


def literal(text: str) -> Word | Text:
    """Return the node of a text: a word where it stays text as one."""
    plain = is_word(text) and not NUMBER.fullmatch(text) and text.lower() not in (*FLAGS, *NOTHING)
    return Word(text) if plain else Text(text)


def range_word(ends: Mapping[str, object]) -> Word | Text | None:
    """Return the word of a range, such as `2019..2021`; None where the language has none, as for an exclusive end."""
    texts = {name: _end(value) for name, value in ends.items()}
    if not texts or any(name not in _ENDS or not text for name, text in texts.items()):
        return None
    return literal("..".join(texts.get(name) or "" for name in _ENDS))


def as_argument(value: object) -> Expression:
    """Return the expression of a Python value as an argument."""
    if value is None or isinstance(value, bool):
        return Word(str(value).lower())
    if isinstance(value, Integral | Real):
        return Number(int(value) if isinstance(value, Integral) else float(value))
    if isinstance(value, str | date | PurePath):
        return literal(value.isoformat() if isinstance(value, date) else str(value))
    if isinstance(value, timedelta):
        return literal(f"{value.total_seconds()}s")
    if isinstance(value, list | tuple):
        return List(tuple(as_argument(item) for item in value))
    return (range_word(value) if isinstance(value, Mapping) else None) or Object(value)


def _end(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(value)
    return None if ".." in text or "/" in text or "\\" in text else text
