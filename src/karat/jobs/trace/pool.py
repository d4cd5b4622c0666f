"""The pool of good results that a search should find: by which iteration had a system found all of it?

    own      the good results of the trace itself
    systems  the good results of all compared systems together, found to be the same by the same rules as duplicates
    given    the good documents of a file, by the question; found where a result has that id

A system has found a pooled result when it returned it with a good label of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from karat.core.errors import InputError
from karat.core.traces import RESULT_COLUMNS, ResultTable
from karat.io.labels import Labels, document_names, labels_from_object

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from karat.core.arrays import IntArray
    from karat.jobs.trace.batch import Batch
    from karat.jobs.trace.scoring import Scoring
    from karat.metrics.gain.iterations import Iterations


@dataclass(frozen=True, slots=True)
class Pooling:
    """Which good results IterationsForAllGoodResults waits for. given: those of a file or object."""

    name: str
    given: Labels | None = None

    @property
    def shared(self) -> bool:
        """Whether the good results of all systems are put together."""
        return self.name == "systems"

    @classmethod
    def named(cls, pool: object, *, systems: int) -> Pooling:
        """Read what a user gave."""
        if isinstance(pool, str) and pool == "auto":
            return cls("systems" if systems > 1 else "own")
        if isinstance(pool, str) and pool in ("own", "systems"):
            return cls(pool)
        if isinstance(pool, str) and not Path(pool).exists():
            raise InputError(f"pool {pool!r} is neither 'own' nor 'systems', and there is no such file.")
        given = labels_from_object(pool, what="pool")
        if "question" not in given.frame.columns:
            raise InputError("pool: its documents belong to no question; give a question with each (TREC qrels).")
        return cls("given", given)


class Completion(NamedTuple):
    """Per conversation: how large the pool is, how much of it was found, and by which iteration all (0: never)."""

    pool: IntArray
    found: IntArray
    completed: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class GoodResults:
    """The good results of one system: what they are, and where they were first found.

    conversation: its id, per result. iteration: from 1.
    """

    results: ResultTable
    conversation: pl.Series
    iteration: IntArray


def batch_completion(batch: Batch, *, pooling: Pooling, threshold: int) -> Completion:
    """Return what a batch alone can tell; a pool shared by systems comes later."""
    if pooling.given is not None:
        return given_completion(batch, pooling.given, threshold=threshold)
    return own_completion(batch.counts.iterations(threshold=threshold))


def own_completion(iterations: Iterations) -> Completion:
    """Return by which iteration each conversation had found all that it ever found."""
    rows = np.repeat(np.arange(len(iterations.starts) - 1), np.diff(iterations.starts))
    completed = np.zeros(len(iterations.starts) - 1, dtype=np.int64)
    fruitful = iterations.good > 0
    np.maximum.at(completed, rows[fruitful], iterations.number[fruitful])
    found = np.bincount(rows, weights=iterations.good, minlength=len(completed)).astype(np.int64)
    return Completion(found, found, completed)


def good_results(batch: Batch, *, threshold: int) -> GoodResults:
    """Take the good first occurrences from a batch."""
    table, rows = batch.table, batch.good_rows(threshold)
    results = table.results
    conversation, iteration = locate(rows, batch)
    return GoodResults(
        ResultTable(
            results.columns[rows] if len(results.columns.columns) else results.columns,
            batch.labels[rows],
            fields=None if results.fields is None else [results.fields[row] for row in rows.tolist()],
        ),
        table.conversations.gather(conversation),
        iteration,
    )


def locate(rows: IntArray, batch: Batch) -> tuple[IntArray, IntArray]:
    """Return the conversation of each result row, and in which of its iterations, from 1, it stands."""
    table = batch.table
    flat = np.searchsorted(table.results_by_iteration, rows, side="right") - 1
    conversation = np.searchsorted(table.iteration_starts, flat, side="right") - 1
    return conversation, flat - table.iteration_starts[conversation] + 1


def given_completion(batch: Batch, pool: Labels, *, threshold: int) -> Completion:
    """Return by which iteration each conversation of a batch had found its given pool."""
    table = batch.table
    rows = np.flatnonzero(pool.gains_for(table) >= threshold)
    conversation, iteration = locate(rows, batch)
    named = pl.DataFrame({"c": conversation, "d": document_names(table).gather(rows), "i": iteration})
    first = named.group_by("c", "d").agg(pl.col("i").min())
    sizes = pool.frame.filter(pl.col("gain") >= threshold).group_by("question").len("pool")
    size = table.questions.to_frame("question").join(sizes, on="question", how="left", maintain_order="left")["pool"]
    return _complete(
        size.fill_null(0).to_numpy().astype(np.int64),
        conversation=first["c"].to_numpy(),
        iteration=first["i"].to_numpy(),
    )


def shared_completion(
    systems: Mapping[str, Sequence[GoodResults]], *, conversations: Mapping[str, pl.Series], scoring: Scoring
) -> dict[str, Completion]:
    """Pool the good results of all systems; conversations: those of each system, in the order of its rows."""
    everything = [(name, part) for name, parts in systems.items() for part in parts]
    ids = pl.concat([part.conversation for _, part in everything] or [pl.Series(dtype=pl.String)])
    order = np.argsort(ids.rank("dense").fill_null(0).to_numpy(), kind="stable")
    runs = ids.gather(order).rle().struct.unnest()
    starts = np.concatenate([[0], np.cumsum(runs["len"].to_numpy().astype(np.int64))])
    marks = scoring.mark(_taken([part.results for _, part in everything], order), starts)
    sizes = np.diff(starts) - np.bincount(
        np.searchsorted(starts, marks.repeats.rows, side="right") - 1, minlength=len(starts) - 1
    )
    pooled = pl.DataFrame(
        {
            "system": pl.Series(
                [name for name, part in everything for _ in range(len(part.iteration))], dtype=pl.String
            ).gather(order),
            "conversation": ids.gather(order),
            "group": marks.origin,
            "iteration": np.concatenate([part.iteration for _, part in everything] or [np.empty(0, np.int64)])[order],
        }
    )
    size_of = pl.DataFrame({"conversation": runs["value"], "pool": sizes})
    return {name: _completion(pooled, size_of, name, own) for name, own in conversations.items()}


def _completion(pooled: pl.DataFrame, size_of: pl.DataFrame, name: str, conversations: pl.Series) -> Completion:
    """One system's share in the pool of each of its conversations."""
    rows = conversations.to_frame("conversation").with_row_index("row")
    sizes = rows.join(size_of, on="conversation", how="left", maintain_order="left")["pool"].fill_null(0).to_numpy()
    first = pooled.filter(pl.col("system") == name).group_by("conversation", "group").agg(pl.col("iteration").min())
    placed = first.join(rows, on="conversation", how="inner")
    return _complete(
        sizes.astype(np.int64),
        conversation=placed["row"].to_numpy().astype(np.int64),
        iteration=placed["iteration"].to_numpy(),
    )


def _complete(size: IntArray, *, conversation: IntArray, iteration: IntArray) -> Completion:
    """Complete is who found as many as there are; the last of them tells when."""
    found = np.bincount(conversation, minlength=len(size))
    latest = np.zeros(len(size), dtype=np.int64)
    np.maximum.at(latest, conversation, iteration)
    return Completion(size, found, np.where((found >= size) & (size > 0), latest, 0))


def _taken(parts: list[ResultTable], order: IntArray) -> ResultTable:
    """Put tables below one another, and their rows in another order."""
    fields = None
    if any(part.fields is not None for part in parts):
        flat = [field for part in parts for field in (part.fields or [None] * len(part))]
        fields = [flat[row] for row in order.tolist()]
    columns = pl.concat([_all_columns(part) for part in parts])[order] if parts else pl.DataFrame()
    gains = np.concatenate([part.gains for part in parts] or [np.empty(0, np.int8)])[order]
    return ResultTable(columns, gains, fields=fields)


def _all_columns(part: ResultTable) -> pl.DataFrame:
    """Give every table the same columns; ids are text, since those of another system may be."""
    have = part.columns.columns
    nothing = pl.repeat(None, len(part), dtype=pl.String, eager=True)
    return pl.DataFrame({c: part.columns[c].cast(pl.String) if c in have else nothing for c in RESULT_COLUMNS})
