"""Suites of scenarios by name, path or format, joined and split.

    smoke, main               bundled; `main` is several files, of which those may be named that are no hold-out
    PATH                      a scenario file, LoCoMo's or LongMemEval's, recognised by its content
    locomo:PATH, longmemeval:PATH, scenarios:PATH      that format, whatever the file looks like

Several are joined into one; a scenario id that occurs in two of them is refused.
"""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, get_args

from goldproof.errors import FileFormatError, InputError, UnknownNameError
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.record_files import read_records, record_format
from goldproof.io.scenarios.locomo import locomo_suite
from goldproof.io.scenarios.longmemeval import longmemeval_suite
from goldproof.io.scenarios.published import LeftOut
from goldproof.io.scenarios.scenario import Suite
from goldproof.io.scenarios.scenario_file import scenario_suite
from goldproof.io.text_files import UTF8_BOM, check_file, read_head

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


WhichSplit = Literal["development", "holdout", "all"]
_PARTS = ("debate", "chat", "ocr", "support", "coding")
_HELD_OUT = ("holdout_talk", "holdout_work")  # of main, and opened with it alone
_READABLE = (
    "Readable: scenario files (YAML or JSON with the key scenarios), LoCoMo's and LongMemEval's JSON; "
    "locomo:PATH and longmemeval:PATH say which."
)
_SUFFIXES = (".yaml", ".yml", ".json")
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


def bundled_suites() -> dict[str, tuple[Path, ...]]:
    """Return the suites that come with Goldproof: name -> files."""
    folder = Path(str(files("goldproof.data") / "memory"))
    path = {name: folder / f"{name}.yaml" for name in ("smoke", *_PARTS, *_HELD_OUT)}
    return {
        "smoke": (path["smoke"],),
        "main": tuple(path[name] for name in (*_PARTS, *_HELD_OUT)),
        **{name: (path[name],) for name in _PARTS},
    }


def open_suites(specs: Sequence[Path | str]) -> Suite:
    """Open several suites as one, named after all of them."""
    if not specs:
        raise InputError("no suite of scenarios is named; expected a file, or one of " + ", ".join(bundled_suites()))
    suites = [open_suite(spec) for spec in specs]
    return suites[0] if len(suites) == 1 else joined_suites(suites, name="+".join(suite.name for suite in suites))


def open_suite(spec: Path | str) -> Suite:
    """Open one suite by its spec."""
    bundled = bundled_suites()
    if isinstance(spec, str) and spec in bundled:
        parts = [_read(path, form="scenarios") for path in bundled[spec]]
        return parts[0] if len(parts) == 1 else joined_suites(parts, name=spec)
    form, path = _form_and_path(spec)
    if form is None and not path.exists() and path.name == str(spec) and not path.suffix:
        raise UnknownNameError("suite", str(spec), bundled, hint=f"Give one of {', '.join(bundled)}, or a file.")
    return _read(path, form=form)


def _form_and_path(spec: Path | str) -> tuple[SuiteFormat | None, Path]:
    """Return the format that a spec names, if any, and the file."""
    if isinstance(spec, Path):
        return None, spec
    prefix, colon, rest = spec.partition(":")
    known = next((form for form in get_args(SuiteFormat) if form == prefix), None)
    if colon and known:
        return known, Path(rest)
    if colon and len(prefix) > 1 and prefix.isalpha() and not Path(spec).exists():
        raise UnknownNameError("format of scenarios", prefix, get_args(SuiteFormat), hint=_READABLE)
    return None, Path(spec)


def _read(path: Path, *, form: SuiteFormat | None) -> Suite:
    recognised = form or suite_format(path)
    if recognised is None and path.suffix.lower() in _SUFFIXES:  # whose reader can say what is wrong with it
        recognised = "scenarios"
    if recognised is None:
        raise FileFormatError(path, "is not recognised as a file of scenarios.", hint=_READABLE)
    return read_suite(path, Diagnostics(path), form=recognised, left_out=LeftOut())


def joined_suites(suites: Sequence[Suite], *, name: str) -> Suite:
    """Join suites, in their order."""
    origin: dict[str, str] = {}
    for suite in suites:
        for scenario in suite.scenarios:
            if scenario.id in origin:
                raise InputError(
                    f"scenario {scenario.id!r} is in {origin[scenario.id]} and in {suite.name}; "
                    "ids are unique in what is run together, so rename one, or run them one by one."
                )
            origin[scenario.id] = suite.name
    return Suite(
        name,
        tuple(scenario for suite in suites for scenario in suite.scenarios),
        inputs=_joined_inputs(suites),
        remarks=tuple(f"{suite.name}: {remark}" for suite in suites for remark in suite.remarks),
    )


def _joined_inputs(suites: Sequence[Suite]) -> Mapping[str, str]:
    """Return the files of all suites; a second file of one name is called `<name>#2`."""
    inputs: dict[str, str] = {}
    for suite in suites:
        for name, digest in suite.inputs.items():
            others = sum(taken == name or taken.startswith(f"{name}#") for taken in inputs)
            inputs[f"{name}#{others + 1}" if others else name] = digest
    return inputs


def split_suite(suite: Suite, split: WhichSplit) -> Suite:
    """Return the part of a suite that is in a split."""
    if split not in get_args(WhichSplit):
        raise UnknownNameError("split", split, get_args(WhichSplit))
    if split == "all":
        return suite
    kept = tuple(scenario for scenario in suite.scenarios if scenario.split == split)
    if not kept:
        raise InputError(
            f"{suite.name}: no scenario is in the split {split}; mark some with `split: {split}`, or use all of them."
        )
    return replace(suite, scenarios=kept)


def suite_format(path: Path) -> SuiteFormat | None:
    """Return which format of scenarios a file has, None where it has none."""
    head = read_head(check_file(path), whole_line=False).removeprefix(UTF8_BOM).lstrip()
    if not head.startswith((b"[", b"{")):
        return "scenarios" if _YAML_KEY.search(head) else None
    if _JSON_KEY.match(head):
        return "scenarios"
    keys = _first_keys(path)
    return next((name for name, needed in _KEYS.items() if keys >= needed), None)


def _first_keys(path: Path) -> frozenset[str]:
    try:
        if record_format(path) not in ("array", "objects", "lines"):
            return frozenset()
        first = next(read_records(path, Diagnostics(path, keep=0)), None)
    except FileFormatError:
        return frozenset()
    return frozenset() if first is None else frozenset(first.record)


def read_suite(path: Path, diagnostics: Diagnostics, *, form: SuiteFormat, left_out: LeftOut) -> Suite:
    """Read a file of scenarios of a known format."""
    match form:
        case "locomo":
            return locomo_suite(path, diagnostics, left_out)
        case "longmemeval":
            return longmemeval_suite(path, diagnostics, left_out)
        case "scenarios":
            return scenario_suite(path, diagnostics)
