"""`goldproof trace`: tables for people, JSON for machines, files, gates and exit codes; bad input in one sentence."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import polars as pl
import pytest

from tests.jobs.trace.conversations import failed, searched, talk, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Done

TEN = ("CG", "RG", "DCG", "DRG", "AvgGain", "RAG", "DRAG", "SRE", "SRR", "IterationsForAllGoodResults")
FILES = {
    *("summary.json", "scores.parquet", "report.md", "card.json", "run.json"),
    *("iterations.parquet", "conversations.parquet", "plot.svg"),
}
GOLDEN = Path(__file__).parent / "golden"


def rows(path: Path) -> list[dict[str, Any]]:
    return pl.read_parquet(path).to_dicts()


# What people read


def test_the_tables_of_two_systems_are_these(goldproof: Callable[..., Done], old: Path, new: Path) -> None:
    done = goldproof("trace", old, "--system", f"new={new}", "--metrics", "CG,SRR,IterationsForAllGoodResults")
    assert done.code == 0
    # old has 8 results, the second a of c1 is the only repeat; its 7 distinct results lack a label on e
    assert done.out == (GOLDEN / "trace_two_systems.txt").read_text(encoding="utf-8")
    assert done.err == ""


def test_the_wide_tables_with_all_notes_are_these(goldproof: Callable[..., Done], old: Path, new: Path) -> None:
    metrics = "CG,SRR,IterationsForAllGoodResults"
    done = goldproof("trace", old, "--system", f"new={new}", "--metrics", metrics, "--wide", "--notes")
    assert done.out == (GOLDEN / "trace_two_systems_wide.txt").read_text(encoding="utf-8")


def test_the_default_screen_fits_100_columns_and_40_lines(goldproof: Callable[..., Done], old: Path, new: Path) -> None:
    lines = goldproof("trace", old, "--system", f"new={new}").out.splitlines()
    assert max(len(line) for line in lines) <= 100
    assert len(lines) <= 40


@pytest.mark.parametrize("dedup", ["full", "id"])
def test_an_explanation_is_this(goldproof: Callable[..., Done], old: Path, dedup: str) -> None:
    done = goldproof("trace", old, "--explain", "c1", "--dedup", dedup)
    assert done.code == 0
    assert done.out == (GOLDEN / f"trace_explain_{dedup}.txt").read_text(encoding="utf-8")


def test_an_explanation_as_json_has_every_result(goldproof: Callable[..., Done], old: Path) -> None:
    (one,) = goldproof("trace", old, "--explain", "c1", "--json").json["systems"]
    assert (one["system"], one["conversation_id"], one["question"], one["error"]) == ("old", "c1", "Why?", None)
    assert [r["duplicate_of"] for r in one["results"]] == [None, None, 1, None]
    assert [(r["iteration"], r["search"], r["rank"]) for r in one["results"]] == [
        (1, 1, 1),
        (1, 1, 2),
        (2, 1, 1),
        (2, 1, 2),
    ]
    assert one["results"][2]["compared_with"] == [
        {
            "number": 1,
            "proposed_by": "url",
            "same": True,
            "step": "identical",
            "why": "everything that matters is equal",
        }
    ]
    assert one["results"][0]["keys"] == [{"key": "url", "value": "x.example/a"}]
    assert [row["G"] for row in one["iterations"]] == [3, 2]
    assert set(one["metrics"]) == set(TEN)


def test_an_explanation_by_id_names_the_id(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", [talk("c", [("d1", 3)], [("d1", 3)], by="id")])
    (one,) = goldproof("trace", path, "--explain", "c", "--dedup", "id", "--json").json["systems"]
    assert [r["duplicate_of"] for r in one["results"]] == [None, 1]
    assert one["results"][1]["keys"] == [{"key": "id", "value": "d1"}]


def test_an_explanation_shows_every_system_that_has_the_conversation(
    goldproof: Callable[..., Done], old: Path, new: Path
) -> None:
    both = goldproof("trace", old, "--system", new, "--explain", "c1", "--json").json["systems"]
    assert [one["system"] for one in both] == ["old", "new"]
    alone = goldproof("trace", old, "--system", new, "--explain", "c4", "--json").json["systems"]
    assert [one["system"] for one in alone] == ["new"]


def test_an_explanation_agrees_with_the_score_on_the_pool(goldproof: Callable[..., Done], old: Path, new: Path) -> None:
    # Of a, d, g in c1 the old system never finds g.
    scored = goldproof("trace", old, "--system", new, "--json").json["metrics"]["IterationsForAllGoodResults"]["runs"][
        "old"
    ]
    assert scored["pool_completed"] == 1
    both = goldproof("trace", old, "--system", new, "--explain", "c1", "--json").json["systems"]
    said = both[0]["metrics"]["IterationsForAllGoodResults"]
    assert said == "of a pool of 3 good results not all appeared; counts 100"


def test_an_explanation_of_a_failed_conversation_says_so(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", [failed("c", "timeout")])
    done = goldproof("trace", path, "--explain", "c")
    assert "failed: timeout" in done.out
    assert "no search in the last turn" not in done.out


def test_an_explanation_does_not_call_a_gain_0_that_the_score_calls_undefined(
    goldproof: Callable[..., Done], tmp_path: Path
) -> None:
    path = write(tmp_path / "t.jsonl", [talk("c", []), talk("d", [("x", None)])])
    assert goldproof("trace", path, "--json").json["metrics"]["CG"]["runs"]["t"]["mean"] is None
    (one,) = goldproof("trace", path, "--explain", "c", "--json").json["systems"]
    assert one["metrics"]["CG"].startswith("undefined")


@pytest.mark.parametrize("option", ["--out", "--junit", "--fail-if"])
def test_an_explanation_does_not_pass_over_what_it_will_not_do(
    goldproof: Callable[..., Done], old: Path, tmp_path: Path, option: str
) -> None:
    # A gate that is silently not looked at passes for ever.
    value = "CG < 100" if option == "--fail-if" else tmp_path / "there"
    done = goldproof("trace", old, "--explain", "c1", option, value)
    assert done.code == 2
    assert option in done.err


def test_an_unknown_conversation_is_answered_with_near_names(goldproof: Callable[..., Done], old: Path) -> None:
    done = goldproof("trace", old, "--explain", "c11")
    assert (done.code, done.out) == (2, "")
    assert "unknown conversation 'c11'; did you mean 'c1'" in done.err


@pytest.mark.parametrize("style", ["table", "markdown", "latex", "html", "csv"])
def test_every_format_shows_the_means(goldproof: Callable[..., Done], old: Path, new: Path, style: str) -> None:
    done = goldproof("trace", old, "--system", new, "--metrics", "CG", "--format", style)
    assert done.code == 0
    # CG of old: (5 + 6 + 0) / 3
    assert "3.66" in done.out
    mark = {"table": "─", "markdown": "| ---", "latex": r"\begin{tabular}", "html": "<table", "csv": "metric,"}[style]
    assert mark in done.out


def test_csv_is_one_table(goldproof: Callable[..., Done], old: Path, new: Path) -> None:
    done = goldproof("trace", old, "--system", new, "--metrics", "CG", "--format", "csv")
    table = list(csv.reader(done.out.splitlines()))
    assert {len(row) for row in table} == {len(table[0])}


@pytest.mark.parametrize("style", ["table", "markdown", "latex", "html", "csv"])
def test_an_explanation_takes_every_format(goldproof: Callable[..., Done], old: Path, style: str) -> None:
    done = goldproof("trace", old, "--explain", "c1", "--format", style)
    assert done.code == 0
    assert "everything that matters is equal" in done.out


def test_help_names_the_options(goldproof: Callable[..., Done]) -> None:
    done = goldproof("trace", "--help")
    assert done.code == 0
    for option in (
        *("--system", "--qrels", "--metrics", "--threshold", "--dedup", "--rules", "--near-duplicates", "--carry"),
        *("--pool", "--up-to", "--clusters", "--baseline", "--pairs", "--primary", "--margin", "--test", "--skip-bad"),
        *("--explain", "--seed", "--out", "--force", "--json", "--format", "--fail-if", "--junit"),
    ):
        assert option in done.out, option


# What machines read


def test_json_is_one_document_and_the_file(
    goldproof: Callable[..., Done], old: Path, new: Path, tmp_path: Path
) -> None:
    done = goldproof("trace", old, "--system", new, "--metrics", "SRE", "--json", "--out", tmp_path / "out")
    assert done.code == 0
    assert done.out == (tmp_path / "out" / "summary.json").read_text(encoding="utf-8")
    assert done.json["metrics"]["SRE"]["runs"]["new"]["mean"] == 1


def test_what_is_named_is_tested_with_primary_all_and_the_curve_described(
    goldproof: Callable[..., Done], old: Path, new: Path
) -> None:
    metrics = ["--metrics", "CG,CG@2,SRR", "--primary", "all"]
    summary = goldproof("trace", old, "--system", new, *metrics, "--json").json
    assert list(summary["metrics"]) == ["CG", "CG@2", "SRR", "CG@1", "CG@3", "SRR@1", "SRR@2", "SRR@3"]
    tested = {name: one["comparisons"]["new_vs_old"].get("tested", True) for name, one in summary["metrics"].items()}
    assert [name for name, is_tested in tested.items() if is_tested] == ["CG", "CG@2", "SRR"]
    curve = summary["metrics"]["CG@1"]
    assert set(curve["comparisons"]["new_vs_old"]) == {
        *("difference", "ci_95", "interval", "n", "n_unpaired", "tested", "verdict", "note"),
    }
    # CG@1 of new and old: 5 - 3 and 6 - 2; the mean is 3
    assert curve["comparisons"]["new_vs_old"]["difference"] == 3
    assert curve["comparisons"]["new_vs_old"]["verdict"] is None
    assert curve["power_analysis"] is None
    assert "p_value" in summary["metrics"]["CG@2"]["comparisons"]["new_vs_old"]


def test_pairs_at_i_are_those_that_both_reach(goldproof: Callable[..., Done], old: Path, new: Path) -> None:
    metrics = goldproof("trace", old, "--system", new, "--metrics", "CG", "--json").json["metrics"]
    pairs = {name: one["comparisons"]["new_vs_old"]["n"] for name, one in metrics.items()}
    assert pairs == {"CG": 2, "CG@1": 2, "CG@2": 1, "CG@3": 0}


@pytest.mark.parametrize(("metrics", "n"), [("CG", 1), ("CG,CG@2", 2), ("CG,SRR,SRE", 3)])
def test_the_family_is_the_named_metrics_times_the_pairs(
    goldproof: Callable[..., Done], better: tuple[Path, Path], tmp_path: Path, metrics: str, n: int
) -> None:
    weak, strong = better
    other = tmp_path / "other.jsonl"
    shutil.copy(strong, other)
    args = ["trace", weak, "--system", strong, "--system", other, "--metrics", metrics, "--primary", "all", "--json"]
    assert goldproof(*args).json["family"]["size"] == n * 2
    assert goldproof(*args, "--pairs", "all").json["family"]["size"] == n * 3


def test_cg_is_tested_by_default_and_the_other_nine_are_described(
    goldproof: Callable[..., Done], better: tuple[Path, Path]
) -> None:
    weak, strong = better
    summary = goldproof("trace", weak, "--system", strong, "--json").json
    assert tuple(summary["metrics"])[:10] == TEN
    assert (summary["family"]["size"], summary["family"]["primary"]) == (1, "CG")
    verdicts = {name: summary["metrics"][name]["comparisons"]["strong_vs_weak"]["verdict"] for name in TEN}
    assert verdicts == {"CG": "better"} | dict.fromkeys(TEN[1:])


def test_the_first_named_metric_is_tested_where_cg_is_not_named(
    goldproof: Callable[..., Done], better: tuple[Path, Path]
) -> None:
    weak, strong = better
    summary = goldproof("trace", weak, "--system", strong, "--metrics", "SRR,SRE", "--json").json
    assert summary["family"]["tested"] == ["SRR"]


def test_runs_have_the_counts_of_the_docs(goldproof: Callable[..., Done], old: Path) -> None:
    run = goldproof("trace", old, "--metrics", "CG", "--json").json["runs"]["old"]
    expected = {
        "conversations": 3,
        "reach": [3, 2, 1],
        "iterations": 6,
        "searches": 6,
        "results": 8,
        "unique": 7,
        "duplicates": 1,
        "redundancy": 0.125,
        "good": 4,
        "unlabelled": 1,
        "label_conflicts": 0,
        "duplicates_by_step": {"identical": 1},
    }
    assert {name: run[name] for name in expected} == expected
    assert run["unjudged_share"] == pytest.approx(1 / 7)


# Files


def test_the_folder_holds_what_the_docs_say(
    goldproof: Callable[..., Done], old: Path, new: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert goldproof("trace", old, "--system", new, "--out", out).code == 0
    assert {path.name for path in out.iterdir()} == FILES
    iterations = pl.read_parquet(out / "iterations.parquet")
    assert iterations.columns == [
        *("system", "conversation_id", "iteration", "searches", "failed_searches", "R", "UR", "GR", "Dup", "G"),
        *("R@i", "UR@i", "GR@i", "DupR@i", "unlabelled"),
        *("CG@i", "RG@i", "DCG@i", "DRG@i", "AvgGain_i", "RAG@i", "DRAG@i", "SRE@i", "SRR@i"),
    ]
    assert iterations.height == 6 + 4
    assert sum(iterations.null_count().row(0)) == 0
    conversations = pl.read_parquet(out / "conversations.parquet")
    assert conversations.columns == [
        *("system", "conversation_id", "cluster", "status", "reason", "iterations", "searches", "failed_searches"),
        *("R", "UR", "GR", "DupR", "unlabelled", "label_conflicts", "pool", "pool_found", *TEN),
    ]
    nulls = {name: n for name, n in zip(conversations.columns, conversations.null_count().row(0), strict=True) if n}
    assert nulls == {"cluster": 6, "reason": 6, "IterationsForAllGoodResults": 1}
    card = json.loads((out / "card.json").read_text())
    assert set(card["inputs"]) == {"system old", "system new"}
    report = (out / "report.md").read_text()
    assert "plot.svg" in report
    assert "new − old over iterations" in report
    ET.fromstring((out / "plot.svg").read_text())  # noqa: S314 - our own file


def test_counts_have_types_that_do_not_depend_on_the_data(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.jsonl", [talk("c", [("a", 2)])])
    blank = write(tmp_path / "blank.jsonl", [talk("c", [("a", None)]), failed("d"), talk("e")])
    crash = write(tmp_path / "crash.jsonl", [failed("c")])
    for path in (plain, blank, crash):
        goldproof("trace", path, "--metrics", "SRE,IterationsForAllGoodResults", "--out", tmp_path / path.stem)
    for name in ("iterations.parquet", "conversations.parquet"):
        schemas = [pl.read_parquet_schema(tmp_path / folder / name) for folder in ("plain", "blank", "crash")]
        assert schemas[0] == schemas[1] == schemas[2], name


def test_the_same_command_gives_the_same_bytes(
    goldproof: Callable[..., Done], old: Path, new: Path, tmp_path: Path
) -> None:
    args = ["trace", old, "--system", new, "--metrics", "CG,SRR", "--out"]
    for folder in ("one", "two"):
        assert goldproof(*args, tmp_path / folder).code == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    assert goldproof(*args, tmp_path / "one").code == 0
    for name in FILES - {"run.json"}:
        assert (tmp_path / "one" / name).read_bytes() == before[name] == (tmp_path / "two" / name).read_bytes(), name


def test_the_bytes_do_not_depend_on_the_hash_seed_of_the_process(old: Path, tmp_path: Path) -> None:
    script = Path(sys.executable).parent / "goldproof"
    for seed in ("1", "2"):
        subprocess.run(
            [script, "trace", old, "--metrics", "SRE", "--out", tmp_path / seed],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
    for name in FILES - {"run.json", "plot.svg"}:
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes(), name


def test_other_inputs_are_refused_and_force_replaces(
    goldproof: Callable[..., Done], old: Path, new: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    args = ["--metrics", "SRE", "--out", out]
    assert goldproof("trace", old, *args).code == 0
    before = (out / "summary.json").read_bytes()
    for other in (
        [f"old={new}"],
        [old, "--threshold", "3"],
        [old, "--carry"],
        [old, "--pool", "systems"],
        [old, "--dedup", "id"],
    ):
        refused = goldproof("trace", *other, *args)
        assert refused.code == 2, other
        assert refused.out == ""
        assert "--force" in refused.err
        assert (out / "summary.json").read_bytes() == before
    assert goldproof("trace", f"old={new}", *args, "--force").code == 0
    assert (out / "summary.json").read_bytes() != before


def test_a_forced_result_without_a_plot_leaves_no_plot_of_another(
    goldproof: Callable[..., Done], old: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert goldproof("trace", old, "--metrics", "CG", "--out", out).code == 0
    assert goldproof("trace", old, "--metrics", "SRE", "--out", out, "--force").code == 0
    assert "plot.svg" not in (out / "report.md").read_text()
    assert not (out / "plot.svg").exists()


def test_compare_reads_the_scores_of_two_trace_runs(
    goldproof: Callable[..., Done], better: tuple[Path, Path], tmp_path: Path
) -> None:
    for path in better:
        assert goldproof("trace", path, "--metrics", "SRE,SRR", "--out", tmp_path / path.stem).code == 0
    scores = [tmp_path / path.stem / "scores.parquet" for path in better]
    done = goldproof("compare", *scores, "--primary", "SRR", "--json")
    assert done.code == 0
    metrics = done.json["metrics"]
    # SRR: 2 of 3 results of the weak system are repeats, none of the strong; less is better
    assert metrics["SRR"]["comparisons"]["weak_vs_strong"]["difference"] == pytest.approx(2 / 3)
    assert metrics["SRR"]["comparisons"]["weak_vs_strong"]["verdict"] == "worse"
    # the curve over iterations is in iterations.parquet: here it would only enlarge the family of tests
    assert list(metrics) == ["SRE", "SRR"]


def test_an_unknown_conversation_is_refused_with_those_that_are_known(
    goldproof: Callable[..., Done], old: Path
) -> None:
    done = goldproof("trace", old, "--explain", "c9")
    assert (done.code, done.out) == (2, "")
    assert "unknown conversation 'c9'; known: c1, c2, c3" in done.err


def test_up_to_cuts_the_curve(goldproof: Callable[..., Done], old: Path) -> None:
    done = goldproof("trace", old, "--metrics", "CG", "--up-to", "1", "--json")
    assert list(done.json["metrics"]) == ["CG", "CG@1"]
    assert done.json["runs"]["old"]["reach"] == [3]
    shown = goldproof("trace", old, "--metrics", "CG", "--up-to", "1", "--notes").said
    assert "Iterations 2 to 3 are in iterations.parquet (--up-to shows more)." in shown


# Gates


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        ("SRR@2 > 0.4", 1),
        ("SRR@2 strong > 0.4", 0),
        ("CG worse", 0),
        ("CG weak worse", 1),
        ("CG < 3", 1),
        ("CG strong < 3", 0),
        ("IterationsForAllGoodResults weak >= 100", 1),
    ],
)
def test_a_gate_decides_the_exit_code(
    goldproof: Callable[..., Done], better: tuple[Path, Path], tmp_path: Path, gate: str, code: int
) -> None:
    weak, strong = better
    junit = tmp_path / "junit.xml"
    done = goldproof("trace", weak, "--system", strong, "--fail-if", gate, "--junit", junit)
    assert done.code == code
    assert (f"gate '{gate}'" in done.err) == bool(code)
    root = ET.parse(junit).getroot()  # noqa: S314 - our own file
    assert "goldproof trace" in ET.tostring(root, encoding="unicode")


def test_a_metric_that_a_gate_asks_a_verdict_of_is_tested(
    goldproof: Callable[..., Done], better: tuple[Path, Path]
) -> None:
    weak, strong = better
    done = goldproof("trace", weak, "--system", strong, "--fail-if", "CG@2 weak worse", "--json")
    assert done.code == 1
    assert done.json["family"]["tested"] == ["CG", "CG@2"]


def test_a_gate_on_an_iteration_that_nobody_reaches_does_not_pass(goldproof: Callable[..., Done], old: Path) -> None:
    done = goldproof("trace", old, "--fail-if", "SRR@9 > 0.4")
    assert done.code == 1
    assert "gate 'SRR@9 > 0.4': SRR@9 of old has no scored value" in done.err
    assert goldproof("trace", old, "--metrics", "SRR,SRR@9", "--fail-if", "SRR@9 > 0.4").code == 1


def test_the_primary_metric_is_among_those_tested(goldproof: Callable[..., Done], old: Path, new: Path) -> None:
    done = goldproof("trace", old, "--system", new, "--metrics", "SRR", "--primary", "CG@1", "--json")
    assert done.json["metrics"]["CG@1"]["comparisons"]["new_vs_old"]["tested"] is True
    assert done.json["family"]["primary"] == "CG@1"


# Clusters, missing conversations, labels beside


def test_clusters_come_from_the_trace_or_a_file(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    inside = write(tmp_path / "t.jsonl", [talk(f"c{i}", [("a", 2 + i % 2)], cluster=f"t{i // 3}") for i in range(12)])
    metric = goldproof("trace", inside, "--metrics", "CG", "--json").json["metrics"]["CG"]["runs"]["t"]
    assert metric["n_clusters"] == 4
    given = tmp_path / "clusters.csv"
    given.write_text("id,cluster\n" + "".join(f"c{i},u{i // 2}\n" for i in range(12)))
    done = goldproof("trace", inside, "--metrics", "CG", "--clusters", given, "--json", "--out", tmp_path / "out")
    assert done.json["metrics"]["CG"]["runs"]["t"]["n_clusters"] == 6
    assert [row["cluster"] for row in rows(tmp_path / "out" / "conversations.parquet")][:3] == ["u0", "u0", "u1"]


def test_clusters_that_contradict_each_other_are_refused(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    a = write(tmp_path / "a.jsonl", [talk("c", [("x", 2)], cluster="s")])
    b = write(tmp_path / "b.jsonl", [talk("c", [("x", 2)], cluster="t")])
    done = goldproof("trace", a, "--system", b, "--out", tmp_path / "out")
    assert done.code == 2
    assert "conversation 'c' is in the clusters ['s', 't']" in done.err
    assert not (tmp_path / "out").exists()
    clusters = tmp_path / "clusters.csv"
    clusters.write_text("id,cluster\nc,u\n")
    assert goldproof("trace", a, "--system", b, "--clusters", clusters).code == 0


def test_a_cluster_known_to_one_system_holds_for_both(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    a = write(tmp_path / "a.jsonl", [talk("c", [("x", 2)], cluster="s"), talk("d", [("x", 2)])])
    b = write(tmp_path / "b.jsonl", [talk("c", [("x", 2)]), talk("d", [("x", 2)])])
    done = goldproof("trace", a, "--system", b, "--metrics", "SRE", "--out", tmp_path / "out")
    assert [row["cluster"] for row in rows(tmp_path / "out" / "conversations.parquet")] == ["s", None, "s", None]
    assert "1 of 2 conversations have no cluster" in done.said


def test_conversations_of_one_system_alone_are_not_compared_and_said(
    goldproof: Callable[..., Done], old: Path, new: Path
) -> None:
    done = goldproof("trace", old, "--system", new, "--metrics", "CG", "--json")
    assert "old: lacks 1 conversation that another system has" in done.err
    assert "new: lacks 1 conversation that another system has" in done.err
    compared = done.json["metrics"]["CG"]["comparisons"]["new_vs_old"]
    assert (compared["n"], compared["n_unpaired"]) == (2, 2)


def test_systems_without_a_common_conversation_are_undecided(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    a = write(tmp_path / "a.jsonl", [talk("c", [("x", 2)])])
    b = write(tmp_path / "b.jsonl", [talk("d", [("x", 2)])])
    done = goldproof("trace", a, "--system", b, "--metrics", "CG", "--json")
    assert done.code == 0
    assert done.json["metrics"]["CG"]["comparisons"]["b_vs_a"]["verdict"] == "undecided"
    assert done.json["family"]["size"] == 0


def test_labels_beside_the_trace(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", [talk("c", [("d1", 1), ("d2", None)], by="id")])
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("c 0 d1 4\nc 0 d2 -1\n")
    done = goldproof("trace", path, "--qrels", qrels, "--metrics", "CG", "--json", "--out", tmp_path / "out")
    assert done.json["metrics"]["CG"]["runs"]["t"]["mean"] == 4
    assert "1 negative grade counted as 0" in done.err
    assert "1 label in the trace overruled" in done.err
    assert set(json.loads((tmp_path / "out" / "card.json").read_text())["inputs"]) == {"system t", "labels qrels.txt"}


def test_without_any_label_counts_and_redundancy_are_told(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", [talk("c", [("a", None), ("a", None)])])
    done = goldproof("trace", path, "--json")
    assert done.code == 0
    assert done.json["metrics"]["SRR"]["runs"]["t"]["mean"] == 0.5
    assert done.json["metrics"]["CG"]["runs"]["t"]["mean"] is None
    assert "no result has a label, so gains are undefined" in done.err
    nothing = goldproof("trace", path, "--metrics", "CG")
    assert nothing.code == 3
    assert "no requested metric has a scored value" in nothing.err


@pytest.mark.parametrize(
    "conversations",
    [[failed("c")], [talk("c")], [talk("c", {"searches": []})], [failed("c"), talk("d")]],
    ids=["failed", "no iteration", "thought only", "both"],
)
def test_where_nothing_is_scored_the_exit_code_is_3(
    goldproof: Callable[..., Done], tmp_path: Path, conversations: list[dict[str, Any]]
) -> None:
    done = goldproof("trace", write(tmp_path / "t.jsonl", conversations), "--out", tmp_path / "out")
    assert done.code == 3
    assert (tmp_path / "out" / "summary.json").exists()


def test_a_metric_that_nothing_reaches_is_nothing_scored(goldproof: Callable[..., Done], old: Path) -> None:
    done = goldproof("trace", old, "--metrics", "CG@50")
    assert done.code == 3


def test_a_failed_search_is_counted(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", [talk("c", [("a", 2)], searched([], error="503"))])
    done = goldproof("trace", path, "--metrics", "RG", "--json")
    assert done.json["metrics"]["RG"]["runs"]["t"]["mean"] == 1
    assert done.json["runs"]["t"]["searches_failed"] == 1
    assert "1 of 2 searches failed and counted as empty" in done.err


def test_a_miss_of_a_judged_question_is_explained_as_one(goldproof: Callable[..., Done], tmp_path: Path) -> None:
    trace = write(tmp_path / "agent.jsonl", [talk("c", [("d1", None)], by="id", question_id="q")])
    (tmp_path / "qrels.txt").write_text("q 0 d9 3\n")
    done = goldproof("trace", trace, "--qrels", tmp_path / "qrels.txt", "--explain", "c")
    assert done.code == 0
    assert "no result is labelled, but the labels judge this question: every result gains 0" in done.out
    assert "G = 0" in done.out
