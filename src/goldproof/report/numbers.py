"""Numbers as text for people; machines get them unrounded, from JSON and Parquet."""

from __future__ import annotations

NOTHING = "–"


def number(value: float | None, *, digits: int = 4) -> str:
    """Write a value with a fixed number of decimals; a dash where there is none."""
    return NOTHING if value is None else f"{value:.{digits}f}"


def signed(value: float | None, *, digits: int = 4) -> str:
    """Write a difference: always with its sign."""
    return NOTHING if value is None else f"{value:+.{digits}f}"


def bracket(low: float | None, high: float | None, *, sign: bool = False, digits: int = 4) -> str:
    """Write an interval."""
    if low is None or high is None:
        return NOTHING
    write = signed if sign else number
    return f"[{write(low, digits=digits)}, {write(high, digits=digits)}]"


def p_value(value: float | None) -> str:
    """Write a p-value: three decimals, but never a false 0.000, and never on the wrong side of 0.05."""
    if value is None:
        return NOTHING
    if value < 0.0005:
        return "<0.001"
    text = f"{value:.3f}"
    return text if (float(text) < 0.05) == (value < 0.05) else f"{value:.5f}"


def share(value: float | None) -> str:
    """Write a fraction as a percentage, and never a false 0% or 100%."""
    if value is None:
        return NOTHING
    if 0 < value < 0.001:
        return "<0.1%"
    if 0.999 < value < 1:
        return ">99.9%"
    return f"{100 * value:.1f}%"


def count(value: int) -> str:
    """Write a count with thousands separated."""
    return f"{value:,}"
