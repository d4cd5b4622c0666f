"""Records of memory scenarios (MemoryItem, Query, Scenario, Suite), and how their values are read from a file.

A scenario is one conversation: memories in the order in which they were stored, and queries asked at some moment of it.
Only memories before that moment are stored when a query is asked. The kinds of queries are those of the test matrix;
each has criteria of its own, and a query may bring its own instead.

In a file, metadata, filters, moments and numbers are what YAML 1.2 says they are (`1` is a number, `"1"` and
`2024-05-01` are text); ids are text as it is written (`01` stays `01`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from types import MappingProxyType
from typing import Annotated, Literal, get_args

from goldproof.errors import InputError
from goldproof.io.forms import Form, Reads, one_of, read_name_sets, read_names
from goldproof.io.yaml_files import Number, shown
from goldproof.metrics.memory import Criterion, parse_criterion
from goldproof.metrics.memory.outcome import Order

Split = Literal["development", "holdout"]
# What each kind asks for.
KINDS: Mapping[str, str] = MappingProxyType(
    {
        "exact": "what was said at a certain point: that memory first",
        "semantic": "everything on a topic",
        "temporal": "the last few on a topic, or of all",
        "cross_role": "what one role said on a topic",
        "negative": "something that was never said: nothing should be returned",
        "follow_up": "what a follow-up question refers to",
        "topic_switch": "an earlier topic, after others came between",
        "ocr": "what was read from an image earlier",
        "update": "a fact that changed: the newest comes first",
        "haystack": "one memory among very many",
        "paraphrase": "a memory asked for in other words",
        "kernel": "several memories that answer only together",
    }
)
USUAL_K = 5  # how many are asked for by default
MOST_GRADE = 2
_SHORT = ("role", "content", "metadata")
_DEEPEST = 4
_MONTH_LENGTH = 7
_ISO = re.compile(r"\d{4}-\d\d(?:-\d\d(?:[Tt ]\d.*)?)?")
_TURN = re.compile(r"-?\d+(?:\.\d+)?")
_BASES = {"0x": 16, "0o": 8}


class BadPlainValueError(ValueError):
    """A value that metadata cannot hold; the text names it."""


def python_value(value: object, *, depth: int = 0) -> object:
    """Return a value of the file in Python's own types."""
    if isinstance(value, Number):
        return _number(value)
    if isinstance(value, list | dict):
        if depth == _DEEPEST:
            raise BadPlainValueError("nested too deeply")
        if isinstance(value, list):
            return [python_value(item, depth=depth + 1) for item in value]
        return {str(key): python_value(item, depth=depth + 1) for key, item in value.items()}
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
    """Return whether a value is a turn or a time: a number, or an ISO date with or without a time of day."""
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


def _read_id(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError
    return str(value)


def _read_fields(value: object) -> dict[str, object]:
    fields: dict[str, object] = {}
    if not isinstance(value, dict | None):
        raise TypeError
    for name, item in (value or {}).items():
        try:
            fields[name] = python_value(item)
        except BadPlainValueError as error:
            expected = "expected text, a finite number, true, false or null, or lists of them"
            raise InputError(f"{name} is {error}, {expected}.") from error
    return fields


def _read_moment(value: object) -> object:
    moment = python_value(value)
    if not is_moment(moment):
        raise ValueError
    return moment


def _read_count(value: object) -> int:
    count = python_value(value)
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ValueError
    return count


def _read_grades(value: object) -> dict[str, int]:
    if isinstance(value, list):
        return dict.fromkeys(_each_once(read_names(value)), MOST_GRADE)
    if not isinstance(value, dict):
        raise TypeError
    return {name: _read_grade(name, grade) for name, grade in value.items()}


def _read_grade(name: str, value: object) -> int:
    grade = python_value(value)
    if isinstance(grade, bool) or not isinstance(grade, int) or not 0 <= grade <= MOST_GRADE:
        raise InputError(f"the grade of {name!r} is {shown(value)}, expected 2, 1 or 0.")
    return grade


def _read_kernels(value: object) -> tuple[tuple[str, ...], ...]:
    return tuple(_each_once(kernel) for kernel in read_name_sets(value))


def _each_once(names: tuple[str, ...]) -> tuple[str, ...]:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InputError(f"{name!r} is named twice; name it once.")
    return names


def _read_criteria(value: object) -> tuple[Criterion, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(text, str) for text in value):
        raise ValueError
    return tuple(parse_criterion(text) for text in value)


Moment = int | float | str | date
Id = Annotated[str, Reads(_read_id, "an id (in quotes where it is a word such as true or null)")]
Text = Annotated[str, Reads(_read_id, "text")]
Fields = Annotated[Mapping[str, object], Reads(_read_fields, "a mapping")]
AskedAt = Annotated[Moment, Reads(_read_moment, "a turn such as 5 or a time such as 2024-05-01T09:30")]
K = Annotated[int, Reads(_read_count, "a whole number of at least 1")]
Grades = Annotated[Mapping[str, int], Reads(_read_grades, "memories, such as [a, b] or {a: 2, b: 1}")]
Kernels = Annotated[tuple[tuple[str, ...], ...], Reads(_read_kernels, "lists of names, such as [[a, b], [c]]")]
Criteria = Annotated[tuple[Criterion, ...], Reads(_read_criteria, "a list such as [recall > 0.9]")]


@dataclass(frozen=True, slots=True)
class MemoryItem(Form):
    """One stored memory; metadata: turn, timestamp, topic, type, ... as the scenario gives them."""

    EXPECTED = "a mapping with role and content, or [role, content, {turn: 1}]"

    id: Id
    role: Text
    content: Text
    metadata: Fields = field(default_factory=dict)

    @classmethod
    def unfold(cls, value: object) -> object:
        """Return the mapping that the short form stands for: `[role, content]`, with metadata or without."""
        return dict(zip(_SHORT, value, strict=False)) if isinstance(value, list) and len(value) in (2, 3) else value


@dataclass(frozen=True, slots=True)
class Query(Form):
    """One query of a scenario.

    expected: memory -> grade (2 answers, 1 is related), none for a negative query. unexpected: memories graded 0.
    kernels: sets of which any one, complete, suffices; where none is given, all of the highest grade are one.
    asked_at: a turn or a time; None: after everything. filters: what a user would pass. k: how many are asked for.
    least_k: at least so many are asked for, whatever the run says; only of adapters, files give k. criteria: instead of
    those of its kind. order: in which a temporal answer should come.
    """

    EXPECTED = "a mapping with kind, query and expected"

    id: Id
    text: Text = field(metadata={"key": "query"})
    kind: Annotated[str, one_of(KINDS)]
    expected: Grades = field(default_factory=dict)
    unexpected: tuple[str, ...] = field(default=(), metadata={"key": None})
    kernels: Kernels = ()
    asked_at: AskedAt | None = None
    filters: Fields | None = None
    k: K | None = None
    least_k: int | None = field(default=None, metadata={"key": None})
    criteria: Criteria = ()
    order: Annotated[Order, one_of(get_args(Order))] | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """One conversation with its queries; domain: debate, chat, ocr, support, coding, ..."""

    id: str
    memories: tuple[MemoryItem, ...]
    queries: tuple[Query, ...]
    domain: str = ""
    split: Split = "development"


@dataclass(frozen=True, slots=True)
class Suite:
    """Scenarios that are run together.

    inputs: name of each file -> its sha256. remarks: what was left out on reading, in sentences.
    """

    name: str
    scenarios: tuple[Scenario, ...]
    inputs: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def queries(self) -> int:
        """Number of queries."""
        return sum(len(scenario.queries) for scenario in self.scenarios)
