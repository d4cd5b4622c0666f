"""Maximum flow: as much as possible, conserved, and the same for every order of the edges."""

from __future__ import annotations

from itertools import chain, combinations, permutations
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from goldproof.jobs.build.unanswerables.assignment import Edge, max_flow

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

NODES = "stabcde"
networks = st.dictionaries(st.sampled_from(list(permutations(NODES, 2))), st.integers(0, 9), max_size=30)


def value(flow: Mapping[Edge, int], node: str) -> int:
    out = sum(amount for (tail, _), amount in flow.items() if tail == node)
    return out - sum(amount for (_, head), amount in flow.items() if head == node)


def narrowest_cut(capacity: Mapping[Edge, int]) -> int:
    """Try every set of nodes on the side of the source: the least that leads out of one is what can get through."""
    inner = NODES[2:]
    sides = chain.from_iterable(combinations(inner, size) for size in range(len(inner) + 1))
    return min(
        sum(carries for (tail, head), carries in capacity.items() if tail in {"s", *side} and head not in {"s", *side})
        for side in sides
    )


def test_a_later_path_takes_an_earlier_choice_back() -> None:
    # a fits x and y, b fits x only: a takes x first, as its name comes first, and must give it up for two to be placed
    edges = {("s", "a"): 1, ("s", "b"): 1, ("a", "x"): 1, ("a", "y"): 1, ("b", "x"): 1, ("x", "t"): 1, ("y", "t"): 1}
    flow = max_flow(edges, source="s", sink="t")
    assert value(flow, "s") == 2
    assert flow["a", "y"] == flow["b", "x"] == 1
    assert flow["a", "x"] == 0


def test_the_narrowest_cut_is_the_value() -> None:
    # s -> a carries 7, a -> b 3, a -> c 2, b and c -> t 9 each: the cut after a is 3 + 2 = 5
    edges = {("s", "a"): 7, ("a", "b"): 3, ("a", "c"): 2, ("b", "t"): 9, ("c", "t"): 9}
    flow = max_flow(edges, source="s", sink="t")
    assert flow == {("a", "b"): 3, ("a", "c"): 2, ("b", "t"): 3, ("c", "t"): 2, ("s", "a"): 5}


def test_a_network_without_a_way_through_has_no_flow() -> None:
    assert max_flow({}, source="s", sink="t") == {}
    assert max_flow({("s", "a"): 4}, source="s", sink="t") == {("s", "a"): 0}


def test_a_path_of_thousands_of_nodes_is_no_deeper_than_any_other() -> None:
    edges = {(f"n{i:05}", f"n{i + 1:05}"): 2 for i in range(5000)}
    assert set(max_flow(edges, source="n00000", sink="n05000").values()) == {2}


@given(networks)
def test_the_value_is_the_narrowest_of_all_cuts_and_nothing_is_lost_on_the_way(capacity: dict[Edge, int]) -> None:
    flow = max_flow(capacity, source="s", sink="t")
    assert value(flow, "s") == narrowest_cut(capacity)
    assert flow.keys() == capacity.keys()
    assert all(0 <= flow[edge] <= capacity[edge] for edge in capacity)
    assert all(value(flow, node) == 0 for node in NODES[2:])


@given(networks, st.randoms(use_true_random=False))
def test_the_flow_itself_ignores_the_order_of_the_mapping(capacity: dict[Edge, int], random: Random) -> None:
    edges = list(capacity)
    random.shuffle(edges)
    shuffled = {edge: capacity[edge] for edge in edges}
    assert max_flow(shuffled, source="s", sink="t") == max_flow(capacity, source="s", sink="t")
