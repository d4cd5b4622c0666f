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

A misspelt key or name would do nothing, silently, so each is checked. A memory without an id goes by its place in the
list, from 0.

`expected` is a list (all of grade 2) or a mapping of grades; grade 0 means that a memory should not come. Every member
of a kernel is expected. Only negative queries expect nothing.
"""

from __future__ import annotations

from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar, get_args

from goldproof.errors import FileFormatError, InputError, UnknownNameError
from goldproof.io.forms import Form, Reads, check_form, one_of
from goldproof.io.scenarios.scenario import Id, MemoryItem, Query, Scenario, Split, Suite, Text
from goldproof.io.storage.cards import sha256_file
from goldproof.io.yaml_files import line_of, load_marked_yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from goldproof.io.diagnostics import Diagnostics


HINT = "docs/reference/memory-scenarios.md shows a whole file."
T = TypeVar("T")
Item = TypeVar("Item", MemoryItem, Query)


def _entries(value: object) -> list[object]:
    if not isinstance(value, list) or not value:
        raise ValueError
    return value


Entries = Annotated[list[object], Reads(_entries, "a list of at least one")]


@dataclass(frozen=True, slots=True)
class _SuiteFile(Form):
    EXPECTED = "a mapping with the key scenarios"

    scenarios: Entries
    name: Text | None = None


@dataclass(frozen=True, slots=True)
class _ScenarioEntry(Form):
    EXPECTED = "a mapping with id, memories and queries"

    id: Id
    memories: Entries
    queries: Entries
    domain: Text = ""
    split: Annotated[Split, one_of(get_args(Split))] = "development"


def scenario_suite(path: Path, diagnostics: Diagnostics) -> Suite:
    """Read a scenario file; a bad memory, query or scenario is reported, and the rest is read."""
    suite = check_form(load_marked_yaml(path, diagnostics), _SuiteFile, diagnostics, hint=HINT)
    scenarios: dict[str, Scenario] = {}
    for place, entry in enumerate(suite.scenarios, start=1):
        line = line_of(entry) or line_of(suite.scenarios)
        with _reported(diagnostics, f"scenario {_name(entry, place)!r}", line) as where:
            listed = check_form(entry, _ScenarioEntry, diagnostics, where=f"{where}: ", hint=HINT)
            if listed.id in scenarios:
                raise InputError("its id occurs twice; ids are unique in a suite, so give it another.")
            scenarios[listed.id] = _read_scenario(listed, diagnostics, where=where)
    name = suite.name or Path(path.name.removesuffix(".gz")).stem
    return Suite(name, tuple(scenarios.values()), inputs={path.name: sha256_file(path)})


@contextmanager
def _reported(diagnostics: Diagnostics, where: str, line: int | None) -> Iterator[str]:
    """Report an error to the diagnostics, which raise it or count it."""
    try:
        yield where
    except FileFormatError as error:
        diagnostics.report(error.problem, line=error.line or line, hint=error.hint)
    except InputError as error:
        diagnostics.report(f"{where}: {error}", line=line, hint=HINT)


def _name(entry: object, default: T) -> str | T:
    """Return the id of an entry, or its default."""
    name = entry.get("id") if isinstance(entry, dict) else None
    return str(name) if isinstance(name, str) and name.strip() else default


def _read_scenario(listed: _ScenarioEntry, diagnostics: Diagnostics, *, where: str) -> Scenario:
    memories = _read_each(listed.memories, MemoryItem, diagnostics, names=map(str, count()), where=f"{where}, memory")
    # The id of a memory that could not be read is known: a query that expects it is not wrong as well.
    ids = dict.fromkeys([*memories, *map(_name, listed.memories, map(str, count()))])
    fields = dict.fromkeys(["role", *(field for memory in memories.values() for field in memory.metadata)])
    queries = _read_each(
        listed.queries,
        Query,
        diagnostics,
        names=map("q{}".format, count(1)),
        where=f"{where}, query",
        check=partial(_checked_query, memories=ids, fields=fields),
    )
    return Scenario(listed.id, tuple(memories.values()), tuple(queries.values()), listed.domain, listed.split)


def _read_each(
    entries: list[object],
    form: type[Item],
    diagnostics: Diagnostics,
    *,
    names: Iterable[str],
    where: str,
    check: Callable[[Item], Item] = lambda item: item,
) -> dict[str, Item]:
    """Read the memories or queries of a scenario by id; names: the ids of those that have none."""
    items: dict[str, Item] = {}
    for entry, default in zip(entries, names, strict=False):
        line = line_of(entry) or line_of(entries)
        with _reported(diagnostics, f"{where} {_name(entry, default)!r}", line) as part:
            item = check_form(_with_id(form.unfold(entry), default), form, diagnostics, where=f"{part}: ", hint=HINT)
            if item.id in items:
                raise InputError("its id occurs twice; ids are unique in a scenario, so give it another.")
            items[item.id] = check(item)
    return items


def _with_id(entry: object, default: str) -> object:
    if not isinstance(entry, dict):
        return entry
    named = copy(entry)
    named.setdefault("id", default)
    return named


def _checked_query(query: Query, *, memories: Collection[str], fields: Collection[str]) -> Query:
    """Return a query with its grades of 0 apart; what it names is in the scenario, and its parts fit each other."""
    for key, names in [("expected", query.expected), *(("kernels", kernel) for kernel in query.kernels)]:
        for name in names:
            if name not in memories:
                raise InputError(f"{key} names an {UnknownNameError('memory', name, memories)}")
    for name in query.filters or ():
        if name.split(".")[0] not in fields:
            raise InputError(f"filters name an {UnknownNameError('field', name, fields)}")
    expected = {memory: grade for memory, grade in query.expected.items() if grade}
    if query.kind == "negative" and expected:
        raise InputError(f"is negative but expects {next(iter(expected))!r}; a negative query expects nothing ([]).")
    if query.kind != "negative" and not expected:
        raise InputError(f"expects no memory, but its kind is {query.kind}; name some, or make it negative.")
    for name in (name for kernel in query.kernels for name in kernel if name not in expected):
        raise InputError(f"kernels has {name!r}, which is not expected; name it under expected as well.")
    unexpected = tuple(memory for memory in query.expected if memory not in expected)
    return replace(query, expected=expected, unexpected=unexpected)
