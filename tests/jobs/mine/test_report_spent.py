"""What mining cost is said as far as it is known, and no further."""

from __future__ import annotations

from dataclasses import replace

import pytest

from goldproof.jobs.mine.report import spent_table
from tests.jobs.mine.mined_examples import example


@pytest.mark.parametrize(
    ("cost", "unknown", "said"), [(0.25, 0, "0.2500"), (0.25, 2, "at least 0.2500"), (None, 3, "unknown")]
)
def test_a_cost_is_said_as_far_as_it_is_known(cost: float | None, unknown: int, said: str) -> None:
    spent = {"calls": 3, "cost": cost, "cost_unknown_calls": unknown, "max_cost": None}
    rows = spent_table(replace(example(), spent=spent)).rows
    assert ("cost", said) in rows
    assert "max cost" not in {row[0] for row in rows}


def test_a_cost_of_nothing_is_left_out() -> None:
    spent = {"calls": 3, "cost": 0.0, "cost_unknown_calls": 0}
    assert spent_table(replace(example(), spent=spent)).rows == (("calls", "3"),)
