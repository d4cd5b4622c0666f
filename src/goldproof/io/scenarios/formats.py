"""Which file of scenarios this is, by its content: our own, LoCoMo's or LongMemEval's."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from goldproof.core.errors import FileFormatError
from goldproof.io.complaints import Complaints
from goldproof.io.opening import UTF8_BOM, check_file, read_head
from goldproof.io.records import read_records, record_format
from goldproof.io.scenarios.locomo import locomo_suite
from goldproof.io.scenarios.longmemeval import longmemeval_suite
from goldproof.io.scenarios.scenario_file import scenario_suite

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from goldproof.io.scenarios.scenario import Suite
    from goldproof.io.scenarios.tally import Tally

SuiteFormat = Literal["scenarios", "locomo", "longmemeval"]
# What the records of a benchmark have, and no other file that Goldproof reads.
_KEYS: Mapping[SuiteFormat, frozenset[str]] = MappingProxyType(
    {
        "locomo": frozenset({"conversation", "qa"}),
        "longmemeval": frozenset({"question_id", "haystack_sessions"}),
    }
)
_YAML_KEY = re.compile(rb"^(?:scenarios|\"scenarios\"|'scenarios')\s*:", re.MULTILINE)
_JSON_TEXT = rb'"(?:[^"\\]|\\.)*"'
_JSON_KEY = re.compile(rb"\{\s*(?:%s\s*:\s*%s\s*,\s*)*\"scenarios\"\s*:" % (_JSON_TEXT, _JSON_TEXT))


def suite_format(path: Path) -> SuiteFormat | None:
    """Say which file of scenarios a path leads to, None where it is none."""
    head = read_head(check_file(path), whole_line=False).removeprefix(UTF8_BOM).lstrip()
    if not head.startswith((b"[", b"{")):
        return "scenarios" if _YAML_KEY.search(head) else None
    if _JSON_KEY.match(head):
        return "scenarios"
    keys = _first_keys(path)
    return next((name for name, needed in _KEYS.items() if keys >= needed), None)


def read_suite(path: Path, complaints: Complaints, *, form: SuiteFormat, tally: Tally) -> Suite:
    """Read a file of scenarios of a known format."""
    match form:
        case "locomo":
            return locomo_suite(path, complaints, tally)
        case "longmemeval":
            return longmemeval_suite(path, complaints, tally)
        case "scenarios":
            return scenario_suite(path, complaints)


def _first_keys(path: Path) -> frozenset[str]:
    try:
        if record_format(path) not in ("array", "objects", "lines"):
            return frozenset()
        first = next(read_records(path, Complaints(path, keep=0)), None)
    except FileFormatError:
        return frozenset()
    return frozenset() if first is None else frozenset(first.record)
