"""Scenario files: YAML or JSON with YAML 1.2 values, every key and name checked.

    name: goldproof-memory              # of the suite; default: the name of the file
    scenarios:
      - id: nuclear-debate          # unique in the suite
        domain: debate
        split: development          # or holdout; default: development
        memories:
          - {id: baseload, role: proponent, content: "Nuclear plants run day and night.", metadata: {turn: 1}}
          - [opponent, "Wind needs no fuel.", {turn: 2}]
        queries:
          - id: safety-turn-1       # unique in the scenario; default: q1, q2, ...
            kind: exact
            query: "What did the proponent say about safety in turn 1?"
            asked_at: 9             # a turn or a time; default: after everything
            expected: [baseload]    # or {baseload: 2, other: 1}; nothing for negative queries, and only for them
            kernels: [[baseload]]   # any one set, complete, suffices
            filters: {role: proponent}
            k: 3
            criteria: [recall > 0.9]
            order: newest           # or oldest

A misspelt key or name would do nothing, silently, so each is checked. Metadata, filters, moments and numbers are what
YAML 1.2 says they are (`1` is a number, `"1"` and `2024-05-01` are text); ids are text as it is written (`01` stays
`01`). A memory without an id goes by its place in the list, from 0.

`expected` is a list (all of grade 2) or a mapping of grades; grade 0 means that a memory should not come. Every member
of a kernel is expected. Only negative queries expect nothing.
"""

from __future__ import annotations

import math
import re
from contextlib import contextmanager
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from goldproof.errors import FileFormatError, InputError, UnknownNameError
from goldproof.io.scenarios.scenario import KINDS, MOST_GRADE, MemoryItem, Query, Scenario, Split, Suite
from goldproof.io.storage.cards import sha256_file
from goldproof.io.yaml_files import LinedList, LinedMapping, Number, YamlSection, line_of, load_marked_yaml, shown
from goldproof.metrics.memory import parse_criterion
from goldproof.metrics.memory.outcome import Order

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from goldproof.io.diagnostics import Diagnostics
    from goldproof.metrics.memory import Criterion


HINT = "docs/memory-scenarios.md shows a whole file."
_SHORT = ("role", "content", "metadata")
_SHORTEST = 2
_FORMS = "a mapping with role and content, or [role, content, {turn: 1}]"
_DEEPEST = 4
_MONTH_LENGTH = 7
_ISO = re.compile(r"\d{4}-\d\d(?:-\d\d(?:[Tt ]\d.*)?)?")
_TURN = re.compile(r"-?\d+(?:\.\d+)?")
_BASES = {"0x": 16, "0o": 8}


def scenario_suite(path: Path, diagnostics: Diagnostics) -> Suite:
    """Read a scenario file; a bad memory, query or scenario is reported, and the rest is read."""
    content = load_marked_yaml(path, diagnostics)
    if not isinstance(content, dict):
        raise diagnostics.error(f"is {shown(content)}, expected a mapping with the key scenarios.", hint=HINT)
    top = ScenarioSection(content, diagnostics=diagnostics)
    with _collected(diagnostics):
        top.read(name=top.text, scenarios=lambda *_: None)
    name = top.values.get("name")
    scenarios: dict[str, Scenario] = {}
    for place, entry in enumerate(top.items("scenarios"), start=1):
        with _collected(diagnostics):
            part = top.below(entry, f"scenario {place}", expected="a mapping with id, memories and queries")
            scenario = _read_scenario(part, diagnostics, taken=scenarios)
            scenarios[scenario.id] = scenario
    return Suite(
        str(name) if isinstance(name, str) else Path(path.name.removesuffix(".gz")).stem,
        tuple(scenarios.values()),
        inputs={path.name: sha256_file(path)},
    )


@contextmanager
def _collected(diagnostics: Diagnostics) -> Iterator[None]:
    """Report an error to the diagnostics, which raise it or count it."""
    try:
        yield
    except FileFormatError as error:
        diagnostics.report(error.problem, line=error.line, hint=error.hint)


def _read_scenario(part: ScenarioSection, diagnostics: Diagnostics, *, taken: Collection[str]) -> Scenario:
    if "id" not in part.values:
        raise part.wrong("no id, expected one that is unique in the suite.")
    name = part.identify(default="")
    if name in taken:
        raise part.wrong("its id occurs twice; ids are unique in a suite, so give it another.")
    values = part.read(
        id=part.name,
        domain=part.text,
        split=lambda key, value: part.one_of(key, value, known=get_args(Split)),
        memories=lambda *_: None,
        queries=lambda *_: None,
    )
    memories = _read_memories(part, diagnostics)
    queries = _read_queries(part, diagnostics, memories=memories)
    rest = {key: values[key] for key in ("domain", "split") if key in values}
    return Scenario(name, tuple(memories.values()), tuple(queries.values()), **rest)


def _read_memories(part: ScenarioSection, diagnostics: Diagnostics) -> dict[str, MemoryItem]:
    memories: dict[str, MemoryItem] = {}
    for place, entry in enumerate(part.items("memories")):
        with _collected(diagnostics):
            memory = read_memory(entry, above=part, place=place)
            if memory.id in memories:
                raise _twice(part, f"memory {memory.id!r}", entry, diagnostics)
            memories[memory.id] = memory
    return memories


def _read_queries(
    part: ScenarioSection, diagnostics: Diagnostics, *, memories: dict[str, MemoryItem]
) -> dict[str, Query]:
    fields = dict.fromkeys(["role", *(field for memory in memories.values() for field in memory.metadata)])
    # The id of a memory that could not be read is known: a query that expects it is not wrong as well.
    ids = dict.fromkeys([*memories, *map(_id_of, part.items("memories"), count())])
    reader = QueryReader(KnownIds(ids, fields), above=part)
    queries: dict[str, Query] = {}
    for place, entry in enumerate(part.items("queries"), start=1):
        with _collected(diagnostics):
            query = reader.read(entry, place=place)
            if query.id in queries:
                raise _twice(part, f"query {query.id!r}", entry, diagnostics)
            queries[query.id] = query
    return queries


def _id_of(memory: object, place: int) -> str:
    return str(memory.get("id", place)) if isinstance(memory, dict) else str(place)


def _twice(part: ScenarioSection, name: str, entry: object, diagnostics: Diagnostics) -> FileFormatError:
    problem = f"{part.where}{name} occurs twice; ids are unique in a scenario, so give it another."
    return diagnostics.error(problem, line=line_of(entry), hint=HINT)


def read_memory(entry: object, *, above: ScenarioSection, place: int) -> MemoryItem:
    """Read one memory. above: its scenario. place: in the list, from 0."""
    part = above.below(_as_mapping(entry), f"memory {place}", expected=_FORMS)
    name = part.identify(default=str(place))
    values = part.read(id=part.name, role=part.text, content=part.text, metadata=part.fields)
    for key in _SHORT[:_SHORTEST]:
        if key not in values:
            raise part.wrong(f"no {key}, expected {_FORMS}.")
    return MemoryItem(name, values["role"], values["content"], values.get("metadata", {}))


def _as_mapping(entry: object) -> object:
    """Return the short form as a mapping, anything else as it is."""
    if isinstance(entry, LinedList) and _SHORTEST <= len(entry) <= len(_SHORT):
        mapping = LinedMapping(zip(_SHORT, entry, strict=False))
        mapping.line = entry.line
        return mapping
    return entry


class KnownIds(NamedTuple):
    """Names that queries may use: memories by id, and fields of their metadata."""

    memories: Collection[str]
    fields: Collection[str]


class QueryReader:
    """Reads the queries of one scenario."""

    def __init__(self, known: KnownIds, *, above: ScenarioSection) -> None:
        self._known = known
        self._above = above

    def read(self, entry: object, *, place: int) -> Query:
        """Read one query; place: in the list, from 1."""
        part = self._above.below(entry, f"query {place}", expected="a mapping with kind, query and expected")
        name = part.identify(default=f"q{place}")
        query = self._query(part, name)
        _check_expected(part, query)
        return query

    def _query(self, part: ScenarioSection, name: str) -> Query:
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
                expected_value = f"one of {', '.join(KINDS)}" if key == "kind" else "text"
                raise part.wrong(f"no {key}, expected {expected_value}.")
        grades: dict[str, int] = values.pop("expected", {})
        return Query(
            name,
            text=values.pop("query"),
            expected={memory: grade for memory, grade in grades.items() if grade},
            unexpected=tuple(memory for memory, grade in grades.items() if not grade),
            **{key: value for key, value in values.items() if key != "id"},
        )

    def _grades(self, part: ScenarioSection, key: str, value: object) -> dict[str, int]:
        if isinstance(value, list):
            names = part.names(key, value)
            _refuse_twice(part, key, names)
            graded: dict[str, object] = dict.fromkeys(names, MOST_GRADE)
        elif isinstance(value, dict):
            graded = part.section(key, value).values
        else:
            raise part.wrong(f"{key} is {shown(value)}, expected memories, such as [a, b] or {{a: 2, b: 1}}.")
        for memory in graded:
            self._check_memory(part, key, memory)
        return {str(memory): _grade(part, key, memory, grade) for memory, grade in graded.items()}

    def _kernels(self, part: ScenarioSection, key: str, value: object) -> tuple[tuple[str, ...], ...]:
        kernels = part.sets(key, value)
        for kernel in kernels:
            _refuse_twice(part, key, kernel)
            for memory in kernel:
                self._check_memory(part, key, memory)
        return tuple(tuple(str(memory) for memory in kernel) for kernel in kernels)

    def _check_memory(self, part: ScenarioSection, key: str, memory: str) -> None:
        if memory not in self._known.memories:
            unknown = UnknownNameError("memory", str(memory), self._known.memories)
            raise part.wrong(f"{key} names an {unknown}")

    def _filters(self, part: ScenarioSection, key: str, value: object) -> dict[str, object]:
        filters = part.fields(key, value)
        for name in filters:
            if name.split(".")[0] not in self._known.fields:
                raise part.wrong(f"{key} name an {UnknownNameError('field', name, self._known.fields)}")
        return filters


def _check_expected(part: ScenarioSection, query: Query) -> None:
    if query.kind == "negative" and query.expected:
        first = next(iter(query.expected))
        raise part.wrong(f"is negative but expects {first!r}; a negative query expects nothing ([]).")
    if query.kind != "negative" and not query.expected:
        raise part.wrong(f"expects no memory, but its kind is {query.kind}; name some, or make it negative.")
    for kernel in query.kernels:
        for memory in kernel:
            if memory not in query.expected:
                raise part.wrong(f"kernels has {memory!r}, which is not expected; name it under expected as well.")


def _grade(part: ScenarioSection, key: str, memory: str, value: object) -> int:
    grade = part.plain(key, value)
    if isinstance(grade, bool) or not isinstance(grade, int) or not 0 <= grade <= MOST_GRADE:
        raise part.wrong(f"{key}: the grade of {memory!r} is {shown(value)}, expected 2, 1 or 0.")
    return grade


def _moment(part: ScenarioSection, key: str, value: object) -> object:
    moment = part.plain(key, value)
    if not is_moment(moment):
        raise part.wrong(f"{key} is {shown(value)}, expected a turn such as 5 or a time such as 2024-05-01T09:30.")
    return moment


def _count(part: ScenarioSection, key: str, value: object) -> int:
    count = part.plain(key, value)
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise part.wrong(f"{key} is {shown(value)}, expected a whole number of at least 1.")
    return count


def _criteria(part: ScenarioSection, key: str, value: object) -> tuple[Criterion, ...]:
    if not isinstance(value, list) or not value:
        raise part.wrong(f"{key} is {shown(value)}, expected a list such as [recall > 0.9].")
    try:
        return tuple(parse_criterion(text) for text in value)
    except InputError as error:
        raise part.wrong(str(error)) from error


def _refuse_twice(part: ScenarioSection, key: str, names: tuple[str, ...]) -> None:
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise part.wrong(f"{key} names {str(twice[0])!r} twice; name it once.")


class ScenarioSection(YamlSection):
    """A suite, scenario, memory or query."""

    def __init__(self, mapping: Mapping[Any, object], *, diagnostics: Diagnostics, where: str = "") -> None:
        super().__init__(mapping, diagnostics=diagnostics, where=where, hint=HINT)

    def below(self, value: object, name: str, *, expected: str) -> ScenarioSection:
        """Return a mapping in this one. name: its kind and place, which its id replaces; expected: for messages."""
        where = f"{self.where.removesuffix(': ')}, {name}: ".removeprefix(", ")
        if not isinstance(value, dict):
            kind = f"a list of {len(value)}" if isinstance(value, list) else shown(value)
            line = line_of(value) or self._line
            raise self._diagnostics.error(f"{where}is {kind}, expected {expected}.", line=line, hint=HINT)
        return ScenarioSection(value, diagnostics=self._diagnostics, where=where)

    def identify(self, *, default: str) -> str:
        """Return the id, by which messages call this part from now on."""
        name = self.name("id", self.values.get("id", default))
        above, _, place = self.where.rpartition(", ")
        self.where = ", ".join(filter(None, (above, f"{place.split()[0]} {name!r}: ")))
        return name

    def name(self, key: str, value: object) -> str:
        """Read an id; a number is one as it is written."""
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(f"{key} is {shown(value)}, expected an id; put words such as true or null in quotes.")
        return str(value)

    def text(self, key: str, value: object) -> str:
        """Read text that is not blank."""
        if not isinstance(value, str):
            raise self.wrong(f"{key} is {shown(value)}, expected text.")
        if not value.strip():
            raise self.wrong(f"{key} is empty, expected text.")
        return str(value)

    def one_of(self, key: str, value: object, *, known: Collection[str]) -> str:
        """Read one of several names."""
        if not isinstance(value, str):
            raise self.wrong(f"{key} is {shown(value)}, expected {' or '.join(known)}.")
        if value not in known:
            raise self.wrong(str(UnknownNameError(key, str(value), known)))
        return str(value)

    def plain(self, key: str, value: object) -> object:
        """Read a value as YAML means it."""
        try:
            return python_value(value)
        except BadPlainValueError as error:
            expected = "expected text, a finite number, true, false or null, or lists of them"
            raise self.wrong(f"{key} is {error}, {expected}.") from error

    def fields(self, key: str, value: object) -> dict[str, object]:
        """Read a mapping of plain values; null is an empty one."""
        if value is None:
            return {}
        return {name: self.plain(f"{key}: {name}", item) for name, item in self.section(key, value).values.items()}

    def items(self, key: str) -> list[object]:
        """Return the items of a list that must not be empty."""
        value = self.values.get(key)
        if not isinstance(value, list) or not value:
            problem = f"no {key}" if value in (None, []) else f"{key} is {shown(value)}"
            raise self.wrong(f"{problem}, expected a list of at least one.")
        return value


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
