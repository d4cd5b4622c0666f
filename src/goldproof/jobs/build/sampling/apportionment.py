"""Largest-remainder apportionment and integer maximum flow.

Largest remainder: each name gets the whole part of total * weight / (sum of weights); what is left goes, one each, to
the largest remainders. Equal remainders: the larger weight first, then the name. Exact (no floating point), and nothing
depends on the order of the mapping.

Augmenting paths, shortest first (Dinic): as long as some path from the source to the sink has capacity left, push as
much as it carries; a later path may take an earlier choice back. Neighbours are tried in the order of their names, so
the flow (not only its value) is the same for every order of the mapping.

    E. A. Dinic, Algorithm for solution of a problem of maximum flow in networks with power estimation, 1970.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.records.keys import content_key

if TYPE_CHECKING:
    from collections.abc import Mapping


def apportion(total: int, weights: Mapping[str, Fraction | int]) -> dict[str, int]:
    """Return whole numbers that sum to `total` and are as close to the weights as whole numbers can be, sorted by name.

    No names, or only weights of 0, can take nothing: then only a total of 0 is possible.
    """
    names = sorted(weights)
    whole = sum((Fraction(weights[name]) for name in names), Fraction(0))
    _check_weights(total, weights, whole=whole)
    if not whole:
        return dict.fromkeys(names, 0)
    exact = {name: total * Fraction(weights[name]) / whole for name in names}
    parts = {name: int(exact[name]) for name in names}
    by_remainder = sorted(names, key=lambda name: (parts[name] - exact[name], -weights[name], name))
    for name in by_remainder[: total - sum(parts.values())]:
        parts[name] += 1
    return parts


def order_number(seed: int, id: str) -> int:  # noqa: A002 - it is the id of a sample
    """Return the place of a sample in its pool: the first 8 bytes of a sha256 over seed and id, so 0 to 2^64 - 1."""
    return int(content_key(seed, id)[:16], 16)


def _check_weights(total: int, weights: Mapping[str, Fraction | int], *, whole: Fraction) -> None:
    if total < 0:
        raise InputError(f"cannot apportion {total}, expected 0 or more.")
    below = sorted(name for name, weight in weights.items() if weight < 0)
    if below:
        raise InputError(f"the weight of {below[0]!r} is {weights[below[0]]}, expected 0 or more.")
    if total and not whole:
        raise InputError(f"cannot apportion {total}: no name has a weight above 0.")


Edge = tuple[str, str]


def max_flow(capacity: Mapping[Edge, int], *, source: str, sink: str) -> dict[Edge, int]:
    """Return the flow over every edge, sorted by name, such that as much as possible reaches the sink.

    capacity: (from, to) -> how much the edge carries at most. What leaves the source less what enters it is the value;
    at every other node but the sink as much goes out as comes in.
    """
    _check_network(capacity, source=source, sink=sink)
    edges = sorted(capacity)
    net = _Network()
    start, end = net.node(source), net.node(sink)
    for edge in edges:
        net.join(net.node(edge[0]), net.node(edge[1]), capacity=capacity[edge])
    while (depths := net.depths(start))[end] >= 0:
        tried = [0] * len(depths)
        while path := _path(net, depths, tried=tried, ends=(start, end)):
            net.push(path)
    return {edge: net.free[2 * number + 1] for number, edge in enumerate(edges)}


@dataclass(slots=True)
class _Network:
    """Residual network: arc 2i is the i-th edge, arc 2i + 1 takes its flow back."""

    numbers: dict[str, int] = field(default_factory=dict)
    arcs: list[list[int]] = field(default_factory=list)
    head: list[int] = field(default_factory=list)
    free: list[int] = field(default_factory=list)

    def node(self, name: str) -> int:
        if name not in self.numbers:
            self.numbers[name] = len(self.arcs)
            self.arcs.append([])
        return self.numbers[name]

    def join(self, tail: int, head: int, *, capacity: int) -> None:
        self.arcs[tail].append(len(self.head))
        self.arcs[head].append(len(self.head) + 1)
        self.head += [head, tail]
        self.free += [capacity, 0]

    def depths(self, start: int) -> list[int]:
        """Return how many free arcs away from the start each node is; -1 where it cannot be reached."""
        depths = [-1] * len(self.arcs)
        depths[start] = 0
        waiting = deque([start])
        while waiting:
            node = waiting.popleft()
            for arc in self.arcs[node]:
                if self.free[arc] and depths[self.head[arc]] < 0:
                    depths[self.head[arc]] = depths[node] + 1
                    waiting.append(self.head[arc])
        return depths

    def push(self, path: list[int]) -> None:
        amount = min(self.free[arc] for arc in path)
        for arc in path:
            self.free[arc] -= amount
            self.free[arc ^ 1] += amount


def _path(net: _Network, depths: list[int], *, tried: list[int], ends: tuple[int, int]) -> list[int]:
    """Return the arcs of an augmenting path along increasing depth; empty where there is none left.

    tried: how many arcs of each node are known to lead nowhere at these depths; it is brought up to date.
    """
    path: list[int] = []
    node, sink = ends
    while node != sink:
        arc = _next_arc(net, depths, tried=tried, node=node)
        if arc is not None:
            path.append(arc)
            node = net.head[arc]
        elif path:
            node = net.head[path.pop() ^ 1]
            tried[node] += 1
        else:
            return []
    return path


def _next_arc(net: _Network, depths: list[int], *, tried: list[int], node: int) -> int | None:
    arcs = net.arcs[node]
    while tried[node] < len(arcs):
        arc = arcs[tried[node]]
        if net.free[arc] and depths[net.head[arc]] == depths[node] + 1:
            return arc
        tried[node] += 1
    return None


def _check_network(capacity: Mapping[Edge, int], *, source: str, sink: str) -> None:
    if source == sink:
        raise InputError(f"source and sink are both {source!r}, expected two nodes.")
    below = sorted(edge for edge, carries in capacity.items() if carries < 0)
    if below:
        tail, head = below[0]
        raise InputError(f"the capacity of {tail!r} to {head!r} is {capacity[below[0]]}, expected 0 or more.")
