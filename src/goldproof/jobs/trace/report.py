"""Tables and chart over iterations; the frames of `iterations.parquet` and `conversations.parquet`.

In the frames gains, good results and their metrics are null where they are undefined; other counts never are. `status`
and `reason` are those of the gains: redundancy needs no labels and may be defined all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from goldproof.metrics import METRICS, Metric, parse_metric
from goldproof.metrics.catalogue import SHAPES
from goldproof.metrics.gain.iterations import COMPLETION, FAMILIES
from goldproof.metrics.gain.iterations_for_all_good_results import CAP
from goldproof.report import Chart, Heading, Line, Panel, Table
from goldproof.report.numbers import NOTHING, bracket, count, number, share, signed
from goldproof.study.panel import STATUS_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.jobs.trace.scores import ScoredSystem, ScoredTraces
    from goldproof.records.arrays import BoolArray, FloatArray, IntArray
    from goldproof.study import Pair, Study

_PAIRED = ("CG", "SRR")


def pool_tables(traces: ScoredTraces, study: Study) -> list[Table]:
    """Return the table of conversations that found all good results, and by when; none where no metric asks."""
    if COMPLETION not in study.shown or traces.pool == "own":
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
    pool = traces.pool_share(name, seed=study.design.test.seed)
    if pool is None or not pool.conversations:
        return (name, *[NOTHING] * 5)
    low, high = pool.interval.low, pool.interval.high
    iteration = NOTHING if pool.iteration is None else f"{number(pool.iteration, digits=1)} (n = {pool.completed:,})"
    return (
        name,
        f"{pool.completed:,} of {pool.conversations:,} ({share(pool.share)})",
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


LITTLE = 0.1  # of the gain, that later searches add
_MOST_CURVES = 4
_ORDINALS = ("first", "second", "third", "fourth", "fifth")


def redundancy_sentence(traces: ScoredTraces) -> str:
    """Say from which iteration on searches gain little, and which share of the results had been seen before."""
    texts = {name: text for name, scores in traces.systems.items() if (text := _redundancy(scores))}
    if len(traces.systems) == 1:
        return "".join(f" {text[0].upper()}{text[1:]}." for text in texts.values())
    return "".join(f" {name}: {text}." for name, text in texts.items())


def _redundancy(scores: ScoredSystem) -> str:
    redundancy = scores.own_column(Metric("SRR"))
    if not redundancy.scored.any():
        return ""
    seen = f"{redundancy.value[redundancy.scored].mean():.0%} of a conversation's results had been seen before"
    gained = _gain_by_iteration(scores)
    if len(gained) < 2 or not gained.sum():
        return seen
    later = 1 - np.cumsum(gained) / gained.sum()
    enough = int(np.flatnonzero(later < LITTLE)[0])
    if enough == len(gained) - 1:
        return f"the last iteration still adds {gained[-1] / gained.sum():.0%} of the gain; {seen}"
    named = f"the {_ORDINALS[enough]} iteration" if enough < len(_ORDINALS) else f"iteration {enough + 1}"
    return f"searches after {named} add little ({later[enough]:.0%} of the gain); {seen}"


def _gain_by_iteration(scores: ScoredSystem) -> FloatArray:
    """Return the gain of all conversations with known gains, summed by iteration."""
    known = ~np.repeat(scores.undefined_gains, scores.system.lengths)
    counts = scores.iterations
    longest = int(scores.system.lengths.max(initial=0))
    return np.bincount(counts.number[known] - 1, weights=counts.gain[known], minlength=longest).astype(np.float64)


def curve_tables(traces: ScoredTraces, study: Study) -> list[Table]:
    """Return one table of all systems: what each iteration added, and how much of it had been seen before."""
    if "CG" not in _families(traces, study) or len(traces.systems) > _MOST_CURVES or traces.longest < 2:
        return []
    headings = [Heading("iteration")]
    for name in traces.systems:
        headings += [Heading(f"{name}: n"), Heading("gain added"), Heading("seen before")]
    rows = []
    for i in _shown_iterations(traces):
        cells = [str(i)]
        for scores in traces.systems.values():
            cells += _added(scores, i)
        rows.append(tuple(cells))
    notes = ["Gain added: mean over the conversations that reach the iteration. Seen before: share of its results."]
    if traces.longest > traces.shown:
        notes.append(f"Iterations {traces.shown + 1} to {traces.longest}: --up-to {traces.longest}.")
    return [Table(tuple(headings), tuple(rows), title="What each iteration added", notes=tuple(notes))]


def _added(scores: ScoredSystem, i: int) -> list[str]:
    """Return how many conversations reach an iteration, the gain it adds, and the share of results seen before."""
    counts, lengths = scores.iterations, scores.system.lengths
    there = counts.number == i
    known = there & ~np.repeat(scores.undefined_gains, lengths)
    results = int(counts.results[there].sum())
    gain = float(counts.gain[known].mean()) if known.any() else None
    seen = int(counts.duplicates[there].sum()) / results if results else None
    reach, scored = int(np.count_nonzero(lengths >= i)), int(np.count_nonzero(known))
    n = count(reach) if scored == reach else f"{count(reach)} ({count(scored)} labelled)"
    return [n, number(gain, digits=2), share(seen)]


def iteration_tables(traces: ScoredTraces, study: Study) -> list[Table]:
    """Return a table over iterations for each system and each pair of systems."""
    families = _families(traces, study)
    if not families:
        return []
    systems = [_system_table(traces, study, name, families) for name in traces.systems]
    return systems + [_pair_table(traces, study, pair, families) for pair in study.design.pairs]


def _families(traces: ScoredTraces, study: Study) -> list[str]:
    """Return the families that are scored at every iteration; of others a gate named a single metric."""
    families = dict.fromkeys(parse_metric(name).family for name in study.panel.metrics)
    needed = (*_shown_iterations(traces), None)
    return [
        family
        for family in families
        if METRICS.get(family).kind != "completion"
        and all(str(Metric(family, i)) in study.panel.metrics for i in needed)
    ]


def _shown_iterations(traces: ScoredTraces) -> range:
    return range(1, min(traces.longest, traces.shown) + 1)


def _system_table(traces: ScoredTraces, study: Study, name: str, families: Sequence[str]) -> Table:
    scores = traces.systems[name]
    totals = scores.iterations.counted(scores.iterations.results).astype(np.float64)
    counted = next((family for family in families if METRICS.get(family).kind == "gain"), families[0])
    rows = []
    for i in (*_shown_iterations(traces), None):
        reached = scores.system.lengths >= (1 if i is None else i)
        results = scores.at(totals, i)[scores.system.lengths > 0 if scores.scoring.carry else reached]
        means = [number(study.summary(name, str(Metric(family, i))).mean) for family in families]
        n = study.summary(name, str(Metric(counted, i))).n
        start = "end" if i is None else str(i)
        rows.append((start, count(int(reached.sum())), count(n), number(_mean(results), digits=1), *means))
    headings = (Heading("i"), Heading("reach i"), Heading(f"n of {counted}"), Heading("R@i"), *map(Heading, families))
    return Table(headings, tuple(rows), title=f"{name} over iterations", notes=_shrinking(traces, name))


def _shrinking(traces: ScoredTraces, name: str) -> tuple[str, ...]:
    """Return notes on which conversations a curve over iterations averages."""
    scores = traces.systems[name]
    searched = scores.system.lengths[scores.system.lengths > 0]
    uneven = len(searched) > 0 and searched.min() < searched.max()
    if scores.scoring.carry:
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
    for i in (*_shown_iterations(traces), None):
        cells = [str(i or "end")]
        for family in chosen:
            summary = study.describe(str(Metric(family, i)), pair)
            low, high = summary.interval.low, summary.interval.high
            cells += [count(summary.n), signed(summary.difference), bracket(low, high, sign=True)]
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


_PANELS = (("CG", "mean CG@i", None), ("SRR", "mean SRR@i", (0.0, 1.0)))


def iteration_chart(traces: ScoredTraces, study: Study) -> Chart | None:
    """Return the chart of gain and redundancy; None where the study has neither, or nothing was searched."""
    iterations = _shown_iterations(traces)
    families = [panel for panel in _PANELS if all(str(Metric(panel[0], i)) in study.panel.metrics for i in iterations)]
    if not iterations or not families:
        return None
    panels = tuple(
        Panel(title, tuple(_line(study, name, family, iterations) for name in traces.systems), bounds=bounds)
        for family, title, bounds in families
    )
    return Chart(
        title="Good gain and redundancy over search iterations",
        x_title="iteration i",
        panels=panels,
        notes=("Means over the conversations that have a value at iteration i, with 95% intervals.",),
        n_title="conversations",
    )


def _line(study: Study, name: str, family: str, iterations: range) -> Line:
    summaries = [study.summary(name, str(Metric(family, i))) for i in iterations]
    return Line(
        name=name,
        x=tuple(iterations),
        y=tuple(summary.mean for summary in summaries),
        low=tuple(summary.interval.low for summary in summaries),
        high=tuple(summary.interval.high for summary in summaries),
        n=tuple(summary.n for summary in summaries),
    )


def iterations_frame(traces: ScoredTraces) -> pl.DataFrame:
    """Return a row per system, conversation and iteration: counts, cumulative counts, metrics."""
    return pl.concat([_iteration_frame(name, scores) for name, scores in traces.systems.items()])


def conversations_frame(traces: ScoredTraces) -> pl.DataFrame:
    """Return a row per system and conversation: totals, metrics at the last iteration, and why there are none."""
    clusters = pl.DataFrame({"conversation_id": traces.ids, "cluster": traces.clusters})
    frame = pl.concat([_conversations(name, scores) for name, scores in traces.systems.items()])
    joined = frame.join(clusters, on="conversation_id", how="left", maintain_order="left")
    return joined.select(
        "system", "conversation_id", "cluster", pl.all().exclude("system", "conversation_id", "cluster")
    )


def _iteration_frame(name: str, scores: ScoredSystem) -> pl.DataFrame:
    system, counts = scores.system, scores.iterations
    known = ~np.repeat(scores.undefined_gains, system.lengths)
    good, gain = _known(counts.good, known), _known(counts.gain, known)
    cumulative = {
        "R@i": counts.counted(counts.results),
        "UR@i": counts.counted(counts.unique),
        "GR@i": _known(counts.counted(counts.good), known),
        "DupR@i": counts.counted(counts.duplicates),
    }
    rows = pl.DataFrame(
        {
            "system": pl.repeat(name, len(counts.results), dtype=pl.String, eager=True),
            "conversation_id": system.conversations.gather(np.repeat(np.arange(len(system.lengths)), system.lengths)),
            "iteration": counts.number,
            "searches": system.searches,
            "failed_searches": system.failed_searches,
            "R": counts.results,
            "UR": counts.unique,
            "GR": good,
            "Dup": counts.duplicates,
            "G": gain,
            **cumulative,
            "unlabelled": system.counts.unlabelled,
        }
    )
    metrics = {SHAPES[family].spell("i"): _metric(scores, family, known) for family in FAMILIES}
    return rows.with_columns(**metrics)


def _metric(scores: ScoredSystem, family: str, known: BoolArray) -> pl.Series:
    needs_labels = METRICS.get(family).kind == "gain"
    return _known(scores.values(family), known if needs_labels else np.ones_like(known))


def _known(values: FloatArray | IntArray, known: BoolArray) -> pl.Series:
    return pl.select(pl.when(pl.Series(known)).then(pl.Series(values))).to_series()


def _conversations(name: str, scores: ScoredSystem) -> pl.DataFrame:
    system, counts = scores.system, scores.iterations
    unknown = scores.undefined_gains
    total = system.per_conversation
    pooled = (~unknown | scores.pool_given) & ~system.crashed
    gains = scores.own_column(Metric("CG"))
    return pl.DataFrame(
        {
            "system": pl.repeat(name, len(unknown), dtype=pl.String, eager=True),
            "conversation_id": system.conversations,
            "status": pl.Series(STATUS_NAMES, dtype=pl.String).gather(gains.status.astype(np.uint32)),
            "reason": pl.Series(gains.reasons, dtype=pl.String).gather(gains.reason.astype(np.uint32)),
            "iterations": system.lengths,
            "searches": total(system.searches),
            "failed_searches": total(system.failed_searches),
            "R": total(counts.results),
            "UR": total(counts.unique),
            "GR": _known(total(counts.good), ~unknown),
            "DupR": total(counts.duplicates),
            "unlabelled": total(system.counts.unlabelled),
            "label_conflicts": system.conflicts,
            "pool": _known(scores.completion.pool, pooled),
            "pool_found": _known(scores.completion.found, pooled),
            **{family: _last(scores, Metric(family)) for family in (*FAMILIES, COMPLETION)},
        }
    )


def _last(scores: ScoredSystem, metric: Metric) -> pl.Series:
    """Return a metric at the last iteration of each of the system's conversations."""
    column = scores.own_column(metric)
    return _known(column.value, column.scored)
