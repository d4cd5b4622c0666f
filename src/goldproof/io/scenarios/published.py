"""What LoCoMo and LongMemEval share: record, dates, tally of what was left out.

Month names are English whatever the locale. Neither names a zone.
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


class NativeRecord:
    """One record. where: for messages."""

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
        """Return the list under a key; none where it is absent."""
        value = self.values.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.wrong(f"{key} is {json_kind(value)}, expected a list.")
        return value

    def text(self, key: str) -> str:
        """Return text that must be there; a number is text as well."""
        value = self.values.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str) or not value.strip():
            found = "no" if key not in self.values else "empty" if isinstance(value, str) else json_kind(value)
            raise self.wrong(f"{found} {key}, expected text." if found == "no" else f"{key} is {found}, expected text.")
        return value

    def as_date(self, value: object, read: Callable[[str], str | None], *, what: str) -> str | None:
        """Return a date as ISO text; None where there is none."""
        if value is None or value == "":
            return None
        date = read(value) if isinstance(value, str) else None
        if date is None:
            raise self.wrong(f"{what} is {shown(value)}, expected a date such as 2023/05/20 (Sat) 02:21.")
        return date

    def inner(self, value: object, *, what: str) -> NativeRecord:
        """Return an object inside this one."""
        if not isinstance(value, dict):
            raise self.wrong(f"{what} is {json_kind(value)}, expected an object.")
        return NativeRecord(value, self._diagnostics, where=f"{self.where}, {what}", line=self._line)


def native_records(path: Path, diagnostics: Diagnostics) -> Iterator[NativeRecord]:
    """Yield the records of a file, one after the other."""
    by_line = record_format(path) == "lines"
    for number, values in read_records(path, diagnostics):
        yield NativeRecord(values, diagnostics, where=f"record {number}", line=number if by_line else None)


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
    found = _SPOKEN.fullmatch(text.strip())
    if not found or found["month"].lower() not in _MONTHS or int(found["hour"]) > _HALF_DAY:
        return None
    month = _MONTHS.index(found["month"].lower()) + 1
    hour = int(found["hour"]) % _HALF_DAY + (_HALF_DAY if found["half"].lower() == "p" else 0)
    return _iso(int(found["year"]), month, int(found["day"]), hour, int(found["minute"] or 0))


def slashed_date(text: str) -> str | None:
    """Return LongMemEval's `2023/05/20 (Sat) 02:21` as `2023-05-20T02:21`, None where it is something else."""
    found = _SLASHED.fullmatch(text.strip())
    if not found:
        return None
    return _iso(*(int(found[part] or 0) for part in ("year", "month", "day", "hour", "minute")))


def _iso(*parts: int) -> str | None:
    try:
        return datetime(*parts).isoformat(timespec="minutes")  # type: ignore[arg-type]  # noqa: DTZ001 - no zone is known
    except ValueError:
        return None


class LeftOut:
    """Counts by what happened, in the order in which things first happened."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self.questions = 0  # left out

    def note(self, what: str, count: int = 1) -> None:
        """Count something that happened."""
        if count:
            self._counts[what] += count

    def question(self, why: str) -> None:
        """Count a question that is left out."""
        self.questions += 1
        self.note(f"Questions left out, {why}")

    @property
    def remarks(self) -> tuple[str, ...]:
        """One sentence for each."""
        return tuple(f"{what}: {count:,}." for what, count in self._counts.items())
