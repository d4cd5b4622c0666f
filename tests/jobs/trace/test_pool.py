"""IterationsForAllGoodResults: three pools, by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import goldproof
from goldproof.errors import InputError
from tests.jobs.trace.conversations import failed, talk

if TYPE_CHECKING:
    from pathlib import Path

NAME = "IterationsForAllGoodResults"

# old finds x at 1; new finds x at 2, under another address, and y at 3. Together the pool is x and y.
OLD = [talk("c", [("https://x.example/x", 3)])]
NEW = [talk("c", [("z", 0)], [("http://www.x.example/x/?utm_source=feed&utm_medium=mail", 3)], [("y", 2)])]


def pools(scored: goldproof.TraceResult) -> list[tuple[Any, ...]]:
    return scored.conversations.select("system", "pool", "pool_found", NAME).rows()


def test_its_own_pool_is_always_completed() -> None:
    scored = goldproof.score_traces(systems={"old": OLD, "new": NEW}, pool="own")
    assert pools(scored) == [("old", 1, 1, 1), ("new", 2, 2, 3)]


def test_the_pool_of_all_systems_knows_a_document_under_two_addresses() -> None:
    scored = goldproof.score_traces(systems={"old": OLD, "new": NEW})
    assert pools(scored) == [("old", 2, 1, 100), ("new", 2, 2, 3)]
    extra = scored.study.summary("old", NAME).extra
    assert (extra["pool_completed"], extra["pool_found_share"]) == (0, 0.5)
    assert scored.study.summary("new", NAME).extra["pool_found_share"] == 1
    assert (extra["pool_completed_share"], extra["mean_when_completed"], extra["capped_at"]) == (0, None, 100)


def test_several_systems_pool_by_default_and_one_does_not() -> None:
    assert goldproof.score_traces(systems={"old": OLD, "new": NEW}).provenance.settings["pool"] == "systems"
    assert goldproof.score_traces(OLD).provenance.settings["pool"] == "own"
    assert (
        goldproof.score_traces(NEW, pool="systems").mean(NAME)
        == goldproof.score_traces(NEW, pool="own").mean(NAME)
        == 3
    )


def test_the_order_of_systems_does_not_matter_to_the_pool() -> None:
    ab = goldproof.score_traces(systems={"old": OLD, "new": NEW})
    ba = goldproof.score_traces(systems={"new": NEW, "old": OLD})
    assert sorted(pools(ab)) == sorted(pools(ba))


def test_a_system_has_found_what_it_returned_with_a_good_label_of_its_own() -> None:
    # b returned x too, but calls it bad: x is in the pool through a, and b has not found it.
    scored = goldproof.score_traces(systems={"a": [talk("c", [("x", 3)])], "b": [talk("c", [("x", 0), ("y", 2)])]})
    assert pools(scored) == [("a", 2, 1, 100), ("b", 2, 1, 100)]


def test_pools_of_conversations_are_apart() -> None:
    a = [talk("c", [("x", 3)]), talk("d", [("y", 3)])]
    b = [talk("d", [("y", 3)], [("w", 2)]), talk("c", [("x", 3)])]
    scored = goldproof.score_traces(systems={"a": a, "b": b})
    assert pools(scored) == [("a", 1, 1, 1), ("a", 2, 1, 100), ("b", 2, 2, 2), ("b", 1, 1, 1)]


def test_systems_whose_results_have_different_columns_pool_all_the_same() -> None:
    a = [talk("c", [("1", 3)], by="id")]
    b = [{"conversation_id": "c", "turns": [{"iterations": [{"searches": [{"results": [{"id": 1, "gain": 3}]}]}]}]}]
    assert pools(goldproof.score_traces(systems={"a": a, "b": b}, dedup="id")) == [("a", 1, 1, 1), ("b", 1, 1, 1)]
    titled = [{"conversation_id": "c", "turns": [{"iterations": [{"searches": [{"results": [{"gain": 3}]}]}]}]}]
    assert pools(goldproof.score_traces(systems={"a": a, "b": titled})) == [("a", 2, 1, 100), ("b", 2, 1, 100)]


def test_where_only_the_other_system_found_anything_good_the_pool_is_not_empty() -> None:
    scored = goldproof.score_traces(systems={"a": [talk("c", [("x", 3)])], "b": [talk("c", [("y", 0)])]})
    assert pools(scored) == [("a", 1, 1, 1), ("b", 1, 0, 100)]


def test_only_conversations_with_a_value_of_100_are_said_to_have_one() -> None:
    # b crashed on c, did not search in d, and lacks x in e: only e counts 100.
    a = [talk(name, [("x", 3)]) for name in "cde"]
    b = [failed("c"), talk("d"), talk("e", [("y", 0)])]
    scored = goldproof.score_traces(systems={"a": a, "b": b})
    values = scored.conversations.filter(pl.col("system") == "b")[NAME].to_list()
    assert values == [None, None, 100]
    [table] = scored.lead
    assert [row[1] for row in table.rows] == ["3 of 3 (100.0%)", "0 of 1 (0.0%)"]


def gold(*completed: int | None) -> list[Any]:
    """Conversations that find their only good document at an iteration, or never."""
    return [
        talk(f"c{i}", *([("z", None)] for _ in range((at or 1) - 1)), [(f"gold{i}" if at else "z", None)], by="id")
        for i, at in enumerate(completed)
    ]


TWELVE = {f"c{i}": {f"gold{i}": 3} for i in range(12)}


def test_how_often_and_how_soon_are_said_before_the_capped_mean() -> None:
    # 11 of 12 complete, by 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 1: 20/11 = 1.82; capped: (20 + 100)/12 = 10
    trace = gold(1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 1, None)
    scored = goldproof.score_traces(trace, labels=TWELVE, pool=TWELVE, metrics=f"CG, {NAME}")
    assert scored.mean(NAME) == 10
    extra = scored.study.summary("system", NAME).extra
    assert (extra["pool_completed"], extra["pool_completed_share"]) == (11, pytest.approx(11 / 12))
    assert extra["mean_when_completed"] == pytest.approx(20 / 11)
    # Wilson's interval of 11 of 12: 0.6461 to 0.9851
    assert extra["pool_completed_share_ci_95"] == pytest.approx([0.6461, 0.9851], abs=1e-4)
    [table] = scored.lead
    assert scored.tables()[0] == table
    assert table.rows == (("system", "11 of 12 (91.7%)", "[64.6%, 98.5%]", "1.8 (n = 11)", "91.7%", "10.00"),)
    assert scored.tables(wide=True)[0] == table
    assert "IterationsForAllGoodResults, which is 100 for each of the others." in table.notes[1]


def test_systems_are_compared_by_iteration_where_both_completed() -> None:
    # a completes c0, c1, c2 by 1, 3, 3 (7/3 = 2.3); b completes c1, c2 by 2 and 4. Both: c1, c2; 3 and 3.
    scored = goldproof.score_traces(
        systems={"a": gold(1, 3, 3), "b": gold(None, 2, 4)},
        labels=TWELVE,
        pool={k: TWELVE[k] for k in ("c0", "c1", "c2")},
    )
    [table] = scored.lead
    assert [row[3] for row in table.rows] == ["2.3 (n = 3)", "3.0 (n = 2)"]
    assert table.notes[-1] == "b and a both completed in 2 conversations, by iteration 3.0 and 3.0 on average there."


def test_an_own_pool_is_always_complete_so_nothing_is_said_of_it() -> None:
    scored = goldproof.score_traces(OLD)
    assert scored.lead == []
    assert "pool_completed_share" not in scored.study.summary("system", NAME).extra
    assert goldproof.score_traces(systems={"old": OLD, "new": NEW}, metrics="CG").lead == []


def test_a_pool_completed_after_iteration_100_is_complete() -> None:
    # 120 iterations: complete, by iteration 120; the capped value is 100
    scored = goldproof.score_traces(gold(120), labels=TWELVE, pool={"c0": TWELVE["c0"]}, up_to=1)
    extra = scored.study.summary("system", NAME).extra
    assert (scored.mean(NAME), extra["pool_completed"], extra["mean_when_completed"]) == (100, 1, 120)


def test_the_share_of_completed_pools_has_an_interval_by_clusters() -> None:
    # Clusters a and b each all complete or none: two units, so the interval is wider than that of six.
    alone = gold(1, None, 1, None, 1, None)
    together = [one | {"cluster": "ab"[i % 2]} for i, one in enumerate(alone)]
    pool = {f"c{i}": TWELVE[f"c{i}"] for i in range(6)}

    def interval(trace: list[Any]) -> Any:  # noqa: ANN401 - what the summary holds
        return (
            goldproof.score_traces(trace, pool=pool).study.summary("system", NAME).extra["pool_completed_share_ci_95"]
        )

    assert interval(together)[0] < interval(alone)[0]
    assert interval(together)[1] > interval(alone)[1]


def test_a_given_pool_waits_for_documents_nobody_labelled_in_the_trace() -> None:
    # c: d1 at 1, d2 at 3; the pool is d1, d2 (d3 is below the threshold). e: d9 never appears: 100, half found.
    c = talk("c", [("d1", 3)], [("d7", 0)], [("d2", None)], by="id")
    e = talk("e", [("d1", 3)], by="id")
    pool = {"c": {"d1": 3, "d2": 2, "d3": 1}, "e": {"d1": 4, "d9": 4}}
    scored = goldproof.score_traces([c, e], pool=pool)
    assert pools(scored) == [("system", 2, 2, 3), ("system", 2, 1, 100)]
    assert scored.mean(NAME) == 51.5
    assert scored.study.summary("system", NAME).extra["pool_found_share"] == 0.75
    assert scored.study.summary("system", NAME).extra["pool_completed"] == 1


def test_the_threshold_holds_for_a_given_pool_too() -> None:
    c = talk("c", [("d1", 3)], [("d2", 3)], by="id")
    pool = {"c": {"d1": 3, "d2": 2}}
    assert goldproof.score_traces([c], pool=pool).mean(NAME) == 2
    assert goldproof.score_traces([c], pool=pool, threshold=3).mean(NAME) == 1


def test_a_given_pool_goes_by_the_question_id_of_the_turn() -> None:
    c = talk("c", [("d1", 3)], by="id", question_id="q7")
    assert goldproof.score_traces([c], pool={"q7": {"d1": 3}}).mean(NAME) == 1
    assert goldproof.score_traces([c], pool={"c": {"d1": 3}}).mean(NAME) is None


def test_a_given_pool_needs_no_label_in_the_trace() -> None:
    c = talk("c", [("d1", None)], [("d2", None)], by="id")
    scored = goldproof.score_traces([c], pool={"c": {"d1": 3, "d2": 2}})
    assert scored.mean(NAME) == 2
    assert scored.mean("CG") is None
    assert pools(scored) == [("system", 2, 2, 2)]


def test_a_pool_may_be_a_file_a_mapping_or_a_frame(tmp_path: Path) -> None:
    c = talk("c", [("d1", 3)], [("d2", 2)], by="id")
    (tmp_path / "pool.txt").write_text("c 0 d1 3\nc 0 d2 2\n")
    frame = pl.DataFrame({"query_id": ["c", "c"], "doc_id": ["d1", "d2"], "grade": [3, 2]})
    for pool in (tmp_path / "pool.txt", str(tmp_path / "pool.txt"), {"c": {"d1": 3, "d2": 2}}, frame):
        assert goldproof.score_traces([c], pool=pool).mean(NAME) == 2


def test_a_pool_of_documents_without_questions_is_refused() -> None:
    with pytest.raises(InputError, match="documents have no question"):
        goldproof.score_traces([talk("c", [("d1", 3)])], pool={"d1": 3})


def test_a_misspelt_pool_names_the_choices() -> None:
    with pytest.raises(InputError, match=r"own.*systems"):
        goldproof.score_traces([talk("c", [("d1", 3)])], pool="all")


@pytest.mark.parametrize("pool", [5, None, [1]])
def test_a_pool_of_the_wrong_type_is_called_a_pool(pool: object) -> None:
    with pytest.raises(InputError, match="pool"):
        goldproof.score_traces([talk("c", [("d1", 3)])], pool=pool)


def test_a_gate_on_another_family_brings_no_curve_of_it_and_a_gate_on_completion_its_table() -> None:
    trace = gold(1, 2, 3, 1)
    scored = goldproof.score_traces(trace, labels=TWELVE, metrics="CG", fail_if="SRR > 0.9")
    assert scored.text(wide=True).startswith("CG of system")
    assert scored.gates[0].passed
    two = goldproof.score_traces(systems={"a": gold(1, 2, 3, 1), "b": gold(1, 1, 1, 1)}, labels=TWELVE, metrics="CG")
    assert two.text()
    gated = two.gated(f"{NAME} worse")
    assert gated.tables()[0].title == "Conversations that found all good results"
