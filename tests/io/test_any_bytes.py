"""Whatever the bytes, a reader answers or raises one of our errors; nothing of polars, gzip, csv or yaml leaks."""

from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldproof.errors import GoldproofError
from goldproof.io import read_clusters, read_dataset, read_ids, read_judgments, read_ranking, read_scores
from goldproof.jobs.validate import validate_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def parquet() -> bytes:
    stream = io.BytesIO()
    pl.DataFrame({"query_id": ["q1", "q2"], "doc_id": ["a", "b"], "score": [1, 2]}).write_parquet(stream)
    return stream.getvalue()


RUN = b"q1 Q0 a 1 2.5 t\nq1 Q0 b 2 1.5 t\nq2 Q0 a 1 0.5 t\n"
SAMPLES = {
    "x.run": RUN,
    "x.qrels": b"q1 0 a 1\nq1 0 b -1\n",
    "x.tsv": b"query-id\tcorpus-id\tscore\nq1\ta\t1\nq2\ta b\t0\n",
    "x.csv": b'query_id,doc_id,score\nq1,"a,b",1\nq2,a,0\n',
    "x.jsonl": b'{"query_id": "q1", "results": [{"doc_id": "a", "score": 1}]}\n{"query_id": "q2", "error": "x"}\n',
    "y.jsonl": b'{"query_id": "q1", "doc_id": "a", "grade": 1}\n',
    "nested.json": b'{"q1": {"a": 1.5, "b": 2}, "q2": {}}\n',
    "grades.json": b'{\n  "q1": {\n    "a": 1\n  }\n}',
    "x.yaml": b"pairs:\n  - id: a\n    positive_ctxs: [{fqn: x, grade: 2}]\n    kernels: [[x, y]]\n",
    "scores.csv": b"id,metric,value,status\nq1,AP,0.5,\nq2,AP,,failed\n",
    "clusters.csv": b"id,cluster\nq1,a\nq2,b\n",
    "ids.json": b'["a", "b"]\n',
    "x.parquet": parquet(),
    "x.gz": gzip.compress(RUN),
}
READERS: list[Callable[[Path], object]] = [
    read_judgments,
    read_ranking,
    read_dataset,
    read_scores,
    read_clusters,
    read_ids,
    validate_file,
    lambda path: read_ranking(path, skip_bad=True),
]
edits = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 3), st.binary(max_size=4)), max_size=4)


def edited(data: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    for at, length, new in changes:
        start = at % (len(data) + 1)
        data = data[:start] + new + data[start + length :]
    return data


@pytest.mark.parametrize("name", SAMPLES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(changes=edits)
def test_damaged_files_raise_only_our_errors(name: str, changes: list[tuple[int, int, bytes]], tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(edited(SAMPLES[name], changes))
    for read in READERS:
        try:
            read(path)
        except GoldproofError as error:
            assert str(path) in str(error)  # noqa: PT017


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(data=st.binary(max_size=200))
def test_random_bytes_raise_only_our_errors(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    for read in READERS:
        try:
            read(path)
        except GoldproofError as error:
            assert str(path) in str(error)  # noqa: PT017
