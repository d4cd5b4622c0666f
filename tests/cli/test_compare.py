"""`goldproof compare`: score files from anywhere, matched by question, never silently cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import goldproof as package

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Done


def scores(path: Path, values: dict[str, float], metric: str = "faithfulness") -> Path:
    path.write_text("id,metric,value\n" + "".join(f"{i},{metric},{v}\n" for i, v in values.items()))
    return path


@pytest.fixture
def a(tmp_path: Path) -> Path:
    return scores(tmp_path / "a.csv", {f"q{i}": 0.9 - 0.01 * i for i in range(20)})


@pytest.fixture
def b(tmp_path: Path) -> Path:
    return scores(tmp_path / "b.csv", {f"q{i}": 0.5 - 0.005 * i for i in range(20)})


def test_a_against_b_means_a_minus_b(goldproof: Callable[..., Done], a: Path, b: Path) -> None:
    done = goldproof("compare", a, b, "--json")
    comparison = done.json["metrics"]["faithfulness"]["comparisons"]["a_vs_b"]
    # mean a = 0.9 - 0.01 * 9.5 = 0.805, mean b = 0.5 - 0.005 * 9.5 = 0.4525
    assert comparison["difference"] == pytest.approx(0.3525)
    assert comparison["verdict"] == "better"
    assert comparison["n"] == 20


def test_unmatched_questions_are_refused_unless_intersected(
    goldproof: Callable[..., Done], a: Path, tmp_path: Path
) -> None:
    short = scores(tmp_path / "short.csv", {f"q{i}": 0.5 for i in range(15)} | {"extra": 0.1})
    refused = goldproof("compare", a, short)
    assert refused.code == 2
    assert "5 questions only in a ('q15', 'q16', 'q17', ...); 1 question only in short ('extra')" in refused.err
    done = goldproof("compare", a, short, "--intersect", "--json")
    assert done.json["metrics"]["faithfulness"]["comparisons"]["a_vs_short"]["n"] == 15
    assert "left out (--intersect)" in done.err


def test_a_run_of_a_score_table_is_picked_by_name(
    goldproof: Callable[..., Done], qrels: Path, good: Path, bad: Path, tmp_path: Path
) -> None:
    args = [
        "--qrels",
        qrels,
        "--run",
        f"bad={bad}",
        "--run",
        f"good={good}",
        "--metrics",
        "RR",
        "--out",
        tmp_path / "out",
    ]
    first = goldproof("eval", *args, "--json").json["metrics"]["RR"]["comparisons"]["good_vs_bad"]
    table = tmp_path / "out" / "scores.parquet"
    again = goldproof("compare", f"{table}#good", f"{table}#bad", "--json").json["metrics"]["RR"]["comparisons"][
        "good_vs_bad"
    ]
    first |= {"difference_judged_only": None, "p_value_judged_only": None}  # scores alone do not tell
    assert again == first
    whole = goldproof("compare", table, "--json").json["metrics"]["RR"]["comparisons"]
    assert list(whole) == ["bad_vs_good"]  # each run with the last
    ambiguous = goldproof("compare", f"new={table}", f"{table}#bad")
    assert ambiguous.code == 2
    assert "holds 2 runs (bad, good), so it cannot be called 'new'" in ambiguous.err


def test_files_of_the_same_name_are_told_apart(
    goldproof: Callable[..., Done], a: Path, b: Path, tmp_path: Path
) -> None:
    (tmp_path / "x").mkdir()
    twin = tmp_path / "x" / "a.csv"
    twin.write_text(b.read_text())
    names = goldproof("compare", a, twin, "--json").json["metrics"]["faithfulness"]["comparisons"]
    assert list(names) == [f"{a}_vs_{twin}"]
    named = goldproof("compare", f"old={a}", f"new={twin}", "--json").json["metrics"]["faithfulness"]["comparisons"]
    assert list(named) == ["old_vs_new"]


def test_metrics_that_only_one_file_has_are_named(goldproof: Callable[..., Done], a: Path, b: Path) -> None:
    a.write_text(a.read_text() + "q0,extra,1\n")
    done = goldproof("compare", a, b)
    assert done.code == 0
    assert "extra is only in a: not compared." in done.said


def test_no_shared_metric_is_an_error(goldproof: Callable[..., Done], a: Path, tmp_path: Path) -> None:
    other = scores(tmp_path / "other.csv", {"q0": 1.0}, metric="recall")
    done = goldproof("compare", a, other)
    assert done.code == 2
    assert "no metric is in every file: a has faithfulness; other has recall" in done.err


def test_less_is_better_where_the_user_says_so(goldproof: Callable[..., Done], a: Path, b: Path) -> None:
    done = goldproof("compare", a, b, "--lower-is-better", "faithfulness", "--json")
    assert done.json["metrics"]["faithfulness"]["comparisons"]["a_vs_b"]["verdict"] == "worse"
    assert "lower is better, as given" in goldproof("compare", a, b, "--lower-is-better", "faithfulness", "--notes").out


def test_files_can_be_named_in_python(a: Path, b: Path) -> None:
    result = package.compare(runs={"new": str(a), "old": b})
    assert result.study.comparisons[0].verdict == "better"
    with pytest.raises(package.GoldproofError, match=r"found a dict; name the runs with runs="):
        package.compare({"q1": 0.1}, {"q1": 0.2})  # type: ignore[arg-type]


def test_a_junit_file_never_replaces_an_input(goldproof: Callable[..., Done], a: Path, b: Path) -> None:
    before = a.read_text()
    done = goldproof("compare", a, b, "--junit", a)
    assert done.code == 2
    assert "is an input" in done.err
    assert a.read_text() == before
    assert goldproof("compare", a, b, "--junit", a.parent / "no" / "such.xml").code == 2


def test_one_file_alone_is_refused(goldproof: Callable[..., Done], a: Path) -> None:
    assert goldproof("compare", a).code == 2


def test_a_failed_score_is_not_a_zero(goldproof: Callable[..., Done], tmp_path: Path, b: Path) -> None:
    rows = "".join(f"q{i},faithfulness,{0.9 - 0.01 * i},scored,\n" for i in range(19))
    failing = tmp_path / "failing.csv"
    failing.write_text(f"id,metric,value,status,reason\n{rows}q19,faithfulness,,failed,timeout\n")
    run = goldproof("compare", failing, b, "--json").json["metrics"]["faithfulness"]["runs"]["failing"]
    assert (run["n"], run["n_failed"], run["reasons"]) == (19, 1, {"timeout": 1})
    assert run["mean_failed_as_zero"] < run["mean"]
