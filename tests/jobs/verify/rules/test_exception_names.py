"""Names of exceptions, whatever they are called."""

from __future__ import annotations

import pytest

from goldproof.jobs.verify.rules.exception_names import only_name, raised_names
from goldproof.jobs.verify.rules.outcomes import read_outcomes
from tests.jobs.verify.rules.case_runs import case_of, decided, proofs_of

# An exception that is not called so, and one that inherits from it.
STOP = "class Stop(Exception):\n    pass\nclass NoSuchThing(Stop):\n    pass\nraise NoSuchThing('no')"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("It raises `click.BadParameter`.", ("click.BadParameter",)),
        ("An `InvalidVersion` exception is raised.", ("InvalidVersion",)),
        ("The call throws an httpx.InvalidURL.", ("httpx.InvalidURL",)),
        ("InvalidVersion is always raised", ("InvalidVersion",)),
        ("The program fails with a `Stop`, not with a `KeyError`", ("KeyError", "Stop")),
        ("`Abort` is thrown", ("Abort",)),
        # What is not raised, is called, or is no name of a class.
        ("`Stop` is caught and `None` is raised", ()),
        ("Nothing is raised", ()),
        ("It raises `Stop.now`, `limit` and the bar", ()),
        ("It raises `Stop()` in the end", ()),
        ("It raises the limit of `Stop`", ()),
        ("A BadParameter is returned", ()),
    ],
)
def test_what_is_said_to_be_raised_is_an_exception(text: str, names: tuple[str, ...]) -> None:
    assert raised_names(text) == names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("`click.Abort`", "click.Abort"), ("click.Abort.", "click.Abort"), ("InvalidURL", "InvalidURL"),
        ("A `BadParameter`", "BadParameter"), ("the `Stop` exception", "Stop"),
        ("Abort", ""), ("`abort`", ""), ("`None`", ""), ("`Foo.bar`", ""), ("`Foo()`", ""), ("`Foo` of `Bar`", ""),
    ],
)  # fmt: skip
def test_a_text_that_is_the_name_of_a_class(text: str, name: str) -> None:
    assert only_name(text) == name


@pytest.mark.parametrize(
    ("asked", "options", "found"),
    [
        ("Which exception is raised?", ["`NoSuchThing`", "`Stop`", "`Abort`", "`ValueError`"], "AB"),
        ("What kind of error does the code end with?", ["NoSuchThing", "`OtherThing`", "No error"], "A"),
        ("What does the last line raise?", ["`Abort`", "`NoSuchThing`", "Nothing"], "B"),
        ("What happens when this code runs?", ["It raises `Abort`.", "A `NoSuchThing` is raised.", "No error."], "B"),
        ("Which error occurs here?", ["A `NoSuchThing` exception", "A `TypeError`", "An `Abort`"], "A"),
        # The option is not the name of what is raised, or may be something else.
        ("What raises the exception in this code?", ["`NoSuchThing`", "`Stop`", "`Abort`"], "?ABC"),
        ("Which exception is raised?", ["`NoSuchThing.args`", "`stop`", "`STOP`"], "?ABC"),
        ("Which exception handler would stop it?", ["`NoSuchThing`", "`Stop`"], "?AB"),
    ],
)
def test_exceptions_of_any_name_are_held_against_what_is_raised(asked: str, options: list[str], found: str) -> None:
    assert decided(case_of(asked, *options, code=STOP)) == found


def test_a_name_of_the_library_that_is_no_class_is_no_exception() -> None:
    found = proofs_of(case_of("Which exception is raised?", "`pydantic.Field`", "`KeyError`", code=STOP))
    assert [proof.option for proof in found if proof.option != "premise"] == ["B"]


def test_what_is_caught_is_not_the_outcome() -> None:
    assert read_outcomes("`Stop` is raised and caught").said == ()
    assert read_outcomes("It never raises `Stop`").whole is False


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("Which of these calls raises `StopIteration`?", "A"),
        ("Which of these calls raises a `LookupError`?", "B"),
        ("Which of these calls raises `NoSuchThing`?", ""),
        ("Which of these calls raises a `KeyError` rather than a `StopIteration`?", "?AB"),
        ("Which of these calls raises an exception?", "AB"),
    ],
)
def test_code_is_held_against_the_exception_that_is_named(asked: str, found: str) -> None:
    assert decided(case_of(asked, "`next(iter([]))`", "`{}['a']`")) == found
