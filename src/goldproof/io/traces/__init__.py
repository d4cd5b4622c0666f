"""Reading traces of searches: JSON lines, flat tables, span exports, Python objects."""

from goldproof.io.traces.frames import traces_from_frame
from goldproof.io.traces.json_lines import traces_from_records
from goldproof.io.traces.reading import read_traces

__all__ = ["read_traces", "traces_from_frame", "traces_from_records"]
