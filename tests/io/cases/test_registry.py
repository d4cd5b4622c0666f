"""Registries: YAML and JSON files of cases, of every kind, with ids of their own and what cannot be read of them."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import pytest

from goldproof.errors import FileFormatError, InputError
from goldproof.io.cases import Case, Cases, CodeFile, read_cases

if TYPE_CHECKING:
    from pathlib import Path

CHOICE = """
- id: {id}
  question: Which?
  options: {{A: one, B: two}}
  correct_answer: A
"""
ADK = """
suite: adk
benchmarks:
  - id: "04"
    question: What does it print?
    options: {B: "2", A: "1", C: No}
    correct_answer: C
    explanation: It cannot.
    code_snippet_ref: {file: code/run.py, section: loop}
  - question: Which class runs an agent?
    answers:
      - {answer: Runner, fully_qualified_class_name: [google.adk.runners.Runner, google.adk.Runner]}
      - {answer: InMemoryRunner, fully_qualified_class_name: google.adk.runners.InMemoryRunner}
    file: src/google/adk/runners.py
    rationale: It runs.
  - name: minimal
    description: The agent has no name.
    unfixed_file: code/unfixed.py
    fixed_file: code/fixed.py
    test_file: code/test_it.py
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def adk(tmp_path: Path) -> Cases:
    write(tmp_path / "code/run.py", "import x\n# --8<-- [start:loop]\nfor i in x:\n    print(i)\n# --8<-- [end:loop]\n")
    write(tmp_path / "code/unfixed.py", "Agent()\n")
    write(tmp_path / "code/fixed.py", "Agent(name='a')\n")
    write(tmp_path / "code/test_it.py", "def test_it(): ...\n")
    return read_cases([write(tmp_path / "benchmark.yaml", ADK)])


def test_a_multiple_choice_case_has_its_options_by_letter_and_its_answer_as_text(adk: Cases, tmp_path: Path) -> None:
    case = adk.cases[0]
    assert (case.id, case.kind, case.suite, case.key) == ("adk:04", "multiple_choice", "adk", "C")
    assert dict(case.options) == {"A": "1", "B": "2", "C": "No"}
    assert case.question.options == ("1", "2", "No")
    assert case.question.answer == "No"
    assert case.explanation == "It cannot."
    assert case.snippet == CodeFile("code/run.py", "for i in x:\n    print(i)", "loop")
    assert case.question.text == "What does it print?\n\n```python\nfor i in x:\n    print(i)\n```"
    assert case.question.metadata == {"kind": "multiple_choice", "suite": "adk", "file": "benchmark.yaml"}
    assert case.where == f"{tmp_path / 'benchmark.yaml'}:4"


def test_an_api_case_has_alternatives_as_aliases_and_all_names_as_targets(adk: Cases) -> None:
    case = adk.cases[1]
    assert (case.id, case.kind) == ("adk:2", "api_understanding")
    assert case.question.answer == "Runner"
    assert case.question.metadata["answer_aliases"] == ["InMemoryRunner"]
    assert case.targets == ("google.adk.runners.Runner", "google.adk.Runner", "google.adk.runners.InMemoryRunner")
    assert case.explanation == "It runs."


def test_a_case_of_code_to_fix_asks_with_the_code_that_fails_and_has_no_answer(adk: Cases) -> None:
    case = adk.cases[2]
    assert (case.id, case.kind) == ("adk:minimal", "fix_error")
    assert case.question.text == "The agent has no name.\n\n```python\nAgent()\n```"
    assert case.question.answer is None
    assert case.targets == ()
    assert case.fixed == CodeFile("code/fixed.py", "Agent(name='a')")
    assert case.test == CodeFile("code/test_it.py", "def test_it(): ...")


def test_every_file_that_was_read_has_its_sha256(adk: Cases, tmp_path: Path) -> None:
    names = ("benchmark.yaml", "run.py", "unfixed.py", "fixed.py", "test_it.py")
    assert tuple(adk.files) == names
    assert adk.files["fixed.py"] == hashlib.sha256((tmp_path / "code/fixed.py").read_bytes()).hexdigest()


def test_no_text_of_an_option_reaches_the_question(adk: Cases) -> None:
    for case in adk.cases:
        assert not any(option in case.question.text for option in case.question.options)


@pytest.mark.parametrize("bare", [False, True])
@pytest.mark.parametrize("suffix", [".yaml", ".json", ".jsonl"])
def test_yaml_json_and_json_lines_say_the_same(tmp_path: Path, suffix: str, bare: bool) -> None:
    cases = [
        {"id": "01", "question": "q?", "options": {"A": "x", "B": "1.10"}, "correct_answer": "B"},
        {"id": 2, "question": "r?", "options": ["True", "False"], "correct_answer": "True"},
    ]
    if suffix == ".jsonl":
        text = "\n".join(json.dumps(case) for case in cases)
    else:  # JSON is YAML
        text = json.dumps(cases if bare else {"benchmarks": cases})
    found = read_cases([write(tmp_path / f"quiz{suffix}", text)])
    assert [(case.id, case.key, case.question.answer) for case in found.cases] == [
        ("quiz:01", "B", "1.10"),
        ("quiz:2", "A", "True"),
    ]
    assert found.problems == ()


def test_numbers_and_words_for_truth_are_read_as_they_are_written(tmp_path: Path) -> None:
    text = "- {id: 007, question: 1.0, options: {A: True, B: no, C: 0x1F, D: 2026-01-01}, correct_answer: A}"
    (case,) = read_cases([write(tmp_path / "q.yaml", text)]).cases
    assert case.id == "q:007"
    assert case.question.text == "1.0"
    assert case.question.options == ("True", "no", "0x1F", "2026-01-01")
    numbers = '[{"id": 1.10, "question": "q", "options": [true, 1e5, 12345678901234567890123], "correct_answer": "C"}]'
    (case,) = read_cases([write(tmp_path / "n.json", numbers)]).cases
    assert case.id == "n:1.10"
    assert case.question.options == ("true", "1e5", "12345678901234567890123")


@pytest.mark.parametrize(
    ("case", "kind"),
    [
        ("{benchmark_type: multiple_choice, question: q, options: [a, b], correct_answer: A}", "multiple_choice"),
        ("{type: Multiple-Choice, question: q, options: [a, b], correct_answer: A}", "multiple_choice"),
        ("{kind: api_understanding, question: q, answers: [x]}", "api_understanding"),
        ("{type: conceptual, question: q, options: [a, b], correct_answer: A}", "multiple_choice"),
        ("{question: q, answers: [{answer: x}]}", "api_understanding"),
        ("{question: q, answer: x}", "question"),
    ],
)
def test_the_kind_is_what_the_case_says_else_what_its_keys_say(tmp_path: Path, case: str, kind: str) -> None:
    (found,) = read_cases([write(tmp_path / "q.yaml", f"- {case}")]).cases
    assert found.kind == kind
    assert found.question.metadata["kind"] == kind


def test_the_kind_may_stand_at_the_top_of_the_file(tmp_path: Path) -> None:
    text = "benchmark_type: fix_error\nbenchmarks: [{description: d, unfixed_file: q.yaml}]"
    (found,) = read_cases([write(tmp_path / "q.yaml", text)]).cases
    assert found.kind == "fix_error"


BROKEN = {
    "{benchmark_type: code_golf, question: q, options: [a, b], correct_answer: A}": "unknown kind of case 'code_golf'",
    "{benchmark_type: multiple_choise, question: q}": "did you mean 'multiple_choice'?",
    "{type: essay, title: x}": "unknown kind of case 'essay'",
    "{}": "fit no known kind",
    "just text": "is no mapping",
    "[a, b]": "is no mapping",
    "{options: [a, b], correct_answer: A}": "has no question.",
    "{question: ' ', options: [a, b], correct_answer: A}": "has no question.",
    "{question: [a], options: [a, b], correct_answer: A}": "has a question that is a list, expected text.",
    "{question: q, options: [a], correct_answer: A}": "has 1 option, expected at least two.",
    "{question: q, options: {A: x, a: y}, correct_answer: A}": "has the option 'A' twice.",
    "{question: q, options: {A: x, B: null}, correct_answer: A}": "has an option B without text",
    "{question: q, options: {A: x, B: {C: y}}, correct_answer: A}": "has a option B that is a mapping",
    "{question: q, options: some, correct_answer: A}": "has options that are neither",
    "{question: q, correct_answer: A}": "has no options",
    "{question: q, options: [a, b]}": "has no correct_answer, expected one of A, B.",
    "{question: q, options: [a, b], correct_answer: C}": "has the correct_answer 'C', expected one of A, B",
    "{question: q, options: [a, b], correct_answer: [A, B]}": "has 2 right answers (A, B), expected one.",
    "{question: q, options: [a, b, c], correct_answer: 'A, C'}": "has 2 right answers (A, C), expected one.",
    "{question: q, options: [a, b, c], correct_answer: A and B}": "has 2 right answers (A, B), expected one.",
    "{question: q, options: [a, a], correct_answer: A}": "has a second option with the text of the right one, A.",
    "{question: q, answers: []}": "has no answers",
    "{question: q, answers: [{fully_qualified_class_name: [a.b]}]}": "has no answers",
    "{description: d, fixed_file: q.yaml}": "has no unfixed_file.",
    "{name: x, unfixed_file: q.yaml}": "has no description.",
    "{description: d, unfixed_file: gone.py}": "names 'gone.py', which is neither in",
    '{id: "a\\tb", question: q, answer: x}': "has an id with a tab",
}


@pytest.mark.parametrize(("case", "problem"), BROKEN.items())
def test_a_broken_case_is_one_sentence_and_the_rest_go_on(tmp_path: Path, case: str, problem: str) -> None:
    path = write(tmp_path / "q.yaml", f"- {case}\n- {{id: good, question: q, answer: x}}\n")
    found = read_cases([path])
    assert [one.id for one in found.cases] == ["q:good"]
    (sentence,) = found.problems
    assert problem in sentence
    assert sentence.startswith(f"{path}")
    assert "case 'q:" in sentence
    assert "\n" not in sentence


def test_half_a_character_which_json_can_spell_makes_a_case_broken(tmp_path: Path) -> None:
    text = '[{"question": "\\ud800", "answers": [{"answer": "x"}]}, {"id": "good", "question": "q", "answers": ["x"]}]'
    found = read_cases([write(tmp_path / "q.json", text)])
    assert [one.id for one in found.cases] == ["q:good"]
    assert "case 'q:1' has a question with half a surrogate pair in it" in found.problems[0]


def test_a_problem_names_file_line_and_case(tmp_path: Path) -> None:
    text = "benchmarks:\n  - {id: a, question: q, answer: x}\n\n  - id: b\n    options: [a, b]\n"
    found = read_cases([write(tmp_path / "q.yaml", text)])
    assert found.problems == (f"{tmp_path / 'q.yaml'}:4: case 'q:b' has no question.",)


def test_an_id_that_occurs_twice_names_both_lines(tmp_path: Path) -> None:
    found = read_cases([write(tmp_path / "q.yaml", CHOICE.format(id=1) + CHOICE.format(id=1))])
    assert len(found.cases) == 1
    assert f"case 'q:1' occurs twice, first at {tmp_path / 'q.yaml'}:2" in found.problems[0]


@pytest.mark.parametrize("right", ["b", " B ", "B.", "(B)", "two"])
def test_the_right_answer_is_a_letter_or_the_text_of_an_option(tmp_path: Path, right: str) -> None:
    text = f"- {{question: q, options: {{A: one, B: two}}, correct_answer: '{right}'}}"
    (case,) = read_cases([write(tmp_path / "q.yaml", text)]).cases
    assert (case.key, case.question.answer) == ("B", "two")


def test_options_of_numbers_are_found_by_their_text_and_labels_in_their_order(tmp_path: Path) -> None:
    text = "- {id: a, question: q, options: [4, 2, 3], correct_answer: 2}\n"
    text += "- {id: b, question: q, options: {10: ten, 2: two}, correct_answer: 10}\n"
    first, second = read_cases([write(tmp_path / "q.yaml", text)]).cases
    assert (first.key, first.question.answer) == ("B", "2")
    assert (second.key, second.question.options) == ("10", ("two", "ten"))


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    one = write(tmp_path / "fix_errors/benchmark.yaml", CHOICE.format(id=1))
    two = write(tmp_path / "quiz/benchmark.yaml", CHOICE.format(id=1))
    assert [case.id for case in read_cases([one]).cases] == ["benchmark:1"]
    found = read_cases([one, two])
    assert [case.id for case in found.cases] == ["fix_errors/benchmark:1", "quiz/benchmark:1"]
    assert [case.question.metadata["file"] for case in found.cases] == [
        "fix_errors/benchmark.yaml",
        "quiz/benchmark.yaml",
    ]
    assert list(found.files) == ["fix_errors/benchmark.yaml", "quiz/benchmark.yaml"]


@pytest.mark.parametrize("second", ["x/quiz/b.yaml", "y/quiz/b.yaml"])
def test_suites_that_cannot_be_told_apart_are_refused_with_both_names(tmp_path: Path, second: str) -> None:
    one = write(tmp_path / "x/quiz/b.yaml", CHOICE.format(id=1))
    two = write(tmp_path / second, CHOICE.format(id=2))
    with pytest.raises(InputError, match="both have the suite 'quiz/b'") as caught:
        read_cases([one, two])
    assert str(one) in str(caught.value)
    assert str(two) in str(caught.value)


def test_cases_about_one_snippet_file_are_a_cluster_and_others_are_not(tmp_path: Path) -> None:
    write(tmp_path / "s.py", "x = 1\n")
    write(tmp_path / "t.py", "y = 1\n")
    case = "- {{id: {id}, question: q, options: [a, b], correct_answer: A, code_snippet_ref: {ref}}}\n"
    one = "".join(case.format(id=name, ref=ref) for name, ref in (("a", "s.py"), ("b", "t.py")))
    other = case.format(id="c", ref="{file: ../s.py}")
    found = read_cases([write(tmp_path / "one.yaml", one), write(tmp_path / "below/other.yaml", other)])
    assert {one.id: one.question.cluster for one in found.cases} == {"one:a": "s.py", "one:b": None, "other:c": "s.py"}


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("q.yaml", "", "is empty"),
        ("q.yaml", "a: [", "is not YAML"),
        ("q.yaml", "a: 1\na: 2\n", "key 'a' occurs twice"),
        ("q.yaml", "benchmarks: 3", "holds no list of cases"),
        ("q.yaml", "benchmarks: []", "holds no cases"),
        ("q.yaml", "other: [{question: q, answers: [a]}]", "holds no list of cases"),
        ("q.yaml", "- {foo: 1}\n- 2\n", "no case can be read; the first of 2"),
        ("q.yaml", "!!python/object/apply:os.system ['true']", "is not YAML"),
        ("q.json", '{"benchmarks": [', "is not JSON"),
        ("q.json", '{"cases": [{"question": "q", "options": ["a", "b"]}]}', "holds no list of cases"),
        ("q.json", '{"benchmarks": [{"id": 1, "id": 2}]}', "key 'id' occurs twice"),
    ],
)
def test_a_file_in_which_nothing_can_be_read_is_an_error(tmp_path: Path, name: str, text: str, problem: str) -> None:
    with pytest.raises(FileFormatError, match=problem):
        read_cases([write(tmp_path / name, text)])


def test_no_file_at_all_is_an_error() -> None:
    with pytest.raises(InputError, match="no file of cases"):
        read_cases([])


def test_a_case_is_a_record_that_can_be_compared(adk: Cases, tmp_path: Path) -> None:
    assert read_cases([tmp_path / "benchmark.yaml"]) == adk
    assert all(isinstance(case, Case) for case in adk.cases)
