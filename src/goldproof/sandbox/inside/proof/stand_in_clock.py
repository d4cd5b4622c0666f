"""A clock that stands still: `time.time`, `time.monotonic`, `datetime.now`. `time.sleep` moves it on at once.

Code that took `time.time` or `datetime` into its own names before the block keeps the real ones.
"""

from __future__ import annotations

import datetime as dt
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .texts import Foreign

_DEFAULT = 1_577_880_000.0  # 2020-01-01 12:00:00 UTC


@contextmanager
def fixed_clock(at: Foreign = _DEFAULT) -> Iterator[list[float]]:
    """Hold the clock at a time (seconds since 1970, or a datetime) until the block ends.

    Yields the time, in a list that may be set.
    """
    now = [at.timestamp() if isinstance(at, dt.datetime) else float(at)]
    before = {name: getattr(time, name) for name in ("time", "time_ns", "monotonic", "perf_counter", "sleep")}
    real = dt.datetime

    class FixedDatetime(real):  # type: ignore[misc, valid-type]
        """A datetime whose now is fixed."""

        @classmethod
        def now(cls, tz: Foreign = None) -> Foreign:
            """Return the fixed time."""
            return real.fromtimestamp(now[0], tz)

        @classmethod
        def utcnow(cls) -> Foreign:
            """Return the fixed time in UTC, without a zone."""
            return real.fromtimestamp(now[0], dt.timezone.utc).replace(tzinfo=None)  # noqa: UP017

    def sleep(seconds: float) -> None:
        now[0] += seconds

    replaced: dict[str, Foreign] = dict.fromkeys(("time", "monotonic", "perf_counter"), lambda: now[0])
    replaced.update(time_ns=lambda: int(now[0] * 1_000_000_000), sleep=sleep)
    _set(time, replaced)
    _set(dt, {"datetime": FixedDatetime})
    try:
        yield now
    finally:
        _set(time, before)
        _set(dt, {"datetime": real})


def _set(owner: Foreign, values: dict[str, Foreign]) -> None:
    for name, value in values.items():
        setattr(owner, name, value)
