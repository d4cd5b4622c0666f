"""What scenarios are, as one sha256: the same conversations and queries have the same, in whatever file they stand."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from typing import TYPE_CHECKING

from karat.core.plain_values import write_down
from karat.metrics.memory.criterion import Criterion

if TYPE_CHECKING:
    from karat.io.scenarios.scenario import MemoryItem, Query, Scenario, Suite


def content_of(suite: Suite) -> str:
    """Return the sha256 (hex) of a suite's scenarios, whatever their order, name and split."""
    digests = sorted(
        hashlib.sha256(_scenario(one).encode("utf-8", "surrogatepass")).digest() for one in suite.scenarios
    )
    return hashlib.sha256(b"".join(digests)).hexdigest()


def _scenario(scenario: Scenario) -> str:
    """Return what decides how a scenario is answered and scored."""
    return write_down([[_record(one) for one in scenario.memories], [_record(one) for one in scenario.queries]])


def _record(record: MemoryItem | Query) -> dict[str, object]:
    return {field.name: _plain(getattr(record, field.name)) for field in fields(record)}


def _plain(value: object) -> object:
    if isinstance(value, tuple) and any(isinstance(one, Criterion) for one in value):
        return [str(one) for one in value]
    return value
