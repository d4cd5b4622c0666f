"""The table for papers: it claims what the tests support, says what was not tested, and is LaTeX, Markdown and CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from goldproof.errors import UnknownNameError
from goldproof.study import Design, Study, choose_pairs
from goldproof.study.paper_table import PaperTable, paper_table
from tests.study.panels import panel

if TYPE_CHECKING:
    from tests.study.panels import Value

RNG = np.random.default_rng(11)
BASE = RNG.random(60) * 0.6


def above(by: float, *, noise: float = 0.02) -> list[Value]:
    return list(np.clip(BASE + by + RNG.normal(0, noise, len(BASE)), 0, 1))


LOW, MIDDLE, HIGH, NEAR = above(0), above(0.1), above(0.3), above(0.1, noise=0.2)


def study(metrics: dict[str, dict[str, list[Value]]], *, pairs: str | None = None, **design: Any) -> Study:  # noqa: ANN401 - fields of a design
    laid_out = panel(metrics)
    return Study(laid_out, design=Design(choose_pairs(laid_out.runs, pairs=pairs), **design))


def letters(table: PaperTable, metric: str = "nDCG@10") -> dict[str, str]:
    """Each system with those that it beats, and * where it is bold."""
    return {
        system: ",".join(table.cells[system, metric].better_than) + "*" * table.cells[system, metric].bold
        for system in table.systems
    }


def test_the_best_is_bold_where_it_beats_all_and_letters_name_whom_each_beats() -> None:
    table = paper_table(study({"nDCG@10": {"low": LOW, "high": HIGH, "middle": MIDDLE}}, pairs="all"))
    assert letters(table) == {"low": "", "high": "low,middle*", "middle": "low"}


def test_the_best_is_not_bold_where_one_of_its_opponents_is_not_beaten() -> None:
    # near and middle have the same expectation; both are far above low
    table = paper_table(study({"nDCG@10": {"low": LOW, "middle": MIDDLE, "near": NEAR}}, pairs="all"))
    assert letters(table) == {"low": "", "middle": "low", "near": "low"}


def test_against_a_baseline_only_tested_pairs_have_letters_and_the_caption_says_so() -> None:
    table = paper_table(study({"nDCG@10": {"low": LOW, "high": HIGH, "middle": MIDDLE}}))
    assert letters(table) == {"low": "", "high": "low*", "middle": "low"}  # high and middle were not compared
    assert "Systems were compared with low alone, not with each other." in table.caption


def test_a_baseline_that_beats_all_others_is_bold() -> None:
    table = paper_table(study({"nDCG@10": {"high": HIGH, "low": LOW, "middle": MIDDLE}}))
    assert letters(table) == {"high": "low,middle*", "low": "", "middle": ""}


def test_chosen_pairs_are_listed() -> None:
    runs = {"a": LOW, "b": MIDDLE, "c": HIGH, "d": above(0.2)}
    table = paper_table(study({"nDCG@10": runs}, pairs="b:a,d:c"))
    assert "2 of 6 pairs were compared: b and a, d and c." in table.caption


def test_a_run_that_is_best_by_mean_and_was_never_compared_is_not_bold() -> None:
    table = paper_table(study({"nDCG@10": {"a": LOW, "b": MIDDLE, "c": HIGH}}, pairs="b:a"))
    assert letters(table) == {"a": "", "b": "a", "c": ""}


def test_lower_is_better_turns_the_best_around_and_marks_the_column() -> None:
    wrong: list[Value] = [*[1.0] * 40, *[0.0] * 20]
    right: list[Value] = [0.0] * 60
    table = paper_table(study({"FalseSurface@5": {"a": wrong, "b": right}}))
    assert letters(table, "FalseSurface@5") == {"a": "", "b": "a*"}
    assert r"FalseSurface@5 $\downarrow$" in table.latex()
    assert "FalseSurface@5 ↓" in table.markdown()


def test_a_described_metric_has_means_and_no_claims() -> None:
    runs = {"low": LOW, "high": HIGH}
    table = paper_table(study({"nDCG@10": runs, "P@5": runs}, primary="nDCG@10"))
    assert letters(table) == {"low": "", "high": "low*"}
    assert letters(table, "P@5") == {"low": "", "high": ""}
    assert "Not tested, means alone: P@5." in table.caption
    assert table.csv().splitlines()[0] == "system,nDCG@10,nDCG@10 better than,nDCG@10 best,P@5"


def test_equal_best_means_are_not_bold() -> None:
    table = paper_table(study({"nDCG@10": {"low": LOW, "one": HIGH, "other": HIGH}}))
    assert letters(table) == {"low": "", "one": "low", "other": "low"}


def test_a_verdict_that_failures_decide_is_no_claim() -> None:
    # 30 of 60 crash: without them better, with them at 0 worse
    crashing: list[Value] = [*HIGH[:30], *["crash"] * 30]
    table = paper_table(study({"nDCG@10": {"low": LOW, "crashing": crashing}}))
    assert letters(table) == {"low": "", "crashing": ""}
    assert table.caption[-2:] == (
        "1 comparison has no verdict because of failed questions.",
        "Failed questions, not in the means: 30 (crashing).",
    )
    assert table.caption[0] == "Means over 30 to 60 questions."


def test_the_caption_has_test_and_correction() -> None:
    runs = {"low": LOW, "middle": MIDDLE, "high": HIGH}
    both = study({"nDCG@10": runs, "P@5": runs}, pairs="all", primary="all")
    # 3 pairs on 2 metrics
    assert "Paired tests: sign-flip (100,000 permutations); p < 0.05 after Holm's correction over 6 tests." in (
        paper_table(both).caption
    )
    primary = study({"nDCG@10": runs, "P@5": runs}, primary="nDCG@10", gated=frozenset({"P@5"}))
    assert any(
        line.endswith("correction over 2 tests of nDCG@10, for other metrics over all 4.")
        for line in paper_table(primary).caption
    )


def test_one_run_has_no_letters_and_no_claims() -> None:
    table = paper_table(study({"nDCG@10": {"[x]": [0.5, 0.25, None]}}))
    assert table.caption == ("Means over 2 questions.", "Undefined questions, not in the means: 1 (nDCG@10).")
    # a [ after \\ would be its argument
    assert "\\midrule\n{}[x] & 0.3750 \\\\\n" in table.latex()
    assert table.markdown().splitlines()[2] == "| [x] | 0.3750 |"


def test_nothing_scored_is_a_dash_and_said() -> None:
    table = paper_table(study({"nDCG@10": {"a": [None, None], "b": [0.5, 0.7]}}))
    assert "a & a & -- \\\\" in table.latex()
    assert table.caption[-1] == "–: nothing was scored."
    assert "No pair could be tested." in table.caption


def test_latex_is_a_whole_table_with_names_escaped() -> None:
    table = paper_table(study({"nDCG@10": {"bm25_k1 & 50%": LOW, "dense": HIGH}}), digits=2)
    low, high = np.mean([float(x) for x in LOW if x is not None]), np.mean([float(x) for x in HIGH if x is not None])
    assert table.latex(label="tab:main") == (
        "% Needs \\usepackage{booktabs}.\n"
        "\\begin{table}\n"
        "\\centering\n"
        "\\caption{Means over 60 questions. A superscript names the systems that a system is better than; bold marks "
        "the best mean where its system is better than every system it was compared with. Paired tests: sign-flip "
        "(100,000 permutations); p \\textless{} 0.05 after Holm's correction over 1 test.}\n"
        "\\label{tab:main}\n"
        "\\begin{tabular}{lll}\n"
        "\\toprule\n"
        " & System & nDCG@10 \\\\\n"
        "\\midrule\n"
        f"a & bm25\\_k1 \\& 50\\% & {low:.2f} \\\\\n"
        f"b & dense & \\textbf{{{high:.2f}}}\\textsuperscript{{a}} \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\\end{table}\n"
    )


def test_markdown_and_csv_say_the_same() -> None:
    table = paper_table(study({"nDCG@10": {"low": [0.0] * 20, "high": [0.5] * 20}}))
    assert table.markdown().startswith(
        "|  | system | nDCG@10 |\n| --- | --- | --- |\n| a | low | 0.0000 |\n| b | high | **0.5000**<sup>a</sup> |\n"
    )
    assert table.csv() == "system,nDCG@10,nDCG@10 better than,nDCG@10 best\nlow,0,,\nhigh,0.5,low,yes\n"


def test_more_systems_than_letters_have_numbers() -> None:
    runs: dict[str, list[Value]] = {f"s{i}": LOW for i in range(26)}
    table = paper_table(study({"nDCG@10": {**runs, "high": HIGH}}, pairs="high:s0,high:s25"))
    assert "27 & high & " in table.latex()
    assert r"\textsuperscript{1,26}" in table.latex()


def test_columns_can_be_chosen_and_a_misspelt_one_is_refused() -> None:
    runs = {"low": LOW, "high": HIGH}
    both = study({"nDCG@10": runs, "P@5": runs})
    assert paper_table(both, metrics=["P@5"]).metrics == ("P@5",)
    with pytest.raises(UnknownNameError, match="nDCG@5"):
        paper_table(both, metrics=["nDCG@5"])
