"""Traces from a frame in memory: polars, pandas, or anything with named columns, one row per result.

Columns are those of `goldproof.io.traces.flat_layout`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from goldproof.io.complaints import Complaints
from goldproof.io.frames import to_polars
from goldproof.io.traces.flat_layout import flat_layout
from goldproof.io.traces.flat_reader import FlatReader
from goldproof.io.traces.flat_rows import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.core.traces import TraceTable


def traces_from_frame(frame: object, *, where: str = "traces") -> Iterator[TraceTable]:
    """Take conversations from a frame; where: what it is called in messages."""
    complaints = Complaints(Path(where))
    rows = to_polars(frame, complaints)
    layout = flat_layout(rows.columns, complaints, line=None)
    chunk = Chunk(rows.select(layout.read), np.arange(1, len(rows) + 1), np.zeros(len(rows), dtype=np.bool_))
    return FlatReader(layout, complaints, unit="row").tables([chunk])
