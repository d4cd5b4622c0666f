"""Line charts drawn with Altair.

From top to bottom: title, legend, panels, counts, notes. Views line up by their plot areas (`bounds="flush"`), so that
an x stands in one place in all of them. Legend and counts are drawn as marks at positions computed here, since Vega's
legend cannot show a dashed line with its point on it.
"""

from __future__ import annotations

from itertools import groupby
from math import inf
from typing import TYPE_CHECKING, TypedDict, TypeVar

import altair as alt
import vl_convert

from goldproof.report.chart_style import (
    FAINT,
    FONT,
    GRID,
    INK,
    MOST_TICKS,
    POINT,
    WIDTH,
    clean,
    colour,
    column_width,
    dash,
    hidden,
    shape,
    shortened,
    ticks,
    view,
    wrapped,
    x_axis,
    y_axis,
)
from goldproof.report.numbers import NOTHING, count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from goldproof.report.charts import Chart, Line, Panel


PANEL_HEIGHT = 130
SAMPLE = 34
LEGEND_ROW = 18
SMALL_ROW = 14
# Ticks, their labels and the title of the x axis stand between a panel and its counts.
BELOW_AXIS = 16
T = TypeVar("T")


class PointRow(TypedDict):
    """A value; `stretch` numbers the unbroken parts of its line."""

    series: int
    name: str
    stretch: int
    x: float
    y: float


class BandRow(TypedDict):
    """An interval; `stretch` numbers the unbroken parts of its band."""

    series: int
    stretch: int
    x: float
    low: float
    high: float


class CountRow(TypedDict):
    """A count, as written, in the row of its series."""

    series: int
    x: int
    text: str


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
    """Return the text of a panel without a value."""
    words = view([{"text": "no value to draw"}]).encode(text="text:N")
    drawn: alt.Chart = words.mark_text(x=WIDTH / 2, y=PANEL_HEIGHT / 2, color=FAINT, fontSize=12)
    return drawn


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


def series_names(chart: Chart) -> tuple[str, ...]:
    """Return the names of all lines, each once, in the order in which panels show them."""
    return tuple(dict.fromkeys(line.name for panel in chart.panels for line in panel.lines))


def x_values(chart: Chart) -> tuple[int, ...]:
    """Return every x of the chart, rising; a chart without any has x = 1."""
    return tuple(sorted({x for panel in chart.panels for line in panel.lines for x in line.x})) or (1,)


def shifts(chart: Chart) -> dict[str, float]:
    """Return the offset of each series from its x: side by side where there is one x only, else 0."""
    names = series_names(chart)
    step = min(0.06, 0.8 / len(names)) if names and len(x_values(chart)) == 1 else 0.0
    return {name: step * (number - (len(names) - 1) / 2) for number, name in enumerate(names)}


def point_rows(panel: Panel, shift: Mapping[str, float]) -> list[PointRow]:
    """Return the values of a panel."""
    order = list(shift)
    return [
        PointRow(series=order.index(line.name), name=clean(line.name), stretch=number, x=x + shift[line.name], y=y)
        for line in panel.lines
        for number, stretch in enumerate(unbroken(zip(line.x, line.y, strict=True)))
        for x, y in stretch
    ]


def band_rows(panel: Panel, shift: Mapping[str, float]) -> list[BandRow]:
    """Return the intervals of a panel, cut at its bounds."""
    order = list(shift)
    least, most = panel.bounds or (-inf, inf)
    return [
        BandRow(
            series=order.index(line.name),
            stretch=number,
            x=x + shift[line.name],
            low=min(max(low, least), most),
            high=min(max(high, least), most),
        )
        for line in panel.lines
        for number, stretch in enumerate(unbroken(intervals(line)))
        for x, (low, high) in stretch
    ]


def alone(rows: Sequence[BandRow]) -> list[BandRow]:
    """Return the intervals with no neighbour in their stretch: a band has no width there."""
    parts = groupby(rows, key=lambda row: (row["series"], row["stretch"]))
    return [stretch[0] for stretch in (list(part) for _, part in parts) if len(stretch) == 1]


def count_rows(panel: Panel, names: Sequence[str], *, ticks: Sequence[int]) -> list[CountRow]:
    """Return the counts of a panel at the ticks; a dash where a line does not reach."""
    counted = {line.name: dict(zip(line.x, line.n, strict=True)) for line in panel.lines if line.n}
    return [
        CountRow(series=names.index(name), x=x, text=count(counts[x]) if x in counts else NOTHING)
        for name, counts in counted.items()
        for x in ticks
    ]


def intervals(line: Line) -> Iterator[tuple[int, tuple[float, float] | None]]:
    """Yield the interval at each x of a line; None where a bound or the value itself is missing."""
    for x, y, low, high in zip(line.x, line.y, line.low, line.high, strict=False):
        yield x, None if y is None or low is None or high is None else (low, high)


def unbroken(pairs: Iterable[tuple[int, T | None]]) -> Iterator[list[tuple[int, T]]]:
    """Yield the stretches of pairs between gaps."""
    stretch: list[tuple[int, T]] = []
    for x, value in pairs:
        if value is not None:
            stretch.append((x, value))
        elif stretch:
            yield stretch
            stretch = []
    if stretch:
        yield stretch
