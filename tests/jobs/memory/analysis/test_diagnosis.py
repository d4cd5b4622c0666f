"""Which queries are analysed, and what a diagnosis holds as a whole."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.jobs.memory.analysis import reference_ranks
from goldproof.jobs.memory.analysis.diagnosis import MOST, analyse
from goldproof.jobs.memory.analysis.findings import REMEDIES
from goldproof.jobs.memory.analysis.report import diagnoses_markdown, remedy_table
from goldproof.jobs.memory.records import NoRuling
from goldproof.memory.memory import Memory
from tests.jobs.memory.analysis.situations import asked_of, asking, hit, memory, scored

if TYPE_CHECKING:
    import pytest

    from goldproof.jobs.memory.records import ScoredQuery

STORED = [
    memory("rent-old", "The rent is 900.", turn=1),
    memory("rent-new", "The rent went up to 950.", turn=5),
    memory("dog", "The dog is called Rex.", turn=7),
]


def named(row: ScoredQuery, query_id: str) -> ScoredQuery:
    return replace(row, answered=replace(row.answered, query=replace(row.answered.query, id=query_id)))


def test_what_passed_is_left_out_and_the_order_stays() -> None:
    passed = scored(asking("dog?", {"dog": 2}), STORED, hits=[hit("dog")])
    missed = scored(asking("dog?", {"dog": 2}), STORED, hits=[hit("rent-old")])
    crashed = scored(asking("dog?", {"dog": 2}), STORED, error="ValueError: no")
    rows = [named(missed, "a"), named(passed, "b"), named(crashed, "c"), named(missed, "d")]
    assert [one.key for one in analyse(rows, system=object())] == ["s/a", "s/c", "s/d"]


def test_of_a_crash_only_the_reason_is_told() -> None:
    (found,) = analyse([scored(asking("dog?", {"dog": 2}), STORED, error="ValueError: no")], system=object())
    assert (found.error, found.analysed, found.expected, found.intruders, found.remedies) == (
        "ValueError: no",
        True,
        (),
        (),
        (),
    )


def test_criteria_that_hold_are_not_listed() -> None:
    row = scored(
        asking("dog?", {"dog": 2}), STORED, hits=[hit("rent-old"), hit("dog")], criteria=["recall > 0.9", "Hit@1 = 1"]
    )
    (found,) = analyse([row], system=object())
    assert [(one.criterion, one.value) for one in found.missed] == [("Hit@1 = 1", 0.0)]


def test_a_query_none_of_whose_criteria_can_be_tried_says_so() -> None:
    row = scored(asking("unicorns?", kind="negative"), STORED, criteria=["recall > 0.9"])
    (found,) = analyse([row], system=object())
    assert [(one.criterion, one.value) for one in found.missed] == [("recall > 0.9", None)]
    assert found.remarks == ("No criterion could be checked: every measure is undefined for this query.",)
    assert found.remedies == ()


def test_a_query_that_nobody_can_decide_says_why() -> None:
    row = replace(
        scored(asking("unicorns?", kind="negative"), STORED), undecided=NoRuling("the judge was silent", failed=False)
    )
    (found,) = analyse([row], system=object())
    assert found.remarks == ("Undecided: the judge was silent.",)


def test_a_negative_query_asked_before_anything_was_said_is_not_searched_again() -> None:
    with Memory("bm25 | decay(half_life=2)") as system:
        row = asked_of(system, asking("dog", kind="negative", asked_at=0), STORED)
        (found,) = analyse([row], system=system)
    assert (found.pool, found.expected, found.error) == (0, (), None)


def test_a_negative_query_tells_what_surfaced_and_the_floor_that_would_have_kept_silence() -> None:
    came = [hit("dog", 0.42), hit("rent-old", 0.31)]
    row = scored(asking("unicorns?", kind="negative"), STORED, hits=came, criteria=["false_surface = 0"])
    (found,) = analyse([row], system=object())
    assert [(one.memories, one.similarity) for one in found.intruders] == [(("dog",), 0.42), (("rent-old",), 0.31)]
    assert [one.because for one in found.remedies] == [
        "with a floor above 0.420 nothing would have come (its own similarities)"
    ]


def test_a_floor_is_not_advised_where_only_more_is_needed() -> None:
    came = [hit("rent-new", 0.6), hit("dog", 0.3)]
    query = asking("rent?", {"rent-new": 2, "rent-old": 1})
    (recall,) = analyse([scored(query, STORED, hits=came)], system=object())
    assert "E" not in recall.letters
    (precision,) = analyse([scored(query, STORED, hits=came, criteria=["precision > 0.9"])], system=object())
    assert "E" in precision.letters


def test_an_old_fact_before_the_new_one_points_to_decay() -> None:
    query = asking("What is the rent?", {"rent-new": 2}, kind="update")
    row = scored(query, STORED, hits=[hit("rent-old", 0.8), hit("rent-new", 0.7)], criteria=["Hit@1 = 1"])
    (found,) = analyse([row], system=object())
    assert "F" in found.letters
    assert found.remarks[0] == (
        'rent-new (similarity 0.700) came at 2, after rent-old "The rent is 900." (similarity 0.800, older); '
        "its own similarities."
    )


def test_an_outdated_fact_that_is_expected_with_a_lower_grade_is_wrong_in_the_first_place() -> None:
    query = asking("What is the rent?", {"rent-old": 1, "rent-new": 2}, kind="update")
    row = scored(query, STORED, hits=[hit("rent-old", 0.8), hit("rent-new", 0.7)], criteria=["Hit@1 = 1"])
    (found,) = analyse([row], system=object())
    assert found.missed[0].value == 0
    assert found.remarks[0].startswith(
        'rent-old "The rent is 900." came first, with grade 1; one of grade 2 should. rent-new '
    )
    assert found.letters == ("D", "F")  # it came, so that a reranker sees it; and it is the newer one


def test_queries_whose_memories_are_too_many_to_embed_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_ranks, "MOST_EMBEDDED", 10)
    missed = scored(asking("dog?", {"dog": 2}), STORED, hits=[hit("rent-old")])
    few = scored(asking("dog?", {"dog": 2}), [memory("dog", "Rex.")], scenario="few")
    found = analyse([named(missed, "a"), few, named(missed, "b")], system=object())
    why = "too many texts to embed for this: in one analysis at most 2,000,000 characters of memories are embedded"
    assert [one.no_dense for one in found] == [why, "", why]
    assert found[0].to_dict()["no_dense"] == why
    assert found[1].to_dict()["no_dense"] is None
    assert found[0].expected[0].wording == f"BM25 rank 1, minilm rank unknown ({why}): words find it."
    assert diagnoses_markdown(found).endswith(f"\n\n2 queries have no ranks by minilm: {why}.\n")
    assert f"\n\n1 query has no ranks by minilm: {why}.\n" in diagnoses_markdown(found[:2])
    assert "no ranks by minilm" not in diagnoses_markdown(found[1:2])


def test_the_wrong_order_is_told_where_ordering_is_missed() -> None:
    query = asking("What is the rent?", {"rent-new": 2, "rent-old": 2}, kind="temporal")
    came = [hit("rent-old"), hit("rent-new")]
    (found,) = analyse([scored(query, STORED, hits=came, criteria=["ordering = 1"])], system=object())
    assert "Asked for newest first, but rent-old before rent-new." in found.remarks
    assert found.letters == ("F",)


def test_at_most_so_many_are_analysed_and_the_rest_is_counted() -> None:
    missed = scored(asking("dog?", {"dog": 2}), STORED, hits=[hit("rent-old")])
    crashed = scored(asking("dog?", {"dog": 2}), STORED, error="ValueError: no")
    rows = [named(crashed, "c"), *(named(missed, f"q{i}") for i in range(MOST + 2))]
    found = analyse(rows, system=object())
    assert len(found) == MOST + 3
    assert [one.key for one in found if not one.analysed] == [f"s/q{MOST}", f"s/q{MOST + 1}"]
    assert found[-1].missed  # what needs no analysis is known all the same
    note = f"2 more queries did not pass and were not analysed; the first {MOST} were."
    assert diagnoses_markdown(found).endswith(f"\n\n{note}\n")
    assert note in remedy_table(found).notes
    assert f"s/q{MOST}" not in diagnoses_markdown(found)


def test_a_diagnosis_is_plain_data() -> None:
    row = scored(asking("dog?", {"dog": 2}), STORED, hits=[hit("rent-old", 0.3)])
    (found,) = analyse([row], system=object())
    read = json.loads(json.dumps(found.to_dict()))
    assert read["key"] == "s/q"
    assert read["expected"][0]["memory"] == "dog"
    assert read["expected"][0]["code"] == "not returned"
    assert read["intruders"][0]["similarity"] == 0.3
    assert {one["remedy"] for one in read["remedies"]} <= set(REMEDIES)
    assert len(read["missed"]) == 1


def test_the_own_memory_and_an_object_of_another_kind_are_told_apart() -> None:
    with Memory("bm25 | floor(5, of=score)") as system:
        row = asked_of(system, asking("dog", {"dog": 2}), STORED)
        (own,) = analyse([row], system=system)
        (other,) = analyse([row], system=object())
    assert own.expected[0].code == "below the floor"
    assert other.expected[0].code == "not returned"


def test_moments_and_filters_are_those_of_the_query() -> None:
    stored = [*STORED, memory("late", "The dog ran off.", turn=12)]
    query = asking("dog", {"dog": 2}, asked_at=9, filters={"turn": {"gte": 5}}, k=1)
    with Memory("bm25 | decay(half_life=1) | floor(5, of=score)") as system:
        (found,) = analyse([asked_of(system, query, stored)], system=system)
    # Asked at turn 9, the memory of turn 12 is not stored; bm25 of one word in 3 texts, halved twice for 2 turns.
    assert found.pool == 3
    assert found.expected[0].code == "below the floor"
    assert found.expected[0].own_rank == 1


def test_a_run_without_failures_has_nothing_to_tell() -> None:
    assert analyse([], system=object()) == ()
    assert diagnoses_markdown(()) == ""
    assert remedy_table(()).rows == ()
