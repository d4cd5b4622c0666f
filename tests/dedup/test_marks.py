"""Groups: who proposes them, against whom is compared, and what is counted."""

from __future__ import annotations

import importlib
import sys

import numpy as np
import polars as pl
import pytest

from goldproof.dedup import DEFAULT_RULES, Rules, TypeRules, explain_marks, mark_by_id, mark_duplicates
from goldproof.dedup import marks as module
from goldproof.dedup.keys import Key, shared_keys
from goldproof.errors import MissingExtraError
from goldproof.records.traces import ResultTable
from tests.dedup.tables import LONG, OTHER_LONG, Row, one_conversation, origins, table


def test_an_empty_table_has_no_duplicates() -> None:
    marks = mark_duplicates(table([]), np.array([0]))
    assert (marks.origin.tolist(), marks.steps, marks.notices) == ([], {}, {})
    assert mark_duplicates(table([]), np.array([0, 0, 0])).duplicate.tolist() == []


def test_a_table_without_columns_has_unique_results_only() -> None:
    results = ResultTable(pl.DataFrame(height=3), np.zeros(3, dtype=np.int8))
    assert mark_duplicates(results, np.array([0, 3])).origin.tolist() == [0, 1, 2]


def test_all_rows_may_be_one_document() -> None:
    rows: list[Row] = [{"url": "https://a.org/x"}] * 5
    assert origins(*rows) == [0, 0, 0, 0, 0]


def test_the_keys_of_every_member_propose_a_group() -> None:
    # The third shares its URL with nobody and its id only with the second, which has joined the first by its URL.
    first: Row = {"url": "https://a.org/x"}
    second: Row = {"url": "https://a.org/x", "id": "7"}
    third: Row = {"id": "7", "title": "T"}
    # Against the first occurrence nothing differs, but there is no equal id either: not enough.
    assert origins(first, second, third) == [0, 0, 2]
    assert origins({**first, "id": "8"}, second, {**first, "id": "7"}) == [0, 0, 0]
    assert origins({**first, "snippet": LONG}, second, {"id": "7", "snippet": LONG, "title": "T"}) == [0, 0, 0]


def test_the_comparison_is_always_with_the_first_occurrence() -> None:
    # b joins a by its URL; c is like b in everything but the URL, and unlike a.
    a: Row = {"url": "https://a.org/x", "title": "One", "snippet": OTHER_LONG}
    b: Row = {"url": "https://a.org/x", "title": "Two", "snippet": LONG}
    c: Row = {"title": "Two", "snippet": LONG}
    assert origins(a, b, c) == [0, 0, 2]
    assert origins(b, a, c) == [0, 0, 0]


def test_a_stronger_key_is_tried_before_an_older_group() -> None:
    by_title: Row = {"title": "T", "snippet": LONG}
    by_id: Row = {"id": "1"}
    assert origins(by_title, by_id, {"id": "1", "title": "T", "snippet": LONG}) == [0, 1, 1]


def test_among_equal_keys_the_oldest_group_wins() -> None:
    a: Row = {"title": "T", "snippet": LONG, "url": "https://a.org/x?p=1"}
    b: Row = {"title": "T", "snippet": OTHER_LONG, "url": "https://a.org/x?p=2"}
    # Like each of the two as far as it goes: title and file name.
    files: Row = {"fields": {"file_name": "f"}}
    assert origins({**a, **files}, {**b, **files}, {"title": "T", **files}) == [0, 1, 0]


def test_a_group_keeps_its_age_when_a_later_member_brings_a_key() -> None:
    files: Row = {"fields": {"file_name": "f"}}
    old: Row = {"url": "https://a.org/x", "title": "Old", **files}
    young: Row = {"url": "https://b.org/y", "title": "T", **files}
    member: Row = {"url": "https://a.org/x", "snippet": LONG, "title": "T"}
    last: Row = {"title": "T", **files}
    # The title proposes the young group first, and the old one only since the member joined it.
    trials = explain_marks(table([old, young, member, last]), np.array([0, 4]))[3].trials
    assert [trial.candidate for trial in trials] == [0, 1]
    assert origins(old, young, member, last) == [0, 1, 0, 1]


def test_a_candidate_is_tried_once_however_many_keys_propose_it() -> None:
    rows: list[Row] = [{"url": f"https://a.org/{n}", "id": "1", "title": "T", "snippet": LONG} for n in range(2)]
    second = explain_marks(table(rows), np.array([0, 2]))[1]
    assert [(trial.candidate, trial.key) for trial in second.trials] == [(0, "id")]


def test_keys_of_two_conversations_that_fall_together_stay_apart() -> None:
    # The hash is mixed with the conversation's number; these hashes undo the mixing.
    hashes = np.array([0, 0, 0x9E3779B97F4A7C15, 0x9E3779B97F4A7C15], dtype=np.uint64)
    shared = shared_keys([Key("id", np.arange(4), hashes)], np.array([0, 2, 4]))
    assert shared.rows.tolist() == [0, 1, 2, 3]
    assert shared.codes.tolist() == [0, 0, 1, 1]
    assert shared_keys([Key("id", np.arange(2), hashes[1:3])], np.array([0, 1, 2])).rows.tolist() == []


def test_blanks_at_the_ends_of_an_id_are_no_part_of_it() -> None:
    rows: list[Row] = [{"id": "1 ", "title": "a"}, {"id": "1"}, {"id": " "}, {"id": " "}]
    assert origins(*rows) == [0, 0, 2, 3]
    assert mark_by_id(table(rows), one_conversation(rows)).origin.tolist() == [0, 0, 2, 3]


def test_many_documents_of_one_title_are_not_all_compared() -> None:
    rows: list[Row] = [{"url": f"https://a.org/{n}", "title": "Home"} for n in range(200)]
    rows += [{"url": "https://a.org/70?p=1", "title": "Home", "snippet": LONG}, {"title": "Home", "snippet": LONG}]
    rows += [{"url": "https://a.org/new", "title": "Home"}]
    *_, placed, free, last = explain_marks(table(rows), one_conversation(rows))
    # At its own place there is one; the oldest is always compared.
    assert [trial.candidate for trial in placed.trials] == [0, 70]
    # Without a URL it may be any of them, and the strongest key proposes first.
    assert (free.trials[0].candidate, free.origin) == (200, 200)
    assert [trial.candidate for trial in last.trials] == [0]
    assert last.why == "different host or path"


def test_an_untyped_result_with_the_id_of_a_type_is_compared_wherever_it_is() -> None:
    rows: list[Row] = [
        {"url": f"https://m.org/{n}", "title": "Hi", "type": "mail", "fields": {"message_id": n}} for n in range(60)
    ]
    assert origins(*rows, {"url": "https://b.org", "title": "Hi", "fields": {"message_id": "41"}})[-1] == 41
    untyped: list[Row] = [{**row, "type": None} for row in rows]
    assert origins(*untyped, {**rows[41], "url": "https://b.org"})[-1] == 41


def test_so_is_one_whose_id_is_a_column() -> None:
    rules = Rules(types=(TypeRules("recipe", ids=(("id",),)),))
    rows: list[Row] = [
        {"id": str(n), "url": f"https://m.org/{n}", "title": "Soup", "type": "recipe"} for n in range(60)
    ]
    assert origins(*rows, {"id": "41", "url": "https://b.org", "title": "Soup"}, rules=rules)[-1] == 41


def test_results_of_one_id_are_all_compared_and_counted() -> None:
    # Each of 30 with all before: 30 * 29 / 2 = 435.
    rows: list[Row] = [{"id": "1", "url": f"https://m.org/{n}", "title": "Soup"} for n in range(30)]
    assert mark_duplicates(table(rows), one_conversation(rows)).notices == {"equal_id_rejected": 435}


def test_whole_numbers_may_be_ids() -> None:
    columns = pl.DataFrame({"id": [7, 8, 7, None]})
    results = ResultTable(columns, np.zeros(4, dtype=np.int8))
    assert mark_duplicates(results, np.array([0, 4])).origin.tolist() == [0, 1, 0, 3]


def test_whole_numbers_may_be_ids_beside_specific_ids() -> None:
    columns = pl.DataFrame({"id": [7, 7, 7, 7], "type": ["mail", "mail", None, None]})
    fields: list[dict[str, object] | None] = [{"message_id": "M"}, {"message_id": "N"}, None, {"x": 1}]
    results = ResultTable(columns, np.zeros(4, dtype=np.int8), fields)
    # A complete id of the type stands instead of the generic one, so the mails are not proposed to the others.
    assert mark_duplicates(results, np.array([0, 4])).origin.tolist() == [0, 1, 2, 2]


def test_the_steps_and_the_odd_ids_are_counted() -> None:
    rows: list[Row] = [
        {"id": "1", "url": "https://a.org/x", "title": "T", "snippet": LONG},
        {"id": "2", "url": "https://a.org/x", "title": "T", "snippet": LONG},  # overruled by the URL
        {"id": "1", "title": "T", "snippet": OTHER_LONG},  # the snippet depends on the query
        {"id": "1", "title": "Other"},  # an equal id, but another title
        {"id": "1", "url": "https://a.org/x", "title": "T", "snippet": LONG},
    ]
    marks = mark_duplicates(table(rows), one_conversation(rows))
    assert marks.origin.tolist() == [0, 0, 0, 3, 0]
    assert marks.steps == {"url": 1, "fields": 1, "identical": 1}
    assert marks.notices == {"ids_overruled": 1, "equal_id_rejected": 1, "equal_id_snippet_differs": 1}


def test_the_inputs_are_not_changed() -> None:
    rows: list[Row] = [{"id": "1", "url": "HTTPS://A.org", "fields": {"from": ["B@x.org", "a@x.org"]}}] * 2
    results = table(rows)
    before = results.columns.clone()
    mark_duplicates(results, np.array([0, 2]))
    assert results.columns.equals(before)
    assert rows[0]["fields"] == {"from": ["B@x.org", "a@x.org"]}


def test_many_conversations_are_marked_in_parts_of_whole_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(3)
    lengths = generator.integers(0, 9, 60)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    rows: list[Row] = [{"id": str(n), "title": "T"} for n in generator.integers(0, 5, starts[-1])]
    whole = mark_duplicates(table(rows), starts).origin.tolist()
    for at_once in (1, 7, 20):
        monkeypatch.setattr(module, "_ROWS_AT_ONCE", at_once)
        assert mark_duplicates(table(rows), starts).origin.tolist() == whole
    assert len(set(whole)) < len(whole)


def test_keys_that_fall_together_only_propose(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[Row] = [{"id": f"{n % 4}", "url": f"https://a.org/{n % 3}", "title": f"{n}"} for n in range(24)]
    expected = mark_duplicates(table(rows), np.array([0, 12, 24])).origin.tolist()
    monkeypatch.setattr(pl.Series, "hash", lambda self: pl.Series([7] * len(self), dtype=pl.UInt64))
    assert mark_duplicates(table(rows), np.array([0, 12, 24])).origin.tolist() == expected


def test_near_duplicates_are_proposed_by_their_text() -> None:
    words = [f"word{n}" for n in range(40)]
    a: Row = {"snippet": " ".join(words)}
    b: Row = {"snippet": " ".join([*words[:-1], "other"])}
    c: Row = {"snippet": " ".join(reversed(words))}
    assert origins(a, b, c) == [0, 1, 2]
    near = Rules(near_duplicates=0.8)
    assert origins(a, b, c, rules=near) == [0, 0, 2]
    decision = explain_marks(table([a, b, c]), np.array([0, 3]), rules=near)[1]
    assert (decision.trials[0].key, decision.step, decision.why) == ("near snippet", "fields", "equal snippet")


def test_without_the_extra_near_duplicates_are_refused_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rensa", None)
    with pytest.raises(MissingExtraError, match=r"near-duplicate text needs the extra 'dedup': pip install"):
        mark_duplicates(table([]), np.array([0]), rules=Rules(near_duplicates=0.8))
    assert importlib.import_module("goldproof.dedup").DEFAULT_RULES is DEFAULT_RULES


def test_an_explanation_names_keys_and_reasons() -> None:
    rows: list[Row] = [
        {"id": "1", "url": "https://a.org/x?b=1&a=2", "title": "One", "snippet": "<b>S</b>"},
        {"type": "mail", "id": "2", "title": "One", "fields": {"message_id": "M"}},
        {"type": "web"},
    ]
    first, second, third = explain_marks(table(rows), np.array([0, 3]))
    assert first.keys == (("id", "1"), ("url", "a.org/x?a=2&b=1"), ("snippet", "s"), ("title", "one"))
    assert (first.step, first.why) == ("", "no earlier result shares a key")
    assert second.keys == (("specific id", "message_id=M"), ("title", "one"))
    assert [(t.candidate, t.key, t.verdict) for t in second.trials] == [
        (0, "title", (False, "not enough", "only the title agrees"))
    ]
    assert (second.duplicate, second.origin, third.why) == (False, 1, "it has no key")
