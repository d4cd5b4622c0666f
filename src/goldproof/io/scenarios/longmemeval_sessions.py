"""The sessions of one record of LongMemEval, in the order of their dates, as memories.

A session that is listed twice with the same turns is taken once; one of another content under the same id becomes
`<id>#2`. Sessions without turns, turns without text, and sessions that are not earlier than the question are left out
and counted. Where a date is missing, the order of the file counts, and nothing is too late.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from goldproof.io.jsonl import json_kind
from goldproof.io.scenarios.native_dates import slashed_date
from goldproof.io.scenarios.scenario import MemoryItem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from goldproof.io.scenarios.native_record import NativeRecord
    from goldproof.io.scenarios.tally import Tally


@dataclass(frozen=True, slots=True)
class History:
    """What was said before a question.

    sessions: id as in the file -> its memories. evidence: memories that are marked. lost_evidence: whether a marked
    turn was left out. dated: whether every session has a date.
    """

    memories: tuple[MemoryItem, ...]
    sessions: Mapping[str, tuple[str, ...]]
    evidence: tuple[str, ...]
    lost_evidence: bool
    dated: bool


class _Turn(NamedTuple):
    """One turn; number: in its session, from 1. marked: whether it holds the answer."""

    number: int
    role: str
    content: str
    marked: bool


class _Session(NamedTuple):
    """One session. given: its id as in the file; id: one that is unique; lost: whether a marked turn has no text."""

    given: str
    id: str
    date: str | None
    turns: tuple[_Turn, ...]
    lost: bool

    @property
    def marked(self) -> bool:
        return self.lost or any(turn.marked for turn in self.turns)


def read_history(record: NativeRecord, tally: Tally, *, before: str | None) -> History:
    """Read the sessions that are earlier than the question; before: its date."""
    sessions = list(_sessions(record, tally))
    dated = all(session.date is not None for session in sessions)
    if dated:
        sessions.sort(key=lambda session: str(session.date))
    late = [one for one in sessions if str(one.date) >= before] if dated and before is not None else []
    tally.note("Sessions left out, not earlier than the question", len(late))
    kept = sessions[: len(sessions) - len(late)]
    lost = any(one.marked for one in late) or any(one.lost for one in kept)
    return _history(kept, dated=dated, lost=lost)


def _history(sessions: list[_Session], *, dated: bool, lost: bool) -> History:
    memories: list[MemoryItem] = []
    by_session: dict[str, tuple[str, ...]] = {}
    evidence: list[str] = []
    for session in sessions:
        ids = [f"{session.id}:{turn.number}" for turn in session.turns]
        for name, turn in zip(ids, session.turns, strict=True):
            metadata: dict[str, object] = {"turn": len(memories) + 1, "session": session.given}
            if session.date is not None:
                metadata["timestamp"] = session.date
            memories.append(MemoryItem(name, turn.role, turn.content, metadata))
        evidence.extend(name for name, turn in zip(ids, session.turns, strict=True) if turn.marked)
        by_session[session.given] = (*by_session.get(session.given, ()), *ids)
    return History(tuple(memories), by_session, tuple(evidence), lost_evidence=lost, dated=dated)


def _sessions(record: NativeRecord, tally: Tally) -> Iterator[_Session]:
    """Yield the sessions in the order of the file."""
    names, dates = record.listed("haystack_session_ids"), record.listed("haystack_dates")
    seen: dict[str, list[tuple[_Turn, ...]]] = {}
    for place, found in enumerate(record.listed("haystack_sessions")):
        given = str(names[place]) if place < len(names) else f"session-{place + 1}"
        turns, lost = _turns(record, found, given, tally=tally)
        if not turns and not lost:
            tally.note("Sessions left out, without turns")
            continue
        earlier = seen.setdefault(given, [])
        if turns in earlier:
            tally.note("Sessions left out, the same as an earlier one")
            continue
        earlier.append(turns)
        name = given if len(earlier) == 1 else f"{given}#{len(earlier)}"
        date = (
            record.as_date(dates[place], slashed_date, what=f"the date of session {given!r}")
            if place < len(dates)
            else None
        )
        yield _Session(given, name, date, turns, lost)


def _turns(record: NativeRecord, found: object, session: str, *, tally: Tally) -> tuple[tuple[_Turn, ...], bool]:
    """Return the turns that have text, and whether one without was marked."""
    if not isinstance(found, list):
        raise record.wrong(f"session {session!r} is {json_kind(found)}, expected a list of turns.")
    turns, lost = [], False
    for number, one in enumerate(found, start=1):
        said = record.inner(one, what=f"session {session!r}, turn {number}")
        content = said.values.get("content")
        marked = said.values.get("has_answer") is True
        if isinstance(content, str) and content.strip():
            turns.append(_Turn(number, said.text("role"), content, marked))
        else:
            tally.note("Turns left out, without text")
            lost = lost or marked
    return tuple(turns), lost
