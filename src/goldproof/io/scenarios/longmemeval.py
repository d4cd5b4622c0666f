"""LongMemEval in its own JSON: one question per record, with the sessions in which its answer is to be found.

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

What was left out is counted in the suite's remarks. Records are read one after the other: memory holds the scenarios
that are kept, and one record.
"""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from goldproof.core.errors import FileFormatError
from goldproof.io.cards import sha256_file
from goldproof.io.complaints import Complaints
from goldproof.io.scenarios.longmemeval_sessions import read_history
from goldproof.io.scenarios.native_dates import slashed_date
from goldproof.io.scenarios.native_record import native_records
from goldproof.io.scenarios.scenario import MOST_GRADE, USUAL_K, Query, Scenario, Suite
from goldproof.io.scenarios.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.io.scenarios.longmemeval_sessions import History
    from goldproof.io.scenarios.native_record import NativeRecord

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


def read_longmemeval(path: Path | str) -> Suite:
    """Read a file of LongMemEval; the first record that is not of its form raises FileFormatError."""
    return longmemeval_suite(Path(path), Complaints(Path(path)), Tally())


def longmemeval_suite(path: Path, complaints: Complaints, tally: Tally) -> Suite:
    """Read a file of LongMemEval; a record that is not of its form goes to the complaints."""
    scenarios: dict[str, Scenario] = {}
    for record in native_records(path, complaints):
        try:
            scenario = _scenario(record, tally)
            if scenario is not None and scenario.id in scenarios:
                raise record.wrong("its question_id occurs twice, expected one record for each.")
        except FileFormatError as error:
            complaints.add(error.problem, line=error.line, hint=error.hint)
            continue
        if scenario is not None:
            scenarios[scenario.id] = scenario
    if not scenarios and not complaints.total:
        raise complaints.fatal("holds no question that can be asked.", hint=" ".join(tally.remarks))
    return Suite("longmemeval", tuple(scenarios.values()), {path.name: sha256_file(path)}, tally.remarks)


def _scenario(record: NativeRecord, tally: Tally) -> Scenario | None:
    name = record.text("question_id")
    record.where = f"question {name!r}"
    asked_at = record.as_date(record.values.get("question_date"), slashed_date, what="question_date")
    history = read_history(record, tally, before=asked_at)
    query = _query(record, history, tally=tally, asked_at=asked_at if history.dated else None)
    if query is None:
        return None
    if not history.memories:
        tally.question("nothing was said before them")
        return None
    return Scenario(name, history.memories, (query,), domain=_DOMAIN)


def _query(record: NativeRecord, history: History, *, tally: Tally, asked_at: str | None) -> Query | None:
    name, text = record.text("question_id"), record.text("question")
    if asked_at is None:
        tally.note("Questions asked after everything, since they or their sessions lack a date")
    if name.endswith(_ABSTENTION):
        return Query(name, text, "negative", asked_at=asked_at)
    expected = _expected(record, history, tally)
    if not expected:
        return None
    kind = TYPES.get(str(record.values.get("question_type")))
    if kind is None:
        tally.note("Questions of a type that is not known, taken as haystack")
    count = len(expected)
    return Query(
        name,
        text,
        kind or "haystack",
        expected=_graded(expected, history) if kind == _UPDATE else dict.fromkeys(expected, MOST_GRADE),
        asked_at=asked_at,
        least_k=count if count > USUAL_K else None,
    )


def _expected(record: NativeRecord, history: History, tally: Tally) -> tuple[str, ...]:
    """Return the memories that answer; none where the question has to be left out, which is counted."""
    if history.lost_evidence:
        tally.question("their evidence is not earlier than they are, or is empty")
        return ()
    if history.evidence:
        return history.evidence
    sessions = [str(one) for one in record.listed("answer_session_ids")]
    found = tuple(memory for one in sessions for memory in history.sessions.get(one, ()))
    if any(one not in history.sessions for one in sessions) or not found:
        tally.question("they mark no turn, and their answer sessions are not earlier, or not there")
        return ()
    tally.note("Questions that mark no turn, of which all turns of the answer sessions are expected")
    return found


def _graded(expected: tuple[str, ...], history: History) -> dict[str, int]:
    """Return the memories with their grades: what was said before the newest of them is out of date."""
    if not history.dated:
        return dict.fromkeys(expected, MOST_GRADE)
    dates = {memory.id: str(memory.metadata["timestamp"]) for memory in history.memories}
    newest = max(dates[one] for one in expected)
    return {one: MOST_GRADE if dates[one] == newest else _OLDER_GRADE for one in expected}
