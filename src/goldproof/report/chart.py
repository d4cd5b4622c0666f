"""Line charts as static SVG: panels one above another over the same whole-numbered x, a line per series.

A value of None is a gap: it breaks the line and the band. A band runs between `low` and `high` where both are given;
an interval alone, which no band can show, gets a bar. `n` says on how many items each value stands; it is written under
the panels as rows of numbers, once if all panels agree. The picture links to nothing, asks no network for anything, and
has the same bytes for the same chart and the same versions of Altair and vl-convert. None of this knows any job.

    chart_svg(Chart("Gain", "iteration", (Panel("mean CG@i", (Line("bm25", (1, 2), (2.0, 3.5), n=(40, 31)),)),)))
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain, pairwise
from math import isfinite
from typing import TYPE_CHECKING

from goldproof.core.errors import InputError, MissingExtraError

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


def chart_svg(chart: Chart) -> str:
    """Draw a chart as one SVG document."""
    if not charts_available():
        raise MissingExtraError("drawing a chart", "report")
    from goldproof.report.chart_draw import draw  # noqa: PLC0415 - Altair loads when a chart is drawn, not before

    return draw(chart)


def charts_available() -> bool:
    """Say whether the packages that draw are installed, without loading them."""
    return all(find_spec(module) is not None for module in ("altair", "vl_convert"))


def _check_lengths(line: Line) -> None:
    optional: tuple[tuple[str, Sequence[object]], ...] = (("low", line.low), ("high", line.high), ("n", line.n))
    for name, values in (("y", line.y), *((name, values) for name, values in optional if values)):
        if len(values) != len(line.x):
            raise InputError(f"line {line.name!r} has {len(values)} values in {name}, expected {len(line.x)} as in x.")
