"""What scenarios are, as a sha256: the same conversations and queries have the same, in whatever file they stand."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from typing import TYPE_CHECKING

from goldproof.metrics.memory.criterion import Criterion
from goldproof.records.keys import canonical_json

if TYPE_CHECKING:
    from goldproof.io.scenarios.scenario import MemoryItem, Query, Scenario, Suite


def content_of(suite: Suite) -> str:
    """Return the sha256 (hex) of a suite's scenarios, whatever their order, name and split."""
    return hashlib.sha256(b"".join(map(bytes.fromhex, scenario_digests(suite)))).hexdigest()


def scenario_digests(suite: Suite) -> list[str]:
    """Return the sha256 (hex) of each scenario, whatever its name and split; sorted."""
    return sorted(
        hashlib.sha256(_scenario(one).encode("utf-8", "surrogatepass")).hexdigest() for one in suite.scenarios
    )


def _scenario(scenario: Scenario) -> str:
    """Return what decides how a scenario is answered and scored."""
    return canonical_json([[_record(one) for one in scenario.memories], [_record(one) for one in scenario.queries]])


def _record(record: MemoryItem | Query) -> dict[str, object]:
    """Return what is there; what is not given is left out, so that a field that queries get one day changes nothing."""
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    return {name: _plain(value) for name, value in values.items() if value is not None and value not in ((), {})}


def _plain(value: object) -> object:
    if isinstance(value, tuple) and any(isinstance(one, Criterion) for one in value):
        return [str(one) for one in value]
    return value
