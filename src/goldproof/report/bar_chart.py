"""Bar charts drawn with Altair: Vega-Lite, turned into SVG by vl-convert without a browser or network.

One view holds all groups; every position is computed here, in pixels, so that all bars are equally thick and begin on
one line. From top to bottom: title, legend, groups, notes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

import altair as alt
import vl_convert

from goldproof.report.chart_style import COLOURS, FONT, GRID, INK, shortened, view
from goldproof.report.line_chart import footer, heading, pixels
from goldproof.report.numbers import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.report.charts import Bar, BarChart

LEFT = 190
BARS = 360
WIDTH = 700
ROW = 20
BAND = 14  # how thick the band up to a target is
BAR = 8
TITLE = 22
GAP = 12
SAMPLE = 34
COLUMN = 110  # of the legend
MISSING = COLOURS[1]


class BarRow(TypedDict):
    """A bar and its position: y of its middle, and x of its begin, its end and its target."""

    name: str
    y: float
    base: float
    actual: float
    target: float
    aimed: bool
    short: bool
    text: str
    described: str


class TitleRow(TypedDict):
    """A group's title and its position."""

    text: str
    y: float


def draw_bars(chart: BarChart) -> str:
    """Return the chart as SVG."""
    # What the caller set in Altair for charts of their own must not change this one.
    with alt.theme.enable("default"), alt.data_transformers.enable("default"):
        spec = describe(chart).to_dict()
    return vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]) + "\n"


def describe(chart: BarChart) -> alt.VConcatChart:
    """Return the views of a chart, one above another."""
    aimed = any(bar.target is not None for group in chart.groups for bar in group.bars)
    views = [*([legend()] if aimed else []), groups(chart), *([footer(chart.notes)] if chart.notes else [])]
    stack = alt.VConcatChart(vconcat=views, spacing=22, bounds="flush", padding=14, background="white")
    described: alt.VConcatChart = (
        stack.properties(title=heading(chart.title)).configure(font=FONT).configure_view(stroke=None)
    )
    return described


def groups(chart: BarChart) -> alt.LayerChart:
    """Return all groups: titles, names, bands up to targets, bars, marks of targets, numbers."""
    titles, rows = places(chart)
    title = view(titles).encode(y=pixels("y"), text="text:N")
    name = view(rows).encode(y=pixels("y"), text="name:N")
    layers = [
        title.mark_text(x=0, align="left", fontSize=12, fontWeight=600, color=INK),
        name.mark_text(x=LEFT - 10, align="right", fontSize=11, color=INK, aria=False),
        *bullets(rows),
        numbers([row for row in rows if not row["short"]], colour=INK, weight="normal"),
        numbers([row for row in rows if row["short"]], colour=MISSING, weight="bold"),
    ]
    return alt.LayerChart(layer=layers, width=WIDTH, height=rows[-1]["y"] + ROW / 2)


def bullets(rows: Sequence[BarRow]) -> list[alt.Chart]:
    """Return the bands, the bars on them, and the marks across them."""
    bar = view(rows).encode(x=across("base"), x2="actual:Q", y=pixels("y"), description="described:N")
    aimed = view([row for row in rows if row["aimed"]])
    band = aimed.encode(x=across("base"), x2="target:Q", y=pixels("y"))
    return [
        band.mark_bar(orient="horizontal", size=BAND, color=GRID, aria=False),
        bar.mark_bar(orient="horizontal", size=BAR, color=COLOURS[0]),
        aimed.encode(x=across("target"), y=pixels("y")).mark_tick(
            orient="vertical", size=BAND + 3, thickness=2, color=INK, opacity=1, aria=False
        ),
    ]


def numbers(rows: Sequence[BarRow], *, colour: str, weight: Literal["normal", "bold"]) -> alt.Chart:
    """Return the numbers at the right."""
    text = view(rows).encode(y=pixels("y"), text="text:N")
    drawn: alt.Chart = text.mark_text(
        x=LEFT + BARS + 12, align="left", fontSize=11, color=colour, fontWeight=weight, aria=False
    )
    return drawn


def legend() -> alt.LayerChart:
    """Return the legend of bar and mark."""
    bar = BarRow(name="", y=4, base=0, actual=SAMPLE, target=0, aimed=False, short=False, text="", described="")
    mark: BarRow = {**bar, "base": COLUMN, "actual": COLUMN, "target": COLUMN + SAMPLE, "aimed": True}
    words = view([{"text": "actual", "x": SAMPLE + 8}, {"text": "target", "x": COLUMN + SAMPLE + 8}])
    word = words.encode(x=across("x"), text="text:N").mark_text(y=4, align="left", fontSize=12, color=INK)
    return alt.LayerChart(layer=[*bullets([bar, mark]), word], width=WIDTH, height=8)


def places(chart: BarChart) -> tuple[list[TitleRow], list[BarRow]]:
    """Return the positions of the titles and the bars."""
    titles: list[TitleRow] = []
    rows: list[BarRow] = []
    top = 0.0
    for group in chart.groups:
        if not group.bars:
            continue
        titles.append(TitleRow(text=shortened(group.title, letters=90), y=top + TITLE / 2))
        full = group.full or group.greatest or 1
        for number, bar in enumerate(group.bars):
            rows.append(bar_row(bar, y=top + TITLE + (number + 0.5) * ROW, pixels_each=BARS / full))
        top += TITLE + len(group.bars) * ROW + GAP
    return titles, rows


def bar_row(bar: Bar, *, y: float, pixels_each: float) -> BarRow:
    """Return a bar with its position and its numbers in words."""
    missing = 0 if bar.target is None else max(0, bar.target - bar.actual)
    text = count(bar.actual) + ("" if bar.target is None else f" of {count(bar.target)}")
    text += f", {count(missing)} missing" if missing else ""
    return BarRow(
        name=shortened(bar.name, letters=30),
        y=y,
        base=LEFT,
        actual=LEFT + bar.actual * pixels_each,
        target=LEFT + (bar.target or 0) * pixels_each,
        aimed=bar.target is not None,
        short=missing > 0,
        text=text,
        described=f"{shortened(bar.name, letters=90)}: {text}",
    )


def across(field: str) -> alt.X:
    """Return x as pixels from the left of the view."""
    return alt.X(f"{field}:Q", scale=None, axis=None)
