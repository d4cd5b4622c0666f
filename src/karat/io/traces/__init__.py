"""Reading traces of searches: JSON lines, flat tables, span exports, Python objects."""

from karat.io.traces.frames import traces_from_frame
from karat.io.traces.json_lines import traces_from_records
from karat.io.traces.reading import read_traces

__all__ = ["read_traces", "traces_from_frame", "traces_from_records"]
