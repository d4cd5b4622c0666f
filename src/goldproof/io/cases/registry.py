"""A benchmark registry (YAML, JSON, JSON lines), and building its cases.

    suite: adk                       # or name:; else the file's own name
    benchmark_type: multiple_choice  # or of each case
    benchmarks:
      - {id: "01", question: ..., ...}

JSON lines with the same mappings are read as well. A file of questions without the keys of a registry is left to the
reader of questions (`goldproof.io.cases.question_files`).
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.io.cases.case import BadCaseError, BuiltCase, CaseFields, CasePlace, text_of
from goldproof.io.cases.kinds import (
    api_understanding,
    case_kind,
    fix_error,
    multiple_choice,
    plain_question,
    registry_kind,
)
from goldproof.io.datasets.beir import check_id
from goldproof.io.file_layout import sniff
from goldproof.io.record_files import record_format
from goldproof.io.text_files import decode_text, read_blocks, read_lines
from goldproof.io.yaml_files import line_of, load_yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from goldproof.io.cases.case import Case, Kind
    from goldproof.io.cases.code_files import CodeFiles
    from goldproof.io.diagnostics import Diagnostics


_SUITE = ("suite", "name")

_LIST = "benchmarks"

_EXPECTED = "Expected a list of cases under 'benchmarks:', or a bare list; pairs: for a retrieval_dataset.yaml."


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of the list. line: None where the format has none."""

    record: object
    line: int | None


@dataclass(frozen=True, slots=True)
class Registry:
    """The items of a file. suite: the file's own name; kind: the kind of all its cases, if given."""

    entries: tuple[Entry, ...]
    suite: str = ""
    kind: str = ""


def read_registry(path: Path, diagnostics: Diagnostics) -> Registry | None:
    """Return the registry in a file; None where it is a file of questions or a dataset."""
    if path.name.lower().removesuffix(".gz").endswith((".yaml", ".yml")):
        return _of_yaml(path, diagnostics)
    form = record_format(path)
    if form == "lines":
        return _of_lines(path, diagnostics)
    if form in ("array", "objects"):
        return _of_json(path, diagnostics)
    if form is None and sniff(path).format == "yaml":
        return _of_yaml(path, diagnostics)
    return None


def _of_yaml(path: Path, diagnostics: Diagnostics) -> Registry | None:
    content = load_yaml(path, diagnostics, all_text=True)
    if isinstance(content, dict) and isinstance(content.get("pairs"), list) and _LIST not in content:
        return None
    return _registry(content, diagnostics)


def _of_json(path: Path, diagnostics: Diagnostics) -> Registry | None:
    text = decode_text(b"".join(block.data for block in read_blocks(path)), path)
    try:
        content = parse_registry_json(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":  # more than one document: lines
            return _of_lines(path, diagnostics)
        raise diagnostics.error(f"is not JSON ({error.msg}).", line=error.lineno) from error
    except BadCaseError as error:
        raise diagnostics.error(f"{error}.", hint="Keep one of them.") from error
    except RecursionError as error:
        raise diagnostics.error("is nested too deeply.") from error
    if isinstance(content, list) and not _has_case(content):
        return None
    lists = [value for value in content.values() if isinstance(value, list)] if isinstance(content, dict) else []
    if isinstance(content, dict) and _LIST not in content and not any(map(_has_case, lists)):
        return None
    return _registry(content, diagnostics)


def _of_lines(path: Path, diagnostics: Diagnostics) -> Registry | None:
    """Read JSON lines, where one of them is a case; a line that is no JSON is an item that is no mapping."""
    entries = []
    for line in read_lines(path, diagnostics):
        try:
            entries.append(Entry(parse_registry_json(line.text), line.number))
        except (json.JSONDecodeError, BadCaseError, RecursionError):
            entries.append(Entry(None, line.number))
    return Registry(tuple(entries)) if _has_case(entry.record for entry in entries) else None


def parse_registry_json(text: str) -> object:
    """Return the content of a JSON text, numbers as they are written."""
    return json.loads(text, parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=_mapping)


def _mapping(pairs: list[tuple[str, object]]) -> dict[str, object]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        names = [name for name, _ in pairs]
        raise BadCaseError(f"key {next(name for name in names if names.count(name) > 1)!r} occurs twice")
    return mapping


def _has_case(records: Iterable[object]) -> bool:
    return any(isinstance(record, dict) and _is_case(record) for record in records)


def _is_case(record: Mapping[object, object]) -> bool:
    """Return whether a record is a registry's; plain texts as answers occur in any dataset of questions."""
    kind = registry_kind(CaseFields(record))
    answers = record.get("answers")
    if kind == "api_understanding" and "benchmark_type" not in record:
        return isinstance(answers, list) and any(isinstance(answer, dict) for answer in answers)
    return "benchmark_type" in record or kind is not None


def _registry(content: object, diagnostics: Diagnostics) -> Registry:
    top: Mapping[object, object] = content if isinstance(content, dict) else {}
    items = top.get(_LIST) if isinstance(content, dict) else content
    if not isinstance(items, list):
        raise diagnostics.error("holds no list of cases.", hint=_EXPECTED)
    if not items:
        raise diagnostics.error("holds no cases.", hint="Was it cut off, or never written?")
    entries = tuple(Entry(item, _line(item)) for item in items)
    return Registry(entries, suite=_own_text(top, *_SUITE), kind=_own_text(top, "benchmark_type", "type", "kind"))


def _line(item: object) -> int | None:
    line = line_of(item)
    return line if isinstance(line, int) else None


def _own_text(top: Mapping[object, object], *keys: str) -> str:
    """Return the file's own entry under the first of the keys that holds text."""
    for key in keys:
        try:
            if text := " ".join(text_of(top.get(key), what=key).split()):
                return text
        except BadCaseError:
            continue
    return ""


_BUILDERS: Mapping[Kind, Callable[..., BuiltCase]] = {
    "multiple_choice": multiple_choice,
    "api_understanding": api_understanding,
    "fix_error": fix_error,
    "question": plain_question,
}


@dataclass(frozen=True, slots=True)
class BuiltCases:
    """The cases built from a registry, and a sentence for each that could not be."""

    built: tuple[BuiltCase, ...]
    problems: tuple[str, ...]


def build_cases(registry: Registry, path: Path, *, suite: str, file: str, files: CodeFiles) -> BuiltCases:
    """Build every case that can be built. path: of the registry; file: its name for metadata."""
    built: dict[str, BuiltCase] = {}
    problems = []
    for position, entry in enumerate(registry.entries, start=1):
        where = f"{path}:{entry.line}" if entry.line else f"{path}"
        name = f"{suite}:{position}"
        try:
            fields = _fields(entry)
            name = f"{suite}:{fields.text('id', 'name') or position}"
            place = CasePlace(id=_checked(name, built), suite=suite, file=file, where=where, folder=path.parent)
            built[name] = _BUILDERS[case_kind(fields, default=registry.kind)](fields, place, files=files)
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
    """Return the cases; those that show the same code file form a cluster, named after the file."""
    sharing = Counter(item.shown for item in built if item.shown is not None)
    return tuple(
        replace(item.case, question=replace(item.case.question, cluster=names[item.shown]))
        if item.shown is not None and sharing[item.shown] > 1
        else item.case
        for item in built
    )
