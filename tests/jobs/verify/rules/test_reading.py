"""What a question asks, read from its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.jobs.verify.rules.reading import says_it_works
from tests.jobs.verify.rules.case_runs import case_of, reading_of

CODE = "import yaml\nx = yaml.safe_load('a: 1')\nprint(x)"

# The wording, and what is most likely asked.
WORDINGS = [
    ("What happens when this code runs?", "outcome"),
    ("What happens when you run the following snippet?", "outcome"),
    ("What will happen if this script is executed?", "outcome"),
    ("What is the outcome of running this code?", "outcome"),
    ("What is the result of executing the code below?", "outcome"),
    ("Predict the behavior of the following program.", "outcome"),
    ("What occurs at runtime?", "outcome"),
    ("Will this code run without errors?", "outcome"),
    ("Does the following code work?", "outcome"),
    ("Is this model definition valid?", "outcome"),
    ("You create a loader without a stream. What happens?", "outcome"),
    ("What does the following code do?", "outcome"),
    ("Which option best describes what happens when the code is run?", "outcome"),
    ("What does this code print?", "prints"),
    ("What will be printed?", "prints"),
    ("What is printed to the console when this runs?", "prints"),
    ("What is the output of the following code?", "prints"),
    ("What is the output?", "prints"),
    ("What output does this snippet produce?", "prints"),
    ("Predict the standard output of the following Python code:", "prints"),
    ("Which of these is the output of the code?", "prints"),
    ("What gets displayed?", "prints"),
    ("In what order will the lines be printed?", "prints"),
    ("Which exception is raised when `x` is missing?", "raises"),
    ("What exception does this code raise?", "raises"),
    ("What error occurs?", "raises"),
    ("What type of error is thrown?", "raises"),
    ("What validation error is raised?", "raises"),
    ("Which error will you get?", "raises"),
    ("Predict the error (if any) when running the following code:", "raises"),
    ("Predict the error:", "raises"),
    ("What kind of exception results from calling `yaml.load('a')`?", "raises"),
    ("What does this raise?", "raises"),
    ("What does `yaml.safe_load('a: 1')` return?", "returns"),
    ("What is the value of `x` after this code runs?", "returns"),
    ("What is the return value of `yaml.safe_load('')`?", "returns"),
    ("What will `x` contain?", "returns"),
    ("What is the type of `x`?", "returns"),
    ("What type does `yaml.safe_load('1')` return?", "returns"),
    ("What does `bool('no')` evaluate to?", "returns"),
    ("What is the result of `yaml.safe_load('1')`?", "returns"),
    ("Which value does `x` have at the end?", "returns"),
    ("Which import is correct?", "import"),
    ("Which is the correct import statement for the `Runner` class?", "import"),
    ("How do you import `BaseModel`?", "import"),
    ("Which of the following imports works?", "import"),
    ("Where can `SafeLoader` be imported from?", "import"),
    ("From which module is `Field` imported?", "import"),
    ("What is the correct import path for `Runner`?", "import"),
    ("You encounter a `NameError`. Which import statement is missing?", "import"),
    ("Which of the following raises a `ValidationError`?", "code"),
    ("Which of the following works?", "code"),
    ("Which call fails?", "code"),
    ("Which of these snippets runs without an error?", "code"),
    ("Which of the following code snippets is valid?", "code"),
    ("Which line raises a `TypeError`?", "code"),
    ("Which of the following does not raise an error?", "code"),
    ("Which expression returns `3`?", "code"),
    ("Which of the following will fail with a `TypeError`?", "code"),
    ("Which snippet prints `3`?", "code"),
    ("What is the default value of `max_iterations`?", "default"),
    ("Which value does `timeout` have by default?", "default"),
    ("Which class does `Runner` inherit from?", "inherits"),
    ("What is the base class of `Field`?", "inherits"),
    ("Which of these methods must be awaited?", "async"),
    ("Is `Runner.run` asynchronous?", "async"),
    ("What is the signature of `safe_load`?", "signature"),
    ("Which parameter limits the number of iterations?", "keyword"),
    ("Which argument of `Runner` sets the name?", "keyword"),
    ("Which of these is NOT a method of `Runner`?", "exists"),
    ("Which class wraps a function as a tool?", "exists"),
    ("Which option of `adk web` sets the port?", "flag"),
    ("Which command-line flag sets the port?", "flag"),
    ("Which statement about `Runner` is true?", "other"),
    ("Why does this code fail?", "other"),
    ("What is the purpose of `InvocationContext`?", "other"),
    ("How should sub-agents be passed to `SequentialAgent`?", "other"),
    ("What happens if the second line is removed?", "other"),
    ("How would you fix this code?", "other"),
    ("Which change makes the code print `3`?", "other"),
]


@pytest.mark.parametrize(("asked", "kind"), WORDINGS)
def test_the_words_of_a_question_say_what_it_asks(asked: str, kind: str) -> None:
    assert reading_of(case_of(asked, "a", "b", code=CODE)).asked.kind == kind


def test_capitals_do_not_matter() -> None:
    asked = reading_of(case_of("WHAT DOES THIS CODE PRINT?", "a", "b")).asked
    assert asked.kind == "prints"
    assert not asked.negated


@pytest.mark.parametrize(
    ("asked", "negated"),
    [
        ("Which of these is NOT a method of `Runner`?", True),
        ("Which of the following does not raise an error?", True),
        ("Which of the following doesn't raise an error?", True),
        ("All of the following are valid EXCEPT:", True),
        ("All of the following work, except?", True),
        ("Which statement is false?", True),
        ("Which of the following is incorrect?", True),
        ("Which import is invalid?", True),
        ("Which of these will **not** work?", True),
        ("Which of these cannot be imported?", True),
        ("Which of these raises a `ValueError`?", False),
        ("What happens if `x` is NOT given?", False),
        ("Why does this **not** raise a `ValidationError`?", False),
        ("How do you say that a tool should *not* return?", False),
        ("What does the code print when `not x` holds?", False),
        ("Which exception is raised when a key does not exist?", False),
        ("Which parameter is used if no name is given?", False),
        ("What error occurs when the file does not exist?", False),
    ],
)
def test_it_is_seen_whether_the_odd_one_is_asked_for(asked: str, *, negated: bool) -> None:
    assert reading_of(case_of(asked, "a", "b")).asked.negated is negated


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ("Why does this code raise a ValidationError?", "ValidationError"),
        ("Why does this code fail?", ""),
        ("What is the primary reason this `Loader` instantiation fails?", ""),
        ("What is the cause of the `TypeError`?", "TypeError"),
        ("The following code raises a `yaml.YAMLError`. What must be changed?", "yaml.YAMLError"),
        ("Why does this not raise a `ValidationError`?", None),
        ("What error does this code raise?", None),
        ("What happens when this code runs?", None),
    ],
)
def test_it_is_seen_whether_the_question_says_that_its_code_fails(asked: str, error: str | None) -> None:
    assert reading_of(case_of(asked, "a", "b", code=CODE)).asked.expects_error == error


def test_why_something_does_not_fail_takes_for_granted_that_it_works() -> None:
    assert says_it_works(reading_of(case_of("Why does this **not** raise a `ValidationError`?", "a", "b")).asked)
    assert not says_it_works(reading_of(case_of("Why does this raise a `ValidationError`?", "a", "b")).asked)


@pytest.mark.parametrize(
    ("asked", "meaning"),
    [
        ("Which parameter is used to limit retries?", True),
        ("Which class represents a message?", True),
        ("Which method should you call first?", True),
        ("Which of the following raises a `ValueError`?", False),
        ("Which of these is a method of `Runner`?", False),
        ("What does this code print?", False),
        ("Which import is correct?", False),
    ],
)
def test_a_question_for_a_purpose_asks_for_more_than_what_exists(asked: str, *, meaning: bool) -> None:
    assert reading_of(case_of(asked, "a", "b")).asked.meaning is meaning


def test_code_is_the_snippet_else_the_python_fences_of_the_text() -> None:
    fenced = "What is printed?\n\n```python\nprint(1)\n```\n\n```json\n{}\n```"
    assert reading_of(case_of(fenced, "1", "2", code="print(2)")).asked.code == "print(2)"
    asked = reading_of(case_of(fenced, "1", "2")).asked
    assert asked.code == "print(1)"
    assert asked.text == "What is printed?"
    assert reading_of(case_of("What is printed?", "1", "2")).asked.code == ""


def test_a_session_at_a_prompt_is_read_without_its_answers() -> None:
    asked = reading_of(case_of("What comes next?\n```\n>>> x = 1\n>>> x\n1\n```", "1", "2")).asked
    assert asked.code == "x = 1\nx"


def test_spans_and_subjects_are_what_stands_in_backquotes_and_names_of_the_library() -> None:
    asked = reading_of(case_of("Does `Runner.run()` call `model(x=1)` of a BaseModel, or a FooBar?", "a", "b")).asked
    assert asked.spans == ("Runner.run()", "model(x=1)")
    assert asked.subjects == ("Runner.run", "model", "BaseModel")


def test_names_that_the_code_defines_are_no_subjects() -> None:
    code = "from pydantic import BaseModel\nclass Car(BaseModel):\n    doors: int"
    assert reading_of(case_of("Is `Car` a `BaseModel`?", "a", "b", code=code)).asked.subjects == ("BaseModel",)


def test_an_empty_question_asks_nothing() -> None:
    assert reading_of(case_of("", "a", "b")).asked.kinds == ("other",)


@given(st.text(alphabet="`'\x02 whichNOT?.\nofthe", max_size=80))
def test_no_question_is_too_odd_to_be_read(asked: str) -> None:
    assert reading_of(case_of(asked, "a", "b")).asked.kinds


def test_what_is_longer_than_any_question_is_not_read() -> None:
    from goldproof.jobs.verify.rules.reading import MOST_CODE, MOST_OPTION, MOST_TEXT
    from tests.jobs.verify.rules.case_runs import case_of, proofs_of, reading_of

    asked, options = "What happens when this code runs?", ("It raises a `ValueError`.", "No error.")
    assert proofs_of(case_of(asked, *options, code="print(1)"))
    for case in (
        case_of("`" * MOST_TEXT + asked, *options, code="print(1)"),
        case_of(asked, *options, "(" * (MOST_OPTION + 1), code="print(1)"),
        case_of(asked, *options, code="print(1)\n" * MOST_CODE),
    ):
        assert reading_of(case).asked.text == ""
        assert proofs_of(case) == ()
