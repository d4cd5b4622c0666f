"""Line and bar charts: the data, and drawing them as SVG.

    chart_svg(Chart("Gain", "iteration", (Panel("mean CG@i", (Line("bm25", (1, 2), (2.0, 3.5), n=(40, 31)),)),)))
    bars_svg(BarChart("Samples", (BarGroup("Document types", (Bar("table", 18, target=20), Bar("text", 9))),)))

Lines: a value of None is a gap: it breaks the line and the band. A band runs between `low` and `high` where both are
given; an interval alone, which no band can show, gets a bar. `n` says on how many items each value stands; it is
written under the panels as rows of numbers, once if all panels agree.

Bars: a target, where there is one, is a mark across the bar with a pale band up to it, and the numbers stand beside it
("18 of 20, 2 missing").

The picture links to nothing, asks no network for anything, and has the same bytes for the same chart and the same
versions of Altair and vl-convert. None of this knows any job.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain, pairwise
from math import isfinite
from typing import TYPE_CHECKING

from goldproof.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence


Values = tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One series: a value at each x, with its interval and the number of items behind it where there are any."""

    name: str
    x: tuple[int, ...]
    y: Values
    low: Values = ()
    high: Values = ()
    n: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        _check_lengths(self)
        if any(b <= a for a, b in pairwise(self.x)):
            raise InputError(f"line {self.name!r}: x is {self.x}, expected numbers that rise.")
        for value in chain(self.y, self.low, self.high):
            if value is not None and not isfinite(value):
                raise InputError(f"line {self.name!r} has the value {value}; write None where there is none.")
        if bool(self.low) != bool(self.high):
            raise InputError(f"line {self.name!r} has one end of its intervals; give both low and high, or neither.")
        for x, low, high in zip(self.x, self.low, self.high, strict=False):
            if low is not None and high is not None and low > high:
                raise InputError(f"line {self.name!r}: the interval at x = {x} runs from {low} down to {high}.")


def _check_lengths(line: Line) -> None:
    optional: tuple[tuple[str, Sequence[object]], ...] = (("low", line.low), ("high", line.high), ("n", line.n))
    for name, values in (("y", line.y), *((name, values) for name, values in optional if values)):
        if len(values) != len(line.x):
            raise InputError(f"line {line.name!r} has {len(values)} values in {name}, expected {len(line.x)} as in x.")


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes. `bounds` fixes the y axis; without it, it holds 0 and everything drawn."""

    title: str
    lines: tuple[Line, ...]
    bounds: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        names = [line.name for line in self.lines]
        if len(set(names)) < len(names):
            raise InputError(f"panel {self.title!r} has two lines of one name: {', '.join(names)}.")
        if self.bounds is not None and not self.bounds[0] < self.bounds[1]:
            raise InputError(f"panel {self.title!r} has the bounds {self.bounds}, expected a low and a higher number.")


@dataclass(frozen=True, slots=True)
class Chart:
    """Panels from top to bottom; `n_title` says what the lines' `n` count."""

    title: str
    x_title: str
    panels: tuple[Panel, ...]
    notes: tuple[str, ...] = ()
    n_title: str = "n"

    def __post_init__(self) -> None:
        if not self.panels:
            raise InputError(f"chart {self.title!r} has no panel, expected at least one.")


@dataclass(frozen=True, slots=True)
class Bar:
    """One count, and its target if it has one."""

    name: str
    actual: int
    target: int | None = None

    def __post_init__(self) -> None:
        if self.actual < 0 or (self.target is not None and self.target < 0):
            raise InputError(f"bar {self.name!r} counts {self.actual} of {self.target}; a count is not below 0.")


@dataclass(frozen=True, slots=True)
class BarGroup:
    """Bars under one title, in their order; `full` is the count that takes the whole width (else the greatest one)."""

    title: str
    bars: tuple[Bar, ...]
    full: int | None = None

    def __post_init__(self) -> None:
        names = [bar.name for bar in self.bars]
        if len(set(names)) < len(names):
            raise InputError(f"group {self.title!r} has two bars of one name: {', '.join(names)}.")
        if self.full is not None and self.full < self.greatest:
            raise InputError(
                f"group {self.title!r} counts up to {self.greatest}, beyond its full width of {self.full}."
            )

    @property
    def greatest(self) -> int:
        """The greatest count or target."""
        return max((max(bar.actual, bar.target or 0) for bar in self.bars), default=0)


@dataclass(frozen=True, slots=True)
class BarChart:
    """Groups from top to bottom."""

    title: str
    groups: tuple[BarGroup, ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not any(group.bars for group in self.groups):
            raise InputError(f"chart {self.title!r} has no bar, expected at least one.")


def chart_svg(chart: Chart) -> str:
    """Draw a line chart as one SVG document."""
    if not charts_available():
        raise MissingExtraError("drawing a chart", "report")
    from goldproof.report.line_chart import draw  # noqa: PLC0415 - Altair loads when a chart is drawn, not before

    return draw(chart)


def bars_svg(chart: BarChart) -> str:
    """Draw a bar chart as one SVG document."""
    if not charts_available():
        raise MissingExtraError("drawing a chart", "report")
    from goldproof.report.bar_chart import draw_bars  # noqa: PLC0415 - Altair loads when a chart is drawn, not before

    return draw_bars(chart)


def charts_available() -> bool:
    """Return whether the packages that draw are installed, without loading them."""
    return all(find_spec(module) is not None for module in ("altair", "vl_convert"))
