"""The cases of a registry: each is built by the reader of its kind, or a sentence says why it cannot be."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError
from goldproof.io.beir_writing import check_id
from goldproof.io.cases.api_understanding import api_understanding
from goldproof.io.cases.fields import BadCaseError, CaseFields
from goldproof.io.cases.fix_error import fix_error
from goldproof.io.cases.kinds import kind_of
from goldproof.io.cases.multiple_choice import multiple_choice
from goldproof.io.cases.place import BuiltCase, Place
from goldproof.io.cases.plain_question import plain_question

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from goldproof.io.cases.case import Case, Kind
    from goldproof.io.cases.code_files import CodeFiles
    from goldproof.io.cases.registry import Entry, Registry

_BUILDERS: Mapping[Kind, Callable[..., BuiltCase]] = {
    "multiple_choice": multiple_choice,
    "api_understanding": api_understanding,
    "fix_error": fix_error,
    "question": plain_question,
}


@dataclass(frozen=True, slots=True)
class BuiltCases:
    """What came of a registry."""

    built: tuple[BuiltCase, ...]
    problems: tuple[str, ...]


def build_cases(registry: Registry, path: Path, *, suite: str, file: str, files: CodeFiles) -> BuiltCases:
    """Build every case that can be. path: of the registry; file: its name for metadata."""
    built: dict[str, BuiltCase] = {}
    problems = []
    for position, entry in enumerate(registry.entries, start=1):
        where = f"{path}:{entry.line}" if entry.line else f"{path}"
        name = f"{suite}:{position}"
        try:
            fields = _fields(entry)
            name = f"{suite}:{fields.text('id', 'name') or position}"
            place = Place(id=_checked(name, built), suite=suite, file=file, where=where, folder=path.parent)
            built[name] = _BUILDERS[kind_of(fields, default=registry.kind)](fields, place, files=files)
        except BadCaseError as error:
            problems.append(f"{where}: case {name!r} {error}")
    return BuiltCases(tuple(built.values()), tuple(problems))


def _fields(entry: Entry) -> CaseFields:
    if not isinstance(entry.record, dict):
        raise BadCaseError("is no mapping, expected one with the keys of a case.")
    return CaseFields(entry.record)


def _checked(name: str, known: Mapping[str, BuiltCase]) -> str:
    if name in known:
        raise BadCaseError(f"occurs twice, first at {known[name].case.where}; give one another id.")
    try:
        check_id("case", name)
    except InputError as error:
        raise BadCaseError("has an id with a tab or a line break in it.") from error
    return name


def with_clusters(built: Sequence[BuiltCase], names: Mapping[Path, str]) -> tuple[Case, ...]:
    """Return the cases; those that show the same code file are a cluster, called by the file's name."""
    sharing = Counter(one.shown for one in built if one.shown is not None)
    return tuple(
        replace(one.case, question=replace(one.case.question, cluster=names[one.shown]))
        if one.shown is not None and sharing[one.shown] > 1
        else one.case
        for one in built
    )
