"""The manifest: exactly seven columns, quoted as RFC 4180 says."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from goldproof.jobs.build.output.files import COLUMNS, manifest_lines
from tests.jobs.build.samples import PLAIN, UNANSWERABLE, samples

if TYPE_CHECKING:
    from goldproof.jobs.build.records import Sample

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
