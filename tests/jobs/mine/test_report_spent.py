"""What mining cost is said as far as it is known, and no further."""

from __future__ import annotations

from dataclasses import replace

import pytest

from goldproof.jobs.mine.report import spent_note
from tests.jobs.mine.mined_examples import example


@pytest.mark.parametrize(
    ("cost", "unknown", "said"), [(0.25, 0, "$0.2500"), (0.25, 2, "at least $0.2500"), (None, 3, "cost unknown")]
)
def test_a_cost_is_said_as_far_as_it_is_known(cost: float | None, unknown: int, said: str) -> None:
    spent = {"calls": 3, "cached": 1200, "cost": cost, "cost_unknown_calls": unknown, "max_cost": None}
    note = spent_note(replace(example(), spent=spent))
    assert note == f"Models: 3 calls, {said}; 1,200 answers were kept already."


def test_where_no_model_was_asked_nothing_is_said() -> None:
    assert spent_note(replace(example(), spent={"calls": 0, "cached": 0, "cost": 0.0})) == ""
