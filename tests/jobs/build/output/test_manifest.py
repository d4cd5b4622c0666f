"""The manifest: exactly seven columns, quoted as RFC 4180 says, and read back."""

from __future__ import annotations

import csv
import io
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.core.errors import FileFormatError
from karat.jobs.build.output.manifest import COLUMNS, ManifestRow, manifest_lines, read_manifest
from tests.jobs.build.samples import PLAIN, THREE, UNANSWERABLE, samples

if TYPE_CHECKING:
    from karat.jobs.build.sample import Sample

HEADER = "id,doc_type,question_type,difficulty,answerable,source_dataset,original_id\n"


def manifest(*rows: Sample) -> str:
    return b"".join(manifest_lines(rows)).decode()


def test_a_manifest_is_a_header_and_a_row_per_sample() -> None:
    assert manifest(PLAIN, UNANSWERABLE) == HEADER + (
        "tatqa:a1,table,numeric,D1,true,tatqa,a1\nhotpotqa:b2~entity_swap,clean_text,multihop,D3,false,hotpotqa,b2\n"
    )


def test_commas_quotes_and_line_breaks_are_quoted() -> None:
    odd = replace(PLAIN, original_id='5", or\r6')
    assert manifest(odd).removeprefix(HEADER) == 'tatqa:a1,table,numeric,D1,true,tatqa,"5"", or\r6"\n'


@given(st.lists(samples(), max_size=4))
def test_any_csv_reader_reads_what_was_written(written: list[Sample]) -> None:
    _, *rows = csv.reader(io.StringIO(manifest(*written), newline=""), strict=True)
    assert rows == [
        [str(getattr(s, c)).lower() if c == "answerable" else getattr(s, c) for c in COLUMNS] for s in written
    ]


# A line break or NUL in a field is written and quoted, but our reader drops blank lines and refuses NUL.
fields = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=8)


@given(st.lists(st.builds(ManifestRow, *[fields] * 4, st.booleans(), *[fields] * 2), max_size=4))
def test_what_was_written_is_read_back(rows: list[ManifestRow]) -> None:
    written = [replace(PLAIN, **row._asdict()) for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "m.csv")
        path.write_bytes(manifest(*written).encode())
        assert [at.row for at in read_manifest(path)] == rows


def test_rows_know_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text(manifest(*THREE))
    assert [at.line for at in read_manifest(path)] == [2, 3, 4]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("id,doc_type\n", 1, f"has the columns id, doc_type, expected {', '.join(COLUMNS)}."),
        (HEADER + "a,b\n", 2, f"found 2 columns, expected 7 ({', '.join(COLUMNS)})."),
        (HEADER + "a,t,n,D1,True,s,o\n", 2, "answerable is 'True', expected true or false."),
        (HEADER + ",t,n,D1,true,s,o\n", 2, "the id is empty."),
    ],
)
def test_a_manifest_of_another_shape_is_refused(tmp_path: Path, text: str, line: int, problem: str) -> None:
    path = tmp_path / "m.csv"
    path.write_text(text)
    with pytest.raises(FileFormatError) as raised:
        list(read_manifest(path))
    assert (raised.value.line, raised.value.problem) == (line, problem)
