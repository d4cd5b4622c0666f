"""What counts as an iteration, a duplicate, a label; and what is undefined, with its reason."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import goldproof
from tests.jobs.trace.conversations import THOUGHT, failed, result, searched, talk

ALL = ("CG", "RG", "DCG", "DRG", "AvgGain", "RAG", "DRAG", "SRE", "SRR")
GAINS = ALL[:-1]


def reasons(scored: goldproof.TraceResult, metric: str) -> dict[str, str | None]:
    """Conversation -> why it has no value on a metric."""
    frame = scored.study.panel.to_scores([metric]).frame
    return dict(zip(frame["id"], frame["reason"], strict=True))


def facts(scored: goldproof.TraceResult, system: str = "system") -> dict[str, Any]:
    runs: Any = scored.to_dict()["runs"]
    found: dict[str, Any] = runs[system]
    return found


def test_gains_below_the_threshold_add_nothing() -> None:
    # gains 1, 2, 3, 4: from 1: 10; from 2: 9; from 3: 7; from 4: 4. Good ones: 4, 3, 2, 1 of four results.
    trace = [talk("c", [("a", 1), ("b", 2), ("d", 3), ("e", 4)])]
    scored = {t: goldproof.score_traces(trace, threshold=t) for t in (1, 2, 3, 4)}
    assert {t: one.mean("CG") for t, one in scored.items()} == {1: 10, 2: 9, 3: 7, 4: 4}
    assert {t: one.mean("SRE") for t, one in scored.items()} == {1: 1, 2: 0.75, 3: 0.5, 4: 0.25}
    assert goldproof.score_traces(trace).mean("CG") == 9


def test_nothing_good_is_a_gain_of_0_and_no_pool() -> None:
    scored = goldproof.score_traces([talk("c", [("a", 1)], [("b", 0)])])
    assert [scored.mean(name) for name in GAINS] == [0.0] * 8
    assert scored.mean("IterationsForAllGoodResults") is None
    assert reasons(scored, "IterationsForAllGoodResults") == {"c": "no good result in the pool"}


def test_an_iteration_beyond_the_last_is_undefined_and_says_so() -> None:
    scored = goldproof.score_traces([talk("long", [("a", 2)], [("b", 3)]), talk("short", [("a", 4)])], metrics="CG,SRR")
    # CG@1: (2 + 4) / 2 = 3; CG@2: long alone, 5; CG at the end: (5 + 4) / 2 = 4.5
    assert (scored.mean("CG@1"), scored.mean("CG@2"), scored.mean("CG")) == (3, 5, 4.5)
    assert reasons(scored, "CG@2") == {"long": None, "short": "ended before iteration 2"}
    assert reasons(scored, "SRR@2") == {"long": None, "short": "ended before iteration 2"}
    assert scored.study.summary("system", "CG@2").n == 1
    assert facts(scored)["reach"] == [2, 1]


def test_carry_keeps_the_last_value_of_every_metric() -> None:
    trace = [talk("long", [("a", 2)], [("a", 2), ("b", 3)]), talk("short", [("a", 4)])]
    scored = goldproof.score_traces(trace, carry=True)
    # CG@2: (5 + 4) / 2; RG@2: (5/2 + 4/1) / 2 = 3.25; AvgGain_2: (3/2 + 4) / 2 = 2.75; SRR@2: (1/3 + 0) / 2
    assert scored.mean("CG@2") == 4.5
    assert scored.mean("RG@2") == 3.25
    assert scored.mean("AvgGain_2") == 2.75
    assert scored.mean("SRR@2") == pytest.approx(1 / 6)
    for name in ALL:
        assert scored.mean(name) == scored.mean(f"{name}_2" if name == "AvgGain" else f"{name}@2"), name


def test_carry_does_not_invent_a_value_where_nothing_was_searched() -> None:
    scored = goldproof.score_traces([talk("a", [("x", 2)], [("y", 2)]), talk("b")], carry=True, metrics="CG,SRR")
    assert reasons(scored, "CG@2") == {"a": None, "b": "no search in the last turn"}


def test_with_carry_the_notes_do_not_say_that_means_are_over_those_that_reach_i() -> None:
    scored = goldproof.score_traces([talk("long", [("a", 2)], [("b", 3)]), talk("short", [("a", 4)])], carry=True)
    table = scored.appendix[0]
    said = " ".join(table.notes)
    assert "means over the conversations that reach iteration i" not in said
    assert "The set shrinks" not in said


def test_only_the_last_turn_counts_and_earlier_results_are_not_duplicates() -> None:
    turns = [
        {"question": "first", "iterations": [searched([("a", 4), ("b", 4)])]},
        {"question": "last", "iterations": [searched([("a", 3), ("d", 2)])]},
    ]
    scored = goldproof.score_traces([{"conversation_id": "c", "turns": turns}])
    assert (scored.mean("CG"), scored.mean("SRR")) == (5, 0)
    assert (facts(scored)["results"], facts(scored)["duplicates"]) == (2, 0)
    assert scored.texts == {"c": "last"}


def test_a_last_turn_without_a_search_is_undefined_even_if_earlier_ones_searched() -> None:
    turns = [{"iterations": [searched([("a", 4)])]}, {"iterations": [THOUGHT]}]
    scored = goldproof.score_traces([{"conversation_id": "c", "turns": turns}, talk("d", [("a", 2)])])
    for name in (*ALL, "IterationsForAllGoodResults"):
        assert reasons(scored, name) == {"c": "no search in the last turn", "d": None}, name
    assert facts(scored)["conversations_without_search"] == 1


def test_an_iteration_without_a_search_is_none_and_one_that_found_nothing_is_one() -> None:
    # searched: [2], [], [3]: RG = 5 / 3, DCG = 2 + 0 + 3 * 0.5 = 3.5, done by iteration 3
    scored = goldproof.score_traces([talk("c", THOUGHT, [("a", 2)], THOUGHT, [], THOUGHT, [("b", 3)], THOUGHT)])
    assert scored.iterations["iteration"].to_list() == [1, 2, 3]
    assert scored.mean("RG") == pytest.approx(5 / 3)
    assert scored.mean("DCG") == pytest.approx(3.5)
    assert scored.mean("IterationsForAllGoodResults") == 3
    assert scored.iterations["AvgGain_i"].to_list() == [2, 0, 3]


def test_a_conversation_that_found_nothing_at_all_has_zeros() -> None:
    scored = goldproof.score_traces([talk("empty", [], []), talk("c", [("a", 2)])])
    rows = scored.conversations.filter(pl.col("conversation_id") == "empty").to_dicts()
    assert [rows[0][name] for name in ALL] == [0.0] * 9
    assert rows[0]["status"] == "scored"
    assert rows[0]["IterationsForAllGoodResults"] is None


def test_a_failed_conversation_has_no_value_and_the_harsh_mean_beside() -> None:
    scored = goldproof.score_traces(
        [talk("a", [("x", 2), ("x", 2)]), failed("b", "timeout"), failed("c", "out of money")]
    )
    # CG: 2 over one; with the failures at 0: 2/3. SRR: 0.5; failures at 1: 2.5/3. Iterations: 1; at 100: 201/3
    summaries = {name: scored.study.summary("system", name) for name in ("CG", "SRR", "IterationsForAllGoodResults")}
    assert [one.mean for one in summaries.values()] == [2, 0.5, 1]
    harsh = [one.mean_failed_as_zero for one in summaries.values()]
    assert harsh == [pytest.approx(2 / 3), pytest.approx(2.5 / 3), pytest.approx(67)]
    assert reasons(scored, "CG") == {"a": None, "b": "timeout", "c": "out of money"}
    assert scored.conversations["status"].to_list() == ["scored", "failed", "failed"]
    assert scored.conversations["reason"].to_list() == [None, "timeout", "out of money"]
    assert facts(scored)["conversations_failed"] == 2
    assert facts(scored)["conversations_without_search"] == 0


def test_a_failed_search_is_one_that_found_nothing_and_is_counted() -> None:
    broken: dict[str, Any] = {"query": "q", "error": "503"}
    both = {"searches": [{"query": "q", "results": [result("b", 3)]}, broken]}
    scored = goldproof.score_traces([talk("c", {"searches": [broken]}, both)])
    assert scored.iterations.select("iteration", "searches", "failed_searches", "R", "G").rows() == [
        (1, 1, 1, 0, 0),
        (2, 2, 1, 1, 3),
    ]
    assert facts(scored)["searches_failed"] == 2
    assert any("2 of 3 searches failed" in remark for remark in scored.remarks)


def test_the_first_label_of_a_group_counts_and_others_are_conflicts() -> None:
    # a: 3 then 4 and 0 (two conflicts) and 3 (none); it counts 3
    scored = goldproof.score_traces([talk("c", [("a", 3), ("a", 4)], [("a", 0), ("a", 3)])])
    assert scored.mean("CG") == 3
    assert facts(scored)["label_conflicts"] == 2
    assert scored.conversations["label_conflicts"].to_list() == [2]
    assert any(
        "2 duplicates have a different label from the result repeated (in 1 conversation)" in remark
        for remark in scored.remarks
    )


def test_a_group_first_seen_without_a_label_takes_its_first_label_where_it_first_occurred() -> None:
    # a: unlabelled, then 2, then 4: the group is worth 2, at iteration 1; the 4 is a conflict
    scored = goldproof.score_traces([talk("c", [("a", None)], [("a", 2)], [("a", 4)])])
    assert scored.iterations["G"].to_list() == [2, 0, 0]
    assert scored.iterations["unlabelled"].to_list() == [0, 0, 0]
    assert scored.mean("IterationsForAllGoodResults") == 1
    assert facts(scored)["label_conflicts"] == 1


def test_a_late_zero_is_a_label_too() -> None:
    scored = goldproof.score_traces([talk("c", [("a", None), ("a", 0), ("a", 4)])])
    assert scored.mean("CG") == 0
    assert facts(scored)["label_conflicts"] == 1


def test_labels_of_one_conversation_are_nothing_to_another() -> None:
    scored = goldproof.score_traces([talk("c", [("a", None)]), talk("d", [("a", 4)])])
    assert reasons(scored, "CG") == {"c": "no result is labelled", "d": None}
    assert reasons(scored, "SRR") == {"c": None, "d": None}
    assert facts(scored)["label_conflicts"] == 0


def test_the_unjudged_share_and_the_bounds_are_over_distinct_results() -> None:
    # distinct: a 2, b -, d - (twice, counted once): unjudged 2/3. If all had gain 4: 2 + 4 + 4 = 10, SRE 3/4
    scored = goldproof.score_traces([talk("c", [("a", 2), ("b", None)], [("d", None), ("d", None)])])
    summary = scored.study.summary("system", "CG")
    assert summary.extra["unjudged_share"] == pytest.approx(2 / 3)
    assert summary.extra["bounds"] == {"none_relevant": 2, "all_relevant": 10}
    assert scored.study.summary("system", "SRE").extra["bounds"] == {"none_relevant": 0.25, "all_relevant": 0.75}
    at_one = scored.study.summary("system", "CG@1").extra
    assert (at_one["unjudged_share"], at_one["bounds"]) == (0.5, {"none_relevant": 2, "all_relevant": 6})
    assert scored.study.summary("system", "SRR").extra == {}
    assert any(
        "2 of 3 distinct results in scored conversations have no label (66.7%)" in remark for remark in scored.remarks
    )


def test_a_conversation_without_a_label_leaves_bounds_and_share_of_the_others_alone() -> None:
    scored = goldproof.score_traces([talk("c", [("a", 2), ("b", None)]), talk("blank", [("x", None)] * 7)])
    summary = scored.study.summary("system", "CG")
    assert summary.extra["unjudged_share"] == 0.5
    assert summary.extra["bounds"] == {"none_relevant": 2, "all_relevant": 6}
    assert facts(scored)["conversations_without_label"] == 1
    assert facts(scored)["unjudged_share"] == pytest.approx(2 / 3)


def test_where_nothing_is_labelled_counts_and_redundancy_remain() -> None:
    scored = goldproof.score_traces([talk("c", [("a", None), ("a", None)]), talk("d", [])])
    for name in (*GAINS, "IterationsForAllGoodResults"):
        assert reasons(scored, name) == {"c": "no result is labelled", "d": "no result is labelled"}, name
    assert scored.mean("SRR") == 0.25
    assert facts(scored)["good"] is None
    assert (facts(scored)["unique"], facts(scored)["duplicates"], facts(scored)["redundancy"]) == (1, 1, 0.5)
    assert scored.iterations["G"].null_count() == 2
    assert scored.iterations["R"].null_count() == 0
    assert scored.study.has_scores


def test_one_labelled_system_makes_an_empty_conversation_of_the_other_a_zero() -> None:
    traces = {"a": [talk("c", [("x", 2)])], "b": [talk("c", [])]}
    assert goldproof.score_traces(systems=traces).mean("CG", "b") == 0


def test_ids_alone_never_make_a_duplicate_of_a_result_without_one() -> None:
    trace = [talk("c", [("a", 2), ("a", 2)])]
    assert goldproof.score_traces(trace).mean("SRR") == 0.5
    assert goldproof.score_traces(trace, dedup="id").mean("SRR") == 0
    by_id = [talk("c", [("a", 2), ("a", 2), ("b", 2)], by="id")]
    assert goldproof.score_traces(by_id, dedup="id").mean("SRR") == pytest.approx(1 / 3)


def test_a_metric_that_no_conversation_reaches_is_nothing_scored() -> None:
    # CG itself is only described here: what was asked for has no value.
    scored = goldproof.score_traces([talk("c", [("a", 2)])], metrics="CG@50")
    assert scored.mean("CG@50") is None
    assert not scored.study.has_scores


def test_only_the_first_iterations_are_summarised_and_the_tables_have_all() -> None:
    scored = goldproof.score_traces([talk("c", *([(f"d{i}", 2)] for i in range(5)))], metrics="CG", up_to=2)
    assert scored.study.panel.metrics == ("CG", "CG@1", "CG@2")
    assert len(scored.iterations) == 5
    assert any("Iterations 3 to 5 are in iterations.parquet" in note for note in scored.appendix[0].notes)


def test_the_count_of_iterations_is_at_most_100() -> None:
    trace = [talk("c", *([(f"d{i}", 2)] for i in range(120)))]
    scored = goldproof.score_traces(trace, metrics="CG,IterationsForAllGoodResults")
    assert scored.mean("IterationsForAllGoodResults") == 100
    assert scored.mean("CG") == 240
