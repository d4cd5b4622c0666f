"""Every place of a record with every odd value in turn, and what must hold for whatever an adapter makes of it."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import orjson

from goldproof.jobs.build.records import Dropped
from tests.jobs.build.adapters.mutated_records import check_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from goldproof.jobs.build.records import Example

VALUES: tuple[object, ...] = (
    None, "", " ", "x", "[1", "[]", "{}", "2019", 0, -1, 3, 2.5, 1e300, float("inf"), True, [], {}, [None], [[]], [{}],
    ["a", 1], [["a", ["b"]]], {"a": 1}, {"text_99": "x"}, {"table_0": None}, "| a |\n|---|", "\ud800", "9" * 50,
)  # fmt: skip


def odd_records(record: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Yield the record with each of its values, at any depth, replaced by each odd one, or taken out of its object."""
    for path in _paths(record):
        for value in VALUES:
            changed = copy.deepcopy(dict(record))
            _holder(changed, path)[path[-1]] = copy.deepcopy(value)
            yield changed
        changed = copy.deepcopy(dict(record))
        del _holder(changed, path)[path[-1]]
        yield changed


def _paths(value: object) -> Iterator[tuple[object, ...]]:
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield (key,)
            yield from ((key, *path) for path in _paths(inner))


def _holder(record: dict[str, object], path: tuple[object, ...]) -> dict[object, object]:
    holder: dict[object, object] = record  # type: ignore[assignment]
    for key in path[:-1]:
        holder = holder[key]  # type: ignore[assignment]
    return holder


def check_all(outcomes: Iterable[Example | Dropped]) -> None:
    """Assert that there is an outcome, and that each is an example in order or a reason that can be counted."""
    found = list(outcomes)
    assert found
    for outcome in found:
        check_whole(outcome)
        if isinstance(outcome, Dropped):
            assert not any(char.isdigit() for char in outcome.reason)
        elif "\\ud800" not in repr(outcome):
            orjson.dumps(dict(outcome.metadata))
