"""One record of a benchmark's own JSON, and how its values are taken; what is wrong names the record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from goldproof.core.wording import shown
from goldproof.io.jsonl import json_kind
from goldproof.io.records import read_records, record_format

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from goldproof.core.errors import FileFormatError
    from goldproof.io.complaints import Complaints


class NativeRecord:
    """One record. where: for messages."""

    def __init__(self, values: Mapping[str, object], complaints: Complaints, *, where: str, line: int | None) -> None:
        self.values = values
        self.where = where
        self._complaints = complaints
        self._line = line

    def wrong(self, problem: str) -> FileFormatError:
        """Return the error for a problem of this record; the caller raises it."""
        hint = "Fix the record, or download the file again."
        return self._complaints.fatal(f"{self.where}: {problem}", line=self._line, hint=hint)

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
        return NativeRecord(value, self._complaints, where=f"{self.where}, {what}", line=self._line)


def native_records(path: Path, complaints: Complaints) -> Iterator[NativeRecord]:
    """Yield the records of a file, one after the other."""
    by_line = record_format(path) == "lines"
    for number, values in read_records(path, complaints):
        yield NativeRecord(values, complaints, where=f"record {number}", line=number if by_line else None)
