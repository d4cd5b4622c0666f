"""Assign checked proposals to cells and methods, by maximum flow.

A cell is (doc_type, question_type), or (doc_type, "*") for any type. Each method's number is its share of all that is
wanted, by largest remainder. Questions that can be used by the same methods for the same cell are alike, so a small
flow network (method -> alike questions -> cell) decides how many of each are used; which ones, a number drawn from seed
and id. A method that cannot fill its number stays short; with `borrow` the others take its places, the method of the
largest share first.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from goldproof.jobs.build.sampling.apportionment import apportion
from goldproof.jobs.build.sampling.selection import ANY_TYPE
from goldproof.jobs.build.unanswerables.proposal import draw

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from goldproof.jobs.build.sampling.quotas import Cell
    from goldproof.jobs.build.unanswerables.proposal import Proposal

Alike = tuple[str, str, tuple[str, ...]]
Edge = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Assignment:
    """The proposals to use, by origin; the cell each fills; and what is missing.

    short_cells, short_methods: how many are missing, only where some are. borrowed: method -> how many more than its
    number it gave. reasons: the same in plain sentences.
    """

    chosen: tuple[Proposal, ...]
    cells: Mapping[str, Cell]
    targets: Mapping[str, int]
    short_cells: Mapping[Cell, int]
    short_methods: Mapping[str, int]
    borrowed: Mapping[str, int]
    shortfalls: tuple[str, ...]
    loans: tuple[str, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """All sentences for the report."""
        return (*self.shortfalls, *self.loans)


def assign(
    accepted: Iterable[Proposal],
    *,
    wanted: Mapping[Cell, int],
    methods: Mapping[str, Fraction],
    borrow: bool,
    seed: int,
) -> Assignment:
    """Return the assignment, which does not depend on the order of the proposals."""
    offers = _offers(accepted, methods=methods, seed=seed)
    total = sum(wanted.values())
    targets = apportion(total, methods) if total else dict.fromkeys(sorted(methods), 0)
    network = _Network(offers, wanted=wanted)
    limits = network.widened(targets, total=total, methods=methods) if borrow else dict(targets)
    picks = _picks(network.flow(limits), offers, seed=seed)
    return _assignment(picks, wanted=wanted, targets=targets, offers=offers)


def _offers(
    accepted: Iterable[Proposal], *, methods: Mapping[str, Fraction], seed: int
) -> dict[Alike, dict[str, dict[str, Proposal]]]:
    """Alike questions -> origin -> method -> the one proposal of this method that would be used."""
    per_origin: dict[str, dict[str, Proposal]] = {}
    for proposal in sorted(accepted, key=lambda proposal: (draw(seed, proposal.key), proposal.key)):
        if methods.get(proposal.method):
            per_origin.setdefault(proposal.origin, {}).setdefault(proposal.method, proposal)
    offers: dict[Alike, dict[str, dict[str, Proposal]]] = {}
    for origin, by_method in sorted(per_origin.items()):
        first = next(iter(by_method.values()))
        alike = (first.doc_type, first.question_type, tuple(sorted(by_method)))
        offers.setdefault(alike, {})[origin] = by_method
    return offers


class _Network:
    """Source -> method -> alike questions -> cell -> sink."""

    def __init__(self, offers: Mapping[Alike, Mapping[str, object]], *, wanted: Mapping[Cell, int]) -> None:
        self._edges: dict[Edge, int] = {}
        self.alike = {f"alike {number:06d}": alike for number, alike in enumerate(sorted(offers))}
        self.cells = {f"cell {number:06d}": cell for number, cell in enumerate(sorted(wanted))}
        for name, alike in self.alike.items():
            size = len(offers[alike])
            self._edges[name, f"{name} out"] = size
            self._edges.update({(f"method {method}", name): size for method in alike[2]})
            fits = (label for label, cell in self.cells.items() if cell in {alike[:2], (alike[0], ANY_TYPE)})
            self._edges.update({(f"{name} out", label): size for label in fits})
        self._edges.update({(label, "sink"): wanted[cell] for label, cell in self.cells.items()})

    def flow(self, limits: Mapping[str, int]) -> _Flow:
        """Return how many questions each method takes of each group, and which cells they fill."""
        source = {("source", f"method {method}"): limit for method, limit in limits.items()}
        flow = max_flow({**self._edges, **source}, source="source", sink="sink")
        by_method = {
            (self.alike[end], start.removeprefix("method ")): n
            for (start, end), n in flow.items()
            if end in self.alike and n
        }
        filled = {
            (self.alike[start.removesuffix(" out")], self.cells[end]): n
            for (start, end), n in flow.items()
            if end in self.cells and n
        }
        return _Flow(by_method, filled, sum(by_method.values()))

    def widened(self, targets: Mapping[str, int], *, total: int, methods: Mapping[str, Fraction]) -> dict[str, int]:
        """Return the smallest limits above the targets with which as much as possible is filled."""
        limits = dict(targets)
        for method in sorted(methods, key=lambda method: (-methods[method], method)):
            most = self.flow({**limits, method: limits[method] + total}).value
            low, high = limits[method], limits[method] + total
            while low < high:
                middle = (low + high) // 2
                enough = self.flow({**limits, method: middle}).value >= most
                low, high = (low, middle) if enough else (middle + 1, high)
            limits[method] = low
        return limits


def max_flow(capacity: Mapping[Edge, int], *, source: str, sink: str) -> dict[Edge, int]:
    """Return the flow over every edge, sorted by name, such that as much as possible reaches the sink.

    capacity: (from, to) -> how much the edge carries at most. Nodes are numbered in the order of their names, so the
    flow (not only its value) is the same for every order of the mapping.
    """
    import numpy as np  # noqa: PLC0415 - heavy, and only for unanswerables
    from scipy.sparse import csr_array  # noqa: PLC0415 - heavy, and only for unanswerables
    from scipy.sparse.csgraph import maximum_flow  # noqa: PLC0415 - heavy, and only for unanswerables

    edges = sorted(capacity)
    names = sorted({source, sink, *chain.from_iterable(edges)})
    numbers = {name: number for number, name in enumerate(names)}
    tails, heads = [numbers[tail] for tail, _ in edges], [numbers[head] for _, head in edges]
    carried = np.array([capacity[edge] for edge in edges], dtype=np.int32)
    network = csr_array((carried, (tails, heads)), shape=(len(names), len(names)))
    flow = maximum_flow(network, numbers[source], numbers[sink]).flow.tocoo()
    amounts = {
        (names[tail], names[head]): int(amount)
        for tail, head, amount in zip(flow.row.tolist(), flow.col.tolist(), flow.data.tolist(), strict=True)
    }
    return {edge: max(0, amounts.get(edge, 0)) for edge in edges}  # against its edge, a flow is negative


@dataclass(frozen=True, slots=True)
class _Flow:
    """Questions by group and method, the same by group and cell, and their number."""

    by_method: Mapping[tuple[Alike, str], int]
    filled: Mapping[tuple[Alike, Cell], int]
    value: int


def _picks(
    flow: _Flow, offers: Mapping[Alike, Mapping[str, Mapping[str, Proposal]]], *, seed: int
) -> dict[str, tuple[Proposal, Cell]]:
    picks: dict[str, tuple[Proposal, Cell]] = {}
    for alike, origins in sorted(offers.items()):
        ordered = sorted(origins, key=lambda origin: (draw(seed, "unanswerable", origin), origin))
        by_method = [method for method in alike[2] for _ in range(flow.by_method.get((alike, method), 0))]
        cells = [cell for (group, cell), n in sorted(flow.filled.items()) if group == alike for _ in range(n)]
        for origin, method, cell in zip(ordered, by_method, cells, strict=False):
            picks[origin] = (origins[origin][method], cell)
    return picks


def _assignment(
    picks: Mapping[str, tuple[Proposal, Cell]],
    *,
    wanted: Mapping[Cell, int],
    targets: Mapping[str, int],
    offers: Mapping[Alike, Mapping[str, object]],
) -> Assignment:
    by_cell = Counter(cell for _, cell in picks.values())
    by_method = Counter(proposal.method for proposal, _ in picks.values())
    short_cells = {cell: wanted[cell] - by_cell[cell] for cell in sorted(wanted) if wanted[cell] > by_cell[cell]}
    short_methods = {m: targets[m] - by_method[m] for m in sorted(targets) if targets[m] > by_method[m]}
    borrowed = {m: by_method[m] - targets[m] for m in sorted(targets) if by_method[m] > targets[m]}
    return Assignment(
        chosen=tuple(proposal for _, (proposal, _) in sorted(picks.items())),
        cells={origin: cell for origin, (_, cell) in sorted(picks.items())},
        targets=targets,
        short_cells=short_cells,
        short_methods=short_methods,
        borrowed=borrowed,
        shortfalls=(
            *(_method_reason(m, offers, target=targets[m], used=by_method[m]) for m in short_methods),
            *(_cell_reason(cell, offers, wanted=wanted[cell], used=by_cell[cell]) for cell in short_cells),
        ),
        loans=tuple(
            f"{m} gave {n} more than its {targets[m]}, in place of methods that fell short."
            for m, n in borrowed.items()
        ),
    )


def _method_reason(method: str, offers: Mapping[Alike, Mapping[str, object]], *, target: int, used: int) -> str:
    supply = sum(len(origins) for alike, origins in offers.items() if method in alike[2])
    why = (
        f"only {supply} questions of the pool have a checked proposal by it"
        if supply < target
        else f"of the {supply} questions with a checked proposal by it the others are used otherwise, or of other types"
    )
    return f"{method}: {used} of {target}; {why}."


def _cell_reason(cell: Cell, offers: Mapping[Alike, Mapping[str, object]], *, wanted: int, used: int) -> str:
    supply = sum(len(origins) for alike, origins in offers.items() if cell in {alike[:2], (alike[0], ANY_TYPE)})
    why = (
        f"only {supply} questions of it have a checked proposal"
        if supply < wanted
        else f"{supply} questions of it have a checked proposal, but by methods whose numbers are full"
    )
    return f"{cell[0]}/{cell[1]}: {used} of {wanted} unanswerables; {why}."
