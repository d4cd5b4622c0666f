"""What a cell says: gaps, empty text and gains mean the same in every format."""

from __future__ import annotations

import polars as pl

from goldproof.core.traces import HIGHEST_GAIN


def says(value: object) -> bool:
    """Say whether a field holds anything."""
    return value is not None and value != ""


def bad_gain(value: object) -> str:
    """Say what is wrong with a gain."""
    shown = repr(value)
    shown = {"True": "true", "False": "false"}.get(shown, shown if len(shown) <= 40 else f"{shown[:37]}...")
    return f"gain {shown} is not a whole number from 0 to {HIGHEST_GAIN}"


def stripped_ids(texts: pl.Series) -> pl.Series:
    """Return ids without blanks at both ends; one of blanks alone is null."""
    return without_empty(texts.str.strip_chars())


def without_empty(texts: pl.Series) -> pl.Series:
    """Return a column of text with null in place of empty text."""
    if not (texts == "").any():
        return texts
    return texts.to_frame().select(pl.when(pl.first() != "").then(pl.first())).to_series()
