"""Plain tables, written for terminals, markdown, LaTeX, CSV and HTML; line charts as SVG."""

from karat.report.chart import Chart, Line, Panel, chart_svg, charts_available
from karat.report.render import STYLES, render
from karat.report.table import Heading, Table

__all__ = ["STYLES", "Chart", "Heading", "Line", "Panel", "Table", "chart_svg", "charts_available", "render"]
