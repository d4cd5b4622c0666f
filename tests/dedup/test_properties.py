"""What holds for every table of results."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from goldproof.dedup import DEFAULT_RULES, decide, explain_marks, mark_by_id, mark_duplicates
from goldproof.dedup.items import Items
from goldproof.dedup.keys import make_keys
from goldproof.dedup.rules import canonical_names, fold
from tests.dedup.strategies import conversations, has_key, results
from tests.dedup.tables import Row, items, origins, table, verdict

if TYPE_CHECKING:
    from random import Random

    from goldproof.dedup import Rules
    from goldproof.records.arrays import IntArray

NEAR = replace(DEFAULT_RULES, near_duplicates=0.7)


def flat(many: list[list[Row]]) -> tuple[list[Row], IntArray]:
    return list(itertools.chain(*many)), np.array([0, *itertools.accumulate(map(len, many))])


def marked(many: list[list[Row]], *, rules: Rules = DEFAULT_RULES) -> list[int]:
    rows, starts = flat(many)
    found: list[int] = mark_duplicates(table(rows), starts, rules=rules).origin.tolist()
    return found


@given(conversations())
def test_groups_are_flat_begin_with_their_first_and_stay_in_their_conversation(many: list[list[Row]]) -> None:
    rows, starts = flat(many)
    marks = mark_duplicates(table(rows), starts)
    origin = marks.origin
    assert (origin <= np.arange(len(rows))).all()
    assert (origin[origin] == origin).all()
    conversation = np.repeat(np.arange(len(many)), np.diff(starts))
    assert (conversation[origin] == conversation).all()
    assert not marks.duplicate[[start for start, end in itertools.pairwise(starts) if end > start]].any()
    assert sum(marks.steps.values()) == marks.duplicate.sum()
    assert marks.repeats.rows.tolist() == np.flatnonzero(marks.duplicate).tolist()


@settings(max_examples=40)
@given(conversations())
def test_a_table_may_be_cut_between_conversations_anywhere(many: list[list[Row]]) -> None:
    parts, offset = [], 0
    for rows in many:
        parts += [origin + offset for origin in marked([rows])]
        offset += len(rows)
    assert marked(many) == parts


@given(st.lists(results(), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_fields_does_not_matter(rows: list[Row], random: Random) -> None:
    turned = []
    for row in rows:
        names = list(row["fields"] or {})
        random.shuffle(names)
        turned.append({**row, "fields": {name: row["fields"][name] for name in names}})
    assert origins(*turned) == origins(*rows)


@given(st.lists(results(), min_size=1, max_size=8), st.data())
def test_an_exact_copy_of_a_result_with_any_key_is_a_duplicate(rows: list[Row], data: st.DataObject) -> None:
    original = data.draw(st.sampled_from(rows))
    assume(has_key(original))
    assert origins(*rows, original)[-1] != len(rows)


@given(results())
def test_a_result_without_any_key_is_always_unique(row: Row) -> None:
    bare = {**row, "id": None, "url": None, "title": None, "snippet": None, "fields": None}
    assert origins(bare, bare) == [0, 1]


@given(results(), results())
def test_results_of_two_conversations_never_match(a: Row, b: Row) -> None:
    assert marked([[a], [b], [a]]) == [0, 1, 2]


@given(results(), results())
def test_the_comparison_does_not_depend_on_which_comes_first(a: Row, b: Row) -> None:
    first, second = items(a, b)
    assert decide(first, second, DEFAULT_RULES) == decide(second, first, DEFAULT_RULES)


@given(results())
def test_another_place_separates_unless_a_specific_id_says_otherwise(row: Row) -> None:
    here, there = {**row, "url": "https://a.org/here"}, {**row, "url": "https://a.org/there"}
    found = verdict(here, there)
    assert found.same == (found.step == "specific id")


@given(st.sampled_from([(one.name, names) for one in DEFAULT_RULES.types for names in one.ids]), results())
def test_another_specific_id_separates(rule: tuple[str, tuple[str, ...]], row: Row) -> None:
    kind, names = rule
    one = {**row, "type": kind, "fields": {**without_ids(row), **dict.fromkeys(names, "X")}}
    for name in names:
        found = verdict(one, {**one, "fields": {**one["fields"], name: "Y"}})
        assert (found.same, found.step) == (False, "specific id")


@given(st.sampled_from([(one.name, name) for one in DEFAULT_RULES.types for name in one.different_if]), results())
def test_a_field_that_separates_always_does_where_the_comparison_gets_there(rule: tuple[str, str], row: Row) -> None:
    # Neither an equal URL nor an equal complete id lets it get there.
    kind, name = rule
    one = {**row, "type": kind, "url": None, "fields": {**without_ids(row), name: "X"}}
    assert not verdict(one, {**one, "fields": {**one["fields"], name: "Y"}}).same


def without_ids(row: Row) -> dict[str, object]:
    ids = {name for one in DEFAULT_RULES.types for names in one.ids for name in names}
    stands_for = canonical_names(DEFAULT_RULES)
    return {name: value for name, value in (row["fields"] or {}).items() if stands_for.get(fold(name)) not in ids}


@pytest.mark.parametrize("rules", [DEFAULT_RULES, NEAR], ids=["default", "near"])
@settings(max_examples=40)
@given(many=conversations())
def test_the_explanation_agrees_with_the_marking(rules: Rules, many: list[list[Row]]) -> None:
    rows, starts = flat(many)
    decisions = explain_marks(table(rows), starts, rules=rules)
    assert [one.origin for one in decisions] == marked(many, rules=rules)
    assert [one.row for one in decisions] == list(range(len(rows)))
    for one in decisions:
        assert one.duplicate == (bool(one.trials) and one.trials[-1].verdict.same)
        assert not any(trial.verdict.same for trial in one.trials[:-1])
        if one.duplicate:
            assert one.trials[-1].candidate == one.origin


@settings(max_examples=40)
@given(conversations())
def test_readable_keys_are_the_keys(many: list[list[Row]]) -> None:
    rows, starts = flat(many)
    keys = make_keys(Items(table(rows), DEFAULT_RULES), DEFAULT_RULES)
    counted = sum(len(key.rows) for key in keys)
    assert counted == sum(len(one.keys) for one in explain_marks(table(rows), starts))


@settings(max_examples=40)
@given(conversations())
def test_equal_ids_alone_are_the_other_mode(many: list[list[Row]]) -> None:
    rows, starts = flat(many)
    expected = []
    for low, high in itertools.pairwise(starts.tolist()):
        seen: dict[str, int] = {}
        for row in range(low, high):
            name = rows[row]["id"]
            expected.append(row if name is None else seen.setdefault(name.strip(), row))
    assert mark_by_id(table(rows), starts).origin.tolist() == expected
