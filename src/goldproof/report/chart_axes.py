"""The channels of a chart: where x and y stand, and the colour, dash and shape of each series."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import altair as alt

from goldproof.report.chart_style import FAINT, INK, look, shortened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.report.chart import Panel

WIDTH = 660


def view(rows: Sequence[Mapping[str, object]]) -> alt.Chart:
    """Return a view of rows, to be given marks and channels."""
    # As one text, since Altair copies rows of data again and again.
    text = json.dumps(rows, ensure_ascii=False)
    return alt.Chart(alt.InlineData(values=text, format=alt.JsonDataFormat(type="json")))


def x_axis(ticks: Sequence[int], *, labels: bool, title: str = "") -> alt.X:
    """Return x with a tick at each of these whole numbers, and room for a point at both ends."""
    room = (ticks[-1] - ticks[0]) * 0.04 or 0.5
    scale = alt.Scale(domain=[ticks[0] - room, ticks[-1] + room], nice=False, zero=False)
    axis = alt.Axis(
        values=list(ticks),
        format=",d",
        labels=labels,
        title=shortened(title, letters=90) or None,
        labelFontSize=11,
        titleFontSize=12,
        labelOverlap=False,
        domainColor=FAINT,
        tickColor=FAINT,
    )
    return alt.X("x:Q", scale=scale, axis=axis)


def hidden(x: alt.X) -> alt.X:
    """Return the same x without its axis."""
    copy: alt.X = x.copy()
    copy["axis"] = None
    return copy


def y_axis(panel: Panel, field: str) -> alt.Y:
    """Return y, with its title lying above the axis, where it has room."""
    axis = alt.Axis(
        title=shortened(panel.title, letters=90),
        titleAngle=0,
        titleAlign="left",
        titleAnchor="end",
        titleBaseline="bottom",
        titleX=0,
        titleY=-7,
        titleFontSize=12,
        titleFontWeight=600,
        labelFontSize=11,
        labelColor=INK,
        tickCount=5,
        domain=False,
        ticks=False,
        labelPadding=6,
    )
    return alt.Y(f"{field}:Q", scale=alt.Scale(domain=list(y_domain(panel)), nice=panel.bounds is None), axis=axis)


def y_domain(panel: Panel) -> tuple[float, float]:
    """Return the panel's bounds; else what holds 0 and every value and interval."""
    if panel.bounds is not None:
        return panel.bounds
    found = [v for line in panel.lines for v in (*line.y, *line.low, *line.high) if v is not None]
    low, high = min((0.0, *found)), max((0.0, *found))
    return (low, high) if low < high else (0.0, 1.0)


def colour(names: Sequence[str]) -> alt.Color:
    """Return the colour of each series."""
    scale = alt.Scale(domain=list(range(len(names))), range=[look(i).colour for i in range(len(names))])
    return alt.Color("series:N", scale=scale, legend=None)


def dash(names: Sequence[str]) -> alt.StrokeDash:
    """Return the dash of each series."""
    scale = alt.Scale(domain=list(range(len(names))), range=[list(look(i).dash) for i in range(len(names))])
    return alt.StrokeDash("series:N", scale=scale, legend=None)


def shape(names: Sequence[str]) -> alt.Shape:
    """Return the point shape of each series."""
    scale = alt.Scale(domain=list(range(len(names))), range=[look(i).shape for i in range(len(names))])
    return alt.Shape("series:N", scale=scale, legend=None)
