"""The dates of LoCoMo (`1:56 pm on 8 May, 2023`) and LongMemEval (`2023/05/20 (Sat) 02:21`) as ISO text.

Month names are English whatever the locale. Neither names a zone.
"""

from __future__ import annotations

import re
from datetime import datetime

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
