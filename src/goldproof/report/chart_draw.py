"""A chart drawn: Altair describes it in Vega-Lite, vl-convert turns that into SVG without a browser or network.

From top to bottom: title, legend, panels, counts, notes. Views line up by their plot areas (`bounds="flush"`), so that
an x stands in one place in all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt
import vl_convert

from goldproof.report.chart_axes import WIDTH, colour, dash, shape, view, x_axis, y_axis
from goldproof.report.chart_rows import alone, band_rows, count_rows, point_rows, series_names, shifts, x_values
from goldproof.report.chart_style import FAINT, FONT, GRID, INK, MOST_TICKS, POINT, ticks
from goldproof.report.chart_text import count_table, footer, heading, legend

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.report.chart import Chart, Panel

PANEL_HEIGHT = 130


def draw(chart: Chart) -> str:
    """Return the chart as SVG."""
    # What the caller set in Altair for charts of their own must not change this one.
    with alt.theme.enable("default"), alt.data_transformers.enable("default"):
        spec = describe(chart).to_dict()
    return vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]) + "\n"


def describe(chart: Chart) -> alt.VConcatChart:
    """Return the views of a chart, one above another."""
    names = series_names(chart)
    views: list[alt.Chart | alt.LayerChart] = [
        *([legend(names)] if names else []),
        *panels(chart),
        *([footer(chart.notes)] if chart.notes else []),
    ]
    stack = alt.VConcatChart(vconcat=views, spacing=30, bounds="flush", padding=14, background="white")
    described: alt.VConcatChart = (
        stack.properties(title=heading(chart.title))
        .resolve_scale(x="independent", y="independent")
        .configure(font=FONT)
        .configure_view(stroke=None)
        .configure_axis(labelColor=INK, titleColor=INK, titleFontWeight="normal", gridColor=GRID)
    )
    return described


def panels(chart: Chart) -> list[alt.LayerChart]:
    """Return the panels, with the counts below the last, or below each where they differ."""
    shift, xs = shifts(chart), x_values(chart)
    names, marks = list(shift), ticks(xs[0], xs[-1])
    counts = [count_rows(panel, names, ticks=marks) for panel in chart.panels]
    differ = any(rows != counts[-1] for rows in counts)
    views = []
    for number, (panel, rows) in enumerate(zip(chart.panels, counts, strict=True), start=1):
        last = number == len(counts)
        x = x_axis(marks, labels=last or differ, title=chart.x_title if last else "")
        views.append(axes(panel, shift, x=x, size=POINT * min(1, MOST_TICKS / len(xs))))
        if rows and (last or differ):
            views.append(count_table(rows, names, title=chart.n_title, x=x))
    return views


def axes(panel: Panel, shift: Mapping[str, float], *, x: alt.X, size: float) -> alt.LayerChart:
    """Return one panel: bands below, then bars, lines and points."""
    points, bands, names = point_rows(panel, shift), band_rows(panel, shift), list(shift)
    y, low, tint = y_axis(panel, "y"), y_axis(panel, "low"), colour(names)
    band = view(bands).encode(x=x, y=low, y2="high:Q", color=tint, detail="stretch:N")
    bar = view(alone(bands)).encode(x=x, y=low, y2="high:Q", color=tint)
    point = view(points).encode(x=x, y=y, color=tint, shape=shape(names))
    line = view(points).encode(x=x, y=y, color=tint, strokeDash=dash(names), detail="stretch:N", description="name:N")
    layers = [
        band.mark_area(opacity=0.14, aria=False),
        bar.mark_rule(opacity=0.6, strokeWidth=1.5, aria=False),
        line.mark_line(strokeWidth=2),
        point.mark_point(filled=True, size=size, opacity=1, aria=False),
    ]
    if not points:
        layers.append(nothing())
    return alt.LayerChart(layer=layers, width=WIDTH, height=PANEL_HEIGHT)


def nothing() -> alt.Chart:
    """Return what stands in a panel without a value."""
    words = view([{"text": "no value to draw"}]).encode(text="text:N")
    drawn: alt.Chart = words.mark_text(x=WIDTH / 2, y=PANEL_HEIGHT / 2, color=FAINT, fontSize=12)
    return drawn
