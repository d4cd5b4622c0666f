"""Scenario files: YAML, or JSON of the same shape.

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
YAML 1.2 says they are (`1` is a number, `"1"` and `2024-05-01` are text); ids are text as it is written.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from goldproof.core.errors import FileFormatError
from goldproof.io.cards import sha256_file
from goldproof.io.complaints import Complaints
from goldproof.io.scenarios.memories import read_memory
from goldproof.io.scenarios.part import HINT, Part, line_of
from goldproof.io.scenarios.queries import Known, QueryReader
from goldproof.io.scenarios.scenario import Scenario, Split, Suite
from goldproof.io.yaml_section import shown
from goldproof.io.yaml_text import load_marked_yaml

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from goldproof.io.scenarios.scenario import MemoryItem, Query


def read_scenarios(path: Path | str) -> Suite:
    """Read a scenario file; the first thing that is wrong raises FileFormatError."""
    return scenario_suite(Path(path), Complaints(Path(path), hint=HINT))


def scenario_suite(path: Path, complaints: Complaints) -> Suite:
    """Read a scenario file; a memory, query or scenario that is wrong goes to the complaints, and the rest is read."""
    found = load_marked_yaml(path, complaints)
    if not isinstance(found, dict):
        raise complaints.fatal(f"is {shown(found)}, expected a mapping with the key scenarios.", hint=HINT)
    top = Part(found, complaints=complaints)
    with _collected(complaints):
        top.read(name=top.text, scenarios=lambda *_: None)
    name = top.values.get("name")
    scenarios: dict[str, Scenario] = {}
    for place, one in enumerate(top.items("scenarios"), start=1):
        with _collected(complaints):
            part = top.below(one, f"scenario {place}", expected="a mapping with id, memories and queries")
            scenario = _read_scenario(part, complaints, taken=scenarios)
            scenarios[scenario.id] = scenario
    return Suite(
        str(name) if isinstance(name, str) else Path(path.name.removesuffix(".gz")).stem,
        tuple(scenarios.values()),
        inputs={path.name: sha256_file(path)},
    )


@contextmanager
def _collected(complaints: Complaints) -> Iterator[None]:
    """Hand an error on to the complaints, which raise it or count it."""
    try:
        yield
    except FileFormatError as error:
        complaints.add(error.problem, line=error.line, hint=error.hint)


def _read_scenario(part: Part, complaints: Complaints, *, taken: Collection[str]) -> Scenario:
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
    memories = _read_memories(part, complaints)
    queries = _read_queries(part, complaints, memories=memories)
    rest = {key: values[key] for key in ("domain", "split") if key in values}
    return Scenario(name, tuple(memories.values()), tuple(queries.values()), **rest)


def _read_memories(part: Part, complaints: Complaints) -> dict[str, MemoryItem]:
    memories: dict[str, MemoryItem] = {}
    for place, one in enumerate(part.items("memories")):
        with _collected(complaints):
            memory = read_memory(one, above=part, place=place)
            if memory.id in memories:
                raise _twice(part, f"memory {memory.id!r}", one, complaints)
            memories[memory.id] = memory
    return memories


def _read_queries(part: Part, complaints: Complaints, *, memories: dict[str, MemoryItem]) -> dict[str, Query]:
    fields = dict.fromkeys(["role", *(field for memory in memories.values() for field in memory.metadata)])
    # The id of a memory that could not be read is known: whoever expects it is not wrong as well.
    ids = dict.fromkeys([*memories, *map(_id_of, part.items("memories"), count())])
    reader = QueryReader(Known(ids, fields), above=part)
    queries: dict[str, Query] = {}
    for place, one in enumerate(part.items("queries"), start=1):
        with _collected(complaints):
            query = reader.read(one, place=place)
            if query.id in queries:
                raise _twice(part, f"query {query.id!r}", one, complaints)
            queries[query.id] = query
    return queries


def _id_of(memory: object, place: int) -> str:
    return str(memory.get("id", place)) if isinstance(memory, dict) else str(place)


def _twice(part: Part, what: str, one: object, complaints: Complaints) -> FileFormatError:
    problem = f"{part.where}{what} occurs twice; ids are unique in a scenario, so give it another."
    return complaints.fatal(problem, line=line_of(one), hint=HINT)
