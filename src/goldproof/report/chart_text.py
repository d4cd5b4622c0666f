"""What is written around the panels of a chart: title, legend, counts and notes.

Legend and counts are drawn as marks at places of our own choosing, since Vega's legend cannot show a dashed line with
its point on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt

from goldproof.report.chart_axes import WIDTH, colour, dash, hidden, shape, view
from goldproof.report.chart_style import FAINT, INK, POINT, column_width, shortened, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.report.chart_rows import CountRow

SAMPLE = 34
LEGEND_ROW = 18
SMALL_ROW = 14
# Ticks, their labels and the title of the x axis stand between a panel and its counts.
BELOW_AXIS = 16


def heading(title: str) -> alt.TitleParams:
    """Return the chart's title, broken where it is long."""
    return alt.TitleParams(wrapped(title, letters=80), anchor="start", frame="group", fontSize=15, color=INK, offset=14)


def legend(names: Sequence[str]) -> alt.LayerChart:
    """Return the legend: for each series a piece of its line with its point, and its name."""
    shown = [shortened(name, letters=84) for name in names]
    width = column_width(shown, most=WIDTH)
    side = WIDTH // width
    places = [(i, i % side * width, i // side * LEGEND_ROW) for i in range(len(names))]
    rows = [{"series": i, "name": shown[i], "x": x, "end": x + SAMPLE, "y": y} for i, x, y in places]
    base = view(rows).encode(x=alt.X("x:Q", scale=None, axis=None), y=pixels("y"))
    sample = base.encode(x2="end:Q", color=colour(names), strokeDash=dash(names))
    point = base.encode(color=colour(names), shape=shape(names))
    name = base.encode(text="name:N")
    layers = [
        sample.mark_rule(strokeWidth=2, aria=False),
        point.mark_point(filled=True, size=POINT, opacity=1, xOffset=SAMPLE / 2, aria=False),
        name.mark_text(align="left", dx=SAMPLE + 6, fontSize=12, color=INK),
    ]
    return alt.LayerChart(layer=layers, width=WIDTH, height=places[-1][-1] + 8)


def count_table(rows: Sequence[CountRow], names: Sequence[str], *, title: str, x: alt.X) -> alt.LayerChart:
    """Return the counts below their x: a row for each series, marked by its point."""
    order = sorted({row["series"] for row in rows})
    tops = {series: BELOW_AXIS + number * SMALL_ROW for number, series in enumerate(order, start=1)}
    keys = view([{"series": series, "y": top} for series, top in tops.items()])
    counts = view([{**row, "y": tops[row["series"]]} for row in rows])
    layers = [
        small([shortened(title, letters=100)], top=BELOW_AXIS),
        keys.encode(y=pixels("y"), color=colour(names), shape=shape(names)).mark_point(
            x=-14, filled=True, size=30, opacity=1, aria=False
        ),
        counts.encode(x=hidden(x), y=pixels("y"), text="text:N").mark_text(fontSize=10, color=INK),
    ]
    return alt.LayerChart(layer=layers, width=WIDTH, height=max(tops.values()) + SMALL_ROW // 2)


def footer(notes: Sequence[str]) -> alt.Chart:
    """Return the notes, broken into lines."""
    lines = [line for note in notes for line in wrapped(note, letters=120)]
    return small(lines, top=-8).properties(width=WIDTH, height=(len(lines) - 1) * SMALL_ROW or 1)


def small(lines: Sequence[str], *, top: int) -> alt.Chart:
    """Return lines of small, faint text."""
    rows = [{"text": line, "y": top + number * SMALL_ROW} for number, line in enumerate(lines)]
    chart = view(rows).encode(y=pixels("y"), text="text:N")
    drawn: alt.Chart = chart.mark_text(x=0, align="left", fontSize=10.5, color=FAINT)
    return drawn


def pixels(field: str) -> alt.Y:
    """Return y as pixels from the top of the view."""
    return alt.Y(f"{field}:Q", scale=None, axis=None)
