"""What holds for every measure of memory, whatever came."""

from __future__ import annotations

import inspect
from dataclasses import replace
from random import Random  # noqa: TC003 - hypothesis reads it

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.metrics.memory.measures import ALIASES, MEASURES, NAMES, kernels_of, measure
from goldproof.metrics.memory.outcome import Outcome, ReturnedItem
from tests.metrics.memory.outcomes import value

MEMORIES = "abcdef"
SHARES = ("precision", "recall", "f1")
ALWAYS = ("precision", "tokens", "f1_or_silence")

sets_of_memories = st.sets(st.sampled_from(MEMORIES), max_size=4)
items = st.builds(
    ReturnedItem,
    memories=sets_of_memories.map(lambda found: tuple(sorted(found))),
    gain=st.sampled_from([0.0, 0.3, 0.5, 0.7, 1.0]),
    similarity=st.none() | st.floats(-1, 1),
    tokens=st.integers(0, 1000),
)
answers = st.lists(items, max_size=8).map(tuple)


@st.composite
def outcomes(draw: st.DrawFn, *, least: int = 0) -> Outcome:
    expected = draw(st.dictionaries(st.sampled_from(MEMORIES), st.sampled_from([0.5, 1.0]), min_size=least, max_size=5))
    some = st.sampled_from(sorted(expected)) if expected else st.nothing()
    return Outcome(
        expected=expected,
        returned=draw(answers),
        kernels=tuple(draw(st.lists(st.frozensets(some, min_size=1), max_size=3))) if expected else (),
        moments={memory: draw(st.sampled_from([1.0, 2.0, 3.0])) for memory in expected},
        order=draw(st.sampled_from(["newest", "oldest", None])),
    )


@given(outcomes())
def test_every_measure_is_within_its_bounds_or_says_why_it_has_no_value(found: Outcome) -> None:
    values = measure(found)
    assert tuple(values) == NAMES
    for name, (score, reason, failed) in values.items():
        assert not failed
        assert (score is None) == bool(reason)
        lower, upper = MEASURES[name].lower, MEASURES[name].upper
        if score is not None:
            assert lower is None or score >= lower
            assert upper is None or score <= upper


@given(outcomes())
def test_some_measures_have_a_value_for_every_query(found: Outcome) -> None:
    assert all(value(name, found) is not None for name in ALWAYS)


@given(outcomes(least=1))
def test_f1_lies_between_precision_and_recall(found: Outcome) -> None:
    precision, recall, f1 = (value(name, found) or 0.0 for name in SHARES)
    assert min(precision, recall) - 1e-12 <= f1 <= max(precision, recall) + 1e-12


@given(outcomes(), st.randoms(use_true_random=False))
def test_the_order_in_which_memories_are_expected_plays_no_part(found: Outcome, random: Random) -> None:
    memories = list(found.expected)
    random.shuffle(memories)
    shuffled = replace(
        found,
        expected={memory: found.expected[memory] for memory in memories},
        kernels=found.kernels[::-1],
        moments={memory: found.moments[memory] for memory in reversed(memories)},
    )
    assert measure(shuffled) == measure(found)


@given(outcomes(least=1))
def test_a_success_means_that_some_kernel_was_recalled_whole(found: Outcome) -> None:
    recalled = [value("recall", replace(found, expected=dict.fromkeys(kernel, 1.0))) for kernel in kernels_of(found)]
    assert value("set_success", found) == float(1.0 in recalled)


@given(outcomes(least=1))
def test_full_recall_is_always_a_success(found: Outcome) -> None:
    full = replace(found, returned=(*found.returned, *(ReturnedItem((memory,), 1.0) for memory in found.expected)))
    assert value("recall", full) == value("set_success", full) == 1.0


@given(outcomes(least=1), st.integers(1, 3))
def test_more_of_what_nobody_expects_costs_precision_and_leaves_recall(found: Outcome, more: int) -> None:
    noisy = replace(found, returned=(*found.returned, *(ReturnedItem((), 0.0),) * more))
    hits = (value("precision", found) or 0.0) * len(found.returned)
    assert value("precision", noisy) == pytest.approx(hits / (len(found.returned) + more))
    for name in ("recall", "set_success", "relevance_of_hits", "similarity", "ordering"):
        assert value(name, noisy) == value(name, found)


@given(outcomes(least=1))
def test_only_relevance_hit_and_ordering_look_at_the_order_of_what_came(found: Outcome) -> None:
    turned = replace(found, returned=found.returned[::-1])
    for name in set(NAMES) - {"relevance_score", "Hit@1", "ordering"}:
        assert value(name, turned) == value(name, found)


@given(outcomes(least=1))
def test_the_two_orders_of_time_share_the_pairs_between_them(found: Outcome) -> None:
    newest, oldest = (value("ordering", replace(found, order=order)) for order in ("newest", "oldest"))
    assert (newest is None) == (oldest is None)
    if newest is not None and oldest is not None:
        assert newest + oldest == pytest.approx(1.0)


@given(answers)
def test_on_negative_queries_three_measures_say_the_same(returned: tuple[ReturnedItem, ...]) -> None:
    found = Outcome(expected={}, returned=returned)
    surfaced = value("false_surface", found)
    assert surfaced == float(bool(returned))
    assert value("precision", found) == value("f1_or_silence", found) == 1 - surfaced


def test_measures_are_those_of_the_catalogue_in_its_order() -> None:
    assert tuple(MEASURES) == NAMES
    assert all(name == one.name for name, one in MEASURES.items())
    assert set(ALIASES.values()) <= set(NAMES)
    assert not set(ALIASES) & set(NAMES)
    assert [name for name, one in MEASURES.items() if not one.higher_is_better] == ["false_surface", "tokens"]


@pytest.mark.parametrize("name", NAMES)
def test_each_measure_is_defined_where_it_is_computed(name: str) -> None:
    assert f"\n    {name} = " in (inspect.getdoc(MEASURES[name].of) or "")
