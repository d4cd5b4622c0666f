"""What code logs while it is observed.

Records are taken where loggers make them, not by a handler: a handler on the root logger would turn
`logging.basicConfig` of the code into nothing. So exactly what a logger lets through is seen, also of loggers that do
not propagate: WARNING and above, and lower levels where the code (or the library) sets them.
"""

from __future__ import annotations

from contextlib import contextmanager
from logging import LogRecord, getLogRecordFactory, setLogRecordFactory
from typing import TYPE_CHECKING

from .texts import clean, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST = 1_000


@contextmanager
def taken_logs() -> Iterator[list[dict[str, str]]]:
    """Yield a list that grows with what is logged."""
    before = getLogRecordFactory()
    taken: list[dict[str, str]] = []

    def make(*given: object, **named: object) -> LogRecord:
        record: LogRecord = before(*given, **named)
        if len(taken) < _MOST:
            message = text_of(record, LogRecord.getMessage)  # type: ignore[arg-type]
            taken.append({"logger": clean(str(record.name)), "level": str(record.levelname), "message": message})
        return record

    setLogRecordFactory(make)
    try:
        yield taken
    finally:
        if getLogRecordFactory() is make:
            setLogRecordFactory(before)
