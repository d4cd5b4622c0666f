"""The queries of a scenario file: what is asked, what should come, and what would count as enough.

`expected` is a list (all of grade 2) or a mapping of grades; grade 0 means that a memory should not come. Every member
of a kernel is expected. Only negative queries expect nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, get_args

from goldproof.core.errors import InputError, UnknownNameError
from goldproof.io.scenarios.plain_values import is_moment
from goldproof.io.scenarios.scenario import KINDS, MOST_GRADE, Query
from goldproof.io.yaml_section import shown
from goldproof.metrics.memory.criterion import parse_criterion
from goldproof.metrics.memory.outcome import Order

if TYPE_CHECKING:
    from collections.abc import Collection

    from goldproof.io.scenarios.part import Part
    from goldproof.metrics.memory.criterion import Criterion


class Known(NamedTuple):
    """What queries may name: memories by id, and fields of their metadata."""

    memories: Collection[str]
    fields: Collection[str]


class QueryReader:
    """Reads the queries of one scenario."""

    def __init__(self, known: Known, *, above: Part) -> None:
        self._known = known
        self._above = above

    def read(self, found: object, *, place: int) -> Query:
        """Read one query; place: in the list, from 1."""
        part = self._above.below(found, f"query {place}", expected="a mapping with kind, query and expected")
        name = part.identify(default=f"q{place}")
        query = self._query(part, name)
        _check_expected(part, query)
        return query

    def _query(self, part: Part, name: str) -> Query:
        values = part.read(
            id=part.name,
            kind=lambda key, value: part.one_of(key, value, known=KINDS),
            query=part.text,
            asked_at=lambda key, value: _moment(part, key, value),
            expected=lambda key, value: self._grades(part, key, value),
            kernels=lambda key, value: self._kernels(part, key, value),
            filters=lambda key, value: self._filters(part, key, value),
            k=lambda key, value: _count(part, key, value),
            criteria=lambda key, value: _criteria(part, key, value),
            order=lambda key, value: part.one_of(key, value, known=get_args(Order)),
        )
        for key in ("kind", "query"):
            if key not in values:
                what = f"one of {', '.join(KINDS)}" if key == "kind" else "text"
                raise part.wrong(f"no {key}, expected {what}.")
        grades: dict[str, int] = values.pop("expected", {})
        return Query(
            name,
            text=values.pop("query"),
            expected={memory: grade for memory, grade in grades.items() if grade},
            unexpected=tuple(memory for memory, grade in grades.items() if not grade),
            **{key: value for key, value in values.items() if key != "id"},
        )

    def _grades(self, part: Part, key: str, value: object) -> dict[str, int]:
        if isinstance(value, list):
            names = part.names(key, value)
            _refuse_twice(part, key, names)
            given: dict[str, object] = dict.fromkeys(names, MOST_GRADE)
        elif isinstance(value, dict):
            given = part.section(key, value).values
        else:
            raise part.wrong(f"{key} is {shown(value)}, expected memories, such as [a, b] or {{a: 2, b: 1}}.")
        for memory in given:
            self._check_memory(part, key, memory)
        return {str(memory): _grade(part, key, memory, grade) for memory, grade in given.items()}

    def _kernels(self, part: Part, key: str, value: object) -> tuple[tuple[str, ...], ...]:
        kernels = part.sets(key, value)
        for kernel in kernels:
            _refuse_twice(part, key, kernel)
            for memory in kernel:
                self._check_memory(part, key, memory)
        return tuple(tuple(str(memory) for memory in kernel) for kernel in kernels)

    def _check_memory(self, part: Part, key: str, memory: str) -> None:
        if memory not in self._known.memories:
            unknown = UnknownNameError("memory", str(memory), self._known.memories)
            raise part.wrong(f"{key} names an {unknown}")

    def _filters(self, part: Part, key: str, value: object) -> dict[str, object]:
        filters = part.fields(key, value)
        for name in filters:
            if name.split(".")[0] not in self._known.fields:
                raise part.wrong(f"{key} name an {UnknownNameError('field', name, self._known.fields)}")
        return filters


def _check_expected(part: Part, query: Query) -> None:
    if query.kind == "negative" and query.expected:
        first = next(iter(query.expected))
        raise part.wrong(f"is negative but expects {first!r}; a negative query expects nothing ([]).")
    if query.kind != "negative" and not query.expected:
        raise part.wrong(f"expects no memory, but its kind is {query.kind}; name some, or make it negative.")
    for kernel in query.kernels:
        for memory in kernel:
            if memory not in query.expected:
                raise part.wrong(f"kernels has {memory!r}, which is not expected; name it under expected as well.")


def _grade(part: Part, key: str, memory: str, value: object) -> int:
    grade = part.plain(key, value)
    if isinstance(grade, bool) or not isinstance(grade, int) or not 0 <= grade <= MOST_GRADE:
        raise part.wrong(f"{key}: the grade of {memory!r} is {shown(value)}, expected 2, 1 or 0.")
    return grade


def _moment(part: Part, key: str, value: object) -> object:
    moment = part.plain(key, value)
    if not is_moment(moment):
        raise part.wrong(f"{key} is {shown(value)}, expected a turn such as 5 or a time such as 2024-05-01T09:30.")
    return moment


def _count(part: Part, key: str, value: object) -> int:
    count = part.plain(key, value)
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise part.wrong(f"{key} is {shown(value)}, expected a whole number of at least 1.")
    return count


def _criteria(part: Part, key: str, value: object) -> tuple[Criterion, ...]:
    if not isinstance(value, list) or not value:
        raise part.wrong(f"{key} is {shown(value)}, expected a list such as [recall > 0.9].")
    try:
        return tuple(parse_criterion(text) for text in value)
    except InputError as error:
        raise part.wrong(str(error)) from error


def _refuse_twice(part: Part, key: str, names: tuple[str, ...]) -> None:
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise part.wrong(f"{key} names {str(twice[0])!r} twice; name it once.")
