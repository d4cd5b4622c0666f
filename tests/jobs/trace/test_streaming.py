"""Traces are read, counted and dropped batch by batch; how they are cut changes no number."""

from __future__ import annotations

import random
import weakref
from functools import partial
from typing import TYPE_CHECKING

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import goldproof
from goldproof.errors import FileFormatError
from goldproof.io import write_parquet
from goldproof.io.diagnostics import Diagnostics
from goldproof.io.traces import read_traces
from tests.jobs.trace.conversations import Json, failed, talk, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from goldproof.records.traces import TraceTable

SOURCE = "goldproof.jobs.trace.inputs.read_traces"
CONVERSATIONS = 60


def make_conversations() -> list[Json]:
    """Uneven ones: some without labels, a search or a cluster, one that failed; about 8 results each."""
    rng = random.Random(3)
    made = []
    for number in range(CONVERSATIONS):
        iterations = [
            [(f"d{rng.randrange(9)}", rng.choice([None, 0, 1, 2, 3, 4])) for _ in range(rng.randrange(8))]
            for _ in range(rng.randrange(5))
        ]
        made.append(talk(f"c{number}", *iterations, **({"cluster": f"k{number % 7}"} if number % 3 else {})))
    return [*made, failed("crashed")]


class Watched:
    """Reads traces in small batches, and notes how many are alive as each one leaves."""

    def __init__(self, results_per_batch: int) -> None:
        self.results_per_batch = results_per_batch
        self.refs: list[weakref.ref[object]] = []
        self.alive: list[int] = []

    def read(self, path: Path, diagnostics: Diagnostics) -> Iterator[TraceTable]:
        for table in read_traces(path, diagnostics, results_per_batch=self.results_per_batch):
            # A table has slots and takes no weak reference; its labels live as long as it does.
            self.refs.append(weakref.ref(table.results.gains))
            self.alive.append(sum(ref() is not None for ref in self.refs))
            yield table


@pytest.mark.parametrize("dedup", ["full", "id"])
@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_no_more_than_two_batches_are_alive_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, dedup: str
) -> None:
    path = write_as(tmp_path, suffix)
    watched = Watched(results_per_batch=20)
    monkeypatch.setattr(SOURCE, watched.read)
    result = goldproof.score_traces(path, dedup=dedup)
    assert len(watched.refs) > 10
    assert max(watched.alive) <= 2  # the one that leaves, and the one that the job still holds
    assert not any(ref() for ref in watched.refs)
    assert len(result.conversations) == CONVERSATIONS + 1


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
@pytest.mark.parametrize("results_per_batch", [1, 7, 50, 1_000])
def test_the_size_of_a_batch_changes_no_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, results_per_batch: int
) -> None:
    path = write_as(tmp_path, suffix)
    whole = goldproof.score_traces(path)
    monkeypatch.setattr(SOURCE, partial(read_traces, results_per_batch=results_per_batch))
    cut = goldproof.score_traces(path)
    assert_frame_equal(cut.iterations, whole.iterations, check_exact=True)
    assert_frame_equal(cut.conversations, whole.conversations, check_exact=True)
    assert cut.to_dict() == whole.to_dict()


def test_a_pool_over_systems_does_not_depend_on_the_size_of_a_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversations = make_conversations()
    systems = {
        "first": write(tmp_path / "first.jsonl", conversations[:40]),
        "second": write(tmp_path / "second.jsonl", conversations[20:]),
    }
    whole = goldproof.score_traces(systems=systems, pool="systems").conversations
    monkeypatch.setattr(SOURCE, partial(read_traces, results_per_batch=15))
    cut = goldproof.score_traces(systems=systems, pool="systems").conversations
    assert_frame_equal(cut, whole, check_exact=True)


def test_a_batch_comes_before_the_rest_of_the_file_is_parsed(tmp_path: Path) -> None:
    path = write(tmp_path / "traces.jsonl", make_conversations())
    with path.open("ab") as file:
        file.write(b"{broken\n")
    tables = read_traces(path, Diagnostics(path), results_per_batch=20)
    assert len(next(tables).conversations)
    with pytest.raises(FileFormatError, match=f":{CONVERSATIONS + 2}"):
        list(tables)


def write_as(folder: Path, suffix: str) -> Path:
    """Write the conversations as JSON lines or as a flat table."""
    conversations = make_conversations()
    if suffix == "jsonl":
        return write(folder / "traces.jsonl", conversations)
    path = folder / "traces.parquet"
    write_parquet(
        path, pl.DataFrame([row for one in conversations for row in flat_rows(one)], infer_schema_length=None)
    )
    return path


def flat_rows(conversation: Json) -> list[Json]:
    """Return a row per result; without a result, one row says so."""
    common = {"conversation_id": conversation["conversation_id"], "cluster": conversation.get("cluster")}
    turns = conversation.get("turns", [{"iterations": []}])
    rows = [
        {**common, "iteration": i, "rank": rank, "url": result.get("url"), "gain": result.get("gain"), "error": None}
        for i, iteration in enumerate(turns[-1]["iterations"], start=1)
        for rank, result in enumerate(iteration["searches"][0]["results"] or [{}], start=1)
    ]
    nothing = {**common, **dict.fromkeys(("iteration", "rank", "url", "gain")), "error": conversation.get("error")}
    return rows or [nothing]
