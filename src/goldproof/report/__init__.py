"""Tables for terminals, Markdown, LaTeX, CSV and HTML; line and bar charts as SVG."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.report.charts import Chart, Line, Panel, chart_svg, charts_available
    from goldproof.report.result import JobResult, Note, Writer
    from goldproof.report.tables import STYLES, Heading, Table, render
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "charts": ("Chart", "Line", "Panel", "chart_svg", "charts_available"),
            "result": ("JobResult", "Note", "Writer"),
            "tables": ("Heading", "STYLES", "Table", "render"),
        },
    )

__all__ = [
    "STYLES",
    "Chart",
    "Heading",
    "JobResult",
    "Line",
    "Note",
    "Panel",
    "Table",
    "Writer",
    "chart_svg",
    "charts_available",
    "render",
]
