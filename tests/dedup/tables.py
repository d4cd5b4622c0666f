"""Tables of results written as plain mappings, and single items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from goldproof.dedup import DEFAULT_RULES, ComparedItem, Rules, Verdict, decide, mark_duplicates
from goldproof.dedup.items import Items
from goldproof.records.traces import RESULT_COLUMNS, ResultTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.records.arrays import IntArray

Row = dict[str, Any]
LONG = "a snippet that has more than fifty characters, which is long enough to count"
OTHER_LONG = "another snippet of more than fifty characters, which has nothing to do with it"


def table(rows: Sequence[Row]) -> ResultTable:
    """Columns that no row has are left out, as a reader would."""
    for row in rows:
        assert row.keys() <= {*RESULT_COLUMNS, "fields"}, row
    present = [name for name in RESULT_COLUMNS if any(row.get(name) is not None for row in rows)]
    texts = {name: [row.get(name) for row in rows] for name in present}
    columns = pl.DataFrame(texts) if present else pl.DataFrame(height=len(rows))
    fields = [row.get("fields") for row in rows]
    return ResultTable(columns, np.full(len(rows), -1, dtype=np.int8), fields if any(fields) else None)


def one_conversation(rows: Sequence[Row]) -> IntArray:
    return np.array([0, len(rows)])


def origins(*rows: Row, rules: Rules = DEFAULT_RULES) -> list[int]:
    found: list[int] = mark_duplicates(table(rows), one_conversation(rows), rules=rules).origin.tolist()
    return found


def items(*rows: Row, rules: Rules = DEFAULT_RULES) -> list[ComparedItem]:
    return Items(table(rows), rules).make(np.arange(len(rows)))


def verdict(a: Row, b: Row, *, rules: Rules = DEFAULT_RULES) -> Verdict:
    """Decide, and hold that the order does not matter."""
    first, second = items(a, b, rules=rules)
    found = decide(first, second, rules)
    assert decide(second, first, rules) == found
    return found


def step(a: Row, b: Row, *, rules: Rules = DEFAULT_RULES) -> tuple[bool, str]:
    found = verdict(a, b, rules=rules)
    return found.same, found.step
