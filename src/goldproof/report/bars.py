"""Bar charts of counts as static SVG: groups of horizontal bars one below another, each group from 0 on its own scale.

A bar shows what is there; a target, where there is one, is a mark across it with a pale band up to it, and the numbers
stand beside it ("18 of 20, 2 missing"). The picture links to nothing, asks no network for anything, and has the same
bytes for the same chart and the same versions of Altair and vl-convert. None of this knows any job.

    bars_svg(BarChart("Samples", (BarGroup("Document types", (Bar("table", 18, target=20), Bar("text", 9))),)))
"""

from __future__ import annotations

from dataclasses import dataclass

from goldproof.core.errors import InputError, MissingExtraError
from goldproof.report.chart import charts_available


@dataclass(frozen=True, slots=True)
class Bar:
    """One count, and how many there should be where somebody said so."""

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


def bars_svg(chart: BarChart) -> str:
    """Draw a chart as one SVG document."""
    if not charts_available():
        raise MissingExtraError("drawing a chart", "report")
    from goldproof.report.bars_draw import draw_bars  # noqa: PLC0415 - Altair loads when a chart is drawn, not before

    return draw_bars(chart)
