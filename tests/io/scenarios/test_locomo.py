"""LoCoMo's own JSON, by a synthetic file that has every trap of the real one."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import FileFormatError
from goldproof.io.scenarios import open_suite
from goldproof.io.scenarios.locomo import LocomoEvidence, read_evidence
from goldproof.io.scenarios.published import spoken_date
from goldproof.io.scenarios.scenario import MemoryItem, Query
from goldproof.jobs.validate import validate_file

if TYPE_CHECKING:
    from pathlib import Path


def said(name: str, speaker: str, text: str, **more: object) -> dict[str, object]:
    return {"speaker": speaker, "dia_id": name, "text": text, **more}


def asked(question: str, evidence: object, category: object, **more: object) -> dict[str, object]:
    return {"question": question, "answer": "x", "evidence": evidence, "category": category, **more}


# Synthetic: written for this test in the form of LoCoMo; nothing in it is from the dataset.
SYNTHETIC = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bob",
            "session_10": [said("D10:1", "Bob", "I sold the boat.")],
            "session_10_date_time": "12:05 am on 1 January, 2024",
            "session_2_date_time": "1:56 pm on 8 May, 2023",
            "session_2": [
                said("D2:1", "Ann", "Look!", img_url=["u"], blip_caption="a red kite", query="kite"),
                said("D2:2", "Bob", "", blip_caption="a boat"),
                said("D2:3", "Bob", ""),
            ],
            "session_3": [said("D3:5", "Ann", "Undated.")],
            "session_4": [],
            "session_5_date_time": "9:00 am on 2 June, 2023",
        },
        "qa": [
            asked("Who flew what?", ["D2:1; D3:05"], 1),
            asked("When was the boat sold?", ["D10:1"], 2, answer=2024),
            asked("Would Bob like a canoe?", ["D:2:2", "D"], 3),
            asked("What did Ann show?", ["D2:1", "D2:1"], 4),
            asked("What did Ann sell?", ["D10:1"], 5, adversarial_answer="the boat"),
            asked("Lost?", ["D"], 4),
            asked("None?", [], 4),
            asked("Nothing at all?", None, 4),
            asked("Left out for want of text?", ["D2:3"], 4),
            asked("Of another category?", ["D2:1"], 6),
            asked(" ", ["D2:1"], 4),
        ],
        "event_summary": {"events_session_1": {}},
    },
    {
        "sample_id": 2,
        "conversation": {"session_1": [{"speaker": "Cy", "text": f"Fact {n}."} for n in range(1, 8)]},
        "qa": [asked("All of them?", [f"D1:{n}" for n in range(1, 7)], "1")],
    },
    {"sample_id": "conv-3", "conversation": {"session_1": [said("D1:1", "Di", "Hello.")]}, "qa": []},
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "synthetic.json").write_text(json.dumps(SYNTHETIC, indent=1))
    return tmp_path / "synthetic.json"


def test_turns_become_memories_in_the_order_of_sessions(path: Path) -> None:
    suite = open_suite(f"locomo:{path}")
    assert [(scenario.id, scenario.domain, scenario.split) for scenario in suite.scenarios] == [
        ("conv-1", "chat", "development"),
        ("2", "chat", "development"),
    ]
    may, january = "2023-05-08T13:56", "2024-01-01T00:05"
    assert suite.scenarios[0].memories == (
        MemoryItem("D2:1", "Ann", "Look! [shares an image: a red kite]", {"turn": 1, "session": 2, "timestamp": may}),
        MemoryItem("D2:2", "Bob", "[shares an image: a boat]", {"turn": 2, "session": 2, "timestamp": may}),
        MemoryItem("D3:5", "Ann", "Undated.", {"turn": 4, "session": 3}),
        MemoryItem("D10:1", "Bob", "I sold the boat.", {"turn": 5, "session": 10, "timestamp": january}),
    )
    assert suite.scenarios[1].memories[6] == MemoryItem("D1:7", "Cy", "Fact 7.", {"turn": 7, "session": 1})
    assert suite.inputs == {"synthetic.json": hashlib.sha256(path.read_bytes()).hexdigest()}


def test_evidence_is_expected_and_adversarial_questions_expect_nothing(path: Path) -> None:
    first, second = open_suite(f"locomo:{path}").scenarios
    assert first.queries == (
        Query("q1", "Who flew what?", "kernel", expected={"D2:1": 2, "D3:5": 2}),
        Query("q2", "When was the boat sold?", "haystack", expected={"D10:1": 2}),
        Query("q3", "Would Bob like a canoe?", "semantic", expected={"D2:2": 2}),
        Query("q4", "What did Ann show?", "haystack", expected={"D2:1": 2}),
        Query("q5", "What did Ann sell?", "negative"),
    )
    # Six turns do not fit into the usual five; a run that asks for more may.
    (query,) = second.queries
    assert (query.k, query.least_k, len(query.expected)) == (None, 6, 6)


def test_what_is_left_out_or_mended_is_counted(path: Path) -> None:
    assert open_suite(f"locomo:{path}").remarks == (
        "Sessions without turns: 1.",
        "Turns without text or caption, left out: 1.",
        "Sessions without a readable date: 3.",  # session_3; session_1 of the others
        "Turn names in evidence that were corrected: 3.",  # D2:1; D3:05 and D:2:2
        "Names in evidence that match no turn, left out: 3.",  # D, D, D2:3
        "Questions left out because their evidence names no turn: 2.",
        "Questions left out because they have no evidence: 2.",
        "Questions left out because their category is none of 1, 2, 3, 4, 5: 1.",
        "Questions left out because they have no text: 1.",
        "Conversations without questions, left out: 1.",
    )


def test_the_file_is_recognised_by_its_content_and_counted_by_validate(path: Path) -> None:
    assert open_suite(path) == open_suite(f"locomo:{path}")
    found = validate_file(path)
    assert (found.kind, found.ok) == ("scenarios", True)
    assert found.counts == {
        "scenarios": 2,
        "memories": 11,
        "queries": 6,
        "haystack": 2,
        "kernel": 2,
        "negative": 1,
        "semantic": 1,
        "questions_left_out": 6,
    }


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["D1:3"], LocomoEvidence(("D1:3",), 0, ())),
        (["D8:6; D9:17"], LocomoEvidence(("D8:6", "D9:17"), 2, ())),
        (["D8:6,D9:17 D1:3"], LocomoEvidence(("D8:6", "D9:17", "D1:3"), 3, ())),
        (["D30:05"], LocomoEvidence(("D30:5",), 1, ())),
        (["D:11:26"], LocomoEvidence(("D11:26",), 1, ())),
        (["D", "D1", "D1:99", "", "3"], LocomoEvidence((), 0, ("D", "D1", "D1:99", "3"))),
        ([], LocomoEvidence((), 0, ())),
    ],
)
def test_evidence_is_mended_where_it_is_certain(given: list[object], expected: LocomoEvidence) -> None:
    known = ("D1:3", "D8:6", "D9:17", "D30:5", "D11:26")
    assert read_evidence(given, known) == expected


def test_an_id_of_the_file_counts_as_it_is() -> None:
    assert read_evidence(["D1:03"], ("D1:03", "D1:3")) == LocomoEvidence(("D1:03",), 0, ())


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56"),
        ("12:09 am on 13 September, 2023", "2023-09-13T00:09"),
        ("12:00 pm on 29 February, 2024", "2024-02-29T12:00"),
        ("7 pm on 1 Dec 2023", "2023-12-01T19:00"),
        ("13:00 pm on 8 May, 2023", None),
        ("1:56 pm on 30 February, 2023", None),
        ("1:56 pm on 8 Mai, 2023", None),
        ("yesterday", None),
    ],
)
def test_dates_of_sessions_become_iso(text: str, iso: str | None) -> None:
    assert spoken_date(text) == iso


def turned(**changes: object) -> dict[str, object]:
    return {
        "sample_id": "c",
        "conversation": {"session_1": [said("D1:1", "A", "x")]},
        "qa": [asked("?", "D1:1", 4)],
    } | changes


BAD = {
    "no conversation": ([turned(conversation=[])], "conversation 'c': conversation is a list, expected an object."),
    "no list of turns": (
        [turned(conversation={"session_1": {}})],
        "conversation 'c', conversation: session_1 is an object, expected a list.",
    ),
    "no turn": (
        [turned(conversation={"session_1": ["x"]})],
        "conversation 'c', conversation: session_1, turn 1 is text, expected an object.",
    ),
    "no speaker": (
        [turned(conversation={"session_1": [{"text": "x"}]})],
        "conversation 'c', conversation, session_1, turn 1: no speaker, expected text.",
    ),
    "no question": ([turned(qa=[1])], "conversation 'c': question 1 is a number, expected an object."),
    "a conversation twice": (
        [turned(), turned()],
        "conversation 'c': sample_id 'c' occurs twice, expected one record for each.",
    ),
    "an id that is empty": ([turned(sample_id="")], "record 1: sample_id is empty, expected text."),
}


@pytest.mark.parametrize("name", BAD)
def test_a_record_that_is_not_of_its_form_is_refused(name: str, tmp_path: Path) -> None:
    records, said_of = BAD[name]
    path = tmp_path / "x.json"
    path.write_text(json.dumps(records))
    with pytest.raises(FileFormatError) as caught:
        open_suite(f"locomo:{path}")
    assert str(caught.value) == f"{path}: {said_of}\n  Fix the record, or download the file again."


def test_a_turn_whose_id_another_has_gets_its_own_and_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    turns = [said("D1:1", "A", text) for text in ("x", "y", "z")]
    path.write_text(json.dumps([turned(conversation={"session_1": turns})]))
    suite = open_suite(f"locomo:{path}")
    assert [memory.id for memory in suite.scenarios[0].memories] == ["D1:1", "D1:1#2", "D1:1#3"]
    assert suite.scenarios[0].queries[0].expected == {"D1:1": 2}
    assert suite.remarks == (
        "Sessions without a readable date: 1.",
        "Turns with a repeated id, renamed #2 and so on: 2.",
    )


def test_a_file_of_which_nothing_is_left_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps([turned(qa=[])]))
    with pytest.raises(FileFormatError) as caught:
        open_suite(f"locomo:{path}")
    assert str(caught.value) == (f"{path}: holds no conversation with questions.\n  Was it cut off, or never written?")


def test_a_file_that_is_cut_off_is_refused(path: Path) -> None:
    path.write_text(path.read_text()[:-20])
    with pytest.raises(FileFormatError, match="the JSON array is cut off: the file ends after 2 elements"):
        open_suite(f"locomo:{path}")
