"""What is shown of traces beside the study: each system over its iterations, and each pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics import METRICS, Metric, parse_metric
from goldproof.report import Heading, Table
from goldproof.report.numbers import bracket, count, number, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.trace.scored_traces import ScoredTraces
    from goldproof.study import Pair, Study

_PAIRED = ("CG", "SRR")


def iteration_tables(traces: ScoredTraces, study: Study) -> list[Table]:
    """One table per system, and one per pair of systems, over the iterations."""
    families = _families(study)
    if not families:
        return []
    systems = [_system_table(traces, study, name, families) for name in traces.systems]
    return systems + [_pair_table(traces, study, pair, families) for pair in study.design.pairs]


def _families(study: Study) -> list[str]:
    families = dict.fromkeys(parse_metric(name).family for name in study.panel.metrics)
    return [family for family in families if METRICS.get(family).kind != "completion"]


def _iterations(traces: ScoredTraces) -> range:
    return range(1, min(traces.longest, traces.shown) + 1)


def _system_table(traces: ScoredTraces, study: Study, name: str, families: Sequence[str]) -> Table:
    one = traces.systems[name]
    totals = one.iterations.counted(one.iterations.results).astype(np.float64)
    counted = next((family for family in families if METRICS.get(family).kind == "gain"), families[0])
    rows = []
    for i in (*_iterations(traces), None):
        reached = one.system.lengths >= (1 if i is None else i)
        results = one.at(totals, i)[one.system.lengths > 0 if one.scoring.carry else reached]
        means = [number(study.summary(name, str(Metric(family, i))).mean) for family in families]
        n = study.summary(name, str(Metric(counted, i))).n
        start = "end" if i is None else str(i)
        rows.append((start, count(int(reached.sum())), count(n), number(_mean(results), digits=1), *means))
    headings = (Heading("i"), Heading("reach i"), Heading(f"n of {counted}"), Heading("R@i"), *map(Heading, families))
    return Table(headings, tuple(rows), title=f"{name} over iterations", notes=_shrinking(traces, name))


def _shrinking(traces: ScoredTraces, name: str) -> tuple[str, ...]:
    """Say over which conversations a curve over iterations is."""
    one = traces.systems[name]
    searched = one.system.lengths[one.system.lengths > 0]
    uneven = len(searched) > 0 and searched.min() < searched.max()
    if one.scoring.carry:
        notes = ["means over the conversations that have a value; each keeps its last beyond its last iteration."]
    else:
        notes = ["means over the conversations that reach i and have a value; 'end' is the last iteration of each."]
        if uneven:
            notes.append(
                f"The set shrinks with i: conversations end after {searched.min()} to {searched.max()} iterations and "
                "have no value beyond. A rising curve may only mean that the easy ones have ended."
            )
    if traces.longest > traces.shown:
        beyond = f"{traces.shown + 1} to {traces.longest}"
        notes.append(f"Iterations {beyond} are in iterations.parquet (--up-to shows more).")
    return tuple(notes)


def _pair_table(traces: ScoredTraces, study: Study, pair: Pair, families: Sequence[str]) -> Table:
    chosen = [family for family in _PAIRED if family in families] or list(families[:2])
    rows = []
    for i in (*_iterations(traces), None):
        cells = [str(i or "end")]
        for family in chosen:
            found = study.describe(str(Metric(family, i)), pair)
            low, high = found.interval.low, found.interval.high
            cells += [count(found.n), signed(found.difference), bracket(low, high, sign=True)]
        rows.append(tuple(cells))
    headings = [Heading("i")]
    for family in chosen:
        headings += [Heading("pairs"), Heading(family), Heading("95% interval")]
    return Table(
        tuple(headings),
        tuple(rows),
        title=f"{pair.a} − {pair.b} over iterations",
        notes=("pairs: conversations in which both systems have a value at iteration i. Described, not tested.",),
    )


def _mean(values: np.typing.NDArray[np.float64]) -> float | None:
    return float(values.mean()) if len(values) else None
