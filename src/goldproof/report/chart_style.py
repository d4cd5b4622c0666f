"""Style of charts: colours, dashes, shapes, text, axes, ticks.

The colours are those of Okabe and Ito (Color Universal Design, 2008), which colour-blind readers can tell apart,
without their yellow, too pale on white. In black and white the dash and the point's shape tell series apart. There are
7, 5 and 8 of them, numbers without a common factor: a series has a look of its own until number 280.
"""

from __future__ import annotations

import json
import re
import textwrap
from typing import TYPE_CHECKING, NamedTuple

import altair as alt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.report.charts import Panel


COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ((1, 0), (6, 3), (2, 2), (9, 3, 2, 3), (12, 4))
SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
)
INK = "#222222"
FAINT = "#666666"
GRID = "#E4E4E4"
# vl-convert brings Liberation Sans along, so text is measured alike on every machine; readers have one of the rest.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
POINT = 46
MOST_TICKS = 16
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
WIDTH = 660


class Look(NamedTuple):
    """Colour, dash and point shape of one series."""

    colour: str
    dash: tuple[int, ...]
    shape: str


def look(series: int) -> Look:
    """Return the look of a series by its number, from 0."""
    return Look(COLOURS[series % len(COLOURS)], DASHES[series % len(DASHES)], SHAPES[series % len(SHAPES)])


def ticks(first: int, last: int) -> tuple[int, ...]:
    """Return whole numbers to label, at most MOST_TICKS: both ends and round numbers between, none too near an end."""
    step = next(s for power in range(20) for s in (10**power, 2 * 10**power, 5 * 10**power) if fits(first, last, s))
    inner = range(first - first % step + step, last, step)
    near = step / 2
    return tuple(dict.fromkeys((first, *(t for t in inner if t - first >= near and last - t >= near), last)))


def fits(first: int, last: int, step: int) -> bool:
    """Return whether ticks at this step, with both ends, are few enough."""
    return (last - first) // step + 2 <= MOST_TICKS


def column_width(names: Sequence[str], *, most: int) -> int:
    """Return how many pixels a legend's column takes; 7 for a byte of UTF-8 is a safe guess of a name's width."""
    return min(most, 60 + 7 * max(len(name.encode()) for name in names))


def clean(text: str) -> str:
    """Replace characters that XML cannot hold, such as control characters: on one of them vl-convert 1.9 crashes."""
    return _NOT_XML.sub("\ufffd", text)


def shortened(text: str, *, letters: int) -> str:
    """Leave out the middle of a text with more bytes of UTF-8 than so many letters.

    Vega would do this too, but it cuts characters beyond U+FFFF in two, and vl-convert then fails.
    """
    raw, half = clean(text).encode(), letters // 2
    if len(raw) <= letters:
        return raw.decode()
    return f"{raw[:half].decode(errors='ignore')}…{raw[-half:].decode(errors='ignore')}"


def wrapped(text: str, *, letters: int) -> list[str]:
    """Break a text into lines of at most so many letters."""
    return textwrap.wrap(clean(text), letters) or [""]


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
    values = [v for line in panel.lines for v in (*line.y, *line.low, *line.high) if v is not None]
    low, high = min((0.0, *values)), max((0.0, *values))
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
