"""LongMemEval's own JSON: every trap in a synthetic file, and the real one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import FileFormatError
from goldproof.io.scenarios import open_suite
from goldproof.io.scenarios.published import slashed_date
from goldproof.io.scenarios.scenario import MemoryItem, Query
from goldproof.jobs.validate import validate_file

if TYPE_CHECKING:
    from pathlib import Path

    from goldproof.io.scenarios.scenario import Suite

EARLY, LATER, ASKED = "2023/05/20 (Sat) 02:21", "2023/05/25 (Thu) 20:00", "2023/06/01 (Thu) 00:58"


def turn(content: str, *, role: str = "user", answers: bool | None = None) -> dict[str, object]:
    return {"role": role, "content": content} | ({} if answers is None else {"has_answer": answers})


def record(name: str = "q", **changes: object) -> dict[str, object]:
    """Return a record in the form of LongMemEval; synthetic."""
    return {
        "question_id": name,
        "question_type": "single-session-user",
        "question": "How long?",
        "answer": 3,
        "question_date": ASKED,
        "haystack_dates": [LATER, EARLY],
        "haystack_session_ids": ["s2", "s1"],
        "haystack_sessions": [[turn("Fine.", role="assistant")], [turn("Hi."), turn("3 km.", answers=True)]],
        "answer_session_ids": ["s1"],
    } | changes


def read(folder: Path, *records: dict[str, object]) -> Suite:
    (folder / "x.json").write_text(json.dumps(records))
    return open_suite(f"longmemeval:{folder / 'x.json'}")


def test_turns_become_memories_in_the_order_of_their_dates(tmp_path: Path) -> None:
    (scenario,) = read(tmp_path, record()).scenarios
    early, later = "2023-05-20T02:21", "2023-05-25T20:00"
    assert (scenario.id, scenario.domain) == ("q", "chat")
    assert scenario.memories == (
        MemoryItem("s1:1", "user", "Hi.", {"turn": 1, "session": "s1", "timestamp": early}),
        MemoryItem("s1:2", "user", "3 km.", {"turn": 2, "session": "s1", "timestamp": early}),
        MemoryItem("s2:1", "assistant", "Fine.", {"turn": 3, "session": "s2", "timestamp": later}),
    )
    assert scenario.queries == (Query("q", "How long?", "haystack", expected={"s1:2": 2}, asked_at="2023-06-01T00:58"),)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("single-session-user", "haystack"),
        ("single-session-assistant", "haystack"),
        ("single-session-preference", "haystack"),
        ("multi-session", "kernel"),
        ("temporal-reasoning", "kernel"),
        ("knowledge-update", "update"),
    ],
)
def test_each_type_has_its_kind(name: str, kind: str, tmp_path: Path) -> None:
    suite = read(tmp_path, record(question_type=name), record("q_abs", question_type=name))
    assert [scenario.queries[0].kind for scenario in suite.scenarios] == [kind, "negative"]
    assert suite.scenarios[1].queries[0].expected == {}
    assert suite.remarks == ()


def test_a_type_that_nobody_knows_is_counted(tmp_path: Path) -> None:
    suite = read(tmp_path, record(question_type="new"))
    assert suite.scenarios[0].queries[0].kind == "haystack"
    assert suite.remarks == ("Questions of unknown type, read as haystack: 1.",)


def test_where_no_turn_is_marked_all_turns_of_the_answer_sessions_are_expected(tmp_path: Path) -> None:
    said = [turn(f"Fact {n}.") for n in range(7)]
    suite = read(tmp_path, record(haystack_sessions=[[turn("Fine.")], said]))
    (query,) = suite.scenarios[0].queries
    assert query.expected == {f"s1:{n}": 2 for n in range(1, 8)}
    assert (query.k, query.least_k) == (None, 7)  # more than the usual five
    assert suite.remarks == ("Questions without marked turns; all turns of their answer sessions are expected: 1.",)


def test_sessions_that_are_not_earlier_are_left_out_with_the_questions_that_need_them(tmp_path: Path) -> None:
    same, late = ASKED, "2023/06/01 (Thu) 00:59"
    suite = read(
        tmp_path,
        record("kept", haystack_dates=[same, EARLY]),
        record("lost", haystack_dates=[EARLY, same]),
        record("lost-session", haystack_dates=[EARLY, late], haystack_sessions=[[turn("a")], [turn("b")]]),
        record("kept_abs", haystack_dates=[EARLY, late]),
        record("nothing_abs", haystack_dates=[late, late]),
    )
    assert {scenario.id: [memory.id for memory in scenario.memories] for scenario in suite.scenarios} == {
        "kept": ["s1:1", "s1:2"],
        "kept_abs": ["s2:1"],
    }
    assert suite.remarks == (
        "Sessions left out, not earlier than the question: 6.",
        "Questions left out because their evidence is empty, or not earlier than the question: 1.",
        "Questions left out because they mark no turn, and their answer sessions are missing, or not earlier: 1.",
        "Questions left out because nothing was said before them: 1.",
    )


def test_a_session_twice_is_taken_once_and_another_of_its_name_gets_its_own(tmp_path: Path) -> None:
    first, other = [turn("a", answers=True)], [turn("b", answers=True)]
    suite = read(
        tmp_path,
        record(
            haystack_session_ids=["s", "s", "s", "e"],
            haystack_dates=[EARLY] * 4,
            haystack_sessions=[first, first, other, []],
        ),
    )
    (scenario,) = suite.scenarios
    assert [(memory.id, memory.metadata["session"]) for memory in scenario.memories] == [("s:1", "s"), ("s#2:1", "s")]
    assert scenario.queries[0].expected == {"s:1": 2, "s#2:1": 2}
    assert suite.remarks == (
        "Sessions left out, the same as an earlier one: 1.",
        "Sessions left out, without turns: 1.",
    )


def test_turns_without_text_are_left_out_and_keep_the_numbers_of_the_others(tmp_path: Path) -> None:
    kept = record("kept", haystack_sessions=[[turn(" ")], [turn(""), turn("x", answers=True)]])
    lost = record("lost", haystack_sessions=[[turn("x")], [turn("y"), turn("", answers=True)]])
    suite = read(tmp_path, kept, lost)
    (scenario,) = suite.scenarios
    assert [memory.id for memory in scenario.memories] == ["s1:2"]
    assert suite.remarks == (
        "Turns left out, without text: 3.",
        "Sessions left out, without turns: 1.",
        "Questions left out because their evidence is empty, or not earlier than the question: 1.",
    )


@pytest.mark.parametrize("changes", [{"question_date": None}, {"haystack_dates": [LATER]}, {"haystack_dates": []}])
def test_where_a_date_is_missing_the_question_comes_after_everything(
    changes: dict[str, object], tmp_path: Path
) -> None:
    suite = read(tmp_path, record() | changes)
    (scenario,) = suite.scenarios
    assert len(scenario.memories) == 3
    assert scenario.queries[0].asked_at is None
    assert suite.remarks == ("Questions asked after everything, since they or their sessions lack a date: 1.",)


OLD_AND_NEW: dict[str, object] = {
    "question_type": "knowledge-update",
    "haystack_session_ids": ["new", "old", "none"],
    "haystack_dates": [LATER, EARLY, "2023/05/30"],
    "haystack_sessions": [
        [turn("5 km now.", answers=True), turn("Well done."), turn("Yes, 5.", answers=True)],
        [turn("3 km.", answers=True)],
        [turn("Rain.")],
    ],
    "answer_session_ids": ["old", "new"],
}


def test_of_an_update_the_newest_evidence_has_grade_2_and_the_older_grade_1(tmp_path: Path) -> None:
    (scenario,) = read(tmp_path, record() | OLD_AND_NEW).scenarios
    assert scenario.queries[0].expected == {"old:1": 1, "new:1": 2, "new:3": 2}
    # In any other kind of question both are needed.
    (other,) = read(tmp_path, record() | OLD_AND_NEW | {"question_type": "multi-session"}).scenarios
    assert set(other.queries[0].expected.values()) == {2}


@pytest.mark.parametrize("dates", [[LATER, EARLY], [LATER, None, EARLY], []])
def test_where_a_date_is_missing_no_evidence_of_an_update_is_older(dates: list[object], tmp_path: Path) -> None:
    (scenario,) = read(tmp_path, record() | OLD_AND_NEW | {"haystack_dates": dates}).scenarios
    assert scenario.queries[0].expected == {"new:1": 2, "new:3": 2, "old:1": 2}


def test_of_an_update_that_marks_no_turn_the_turns_of_the_newest_answer_session_have_grade_2(tmp_path: Path) -> None:
    sessions = [[turn("5 km now."), turn("Well done.")], [turn("3 km.")], [turn("Rain.")]]
    (scenario,) = read(tmp_path, record() | OLD_AND_NEW | {"haystack_sessions": sessions}).scenarios
    assert scenario.queries[0].expected == {"old:1": 1, "new:1": 2, "new:2": 2}


BAD: dict[str, tuple[list[dict[str, object]], str]] = {
    "no id": ([{"haystack_sessions": []}], "record 1: no question_id, expected text."),
    "an empty question": ([record(question=" ")], "question 'q': question is empty, expected text."),
    "an id twice": ([record(), record()], "question 'q': its question_id occurs twice, expected one record for each."),
    "a date that is none": (
        [record(question_date="soon")],
        "question 'q': question_date is 'soon', expected a date such as 2023/05/20 (Sat) 02:21.",
    ),
    "a date of a session that is none": (
        [record(haystack_dates=[EARLY, 3])],
        "question 'q': the date of session 's1' is 3, expected a date such as 2023/05/20 (Sat) 02:21.",
    ),
    "a session that is none": (
        [record(haystack_sessions=["x"])],
        "question 'q': session 's2' is text, expected a list of turns.",
    ),
    "a turn that is none": (
        [record(haystack_sessions=[["x"]])],
        "question 'q': session 's2', turn 1 is text, expected an object.",
    ),
    "a turn without a role": (
        [record(haystack_sessions=[[{"content": "x"}]])],
        "question 'q', session 's2', turn 1: no role, expected text.",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_record_that_is_not_of_its_form_is_refused(name: str, tmp_path: Path) -> None:
    records, said_of = BAD[name]
    with pytest.raises(FileFormatError) as caught:
        read(tmp_path, *records)
    assert str(caught.value) == f"{tmp_path / 'x.json'}: {said_of}\n  Fix the record, or download the file again."


def test_in_json_lines_the_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in (record("a"), record("b", question=None))))
    with pytest.raises(FileFormatError) as caught:
        open_suite(f"longmemeval:{path}")
    assert str(caught.value) == (
        f"{path}:2: question 'b': question is null, expected text.\n  Fix the record, or download the file again."
    )


def test_a_file_of_which_nothing_is_left_is_refused_with_the_reasons(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError) as caught:
        read(tmp_path, record(haystack_dates=[EARLY, ASKED]))
    assert str(caught.value) == (
        f"{tmp_path / 'x.json'}: holds no question that can be asked.\n"
        "  Sessions left out, not earlier than the question: 1. "
        "Questions left out because their evidence is empty, or not earlier than the question: 1."
    )


def test_validate_counts_what_is_kept_and_lists_what_is_wrong(tmp_path: Path) -> None:
    records = [record("a"), record("b_abs"), record("c", haystack_dates=[EARLY, ASKED]), record("d", question="")]
    (tmp_path / "x.json").write_text(json.dumps(records))
    found = validate_file(tmp_path / "x.json")
    assert found.kind == "scenarios"
    assert [finding.problem for finding in found.findings] == ["question 'd': question is empty, expected text."]
    assert found.counts == {
        "scenarios": 2,
        "memories": 6,
        "queries": 2,
        "haystack": 1,
        "negative": 1,
        "questions_left_out": 1,
    }


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2023/05/20 (Sat) 02:21", "2023-05-20T02:21"),
        ("2023/05/20", "2023-05-20T00:00"),
        ("2023-05-20 02:21", "2023-05-20T02:21"),
        ("2023/13/20 (Sat) 02:21", None),
        ("20/05/2023", None),
    ],
)
def test_dates_become_iso(text: str, iso: str | None) -> None:
    assert slashed_date(text) == iso


@pytest.mark.realdata
def test_the_real_file_is_read(realdata: Path) -> None:
    path = realdata / "longmemeval" / "longmemeval_native_schema_2rows.json"
    suite = open_suite(path)
    update, negative = suite.scenarios
    # Two sessions of twelve turns; the fifth of the first and the first of the second are marked.
    assert (update.id, len(update.memories)) == ("6a1eabeb", 24)
    assert update.queries[0].kind == "update"
    assert update.queries[0].expected == {"answer_a25d4a91_1:5": 1, "answer_a25d4a91_2:1": 2}
    assert update.queries[0].asked_at == "2023-06-01T00:58"
    assert "25:50" in next(memory.content for memory in update.memories if memory.id == "answer_a25d4a91_2:1")
    # The second session of the other is of 08:29; it is asked at 08:08.
    assert (negative.id, negative.queries[0].kind, negative.queries[0].expected) == (
        "gpt4_70e84552_abs",
        "negative",
        {},
    )
    assert {memory.metadata["session"] for memory in negative.memories} == {"answer_b3070ec4_abs_1"}
    assert suite.remarks == ("Sessions left out, not earlier than the question: 1.",)
    assert validate_file(path).ok
