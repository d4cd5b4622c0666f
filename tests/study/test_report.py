"""The report, compared whole."""

from __future__ import annotations

from goldproof.report import render
from goldproof.study import Design, Study, check_gate, choose_pairs, parse_gate
from goldproof.study.notes import study_notes
from goldproof.study.power_plan import Conditions, overview_table
from goldproof.study.report import report_markdown
from goldproof.study.tables import results_table, study_tables
from tests.study.panels import panel

REPORT = """\
# Test

| metric | run | mean | 95% interval | n | undefined | failed | vs a | 95% interval | p adj. | d_z | verdict |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
| Hit@5 | a | 0.2500 | [0.0456, 0.6994] | 4 | 1 | 0 |  |  |  |  |  |
|  | b | 0.7500 | [0.3006, 0.9544] | 4 | 0 | 1 | +0.3333 | [-0.4153, +0.7923] | 1.000 | +0.58 | undecided |
"""


def test_the_report_says_what_was_left_out_and_why() -> None:
    laid_out = panel({"Hit@5": {"a": [0.0, 1.0, 0.0, 0.0, None], "b": [1.0, 1.0, 0.0, "timeout", 1.0]}})
    study = Study(laid_out, design=Design(choose_pairs(laid_out.runs)))
    gates = [check_gate(parse_gate("Hit@5 b < 0.9", metrics=laid_out.metrics, runs=laid_out.runs), study)]
    notes = study_notes(study)
    text = report_markdown(study, title="Test", notes=notes, gates=gates, texts={"q0": "What | is\nthis?"})
    assert text.startswith(REPORT)
    assert "| a | no relevant document | 1 | Hit@5 |" in text
    assert "| b | timeout | 1 | Hit@5 |" in text
    assert "- `Hit@5 b < 0.9`: FAILED: Hit@5 of b is 0.7500" in text
    assert "Means with failures at the worst value: Hit@5 of b 0.6000 (1 failure)." in text
    assert "| win | q0 | 1.0000 | 0.0000 | +1.0000 | What \\| is this? |" in text


def test_several_pairs_of_one_run_get_a_table_of_their_own() -> None:
    laid_out = panel({"RR": {"a": [0.1, 0.2], "b": [0.3, 0.4], "c": [0.5, 0.7]}})
    beside = Study(laid_out, design=Design(choose_pairs(laid_out.runs)))
    apart = Study(laid_out, design=Design(choose_pairs(laid_out.runs, pairs="all")))
    assert len(study_tables(beside)) == 1
    runs, comparisons = study_tables(apart)
    assert "verdict" not in [heading.name for heading in runs.headings]
    assert [row[1] for row in comparisons.rows] == ["b − a", "c − a", "c − b"]


def test_a_table_of_more_than_100_columns_is_split() -> None:
    names = ("a retriever with a long name", "another retriever with a long name")
    laid_out = panel({"RR": {names[0]: [0.1, 0.2], names[1]: [0.3, 0.4]}})
    study = Study(laid_out, design=Design(choose_pairs(laid_out.runs)))
    assert len(study_tables(study)) == 2
    assert len(study_tables(study, wide=True)) == 1
    assert all(len(line) <= 100 for table in study_tables(study) for line in render(table, width=100).splitlines())


def test_one_run_alone_has_no_comparison_columns() -> None:
    study = Study(panel({"RR": {"a": [0.1, 0.2]}}))
    assert [heading.name for heading in results_table(study).headings] == ["metric", "run", "mean", "95% interval", "n"]
    assert [heading.name for heading in results_table(study, wide=True).headings] == [
        *("metric", "run", "mean", "95% interval", "n", "undefined", "failed"),
    ]


def test_the_plan_lists_what_small_middling_and_large_effects_need() -> None:
    # statsmodels: TTestPower().solve_power(d, alpha=.05, power=p): 198.2, 264.6; 89.2, 118.7; 33.4, 44.0
    assert overview_table(Conditions()).rows == (("0.2", "199", "265"), ("0.3", "90", "119"), ("0.5", "34", "44"))
