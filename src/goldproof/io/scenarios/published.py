"""Shared by LoCoMo and LongMemEval: records, dates, and counts of what was left out.

Month names are English whatever the locale. Neither file names a time zone.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING, Any

from goldproof.errors import shown
from goldproof.io.json_files import json_kind
from goldproof.io.record_files import read_records, record_format

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from goldproof.errors import FileFormatError
    from goldproof.io.diagnostics import Diagnostics


class PublishedRecord:
    """One record of a published file, read with checks. where: its name in messages."""

    def __init__(self, values: Mapping[str, object], diagnostics: Diagnostics, *, where: str, line: int | None) -> None:
        self.values = values
        self.where = where
        self._diagnostics = diagnostics
        self._line = line

    def wrong(self, problem: str) -> FileFormatError:
        """Return the error for a problem of this record; the caller raises it."""
        hint = "Fix the record, or download the file again."
        return self._diagnostics.error(f"{self.where}: {problem}", line=self._line, hint=hint)

    def listed(self, key: str) -> list[Any]:
        """Return the list under a key; an empty one where it is absent."""
        value = self.values.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.wrong(f"{key} is {json_kind(value)}, expected a list.")
        return value

    def text(self, key: str) -> str:
        """Return the text under a key, which must be there; a number is text as well."""
        value = self.values.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str) or not value.strip():
            kind = "no" if key not in self.values else "empty" if isinstance(value, str) else json_kind(value)
            raise self.wrong(f"{kind} {key}, expected text." if kind == "no" else f"{key} is {kind}, expected text.")
        return value

    def as_date(self, value: object, read: Callable[[str], str | None], *, what: str) -> str | None:
        """Return a date as ISO text; None where there is none."""
        if value is None or value == "":
            return None
        date = read(value) if isinstance(value, str) else None
        if date is None:
            raise self.wrong(f"{what} is {shown(value)}, expected a date such as 2023/05/20 (Sat) 02:21.")
        return date

    def inner(self, value: object, *, what: str) -> PublishedRecord:
        """Return an object inside this one."""
        if not isinstance(value, dict):
            raise self.wrong(f"{what} is {json_kind(value)}, expected an object.")
        return PublishedRecord(value, self._diagnostics, where=f"{self.where}, {what}", line=self._line)


def published_records(path: Path, diagnostics: Diagnostics) -> Iterator[PublishedRecord]:
    """Yield the records of a file, one after the other."""
    by_line = record_format(path) == "lines"
    for number, values in read_records(path, diagnostics):
        yield PublishedRecord(values, diagnostics, where=f"record {number}", line=number if by_line else None)


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_SPOKEN = re.compile(
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?\s*(?P<half>[ap])\.?m\.?\s*,?\s+on\s+"
    r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\s+(?P<month>[a-z]{3})[a-z]*\.?\s*,?\s*(?P<year>\d{4})",
    re.IGNORECASE,
)

_SLASHED = re.compile(
    r"(?P<year>\d{4})[/-](?P<month>\d{1,2})[/-](?P<day>\d{1,2})(?:\s*\(\w+\))?(?:[\sT]+(?P<hour>\d{1,2}):(?P<minute>\d\d))?"
)

_HALF_DAY = 12


def spoken_date(text: str) -> str | None:
    """Return LoCoMo's `1:56 pm on 8 May, 2023` as `2023-05-08T13:56`, None where it is something else."""
    match = _SPOKEN.fullmatch(text.strip())
    if not match or match["month"].lower() not in _MONTHS or int(match["hour"]) > _HALF_DAY:
        return None
    month = _MONTHS.index(match["month"].lower()) + 1
    hour = int(match["hour"]) % _HALF_DAY + (_HALF_DAY if match["half"].lower() == "p" else 0)
    return _iso(int(match["year"]), month, int(match["day"]), hour, int(match["minute"] or 0))


def slashed_date(text: str) -> str | None:
    """Return LongMemEval's `2023/05/20 (Sat) 02:21` as `2023-05-20T02:21`, None where it is something else."""
    match = _SLASHED.fullmatch(text.strip())
    if not match:
        return None
    return _iso(*(int(match[part] or 0) for part in ("year", "month", "day", "hour", "minute")))


def _iso(*parts: int) -> str | None:
    try:
        return datetime(*parts).isoformat(timespec="minutes")  # type: ignore[arg-type]  # noqa: DTZ001 - no zone is known
    except ValueError:
        return None


class LeftOut:
    """Counts of what was left out or changed on reading, in the order of first occurrence."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self.questions = 0  # left out

    def note(self, event: str, count: int = 1) -> None:
        """Count an event."""
        if count:
            self._counts[event] += count

    def question(self, why: str) -> None:
        """Count a question that is left out."""
        self.questions += 1
        self.note(f"Questions left out because {why}")

    @property
    def remarks(self) -> tuple[str, ...]:
        """One sentence for each event."""
        return tuple(f"{event}: {count:,}." for event, count in self._counts.items())
