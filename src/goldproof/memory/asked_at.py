"""When a memory is asked: a turn or a time, told so that stages which count by the other one count from the newest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.errors import InputError, shown
from goldproof.retrieve.retriever import Now
from goldproof.retrieve.stages.times import parse_time, parse_turn

if TYPE_CHECKING:
    from goldproof.retrieve.retriever import Moment

_LEAST_TIME = 1e8  # a bare number below it is a turn, not seconds since 1970


def told(now: Moment | None) -> Now | None:
    """Return the moment as a turn or as a time; InputError where it is neither."""
    if now is None or isinstance(now, Now):
        return now
    turn = parse_turn(now)
    if turn is not None and abs(turn) < _LEAST_TIME:
        return Now(turn=turn)
    if parse_time(now) is None:
        raise InputError(f"now is {shown(now)}, expected a turn such as 5 or a time such as 2024-05-01T09:30.")
    return Now(time=now)
