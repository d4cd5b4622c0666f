"""What is shown of traces beside the study: pools of good results found, and systems and pairs over iterations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goldproof.metrics import METRICS, Metric, parse_metric
from goldproof.metrics.gain.iterations import COMPLETION
from goldproof.metrics.gain.iterations_for_all_good_results import CAP
from goldproof.report import Heading, Table
from goldproof.report.numbers import NOTHING, bracket, count, number, share, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.trace.scored_traces import ScoredTraces
    from goldproof.study import Pair, Study

_PAIRED = ("CG", "SRR")


def pool_tables(traces: ScoredTraces, study: Study) -> list[Table]:
    """In how many conversations each system found all good results, and by when; nothing where that was not asked."""
    if COMPLETION not in study.tested or traces.pool == "own":
        return []
    names = ("completed", "95% interval", "by iteration", "pool found", "capped mean")
    headings = (Heading("run", "left"), *(Heading(name) for name in names))
    rows = tuple(_pool_cells(traces, study, name) for name in traces.systems)
    pool = "what all systems found together" if traces.pool == "systems" else "the good documents of its question"
    capped = f"Capped mean: {COMPLETION}, which is {CAP} for each of the others."
    notes = (
        f"Completed: every good result of the conversation's pool was found; the pool is {pool}.",
        f"By iteration: the mean over the n conversations that completed. {capped}",
        *(line for pair in study.design.pairs if (line := _both_completed(traces, pair))),
    )
    return [Table(headings, rows, title="Conversations that found all good results", notes=notes)]


def _pool_cells(traces: ScoredTraces, study: Study, name: str) -> tuple[str, ...]:
    found = traces.pool_share(name, seed=study.design.test.seed)
    if found is None or not found.conversations:
        return (name, *[NOTHING] * 5)
    low, high = found.interval.low, found.interval.high
    iteration = NOTHING if found.iteration is None else f"{number(found.iteration, digits=1)} (n = {found.completed:,})"
    return (
        name,
        f"{found.completed:,} of {found.conversations:,} ({share(found.share)})",
        NOTHING if low is None or high is None else f"[{share(low)}, {share(high)}]",
        iteration,
        share(traces.systems[name].pool_found_share),
        number(study.summary(name, COMPLETION).mean, digits=2),
    )


def _both_completed(traces: ScoredTraces, pair: Pair) -> str | None:
    """Compare two systems where both completed: means over different conversations cannot be compared."""
    both = traces.both_completed(pair.a, pair.b)
    if not both.conversations:
        return None
    conversations = f"{both.conversations:,} conversation{'s' * (both.conversations != 1)}"
    means = f"{number(both.a, digits=1)} and {number(both.b, digits=1)}"
    return f"{pair.a} and {pair.b} both completed in {conversations}, by iteration {means} on average there."


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
