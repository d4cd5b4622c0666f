"""A result by a field of the questions: every group described, every question in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from goldproof.errors import InputError
from goldproof.study import Design, Study, choose_pairs
from goldproof.study.breakdown import Breakdown, breakdown_dict, breakdown_table, choose_breakdown
from tests.study.panels import panel

if TYPE_CHECKING:
    from pathlib import Path

KINDS = {"q0": "lookup", "q1": "lookup", "q2": "multi"}


def study() -> Study:
    laid_out = panel({"RR": {"a": [0.0, 1.0, 0.5, None], "b": [1.0, 1.0, 0.5, 0.2]}})
    return Study(laid_out, design=Design(choose_pairs(laid_out.runs)))


def test_each_group_has_its_own_means_and_differences_and_what_has_no_value_comes_last() -> None:
    table = breakdown_table(study(), Breakdown("kind", KINDS), metrics=["RR"])
    # lookup: a (0 + 1)/2, b (1 + 1)/2; multi: 0.5 and 0.5; q3 has no kind: only b has a value there
    assert [row[:6] for row in table.rows] == [
        ("RR", "lookup", "2", "0.5000", "1.0000", "+0.5000"),
        ("", "multi", "1", "0.5000", "0.5000", "+0.0000"),
        ("", "(none)", "1", "–", "0.2000", "–"),
    ]
    assert "described, not tested" in table.notes[0]


def test_json_has_every_group_with_its_counts() -> None:
    groups = breakdown_dict(study(), Breakdown("kind", KINDS), metrics=["RR"])["groups"]
    assert isinstance(groups, dict)
    assert groups["(none)"]["RR"]["runs"]["a"]["n_undefined"] == 1
    assert groups["lookup"]["RR"]["comparisons"]["b_vs_a"]["tested"] is False


def test_more_groups_than_fit_are_counted() -> None:
    laid_out = panel({"RR": {"a": [0.1] * 25}})
    table = breakdown_table(Study(laid_out), Breakdown("id", {f"q{i}": str(i) for i in range(25)}), metrics=["RR"])
    assert len(table.rows) == 20
    assert "5 smaller groups not shown" in table.notes[1]


def test_a_field_that_no_question_has_is_refused() -> None:
    with pytest.raises(InputError, match="none of the questions has a value; are the ids the same"):
        breakdown_table(study(), Breakdown("kind", {"x": "y"}), metrics=["RR"])


def test_groups_come_from_a_field_a_column_of_a_file_or_a_dict(tmp_path: Path) -> None:
    (tmp_path / "questions.csv").write_text("id,kind\nq0,lookup\nq1,multi\n")
    fields = {"topic": lambda: {"q0": "sea"}}
    assert choose_breakdown("topic", fields=fields) == Breakdown("topic", {"q0": "sea"})
    in_file = choose_breakdown(f"{tmp_path}/questions.csv#kind", fields=fields)
    assert in_file == Breakdown("kind", {"q0": "lookup", "q1": "multi"})
    assert choose_breakdown({"q0": 1}, fields=fields) == Breakdown("group", {"q0": "1"})
    assert choose_breakdown(None, fields=fields) is None
    with pytest.raises(InputError, match=r"unknown field 'topc'; did you mean 'topic'"):
        choose_breakdown("topc", fields=fields)
    with pytest.raises(InputError, match="column"):
        choose_breakdown(f"{tmp_path}/questions.csv#difficulty", fields=fields)
