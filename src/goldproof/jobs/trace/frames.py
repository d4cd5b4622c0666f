"""Everything that was counted, as tables: a row per iteration, and a row per conversation.

Gains, good results and what is made of them are null where they are undefined; other counts never are. `status` and
`reason` are those of the gains: redundancy needs no labels and may be there all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from goldproof.metrics import METRICS, Metric
from goldproof.metrics.catalogue import SHAPES
from goldproof.metrics.gain.iterations import COMPLETION, FAMILIES
from goldproof.study.panel import STATUS_NAMES

if TYPE_CHECKING:
    from goldproof.jobs.trace.scored_system import ScoredSystem
    from goldproof.jobs.trace.scored_traces import ScoredTraces
    from goldproof.records.arrays import BoolArray, FloatArray, IntArray


def iterations_frame(traces: ScoredTraces) -> pl.DataFrame:
    """One row per system, conversation and iteration: counts, cumulative counts, metrics."""
    return pl.concat([_iterations(name, one) for name, one in traces.systems.items()])


def conversations_frame(traces: ScoredTraces) -> pl.DataFrame:
    """One row per system and conversation: totals, metrics at the last iteration, and why there are none."""
    clusters = pl.DataFrame({"conversation_id": traces.ids, "cluster": traces.clusters})
    frame = pl.concat([_conversations(name, one) for name, one in traces.systems.items()])
    joined = frame.join(clusters, on="conversation_id", how="left", maintain_order="left")
    return joined.select(
        "system", "conversation_id", "cluster", pl.all().exclude("system", "conversation_id", "cluster")
    )


def _iterations(name: str, one: ScoredSystem) -> pl.DataFrame:
    system, counts = one.system, one.iterations
    known = ~np.repeat(one.undefined_gains, system.lengths)
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
    metrics = {SHAPES[family].spell("i"): _metric(one, family, known) for family in FAMILIES}
    return rows.with_columns(**metrics)


def _metric(one: ScoredSystem, family: str, known: BoolArray) -> pl.Series:
    needs_labels = METRICS.get(family).kind == "gain"
    return _known(one.values(family), known if needs_labels else np.ones_like(known))


def _known(values: FloatArray | IntArray, known: BoolArray) -> pl.Series:
    return pl.select(pl.when(pl.Series(known)).then(pl.Series(values))).to_series()


def _conversations(name: str, one: ScoredSystem) -> pl.DataFrame:
    system, counts = one.system, one.iterations
    unknown = one.undefined_gains
    total = system.per_conversation
    pooled = (~unknown | one.pool_given) & ~system.crashed
    gains = one.own_column(Metric("CG"))
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
            "pool": _known(one.completion.pool, pooled),
            "pool_found": _known(one.completion.found, pooled),
            **{family: _last(one, Metric(family)) for family in (*FAMILIES, COMPLETION)},
        }
    )


def _last(one: ScoredSystem, metric: Metric) -> pl.Series:
    """Return a metric at the last iteration of each of the system's conversations."""
    column = one.own_column(metric)
    return _known(column.value, column.scored)
