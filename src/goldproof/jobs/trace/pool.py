"""The pool of good results, and by which iteration each conversation had found all of it.

    own      the good results of the trace itself
    systems  the good results of all compared systems, told apart by the same rules as duplicates; a system has found a
             result when it returned it with a good label of its own
    given    the good documents of a file, by question; a system has found a document when it returned a result of that
             name, or a duplicate of such a result, whatever its label

The pool depends on which systems are compared, not on their order: pooled results are sorted by their content.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from goldproof.errors import InputError
from goldproof.io import Labels, labels_from_object
from goldproof.records.traces import RESULT_COLUMNS, ResultTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.trace.inputs import Scoring
    from goldproof.jobs.trace.system_counts import CountedSystem, MarkedTable
    from goldproof.metrics.gain.iterations import Iterations
    from goldproof.records.arrays import IntArray


@dataclass(frozen=True, slots=True)
class Pooling:
    """Which good results IterationsForAllGoodResults waits for. given: those of a file or object."""

    name: str
    given: Labels | None = None

    @property
    def shared(self) -> bool:
        """Whether the good results of all systems are pooled."""
        return self.name == "systems"

    @classmethod
    def named(cls, pool: object, *, systems: int) -> Pooling:
        """Return the pooling a user gave by name, file or object; `auto` depends on the number of systems."""
        if isinstance(pool, str) and pool == "auto":
            return cls("systems" if systems > 1 else "own")
        if isinstance(pool, str) and pool in ("own", "systems"):
            return cls(pool)
        if isinstance(pool, str) and not Path(pool).exists():
            raise InputError(f"pool {pool!r} is neither 'own' nor 'systems', and there is no such file.")
        given = labels_from_object(pool, what="pool")
        if not given.per_question:
            raise InputError("pool: its documents have no question; give the question of each, as TREC qrels do.")
        return cls("given", given)


class Completion(NamedTuple):
    """Per conversation: how large the pool is, how much of it was found, and by which iteration all (0: never)."""

    pool: IntArray
    found: IntArray
    completed: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class GoodResults:
    """The good results of one system, and where each was first found.

    conversation: its id, per result. iteration: from 1.
    """

    results: ResultTable
    conversation: pl.Series
    iteration: IntArray


def completion_of(marked: MarkedTable, *, pooling: Pooling, threshold: int) -> Completion:
    """Return the completion of the own or given pool in one table; `pool_completions` does a pool of all systems."""
    if pooling.given is not None:
        return given_completion(marked, pooling.given, threshold=threshold)
    return own_completion(marked.counts.iterations(threshold=threshold))


def own_completion(iterations: Iterations) -> Completion:
    """Return by which iteration each conversation had found all good results it ever found."""
    rows = np.repeat(np.arange(len(iterations.starts) - 1), np.diff(iterations.starts))
    completed = np.zeros(len(iterations.starts) - 1, dtype=np.int64)
    fruitful = iterations.good > 0
    np.maximum.at(completed, rows[fruitful], iterations.number[fruitful])
    found = np.bincount(rows, weights=iterations.good, minlength=len(completed)).astype(np.int64)
    return Completion(found, found, completed)


def good_results(marked: MarkedTable, *, threshold: int) -> GoodResults:
    """Return the good results of a table, the first of each group."""
    table, rows = marked.table, marked.good_rows(threshold)
    results = table.results
    conversation, iteration = locate(rows, marked)
    return GoodResults(
        ResultTable(
            results.columns[rows] if len(results.columns.columns) else results.columns,
            marked.labels[rows],
            fields=None if results.fields is None else [results.fields[row] for row in rows.tolist()],
        ),
        table.conversations.gather(conversation),
        iteration,
    )


def locate(rows: IntArray, marked: MarkedTable) -> tuple[IntArray, IntArray]:
    """Return the conversation of each result row, and its iteration there, from 1."""
    table = marked.table
    flat = np.searchsorted(table.results_by_iteration, rows, side="right") - 1
    conversation = np.searchsorted(table.iteration_starts, flat, side="right") - 1
    return conversation, flat - table.iteration_starts[conversation] + 1


def given_completion(marked: MarkedTable, pool: Labels, *, threshold: int) -> Completion:
    """Return by which iteration each conversation had found its given pool."""
    table = marked.table
    known = pool.look_up(table)
    rows = np.flatnonzero(known.gains >= threshold)
    conversation, iteration = locate(marked.marks.origin[rows], marked)
    named = pl.DataFrame({"c": conversation, "d": known.documents.gather(rows), "i": iteration})
    first = named.group_by("c", "d").agg(pl.col("i").min())
    sizes = pool.frame.filter(pl.col("gain") >= threshold).group_by("question").len("pool")
    size = table.questions.to_frame("question").join(sizes, on="question", how="left", maintain_order="left")["pool"]
    return _complete(
        size.fill_null(0).to_numpy().astype(np.int64),
        conversation=first["c"].to_numpy(),
        iteration=first["i"].to_numpy(),
    )


def pool_completions(
    systems: Mapping[str, CountedSystem], *, pooling: Pooling, scoring: Scoring
) -> Mapping[str, Completion]:
    """Return the completion of every system's pool: as counted, or of the good results of all systems."""
    if not pooling.shared:
        return {name: counted.system.completion for name, counted in systems.items()}
    return shared_completion(
        {name: counted.good for name, counted in systems.items()},
        conversations={name: counted.system.conversations for name, counted in systems.items()},
        scoring=scoring,
    )


def shared_completion(
    systems: Mapping[str, Sequence[GoodResults]], *, conversations: Mapping[str, pl.Series], scoring: Scoring
) -> dict[str, Completion]:
    """Pool the good results of all systems; conversations: those of each system, in the order of its rows."""
    everything = [(name, part) for name, parts in systems.items() for part in parts]
    ids = pl.concat([part.conversation for _, part in everything] or [pl.Series(dtype=pl.String)])
    results = _stacked([part.results for _, part in everything])
    order = _content_order(ids, results)
    runs = ids.gather(order).rle().struct.unnest()
    starts = np.concatenate([[0], np.cumsum(runs["len"].to_numpy().astype(np.int64))])
    marks = scoring.mark(_taken(results, order), starts)
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
    """Return the completion of one system in the pools of its conversations."""
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
    """Return the completion: the pool is complete when as many were found as it holds, at the iteration of the last."""
    found = np.bincount(conversation, minlength=len(size))
    latest = np.zeros(len(size), dtype=np.int64)
    np.maximum.at(latest, conversation, iteration)
    return Completion(size, found, np.where((found >= size) & (size > 0), latest, 0))


def _content_order(conversations: pl.Series, results: ResultTable) -> IntArray:
    """Return the order by conversation and content, so that the order of systems does not matter."""
    fields = results.fields or [None] * len(results)
    field_texts = pl.Series(
        "fields", [repr(sorted(held.items(), key=repr)) if held else None for held in fields], dtype=pl.String
    )
    keys = results.columns.with_columns(conversations.alias("conversation"), field_texts)
    return keys.select(order=pl.arg_sort_by("conversation", *RESULT_COLUMNS, "fields", nulls_last=True))[
        "order"
    ].to_numpy()


def _stacked(parts: list[ResultTable]) -> ResultTable:
    """Concatenate tables."""
    fields = None
    if any(part.fields is not None for part in parts):
        fields = [held for part in parts for held in (part.fields or [None] * len(part))]
    columns = pl.concat(
        [_all_columns(part) for part in parts] or [pl.DataFrame(schema=dict.fromkeys(RESULT_COLUMNS, pl.String))]
    )
    return ResultTable(columns, np.concatenate([part.gains for part in parts] or [np.empty(0, np.int8)]), fields=fields)


def _taken(results: ResultTable, order: IntArray) -> ResultTable:
    """Return the rows in another order."""
    fields = None if results.fields is None else [results.fields[row] for row in order.tolist()]
    return ResultTable(results.columns[order], results.gains[order], fields=fields)


def _all_columns(part: ResultTable) -> pl.DataFrame:
    """Return all columns of a result, null where the table lacks them; ids as text, as another system may have them."""
    have = part.columns.columns
    nothing = pl.repeat(None, len(part), dtype=pl.String, eager=True)
    return pl.DataFrame({c: part.columns[c].cast(pl.String) if c in have else nothing for c in RESULT_COLUMNS})
