"""The rows behind each kind of mark: lines, bands, bars for points that stand alone, and counts."""

from __future__ import annotations

from itertools import groupby
from math import inf
from typing import TYPE_CHECKING, TypedDict, TypeVar

from goldproof.report.chart_style import clean
from goldproof.report.numbers import NOTHING, count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from goldproof.report.chart import Chart, Line, Panel

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


def series_names(chart: Chart) -> tuple[str, ...]:
    """Return the names of all lines, each once, in the order in which panels show them."""
    return tuple(dict.fromkeys(line.name for panel in chart.panels for line in panel.lines))


def x_values(chart: Chart) -> tuple[int, ...]:
    """Return every x of the chart, rising; a chart without any has x = 1."""
    return tuple(sorted({x for panel in chart.panels for line in panel.lines for x in line.x})) or (1,)


def shifts(chart: Chart) -> dict[str, float]:
    """Return how far each series stands aside of its x: side by side where there is one x only, else not at all."""
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
    found = {line.name: dict(zip(line.x, line.n, strict=True)) for line in panel.lines if line.n}
    return [
        CountRow(series=names.index(name), x=x, text=count(counts[x]) if x in counts else NOTHING)
        for name, counts in found.items()
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
