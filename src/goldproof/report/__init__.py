"""Plain tables, written for terminals, markdown, LaTeX, CSV and HTML; line charts as SVG."""

from goldproof.report.chart import Chart, Line, Panel, chart_svg, charts_available
from goldproof.report.render import STYLES, render
from goldproof.report.table import Heading, Table

__all__ = ["STYLES", "Chart", "Heading", "Line", "Panel", "Table", "chart_svg", "charts_available", "render"]
