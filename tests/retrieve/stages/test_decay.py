"""Decay: the formulas by hand, what ages count from, and that older never gains."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.errors import InputError
from goldproof.retrieve.stages.decay import Decay, decayed
from tests.retrieve.given import Given, GivenDense, ask, documents_of, names, shown

if TYPE_CHECKING:
    from goldproof.retrieve.document_index import DocumentIndex
    from goldproof.retrieve.retriever import Moment

SCORES = {"q": {"a": 1.0, "b": 0.8, "c": 0.5}}


def turns(*values: object) -> DocumentIndex:
    return documents_of("a", "b", "c", turn=list(values))


def test_linear_decay_takes_a_tenth_per_turn_and_stops_at_0() -> None:
    documents = turns(0, 15, 20)
    decay = Decay(Given(SCORES), "linear")
    decay.index(documents)
    # ages 20, 5, 0: a 1 * max(0, 1 - 2) = 0; b 0.8 * 0.5 = 0.4; c 0.5 * 1 = 0.5
    assert shown(decay.find(ask()), documents) == [("c", 0.5), ("b", 0.4), ("a", 0.0)]


def test_exponential_decay_halves_in_a_half_life() -> None:
    documents = turns(0, 15, 20)
    decay = Decay(Given(SCORES), "exp", half_life=5)
    decay.index(documents)
    # ages 20, 5, 0: a 1 * 0.5^4 = 0.0625; b 0.8 * 0.5 = 0.4; c 0.5
    assert shown(decay.find(ask()), documents) == [("c", 0.5), ("b", 0.4), ("a", 0.0625)]


def test_the_half_life_is_10_and_the_kind_exponential_unless_said() -> None:
    documents = turns(0, 10, 10)
    decay = Decay(Given(SCORES))
    decay.index(documents)
    assert shown(decay.find(ask()), documents) == [("b", 0.8), ("c", 0.5), ("a", 0.5)]


def test_ages_count_from_the_request_then_the_stage_then_the_newest_document() -> None:
    documents, request = turns(0, 2, 4), ask()
    plain, told = Decay(Given(SCORES), "linear"), Decay(Given(SCORES), "linear", now=5)
    for decay in (plain, told):
        decay.index(documents)
    # of a, which is of turn 0: newest 4 -> 0.6; stage 5 -> 0.5; request 8 -> 0.2
    assert dict(shown(plain.find(request), documents))["a"] == 0.6
    assert dict(shown(told.find(request), documents))["a"] == 0.5
    assert dict(shown(told.find(replace(request, now=8)), documents))["a"] == 0.2


def test_a_document_after_now_has_age_0() -> None:
    documents = turns(0, 2, 99)
    decay = Decay(Given(SCORES), "linear", now=2)
    decay.index(documents)
    # ages 2, 0, 0: a 0.8, b 0.8 (b first by id), c 0.5
    assert shown(decay.find(ask()), documents) == [("b", 0.8), ("a", 0.8), ("c", 0.5)]


def test_documents_newer_than_now_are_counted_for_the_report() -> None:
    decay = Decay(Given(SCORES))
    decay.index(turns(0, 2, 99))
    decay.find(ask())
    assert not decay.remarks  # ages count from the newest
    decay.find(replace(ask(), now=2))
    assert list(decay.remarks) == ["decay: 1 document is newer than now and counts as age 0."]
    decay.find(replace(ask(), now=1))
    decay.find(replace(ask(), now=50))
    assert list(decay.remarks) == ["decay: 2 documents are newer than now and count as age 0."]
    decay.index(turns(0, 0, 0))
    assert not decay.remarks


def test_a_small_number_as_the_requests_now_is_refused_by_age() -> None:
    decay = Decay(Given(SCORES), by="age")
    decay.index(documents_of("a", "b", "c", time=["2024-05-01", "2024-05-02", "2024-05-02"]))
    with pytest.raises(InputError, match="now is 99999999, a number of fewer than 9 digits"):
        decay.find(replace(ask(), now=99_999_999))
    assert names(decay.find(replace(ask(), now=100_000_000)), decay.source.documents) == ["a", "b", "c"]  # type: ignore[attr-defined]


def test_the_order_survives_ages_whose_weight_would_vanish() -> None:
    # By half-days 0.5^(2 * 365 * years) is 0 in a float from two years on. a, b and c are 20, 10 and 10 years old:
    # a last though its score is highest, for it is twice as far; b before c by score.
    documents = documents_of("a", "b", "c", "d", date=["2004-01-01", "2014-01-01", "2014-01-01", "2024-01-01"])
    decay = Decay(Given({"q": {"a": 0.03, "b": 0.02, "c": 0.018, "d": 0.01}}), by="age", half_life="12h")
    decay.index(documents)
    found = decay.find(ask())
    assert names(found, documents) == ["d", "b", "c", "a"]
    # 1 / age beyond 500 half-lives: c / b = 0.9 of the same age, to all digits
    assert found.scores[2] / found.scores[1] == pytest.approx(0.9, rel=1e-12)


@pytest.mark.parametrize("field", ["time", "timestamp", "date", "created_at"])
def test_by_age_days_count(field: str) -> None:
    values: dict[str, list[object]] = {field: ["2024-05-01", "2024-05-05", "2024-05-08T00:00:00Z"]}
    documents = documents_of("a", "b", "c", **values)
    decay = Decay(Given(SCORES), "linear", by="age")
    decay.index(documents)
    # ages 7, 3, 0 days: a 0.3; b 0.8 * 0.7 = 0.56; c 0.5
    assert shown(decay.find(ask()), documents) == [("b", 0.56), ("c", 0.5), ("a", 0.3)]


@pytest.mark.parametrize(("half_life", "expected"), [("12h", 0.25), ("1d", 0.5), (1, 0.5), ("1w", 0.905724)])
def test_a_half_life_may_be_a_duration(half_life: float | str, expected: float) -> None:
    documents = documents_of("a", "b", "c", time=["2024-05-01", "2024-05-02", "2024-05-02"])
    decay = Decay(Given(SCORES), by="age", half_life=half_life)
    decay.index(documents)
    # a is a day old: 0.5^(1 / 0.5) = 0.25; 0.5^1; 0.5^(1/7) = 0.905724
    assert dict(shown(decay.find(ask()), documents))["a"] == expected


@pytest.mark.parametrize("now", ["2024-05-11", datetime(2024, 5, 11, tzinfo=UTC), 1715385600])
def test_now_may_be_a_date_or_seconds(now: Moment) -> None:
    # 1715385600 = 19854 days * 86400
    documents = documents_of("a", "b", "c", time=["2024-05-01", "2024-05-02", "2024-05-02"])
    decay = Decay(Given(SCORES), by="age", now=now)
    decay.index(documents)
    assert dict(shown(decay.find(ask()), documents))["a"] == 0.5


def test_another_field_may_hold_the_moment_also_inside_a_field() -> None:
    documents = documents_of("a", "b", "c", meta=[{"n": 0}, {"n": 10}, {"n": 10}])
    decay = Decay(Given(SCORES), field="meta.n")
    decay.index(documents)
    assert dict(shown(decay.find(ask()), documents))["a"] == 0.5


def test_a_negative_score_sinks_with_age_too() -> None:
    # w = 0.5: -1 * (2 - 0.5) = -1.5, and 1 * 0.5; at w = 1 nothing changes, at w = 0 it doubles
    assert decayed(np.asarray([-1.0, 1.0, -1.0, -1.0]), np.asarray([0.5, 0.5, 1.0, 0.0])).tolist() == [
        -1.5,
        0.5,
        -1,
        -2,
    ]


def test_the_source_is_asked_deeper_so_that_a_young_document_can_come_up() -> None:
    documents, source = turns(0, 0, 40), Given(SCORES)
    decay = Decay(source, depth=50)
    decay.index(documents)
    # a 1 / 16, b 0.8 / 16, c 0.5
    assert names(decay.find(ask(k=1)), documents) == ["c"]
    assert source.asked[0].k == 50


def test_the_similarity_stays_with_its_document() -> None:
    documents = turns(0, 0, 40)
    decay = Decay(GivenDense(SCORES))
    decay.index(documents)
    found = decay.find(ask())
    assert found.similarity is not None
    assert dict(zip(names(found, documents), found.similarity.tolist(), strict=True)) == SCORES["q"]


def test_a_document_without_the_field_is_refused_with_its_id_and_how_many() -> None:
    with pytest.raises(InputError, match=r"decay: document 'b' has no field 'turn' \(2 of 3 have none\)"):
        Decay(Given(SCORES)).index(turns(0, None, None))


def test_where_no_document_has_the_field_the_fields_are_named() -> None:
    with pytest.raises(InputError, match="no document has the field 'turn'; the fields are id, step, title"):
        Decay(Given(SCORES)).index(documents_of("a", "b", step=[1, 2]))


def test_a_document_without_the_field_may_keep_its_score() -> None:
    documents = turns(0, None, 10)
    decay = Decay(Given(SCORES), missing="keep")
    decay.index(documents)
    assert shown(decay.find(ask()), documents) == [("b", 0.8), ("c", 0.5), ("a", 0.5)]


def test_where_no_document_has_a_moment_all_may_keep_their_scores() -> None:
    documents = turns(None, None, None)
    decay = Decay(Given(SCORES), missing="keep")
    decay.index(documents)
    assert shown(decay.find(ask()), documents) == [("a", 1.0), ("b", 0.8), ("c", 0.5)]


def test_an_unknown_document_fails_its_query_only_unless_it_may_be_kept() -> None:
    rows = {"q": {"a": 1.0, "stranger": 0.9}, "r": {"b": 1.0}}
    for missing, expected in (("error", [[], ["b"]]), ("keep", [["stranger", "a"], ["b"]])):
        documents, setting = turns(0, 10, 10), dict[str, Any](missing=missing)
        decay = Decay(Given(rows), **setting)
        decay.index(documents)
        found = decay.find(ask("q", "r"))
        assert [names(found, documents, i) for i in range(2)] == expected
        assert list(found.failed) == ([0] if missing == "error" else [])
    documents = turns(0, 10, 10)
    strict = Decay(Given(rows))
    strict.index(documents)
    assert "'stranger' is not in the corpus" in strict.find(ask("q")).failed[0]


@pytest.mark.parametrize("value", ["first", "2024-05-01", [1], True, 10**400])
def test_turns_of_mixed_types_are_refused_with_the_document(value: object) -> None:
    with pytest.raises(InputError, match=r"decay: document 'b': turn is .*, expected a number"):
        Decay(Given(SCORES), missing="keep").index(turns(0, value, 2))


def test_bare_years_are_not_taken_for_seconds() -> None:
    with pytest.raises(InputError, match="'year' holds numbers from 2018 to 2020, which look like years"):
        Decay(Given(SCORES), by="age", field="year").index(documents_of("a", "b", "c", year=[2018, 2019, 2020]))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"kind": "log"}, "decay: kind is log, expected exp or linear"),
        ({"kind": "linear", "half_life": 5}, "half_life is for exp, not for linear"),
        ({"kind": "exp", "rate": 0.1}, "rate is for linear, not for exp"),
        ({"half_life": 0}, "half_life is 0"),
        ({"half_life": "7d"}, "half_life is '7d', expected a number of turns"),
        ({"half_life": "long", "by": "age"}, "expected a duration such as 7d"),
        ({"kind": "linear", "rate": 0}, "rate is 0.0, expected a number above 0"),
        ({"by": "week"}, "decay: by is week, expected turn or age"),
        ({"missing": "drop"}, "expected error or keep"),
        ({"now": "2024-05-01"}, "now is '2024-05-01', but ages count by turn"),
        ({"now": 12, "by": "age"}, "now is 12, a number of fewer than 9 digits, but ages count by age"),
        ({"now": "12", "by": "age"}, "now is '12', a number of fewer than 9 digits"),
        ({"now": 10**400}, "give a finite number"),
        ({"now": "9" * 400}, "but ages count by turn; expected a number"),
        ({"now": "9" * 400, "by": "age"}, "expected an ISO date or seconds since 1970"),
        ({"half_life": "9" * 400}, "expected a number of turns, above 0"),
        ({"half_life": "9" * 400 + "d", "by": "age"}, "expected a duration such as 7d"),
        ({"now": "soon", "by": "age"}, "now is 'soon', but ages count by age"),
        ({"depth": 0}, "depth is 0"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match="decay") as caught:
        Decay(Given(SCORES), **settings)
    assert said in str(caught.value)


kinds = st.sampled_from(
    [{"kind": "exp"}, {"kind": "exp", "half_life": 0.5}, {"kind": "linear"}, {"kind": "linear", "rate": 2}]
)
ages = st.floats(0, 1e6)
scores = st.floats(-1e3, 1e3)


@given(kinds, st.lists(ages, min_size=2, max_size=2).map(sorted), scores)
def test_older_never_gains_on_newer(kind: dict[str, Any], pair: list[float], score: float) -> None:
    weights = Decay(Given(SCORES), **kind).weights(np.asarray(pair))
    young, old = decayed(np.asarray([score, score]), weights).tolist()
    assert old <= young <= score


@given(kinds, ages)
def test_a_weight_lies_between_0_and_1(kind: dict[str, Any], age: float) -> None:
    weight = Decay(Given(SCORES), **kind).weights(np.asarray([age])).item()
    assert 0 <= weight <= 1


@given(kinds, st.dictionaries(st.sampled_from("abcdef"), scores))
def test_at_age_0_nothing_changes(kind: dict[str, Any], row: dict[str, float]) -> None:
    documents, source = documents_of(*"abcdef", turn=[5] * 6), Given({"q": row})
    decay = Decay(source, **kind)
    decay.index(documents)
    before, after = source.find(ask()), decay.find(ask())
    assert after.documents.tolist() == before.documents.tolist()
    assert after.scores.tolist() == before.scores.tolist()
