"""Does a text state this date, at least as precisely?"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from goldproof.text.dates import find_dates
from goldproof.text.spans import Span, find_words

if TYPE_CHECKING:
    from goldproof.text.dates import FoundDate


def find_date(wanted: FoundDate, written: str, context: str) -> Span | None:
    """Return where the text states the date, in the words of the answer or in others; None where it does not."""
    as_written = find_words(written.strip(" \t\r\n."), context, whole_words=True)
    if as_written is not None:
        return as_written
    if not _may_state(wanted, context):
        return None
    for date in dates_of(context):
        if any(mine.holds(given) for mine in wanted.readings for given in date.readings):
            return Span(date.start, date.end)
    return None


@lru_cache(maxsize=4)
def dates_of(context: str) -> tuple[FoundDate, ...]:
    """Return the dates of a text; several values are looked for in one text after another."""
    return tuple(find_dates(context))


def _may_state(wanted: FoundDate, context: str) -> bool:
    """Say whether the year stands in the text, in four digits or in the two that may follow a slash or an FY."""
    years = [f"{reading.year:04d}" for reading in wanted.readings if reading.year is not None]
    return not years or any(year[2:] in context for year in years)
