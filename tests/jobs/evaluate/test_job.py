"""`goldproof.evaluate`: the same numbers from every form of input, and nothing that is not scored goes unsaid."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pandas as pd
import polars as pl
import pytest

import goldproof
from goldproof.errors import ConflictError, InputError
from goldproof.records.entities import Document, Hit, Judgment, Question, Ranking
from goldproof.records.tables import JudgmentTable, RankingTable

if TYPE_CHECKING:
    from pathlib import Path

JUDGMENTS = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1, "d": 1}, "q3": {"e": 0}}
RUN = {"q1": {"a": 3.0, "x": 2.0, "b": 1.0}, "q2": {"x": 2.0, "c": 1.0}, "q3": {"e": 1.0}, "q9": {"a": 1.0}}


def frames() -> tuple[pl.DataFrame, pl.DataFrame]:
    judged = [(q, d, g) for q, documents in JUDGMENTS.items() for d, g in documents.items()]
    found = [(q, d, s) for q, documents in RUN.items() for d, s in documents.items()]
    return (
        pl.DataFrame(judged, schema=["query_id", "doc_id", "grade"], orient="row"),
        pl.DataFrame(found, schema=["query_id", "doc_id", "score"], orient="row"),
    )


def forms() -> dict[str, tuple[object, object]]:
    judged, found = frames()
    records = [Judgment(q, (d,), grade=g) for q, documents in JUDGMENTS.items() for d, g in documents.items()]
    rankings = [Ranking(q, tuple(Hit(d, s) for d, s in documents.items())) for q, documents in RUN.items()]
    return {
        "tables": (JudgmentTable.from_dict(JUDGMENTS), RankingTable.from_dict(RUN)),
        "polars": (judged, found),
        "lazy": (judged.lazy(), found.lazy()),
        "pandas": (pd.DataFrame(judged.to_dict(as_series=False)), pd.DataFrame(found.to_dict(as_series=False))),
        "records": (records, rankings),
        "lists in order": (JUDGMENTS, {q: list(documents) for q, documents in RUN.items()}),
    }


@pytest.mark.parametrize("form", list(forms()))
def test_every_form_of_input_gives_the_same_scores(form: str) -> None:
    judgments, rankings = forms()[form]
    expected = goldproof.evaluate(JUDGMENTS, RUN, metrics="nDCG@10,P@5,RR").to_frame()
    assert goldproof.evaluate(judgments, rankings, metrics="nDCG@10,P@5,RR").to_frame().equals(expected)


def test_values_are_those_computed_by_hand() -> None:
    result = goldproof.evaluate(JUDGMENTS, RUN, metrics=["P@5", "RR"])
    # q1: a at rank 1: P 1/5, RR 1. q2: c at rank 2: P 1/5, RR 1/2. q3: nothing relevant: undefined.
    assert result.mean("P@5") == pytest.approx(0.2)
    assert result.mean("RR") == pytest.approx(0.75)
    rows = {(row["id"], row["metric"]): row for row in result.to_frame().to_dicts()}
    assert rows["q3", "RR"]["value"] is None
    assert rows["q3", "RR"]["status"] == "undefined"
    assert rows["q3", "RR"]["reason"] == "no relevant document"


def test_trec_evals_zero_is_there_by_name() -> None:
    assert goldproof.evaluate(JUDGMENTS, RUN, metrics="RR", no_relevant="zero").mean("RR") == pytest.approx(0.5)


def test_a_judged_question_missing_from_the_run_scores_0_and_is_counted() -> None:
    result = goldproof.evaluate(JUDGMENTS, {"q1": RUN["q1"]}, metrics="RR")
    summary = result.study.summary("run", "RR")
    assert (summary.mean, summary.n, summary.n_missing) == (0.5, 2, 1)
    assert any("missing from the run, counted 0" in remark for remark in result.remarks)
    assert "missing from the run, counted 0" in str(result)


def test_only_questions_in_both_count_when_asked_for() -> None:
    result = goldproof.evaluate(JUDGMENTS, {"q1": RUN["q1"]}, metrics="RR", queries="both")
    summary = result.study.summary("run", "RR")
    assert (summary.mean, summary.n, summary.n_missing) == (1.0, 1, 1)
    assert result.to_frame()["id"].to_list() == ["q1"]


def test_a_failed_question_is_failed_with_its_reason_and_never_a_zero() -> None:
    judgments = {**JUDGMENTS, "q4": {"f": 1}}
    late = "timeout after 30 s"
    rankings = [Ranking("q1", (Hit("a", 1.0),)), Ranking("q2", error=late), Ranking("q4", error=late)]
    summary = goldproof.evaluate(judgments, rankings, metrics="RR").study.summary("run", "RR")
    assert (summary.mean, summary.n, summary.n_failed) == (1.0, 1, 2)
    assert summary.mean_failed_as_zero == pytest.approx(1 / 3)
    assert summary.reasons == {"no relevant document": 1, late: 2}


def test_a_crash_costs_nothing_where_the_metric_has_no_meaning() -> None:
    result = goldproof.evaluate(
        {"q1": {"a": 1}, "q2": {"b": 0}},
        [Ranking("q1", error="crash"), Ranking("q2", error="crash"), Ranking("q3", (Hit("a", 1.0),))],
        unanswerable=["q3"],
        metrics="RR, FalseSurface@5, Judged@5",
    )
    rr = result.study.summary("run", "RR")
    assert (rr.n, rr.n_undefined, rr.n_failed) == (0, 2, 1)  # q2 has no relevant document, q3 no answer
    surface = result.study.summary("run", "FalseSurface@5")
    assert (surface.n, surface.n_undefined, surface.n_failed) == (1, 2, 0)  # q1 and q2 are answerable
    judged = result.study.summary("run", "Judged@5")
    assert (judged.n, judged.n_undefined, judged.n_failed) == (1, 0, 2)


def test_unjudged_share_and_bounds_are_reported() -> None:
    summary = goldproof.evaluate({"q": {"a": 1}}, {"q": {"x": 2.0, "a": 1.0}}, metrics="P@2").study.summary(
        "run", "P@2"
    )
    # x is unjudged: 1 of 2; P is 1/2 if it is not relevant and 2/2 if it is
    assert summary.extra == {"unjudged_share": 0.5, "bounds": {"none_relevant": 0.5, "all_relevant": 1.0}}


def test_the_bounds_of_a_geometric_mean_are_geometric_means() -> None:
    judged, run = {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}, "q2": {"x": 2.0, "a": 1.0}}
    result = goldproof.evaluate(judged, run, metrics="GMAP")
    # AP 1 and 1/2; with x relevant q2 has 2 of 2 found, at ranks 1 and 2: AP 1
    assert result.mean("GMAP") == pytest.approx(0.5**0.5)
    assert result.study.summary("run", "GMAP").extra["bounds"] == pytest.approx(
        {"none_relevant": 0.5**0.5, "all_relevant": 1.0}
    )


def test_counts_have_the_total_that_trec_eval_prints_and_relevant_documents_are_no_matter_of_the_run() -> None:
    # q1: a of a, b; q2 crashed; q3 is missing; the judgments have 1, 2 and 0 relevant documents
    found = [Ranking("q1", (Hit("a", 2.0), Hit("b", 1.0))), Ranking("q2", error="crash")]
    study = goldproof.evaluate(JUDGMENTS, found, metrics="NumRet,NumRel,NumRelRet").study
    counts = {metric: study.summary("run", metric) for metric in study.panel.metrics}
    assert {metric: (s.n, s.n_failed, s.n_missing, s.extra["total"]) for metric, s in counts.items()} == {
        "NumRet": (2, 1, 1, 2),
        "NumRel": (3, 0, 0, 3),
        "NumRelRet": (2, 1, 1, 1),
    }
    assert counts["NumRel"].reasons == {}


def test_kernels_and_unanswerable_questions_bring_their_metrics() -> None:
    result = goldproof.evaluate(
        {"q1": {"a": 1, "b": 1}},
        {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 1.0}},
        kernels={"q1": [["a", "b"]]},
        unanswerable=["q2"],
    )
    assert result.mean("SetSuccess@10") == 1.0
    assert result.mean("FalseSurface@5") == 1.0
    assert result.study.summary("run", "FalseSurface@5").n == 1


def test_excluded_questions_are_gone_from_everything() -> None:
    result = goldproof.evaluate(JUDGMENTS, RUN, metrics="RR", exclude=["q1"])
    assert result.to_frame()["id"].to_list() == ["q2", "q3"]
    assert "1 question excluded." in result.remarks
    assert goldproof.evaluate(JUDGMENTS, RUN, metrics="RR", exclude=["q1", "zz"]).remarks[1] == (
        "1 excluded id matches no judged question (the first: 'zz')."
    )
    assert any("1 question of the run not judged" in remark for remark in result.remarks)


def test_clusters_may_come_from_a_metadata_field() -> None:
    dataset = goldproof.Dataset(
        "d",
        JudgmentTable.from_dict(JUDGMENTS),
        questions=tuple(Question(q, metadata={"doc": "x" if q < "q3" else "y"}) for q in JUDGMENTS),
    )
    by_field = goldproof.evaluate(dataset, RUN, metrics="P@5", clusters="doc").to_frame()
    assert by_field["cluster"].to_list() == ["x", "x", "y"]
    by_mapping = goldproof.evaluate(
        JUDGMENTS, RUN, metrics="P@5", clusters={"q1": "x", "q2": "x", "q3": "y"}
    ).to_frame()
    assert by_mapping.equals(by_field)


def test_questions_without_a_cluster_are_counted() -> None:
    result = goldproof.evaluate(JUDGMENTS, RUN, metrics="P@5", clusters={"q1": "x", "q2": "x"})
    assert "1 of 3 questions have no cluster; each counts as a cluster of its own." in result.remarks


def test_another_clustering_is_another_result(tmp_path: Path) -> None:
    goldproof.evaluate(JUDGMENTS, RUN, metrics="P@5", clusters={"q1": "x", "q2": "x"}).save(tmp_path / "out")
    with pytest.raises(ConflictError, match=r"settings\.clusters"):
        goldproof.evaluate(JUDGMENTS, RUN, metrics="P@5", clusters={"q1": "x", "q2": "y"}).save(tmp_path / "out")


def test_results_that_nobody_judged_are_remarked_on() -> None:
    # b is judged, but for another question
    result = goldproof.evaluate({"q": {"a": 1}, "r": {"b": 1}}, {"q": {"b": 1.0}}, metrics="RR")
    assert "run: none of its results is judged, so it scores 0; the judgments may not cover it." in result.remarks


def test_a_mean_of_several_runs_must_say_which() -> None:
    result = goldproof.evaluate(JUDGMENTS, runs={"a": RUN, "b": RUN}, metrics="RR")
    with pytest.raises(InputError, match=r"there are 2 runs \(a, b\); say which"):
        result.mean("RR")
    assert result.mean("RR", "b") == pytest.approx(0.75)


def test_gates_can_be_tried_in_python() -> None:
    result = goldproof.evaluate(JUDGMENTS, RUN, metrics="RR").gated(["RR < 0.8", "RR < 0.5"])
    assert [gate.passed for gate in result.gates] == [False, True]
    assert result.to_dict()["gates"] == [
        {"fail_if": "RR < 0.8", "passed": False, "failures": ["RR of run is 0.7500"]},
        {"fail_if": "RR < 0.5", "passed": True, "failures": []},
    ]


def test_a_result_prints_its_conclusion_and_table_and_shows_itself_in_a_notebook() -> None:
    result = goldproof.evaluate(JUDGMENTS, runs={"a": RUN, "b": {"q1": {"x": 1.0}}}, metrics="RR")
    heading = [*("metric", "run", "mean", "95%", "interval", "n", "vs", "a", "95%", "interval", "p", "adj.", "verdict")]
    assert str(result).startswith(result.conclusion[:80])
    assert str(result).split("\n\n")[1].splitlines()[0].split() == heading
    wide = result.text(wide=True).split("\n\n")[1].splitlines()[0].split()
    assert {"undefined", "failed", "missing", "unjudged", "d_z"} < set(wide)
    assert result._repr_html_().startswith(f"<p><strong>{result.conclusion}</strong></p>\n<table>")


def test_a_saved_result_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        goldproof.evaluate(JUDGMENTS, runs={"a": RUN, "b": RUN}, metrics="RR,nDCG@10").save(tmp_path / name)
    for name in ("summary.json", "scores.parquet", "report.md", "card.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name
    assert (tmp_path / "one" / "run.json").exists()


def test_summary_json_has_the_documented_keys(tmp_path: Path) -> None:
    folder = goldproof.evaluate(JUDGMENTS, runs={"a": RUN, "b": {"q1": {"x": 1.0}}}, metrics="RR").save(
        tmp_path / "out"
    )
    metric = json.loads((folder / "summary.json").read_text())["metrics"]["RR"]
    assert {"mean", "ci_95", "n", "std", "n_undefined", "n_failed", "n_missing", "mean_failed_as_zero"} <= set(
        metric["runs"]["a"]
    )
    assert {
        *("statistic", "p_value", "p_adjusted", "effect_size", "significant", "significant_bonferroni"),
        *("difference", "ci_95", "test", "verdict"),
    } <= set(metric["comparisons"]["b_vs_a"])
    assert {"d=0.2", "d=0.3", "d=0.5", "mde"} <= set(metric["power_analysis"])


def test_a_folder_of_other_inputs_is_refused_unless_forced(tmp_path: Path) -> None:
    goldproof.evaluate(JUDGMENTS, RUN, metrics="RR").save(tmp_path / "out")
    other = goldproof.evaluate(JUDGMENTS, RUN, metrics="P@5")
    with pytest.raises(ConflictError, match=r"settings\.metrics"):
        other.save(tmp_path / "out")
    other.save(tmp_path / "out", force=True)
    assert "P@5" in (tmp_path / "out" / "summary.json").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give one run as the second argument"),
        ({"rankings": RUN, "runs": {"a": RUN}}, "give one run as the second argument"),
        ({"runs": {}}, "runs is empty"),
        ({"runs": [RUN]}, "runs: found list; expected"),
        ({"rankings": {"a": RUN, "b": RUN}}, "is one run.*write runs="),
        ({"rankings": {"Q1": {"a": 1.0}}}, "it has 'Q1', the judgments have 'q1'; are the ids the same"),
        ({"rankings": RUN, "exclude": "q1"}, "exclude: found the text 'q1'; expected a list"),
        ({"rankings": 7}, "run 'run': found int; expected a dict"),
        ({"rankings": RUN, "metrics": "nDGC@10"}, "did you mean"),
        ({"rankings": RUN, "metrics": ""}, "no metric"),
        ({"rankings": RUN, "queries": "all"}, "unknown value of --queries 'all'"),
        ({"rankings": RUN, "no_relevant": "none"}, "unknown value of --no-relevant 'none'"),
        ({"rankings": RUN, "depth": 0}, "not a whole number from 1"),
        ({"rankings": RUN, "depth": 1.5}, "not a whole number from 1"),
        ({"rankings": RUN, "metrics": 5}, "metrics are given by name"),
        ({"rankings": RUN, "metrics": "P@99999999999999999999"}, "not a whole number from 1"),
        ({"rankings": RUN, "kernels": {"q1": ["a", "b"]}}, "expected a list of kernels"),
        ({"rankings": RUN, "kernels": {"q1": None}}, "expected a list of kernels"),
        ({"rankings": RUN, "unanswerable": ["q1"]}, "marked unanswerable, but has a relevant document"),
        ({"rankings": RUN, "unanswerable": ["z"], "kernels": {"z": [["a"]]}}, "marked unanswerable, but has a kernel"),
        ({"rankings": RUN, "clusters": ["a"]}, "clusters: found list"),
        ({"rankings": RUN, "margin": "x"}, "margin 'x' is not a number"),
        ({"rankings": RUN, "seed": "x"}, "seed 'x' is not a whole number"),
        ({"rankings": RUN, "test": "t-test"}, "unknown test 't-test'"),
        ({"rankings": RUN, "clusters": "doc"}, "the judgments come without questions"),
        ({"rankings": RUN, "clusters": {"zz": "c"}}, "none of the judged questions has a cluster"),
        ({"rankings": {"q1": ["a", "a"]}}, "a document is listed twice"),
        ({"rankings": [1]}, "found a int among the records; expected Ranking"),
        ({"rankings": RUN, "primary": "AP"}, "unknown metric 'AP'"),
    ],
)
def test_wrong_input_is_one_clear_sentence(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        goldproof.evaluate(JUDGMENTS, **arguments)  # type: ignore[arg-type]


def test_nothing_judged_is_nothing_scored() -> None:
    result = goldproof.evaluate({}, {}, metrics="RR")
    assert not result.study.has_scores
    assert result.mean("RR") is None


def test_inputs_are_never_changed() -> None:
    judgments = {q: dict(documents) for q, documents in JUDGMENTS.items()}
    run = {q: dict(documents) for q, documents in RUN.items()}
    str(goldproof.evaluate(judgments, run))
    assert (judgments, run) == (JUDGMENTS, RUN)


def test_counts_alone_are_saved(tmp_path: Path) -> None:
    goldproof.evaluate(JUDGMENTS, runs={"a": RUN, "b": RUN}, metrics="NumRet").save(tmp_path / "counts")
    assert "NumRet of a" in (tmp_path / "counts" / "report.md").read_text()


def test_a_primary_metric_that_is_not_scored_is_refused_before_a_retriever_is_asked() -> None:
    asked: list[str] = []

    def search(query: str, k: int) -> list[str]:  # noqa: ARG001 - as a retriever is called
        asked.append(query)
        return ["d1"]

    documents = [Document("d1", "a text")]
    with pytest.raises(InputError, match="--primary names one of the metrics"):
        goldproof.evaluate(
            {"q1": {"d1": 1}},
            retrievers={"mine": search},
            corpus=documents,
            questions={"q1": "text"},
            metrics="nDCG@10",
            primary="RR@10",
        )
    assert asked == []
