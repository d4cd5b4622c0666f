"""What an audit of the suite must find: `expected.yaml`, one expectation for each case and version."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import yaml

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[3]
By = Literal["rules", "agent", "either"]


@dataclass(frozen=True, slots=True)
class Expected:
    """What must be found about a case in one version.

    case: its id, `click:unstyle`. library: a spec, `click==8.1.7`. holds: None where it is not asserted. flaw: what was
    planted, `none` where nothing was. remarks: kinds that must be among those found.
    """

    case: str
    library: str
    verdict: str
    holds: tuple[str, ...] | None
    by: By
    flaw: str
    remarks: tuple[str, ...] = ()

    @property
    def rules_alone(self) -> tuple[str, ...]:
        """The verdicts that rules may come to without an agent."""
        allowed = {"rules": (self.verdict,), "agent": ("unproven",), "either": (self.verdict, "unproven")}
        return allowed[self.by]


@dataclass(frozen=True, slots=True)
class Suite:
    """The cases about one library. file: the registry; libraries: the versions to audit it against."""

    file: Path
    libraries: tuple[str, ...]
    expected: tuple[Expected, ...]


def read_suites(name: str = "expected.yaml") -> tuple[Suite, ...]:
    """Return the suites of an expectations file: `expected.yaml`, `adk_expected.yaml` or `demo_expected.yaml`."""
    found = yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))
    return tuple(_suite(suite, said) for suite, said in found.items())


def _suite(name: str, said: dict[str, Any]) -> Suite:
    specs = {version: f"{said['library']}=={version}" for version in said["versions"]} or {"": said["library"]}
    expected = tuple(
        _expected(f"{name}:{case}", entry, version=version, library=spec)
        for case, entry in said["cases"].items()
        for version, spec in specs.items()
    )
    file = ROOT / said["file"] if "file" in said else FOLDER / f"{name}.yaml"
    return Suite(file=file, libraries=tuple(specs.values()), expected=expected)


def _expected(case: str, entry: dict[str, Any], *, version: str, library: str) -> Expected:
    found = entry.get("every") or entry[version]
    holds = found.get("holds")
    return Expected(
        case=case,
        library=library,
        verdict=found["verdict"],
        holds=None if holds is None else tuple(holds),
        by=found.get("by", "rules"),
        flaw=entry["flaw"],
        remarks=tuple(entry.get("remarks", ())),
    )
