"""`candidates.jsonl`: written, read, and what is wrong with a line."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldproof.errors import FileFormatError, InputError
from goldproof.io.cases import Case
from goldproof.io.diagnostics import Diagnostics
from goldproof.jobs.mine.candidate_file import read_candidates, write_candidates
from goldproof.jobs.mine.records import Candidate
from goldproof.records.entities import Document, Question

if TYPE_CHECKING:
    from pathlib import Path

CHOICE = Case(
    "multiple_choice",
    "adk",
    Question(
        "adk:04",
        "Which?\n\n```python\nx\n```",
        answer="two",
        options=("one", "two"),
        cluster="run.py",
        metadata={"kind": "multiple_choice", "suite": "adk", "file": "a.yaml"},
    ),
    "a.yaml:3",
    options={"A": "one", "B": "two"},
    key="B",
    targets=("d1",),
)
ASKED = Case(
    "question",
    "hop",
    Question(
        "q2",
        "Who?",
        answer="Ada",
        answerable=False,
        metadata={"kind": "question", "suite": "hop", "gold_kernels": [["d1", "d2"]], "answer_aliases": ["A."]},
    ),
    "hop",
    gold_kernels=(("d1", "d2"),),
)
LONELY = Case("question", "hop", Question("q3", "Nobody?", metadata={"kind": "question", "suite": "hop"}), "hop")
CASES = (CHOICE, ASKED, LONELY)
CANDIDATES = (
    Candidate("adk:04", "d1", ("target", "bm25")),
    Candidate("adk:04", "d2", ("random",)),
    Candidate("q2", "d1", ("run:mine",)),
)
DOCUMENTS = {
    "d1": Document("d1", text="line\n`code`\u2028é", title="T", metadata={"lines": [1, 2], "nested": {"a": None}}),
    "d2": Document("d2"),
}
LISTED = [{"doc_id": "d", "sources": ["target"], "text": "x"}]
LINE: dict[str, object] = {"query_id": "q", "query": "Who?", "candidates": LISTED}


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "out" / "candidates.jsonl"
    digest = write_candidates(path, CASES, candidates=CANDIDATES, documents=DOCUMENTS)
    assert digest == hashlib.sha256(path.read_bytes()).hexdigest()
    found = read_candidates(path)
    assert found.questions == tuple(case.question for case in CASES)
    assert found.candidates == CANDIDATES
    assert dict(found.documents) == DOCUMENTS
    choice, asked, lonely = found.cases
    assert (choice.kind, choice.suite, choice.key, dict(choice.options)) == (
        "multiple_choice",
        "adk",
        "B",
        CHOICE.options,
    )
    assert choice.targets == ("d1",)
    assert choice.where == f"{path}:1"
    assert asked.gold_kernels == (("d1", "d2"),)
    assert lonely.id == "q3"


def test_a_line_is_one_question_with_the_texts_of_its_candidates(tmp_path: Path) -> None:
    path = tmp_path / "candidates.jsonl"
    write_candidates(path, CASES, candidates=CANDIDATES, documents=DOCUMENTS)
    first, second, third = (json.loads(line) for line in path.read_bytes().splitlines())
    assert first["options"] == {"A": "one", "B": "two"}
    assert [(one["doc_id"], one["sources"]) for one in first["candidates"]] == [
        ("d1", ["target", "bm25"]),
        ("d2", ["random"]),
    ]
    assert second["candidates"][0]["text"] == DOCUMENTS["d1"].text
    assert third["candidates"] == []
    assert "label" not in first


def test_the_same_is_written_again_to_the_same_bytes(tmp_path: Path) -> None:
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    write_candidates(one, CASES, candidates=CANDIDATES, documents=DOCUMENTS)
    found = read_candidates(one)
    write_candidates(two, found.cases, candidates=found.candidates, documents=found.documents)
    assert one.read_bytes() == two.read_bytes()


def test_a_candidate_that_no_document_stands_for_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "candidates.jsonl"
    with pytest.raises(InputError, match="candidate 'd1' of question 'adk:04' is not in the corpus"):
        write_candidates(path, CASES, candidates=CANDIDATES, documents={})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"query_id": None}, "key 'query_id' is missing, expected text."),
        ({"query_id": 3}, "key 'query_id' is a number, expected text."),
        ({"query": ""}, "key 'query' is empty."),
        ({"candidates": None}, "question 'q': key 'candidates' is missing or no list."),
        ({"candidates": ["d"]}, "question 'q': candidate 1 is text, expected an object"),
        ({"candidates": [{"sources": ["x"]}]}, "question 'q': candidate 1: key 'doc_id' is missing"),
        (
            {"candidates": [{"doc_id": "d", "sources": [], "text": ""}]},
            "question 'q': candidate 1: key 'sources' is no list",
        ),
        ({"candidates": [{"doc_id": "d", "sources": "target", "text": "x"}]}, "key 'sources' is no list"),
        ({"candidates": [{"doc_id": "d", "sources": ["x"]}]}, "key 'text' is missing, expected text."),
        ({"candidates": [{"doc_id": "d", "sources": ["x"], "text": 1}]}, "key 'text' is a number, expected text."),
        ({"candidates": LISTED * 2}, "question 'q': document 'd' is a candidate twice."),
        ({"metadata": []}, "key 'metadata' is a list, expected an object."),
        ({"options": ["a"]}, "key 'options' is a list, expected an object."),
    ],
)
def test_a_bad_line_is_one_sentence_with_its_number(tmp_path: Path, change: dict[str, object], problem: str) -> None:
    path = tmp_path / "c.jsonl"
    good = LINE | {"query_id": "good"}
    path.write_text(f"{json.dumps(good)}\n{json.dumps(LINE | change)}\n")
    with pytest.raises(FileFormatError) as caught:
        read_candidates(path)
    first, _, hint = str(caught.value).partition("\n")
    assert first.startswith(f"{path}:2: ")
    assert problem in first
    assert "--candidates-only" in hint


@pytest.mark.parametrize(
    ("second", "problem"),
    [
        (LINE, "question 'q' occurs twice."),
        (
            {"query_id": "r", "query": "x", "candidates": [{"doc_id": "d", "sources": ["a"], "text": "y"}]},
            "document 'd' has another text here than in an earlier line.",
        ),
    ],
)
def test_lines_that_contradict_each_other_are_refused(tmp_path: Path, second: dict[str, object], problem: str) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(f"{json.dumps(LINE)}\n{json.dumps(second)}\n")
    with pytest.raises(FileFormatError, match=problem):
        read_candidates(path)
    diagnostics = Diagnostics(path, keep=5)
    assert [case.id for case in read_candidates(path, diagnostics).cases] == ["q"]
    assert [(finding.line, finding.problem) for finding in diagnostics.findings] == [(2, problem)]


@pytest.mark.parametrize("text", ["", "\n", "no json\n", "[]\n"])
def test_a_file_that_holds_nothing_is_an_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(text)
    with pytest.raises(FileFormatError):
        read_candidates(path)


TEXT = st.text(max_size=12)
NAME = st.text(min_size=1, max_size=6)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(
    st.dictionaries(NAME, st.tuples(TEXT, TEXT), min_size=1, max_size=4),
    st.dictionaries(NAME, st.text(min_size=1), min_size=1, max_size=3),
)
def test_any_texts_come_back(tmp_path: Path, texts: dict[str, tuple[str, str]], asked: dict[str, str]) -> None:
    documents = {name: Document(name, text=text, title=title) for name, (text, title) in texts.items()}
    cases = [Case("question", "", Question(name, text), "x") for name, text in asked.items()]
    candidates = tuple(Candidate(question, document, ("random",)) for question in asked for document in documents)
    path = tmp_path / "c.jsonl"
    write_candidates(path, cases, candidates=candidates, documents=documents)
    found = read_candidates(path)
    assert found.questions == tuple(case.question for case in cases)
    assert found.candidates == candidates
    assert dict(found.documents) == documents


def test_options_past_the_alphabet_have_letters_too(tmp_path: Path) -> None:
    options = tuple(f"option {number}" for number in range(28))
    case = Case("question", "", Question("q", "Which?", answer="option 27", options=options), "q")
    write_candidates(tmp_path / "c.jsonl", [case], candidates=(), documents={})
    line = json.loads((tmp_path / "c.jsonl").read_text(encoding="utf-8"))
    assert list(line["options"])[-3:] == ["Z", "AA", "AB"]
    assert read_candidates(tmp_path / "c.jsonl").cases[0].key == "AB"
