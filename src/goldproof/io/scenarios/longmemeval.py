"""LongMemEval as scenarios.

A record is a scenario of one query, a turn is a memory (id `<session>:<n>`, n from 1; role; metadata: turn, counted
through the sessions in the order of their dates, session, timestamp). The question is asked at its date, so sessions of
that moment or later are left out; where evidence is among them, the question is.

Expected are the turns marked `has_answer`, of grade 2; where a record marks none, all turns of its answer sessions. In
a knowledge-update those of the newest session among them have grade 2 and the older ones, which are out of date, grade
1; where a session lacks a date all have grade 2. The file does not tell which questions ask for the earlier state.
A question that expects more than 5 turns asks for at least as many as it expects; with fewer it could not be answered.
`_abs` at the end of its id means that the answer was never said: negative, whatever its type.

    question_type                                      kind
    single-session-user, -assistant, -preference       haystack   one fact among very many
    multi-session                                      kernel     several that answer only together
    temporal-reasoning                                 kernel     several whose dates are compared
    knowledge-update                                   update     a fact that changed: the newest first
    anything else                                      haystack

A session that is listed twice with the same turns is taken once; one of another content under the same id becomes
`<id>#2`. Sessions without turns and turns without text are left out. Where a date is missing, the order of the file
counts, and nothing is too late. All that is left out is counted in the suite's remarks.

Records are read one after the other: memory holds the scenarios that are kept, and one record.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from goldproof.errors import FileFormatError
from goldproof.io.json_files import json_kind
from goldproof.io.scenarios.published import LeftOut, published_records, slashed_date
from goldproof.io.scenarios.scenario import MOST_GRADE, USUAL_K, MemoryItem, Query, Scenario, Suite
from goldproof.io.storage.cards import sha256_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from goldproof.io.diagnostics import Diagnostics
    from goldproof.io.scenarios.published import PublishedRecord


_UPDATE = "update"
_OLDER_GRADE = 1
TYPES: Mapping[str, str] = MappingProxyType(
    {
        "single-session-user": "haystack",
        "single-session-assistant": "haystack",
        "single-session-preference": "haystack",
        "multi-session": "kernel",
        "temporal-reasoning": "kernel",
        "knowledge-update": _UPDATE,
    }
)
_ABSTENTION = "_abs"
_DOMAIN = "chat"


@dataclass(frozen=True, slots=True)
class History:
    """The memories that were stored before a question.

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
    """One session. file_id: its id as in the file; id: one that is unique; lost: whether a marked turn has no text."""

    file_id: str
    id: str
    date: str | None
    turns: tuple[_Turn, ...]
    lost: bool

    @property
    def marked(self) -> bool:
        return self.lost or any(turn.marked for turn in self.turns)


def longmemeval_suite(path: Path, diagnostics: Diagnostics, left_out: LeftOut) -> Suite:
    """Read a LongMemEval file; malformed records are reported to the diagnostics."""
    scenarios: dict[str, Scenario] = {}
    for record in published_records(path, diagnostics):
        try:
            scenario = _scenario(record, left_out)
            if scenario is not None and scenario.id in scenarios:
                raise record.wrong("its question_id occurs twice, expected one record for each.")
        except FileFormatError as error:
            diagnostics.report(error.problem, line=error.line, hint=error.hint)
            continue
        if scenario is not None:
            scenarios[scenario.id] = scenario
    if not scenarios and not diagnostics.total:
        raise diagnostics.error("holds no question that can be asked.", hint=" ".join(left_out.remarks))
    return Suite("longmemeval", tuple(scenarios.values()), {path.name: sha256_file(path)}, left_out.remarks)


def _scenario(record: PublishedRecord, left_out: LeftOut) -> Scenario | None:
    name = record.text("question_id")
    record.where = f"question {name!r}"
    asked_at = record.as_date(record.values.get("question_date"), slashed_date, what="question_date")
    history = read_history(record, left_out, before=asked_at)
    query = _query(record, history, left_out=left_out, asked_at=asked_at if history.dated else None)
    if query is None:
        return None
    if not history.memories:
        left_out.question("nothing was said before them")
        return None
    return Scenario(name, history.memories, (query,), domain=_DOMAIN)


def _query(record: PublishedRecord, history: History, *, left_out: LeftOut, asked_at: str | None) -> Query | None:
    name, text = record.text("question_id"), record.text("question")
    if asked_at is None:
        left_out.note("Questions asked after everything, since they or their sessions lack a date")
    if name.endswith(_ABSTENTION):
        return Query(name, text, "negative", asked_at=asked_at)
    expected = _expected(record, history, left_out)
    if not expected:
        return None
    kind = TYPES.get(str(record.values.get("question_type")))
    if kind is None:
        left_out.note("Questions of unknown type, read as haystack")
    count = len(expected)
    return Query(
        name,
        text,
        kind or "haystack",
        expected=_graded(expected, history) if kind == _UPDATE else dict.fromkeys(expected, MOST_GRADE),
        asked_at=asked_at,
        least_k=count if count > USUAL_K else None,
    )


def _expected(record: PublishedRecord, history: History, left_out: LeftOut) -> tuple[str, ...]:
    """Return the memories that answer; none where the question has to be left out, which is counted."""
    if history.lost_evidence:
        left_out.question("their evidence is empty, or not earlier than the question")
        return ()
    if history.evidence:
        return history.evidence
    sessions = [str(session) for session in record.listed("answer_session_ids")]
    memories = tuple(memory for session in sessions for memory in history.sessions.get(session, ()))
    if any(session not in history.sessions for session in sessions) or not memories:
        left_out.question("they mark no turn, and their answer sessions are missing, or not earlier")
        return ()
    left_out.note("Questions without marked turns; all turns of their answer sessions are expected")
    return memories


def _graded(expected: tuple[str, ...], history: History) -> dict[str, int]:
    """Return the memories with their grades: those before the newest are out of date."""
    if not history.dated:
        return dict.fromkeys(expected, MOST_GRADE)
    dates = {memory.id: str(memory.metadata["timestamp"]) for memory in history.memories}
    newest = max(dates[name] for name in expected)
    return {name: MOST_GRADE if dates[name] == newest else _OLDER_GRADE for name in expected}


def read_history(record: PublishedRecord, left_out: LeftOut, *, before: str | None) -> History:
    """Read the sessions that are earlier than the question; before: its date."""
    sessions = list(_sessions(record, left_out))
    dated = all(session.date is not None for session in sessions)
    if dated:
        sessions.sort(key=lambda session: str(session.date))
    late = [session for session in sessions if str(session.date) >= before] if dated and before is not None else []
    left_out.note("Sessions left out, not earlier than the question", len(late))
    kept = sessions[: len(sessions) - len(late)]
    lost = any(session.marked for session in late) or any(session.lost for session in kept)
    return _history(kept, dated=dated, lost=lost)


def _history(sessions: list[_Session], *, dated: bool, lost: bool) -> History:
    memories: list[MemoryItem] = []
    by_session: dict[str, tuple[str, ...]] = {}
    evidence: list[str] = []
    for session in sessions:
        ids = [f"{session.id}:{turn.number}" for turn in session.turns]
        for name, turn in zip(ids, session.turns, strict=True):
            metadata: dict[str, object] = {"turn": len(memories) + 1, "session": session.file_id}
            if session.date is not None:
                metadata["timestamp"] = session.date
            memories.append(MemoryItem(name, turn.role, turn.content, metadata))
        evidence.extend(name for name, turn in zip(ids, session.turns, strict=True) if turn.marked)
        by_session[session.file_id] = (*by_session.get(session.file_id, ()), *ids)
    return History(tuple(memories), by_session, tuple(evidence), lost_evidence=lost, dated=dated)


def _sessions(record: PublishedRecord, left_out: LeftOut) -> Iterator[_Session]:
    """Yield the sessions in the order of the file."""
    names, dates = record.listed("haystack_session_ids"), record.listed("haystack_dates")
    seen: dict[str, list[tuple[_Turn, ...]]] = {}
    for place, listed in enumerate(record.listed("haystack_sessions")):
        session = str(names[place]) if place < len(names) else f"session-{place + 1}"
        turns, lost = _turns(record, listed, session, left_out=left_out)
        if not turns and not lost:
            left_out.note("Sessions left out, without turns")
            continue
        earlier = seen.setdefault(session, [])
        if turns in earlier:
            left_out.note("Sessions left out, the same as an earlier one")
            continue
        earlier.append(turns)
        name = session if len(earlier) == 1 else f"{session}#{len(earlier)}"
        date = (
            record.as_date(dates[place], slashed_date, what=f"the date of session {session!r}")
            if place < len(dates)
            else None
        )
        yield _Session(session, name, date, turns, lost)


def _turns(
    record: PublishedRecord, listed: object, session: str, *, left_out: LeftOut
) -> tuple[tuple[_Turn, ...], bool]:
    """Return the turns that have text, and whether one without text was marked."""
    if not isinstance(listed, list):
        raise record.wrong(f"session {session!r} is {json_kind(listed)}, expected a list of turns.")
    turns, lost = [], False
    for number, item in enumerate(listed, start=1):
        turn = record.inner(item, what=f"session {session!r}, turn {number}")
        content = turn.values.get("content")
        marked = turn.values.get("has_answer") is True
        if isinstance(content, str) and content.strip():
            turns.append(_Turn(number, turn.text("role"), content, marked))
        else:
            left_out.note("Turns left out, without text")
            lost = lost or marked
    return tuple(turns), lost
