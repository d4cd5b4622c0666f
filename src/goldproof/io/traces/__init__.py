"""Reading traces of searches: JSON lines, flat tables, span exports, Python objects."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.io.traces.flat_files import traces_from_frame
    from goldproof.io.traces.json_lines import traces_from_records
    from goldproof.io.traces.trace_files import read_traces
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "flat_files": ("traces_from_frame",),
            "json_lines": ("traces_from_records",),
            "trace_files": ("read_traces",),
        },
    )

__all__ = ["read_traces", "traces_from_frame", "traces_from_records"]
