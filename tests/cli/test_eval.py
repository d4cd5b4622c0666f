"""`goldproof eval`: tables for people, JSON for machines, files, gates and exit codes."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import polars as pl
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Done


def test_the_table_says_which_run_is_better(goldproof: Callable[..., Done], qrels: Path, good: Path, bad: Path) -> None:
    done = goldproof("eval", "--qrels", qrels, "--run", f"bad={bad}", "--run", f"good={good}", "--metrics", "RR,Hit@1")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("good is better than bad on RR by 1.00")
    assert lines[4].split()[:3] == ["RR", "bad", "0.0000"]
    assert lines[5].split()[0] == "good"
    assert lines[5].endswith("better")


def test_json_is_one_document_and_nothing_else(
    goldproof: Callable[..., Done], qrels: Path, good: Path, bad: Path
) -> None:
    done = goldproof(
        "eval", "--qrels", qrels, "--run", f"bad={bad}", "--run", f"good={good}", "--metrics", "RR", "--json"
    )
    assert done.json["metrics"]["RR"]["runs"]["good"]["mean"] == 1
    assert done.json["metrics"]["RR"]["comparisons"]["good_vs_bad"]["verdict"] == "better"


def test_the_report_folder_holds_what_the_docs_say(
    goldproof: Callable[..., Done], qrels: Path, good: Path, bad: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    args = ["eval", "--qrels", qrels, "--run", f"bad={bad}", "--run", f"good={good}", "--metrics", "RR", "--out", out]
    assert goldproof(*args).code == 0
    assert {p.name for p in out.iterdir()} == {"summary.json", "scores.parquet", "report.md", "card.json", "run.json"}
    assert pl.read_parquet(out / "scores.parquet").columns == [
        *("run", "id", "metric", "value", "status", "reason", "cluster"),
    ]
    card = json.loads((out / "card.json").read_text())
    assert set(card["inputs"]) == {"judgments qrels.txt", "run bad", "run good"}
    assert "largest wins and losses, good against bad" in (out / "report.md").read_text()


def test_the_same_command_goes_on_and_another_is_refused(
    goldproof: Callable[..., Done], qrels: Path, good: Path, tmp_path: Path
) -> None:
    args = ["eval", "--qrels", qrels, "--run", good, "--out", tmp_path / "out"]
    assert goldproof(*args, "--metrics", "RR").code == 0
    assert goldproof(*args, "--metrics", "RR").code == 0
    refused = goldproof(*args, "--metrics", "AP")
    assert refused.code == 2
    assert "settings.metrics" in refused.err
    assert goldproof(*args, "--metrics", "AP", "--force").code == 0


@pytest.mark.parametrize(
    ("gate", "code"),
    [("RR good worse", 0), ("RR bad worse", 1), ("RR bad < 0.5", 1), ("RR good < 0.5", 0), ("undecided", 0)],
)
def test_a_gate_decides_the_exit_code(
    goldproof: Callable[..., Done], qrels: Path, good: Path, bad: Path, gate: str, code: int
) -> None:
    args = ["--qrels", qrels, "--run", f"good={good}", "--run", f"bad={bad}", "--metrics", "RR", "--pairs", "all"]
    done = goldproof("eval", *args, "--fail-if", gate)
    assert done.code == code
    assert (f"gate '{gate}'" in done.err) == bool(code)


def test_gates_are_written_as_junit(
    goldproof: Callable[..., Done], qrels: Path, good: Path, bad: Path, tmp_path: Path
) -> None:
    args = ["--qrels", qrels, "--run", f"good={good}", "--run", f"bad={bad}", "--metrics", "RR"]
    done = goldproof("eval", *args, "--fail-if", "RR worse", "--junit", tmp_path / "junit.xml")
    assert done.code == 1
    suite = ET.parse(tmp_path / "junit.xml").getroot()  # noqa: S314 - our own text
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")


def test_nothing_scored_is_exit_code_3_and_the_table_is_still_shown(
    goldproof: Callable[..., Done], tmp_path: Path, good: Path
) -> None:
    (tmp_path / "none.txt").write_text("q1 0 d1 0\n")
    done = goldproof("eval", "--qrels", tmp_path / "none.txt", "--run", good, "--metrics", "RR")
    assert done.code == 3
    assert "no requested metric has a scored value" in done.err
    assert "RR" in done.out


def test_a_bad_line_stops_or_is_left_out_and_counted(
    goldproof: Callable[..., Done], qrels: Path, good: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.trec"
    broken.write_text(good.read_text() + "q0 Q0 y 3 n/a t\n")
    stopped = goldproof("eval", "--qrels", qrels, "--run", broken, "--metrics", "RR", "--out", tmp_path / "out")
    assert stopped.code == 2
    assert stopped.err.startswith(f"goldproof: {broken}:25: score 'n/a' is not a number")
    assert not (tmp_path / "out").exists()
    skipped = goldproof("eval", "--qrels", qrels, "--run", broken, "--metrics", "RR", "--skip-bad")
    assert skipped.code == 0
    assert "1 bad line or result skipped" in skipped.said


@pytest.mark.parametrize("style", ["markdown", "latex", "csv"])
def test_the_table_comes_in_other_formats(goldproof: Callable[..., Done], qrels: Path, good: Path, style: str) -> None:
    done = goldproof("eval", "--qrels", qrels, "--run", good, "--metrics", "RR", "--format", style)
    assert done.code == 0
    assert {"markdown": "| metric |", "latex": r"\begin{tabular}", "csv": "metric,run,mean"}[style] in done.out


def test_latex_and_paper_formats_are_systems_by_metrics(
    goldproof: Callable[..., Done], qrels: Path, good: Path, bad: Path
) -> None:
    args = ["eval", "--qrels", qrels, "--run", f"bad={bad}", "--run", f"good={good}", "--metrics", "RR,P@5"]
    latex = goldproof(*args, "--format", "latex").out
    assert "b & good & \\textbf{1.0000}\\textsuperscript{a} & " in latex
    markdown = goldproof(*args, "--format", "paper-markdown").out
    assert "| b | good | **1.0000**<sup>a</sup> |" in markdown
    assert goldproof(*args, "--format", "paper-csv").out.splitlines()[0] == "system,RR,RR better than,RR best,P@5"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--run", "RUN"], "give one of --dataset DIR_OR_FILE, --qrels FILE"),
        (["--qrels", "QRELS", "--run", "=RUN"], "is not of the form NAME=FILE"),
        (["--qrels", "QRELS", "--run", "a=RUN", "--run", "a=RUN"], "two runs are called 'a'"),
        (["--qrels", "QRELS", "--run", "RUN", "--metrics", "Recall@10"], "R@10"),
        (["--qrels", "QRELS", "--run", "RUN", "--format", "yaml"], "unknown format 'yaml'"),
        (["--qrels", "QRELS", "--run", "RUN", "--baseline", "goood"], "unknown run 'goood'; did you mean 'good'"),
        (["--qrels", "QRELS", "--run", "RUN", "--fail-if", "AP < 1"], "unknown metric 'AP'"),
        (["--qrels", "QRELS", "--run", "RUN", "--cluster", "topic"], "no questions"),
        (["--qrels", "QRELS", "--run", "nowhere.trec"], "nowhere.trec"),
        (["--qrels", "RUN", "--run", "RUN"], "is a TREC run (6 columns), expected judgments"),
        (["--qrels", "QRELS", "--run", "QRELS"], "is a TREC qrels file (4 columns), expected a run"),
    ],
)
def test_wrong_arguments_are_one_sentence_and_exit_code_2(
    goldproof: Callable[..., Done], qrels: Path, good: Path, args: list[str], message: str
) -> None:
    done = goldproof("eval", *(arg.replace("QRELS", str(qrels)).replace("RUN", str(good)) for arg in args))
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


def test_csv_is_one_table_of_plain_numbers(goldproof: Callable[..., Done], qrels: Path, good: Path, bad: Path) -> None:
    args = ["--qrels", qrels, "--run", f"a={bad}", "--run", f"b={good}", "--run", f"c={good}", "--metrics", "RR,P@5"]
    done = goldproof("eval", *args, "--pairs", "all", "--format", "csv")
    rows = list(csv.DictReader(done.out.splitlines()))
    assert [(row["metric"], row["run"], row["against"]) for row in rows[:4]] == [
        *(("RR", "a", ""), ("RR", "b", "a"), ("RR", "c", "a"), ("RR", "c", "b")),
    ]
    assert float(rows[1]["p_adjusted"]) < 0.05
    assert float(rows[1]["mean"]) == 1


def test_a_run_with_other_ids_is_refused(
    goldproof: Callable[..., Done], qrels: Path, good: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.trec"
    other.write_text(good.read_text().replace("q", "topic"))
    done = goldproof("eval", "--qrels", qrels, "--run", good, "--run", other, "--metrics", "RR")
    assert done.code == 2
    assert "run 'other' has none of the judged questions" in done.err


def test_what_is_never_scored_says_why(goldproof: Callable[..., Done], qrels: Path, good: Path) -> None:
    done = goldproof("eval", "--qrels", qrels, "--run", good, "--metrics", "SetRecall@10")
    assert done.code == 3
    assert "SetRecall@10 of good: no question is scored (no kernel (12))." in done.said


def test_clusters_come_from_a_file(goldproof: Callable[..., Done], qrels: Path, good: Path, tmp_path: Path) -> None:
    clusters = tmp_path / "clusters.csv"
    clusters.write_text("id,cluster\n" + "".join(f"q{i},c{i // 4}\n" for i in range(12)))
    done = goldproof("eval", "--qrels", qrels, "--run", good, "--metrics", "P@5", "--clusters", clusters, "--json")
    assert done.json["metrics"]["P@5"]["runs"]["good"]["n_clusters"] == 3


def test_excluded_questions_are_left_out(
    goldproof: Callable[..., Done], qrels: Path, good: Path, tmp_path: Path
) -> None:
    (tmp_path / "exclude.txt").write_text("q0\nq1\n")
    args = ["--qrels", qrels, "--run", good, "--metrics", "RR", "--exclude", tmp_path / "exclude.txt", "--json"]
    assert goldproof("eval", *args).json["metrics"]["RR"]["runs"]["good"]["n"] == 10


def foreign(path: Path) -> Path:
    path.write_text("".join(f"q{i} Q0 docs/d{i}.md 1 2.0 t\n" for i in range(12)))
    return path


def test_one_run_of_other_ids_is_refused_and_nothing_is_written(
    goldproof: Callable[..., Done], qrels: Path, tmp_path: Path
) -> None:
    run, out = foreign(tmp_path / "chunks.trec"), tmp_path / "out"
    done = goldproof("eval", "--qrels", qrels, "--run", run, "--metrics", "RR", "--out", out)
    assert (done.code, done.out) == (2, "")
    assert "run 'chunks': none of its 12 document ids is judged, but they match without the path" in done.err
    assert "Run: 'docs/d0.md', 'docs/d1.md', 'docs/d10.md'. Judgments: 'd0', 'd1', 'd10'." in done.err
    assert not out.exists()


def test_of_several_runs_the_one_of_other_ids_is_left_out_and_the_exit_code_is_2(
    goldproof: Callable[..., Done], qrels: Path, good: Path, bad: Path, tmp_path: Path
) -> None:
    run, out = foreign(tmp_path / "chunks.trec"), tmp_path / "out"
    args = [
        "--qrels",
        qrels,
        "--run",
        f"good={good}",
        "--run",
        f"chunks={run}",
        "--run",
        f"bad={bad}",
        "--metrics",
        "RR",
    ]
    done = goldproof("eval", *args, "--out", out, "--json", "--fail-if", "RR bad < 0.1")
    assert done.code == 2  # not the gate's 1
    assert done.err.splitlines()[-2].startswith(
        "goldproof: left out, the other runs are scored: run 'chunks': none of its"
    )
    assert list(done.json["metrics"]["RR"]["runs"]) == ["good", "bad"]
    assert list(done.json["left_out"]) == ["chunks"]
    assert (out / "card.json").exists()
    assert "Left out: run 'chunks'" in (out / "report.md").read_text()


def pooled(tmp_path: Path) -> list[object]:
    """Judgments from the pool of `old` alone; `new` finds as much, but ranks documents first that nobody judged."""
    qrels, old, new = tmp_path / "pool.txt", tmp_path / "old.trec", tmp_path / "new.trec"
    qrels.write_text("".join(f"q{i} 0 a{i} 1\nq{i} 0 b{i} 0\n" for i in range(12)))
    old.write_text("".join(f"q{i} Q0 a{i} 1 2 t\nq{i} Q0 b{i} 2 1 t\n" for i in range(12)))
    new.write_text("".join(f"q{i} Q0 n{i} 1 3 t\nq{i} Q0 a{i} 2 2 t\n" for i in range(12)))
    return ["--qrels", qrels, "--run", f"old={old}", "--run", f"new={new}", "--metrics", "RR"]


def test_worse_that_rests_on_unjudged_results_is_undecided_and_the_note_names_the_command(
    goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    # RR 1 against 1/2 in twelve of twelve questions: p = 2 / 2^12; on judged documents only both have 1.
    done = goldproof("eval", *pooled(tmp_path), "--json")
    comparison = done.json["metrics"]["RR"]["comparisons"]["new_vs_old"]
    assert (comparison["verdict"], comparison["reason"]) == ("undecided", "unjudged")
    assert comparison["p_value"] == pytest.approx(2 / 2**12)
    assert (comparison["difference_judged_only"], comparison["p_value_judged_only"]) == (0, 1)
    assert "goldproof mine --from MINED --extend RUN --out MINED" in comparison["note"]
    assert goldproof("eval", *pooled(tmp_path)).out.splitlines()[5].endswith("undecided (unjudged)")


@pytest.mark.parametrize(
    ("options", "gate", "code"),
    [((), "RR worse", 0), ((), "RR undecided", 1), (("--unjudged", "ignore"), "RR worse", 1)],
)
def test_gates_read_the_verdict_that_unjudged_results_leave(
    goldproof: Callable[..., Done], tmp_path: Path, options: tuple[str, ...], gate: str, code: int
) -> None:
    assert goldproof("eval", *pooled(tmp_path), *options, "--fail-if", gate).code == code


def test_a_verdict_that_holds_on_judged_documents_too_stands(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    args = pooled(tmp_path)
    # new ranks b (judged not relevant) above a as well: RR 1/3 here, 1/2 on judged documents only, against 1
    (tmp_path / "new.trec").write_text(
        "".join(f"q{i} Q0 n{i} 1 4 t\nq{i} Q0 b{i} 2 3 t\nq{i} Q0 a{i} 3 2 t\n" for i in range(12))
    )
    comparison = goldproof("eval", *args, "--json").json["metrics"]["RR"]["comparisons"]["new_vs_old"]
    assert (comparison["verdict"], comparison["reason"]) == ("worse", None)
    assert comparison["difference"] == pytest.approx(1 / 3 - 1)
    assert comparison["difference_judged_only"] == pytest.approx(1 / 2 - 1)


def test_nothing_unjudged_within_the_cutoff_needs_no_second_look(
    goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    args = pooled(tmp_path)
    (tmp_path / "new.trec").write_text("".join(f"q{i} Q0 b{i} 1 3 t\nq{i} Q0 n{i} 2 2 t\n" for i in range(12)))
    done = goldproof("eval", *args[:-1], "P@1", "--json")
    comparison = done.json["metrics"]["P@1"]["comparisons"]["new_vs_old"]
    assert (comparison["verdict"], comparison["difference_judged_only"]) == ("worse", None)


def test_compare_says_that_scores_do_not_show_unjudged_results(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    goldproof("eval", *pooled(tmp_path), "--out", tmp_path / "out")
    scores = tmp_path / "out" / "scores.parquet"
    done = goldproof("compare", f"{scores}#new", f"{scores}#old")
    assert "worse" in done.out
    assert "RR: score files do not show unjudged results; goldproof eval tries a verdict without them." in done.said


def test_questions_answered_by_unjudged_documents_only_are_counted(
    goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    args = pooled(tmp_path)
    # new returns nothing that is judged in 8 of 12 questions
    lines = (f"q{i} Q0 {'n' if i < 8 else 'a'}{i} 1 3 t\n" for i in range(12))
    (tmp_path / "new.trec").write_text("".join(lines))
    said = "new: 8 questions score 0 because no result is judged, also on judged documents only"
    assert said in goldproof("eval", *args).said


def test_unjudged_takes_two_words(goldproof: Callable[..., Done], qrels: Path, good: Path) -> None:
    done = goldproof("eval", "--qrels", qrels, "--run", good, "--unjudged", "ignor")
    assert done.code == 2
    assert "unknown value of --unjudged 'ignor'; did you mean 'ignore'?" in done.err


def test_without_labels_the_command_that_makes_them_is_named(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    done = goldproof("eval", "--corpus", "my docs", "--questions", "q.csv", "--retriever", "bm25")
    assert done.code == 2
    assert "no labels; give one of --dataset DIR_OR_FILE, --qrels FILE and --spans FILE." in done.err
    assert "goldproof mine --cases q.csv --corpus 'my docs' --judge llm:PROVIDER:MODEL --out mined" in done.err
    (tmp_path / "q.csv").write_text("question\nWhat is it?\n")
    wrong = goldproof("eval", "--corpus", "docs", "--queries", tmp_path / "q.csv", "--retriever", "bm25")
    assert wrong.code == 2
    assert f"--queries is judged or both, found the file {tmp_path / 'q.csv'}; texts of questions are --questions" in (
        wrong.err
    )
