"""Statements about code that runs: as the question, true or false; as options, of which one is true or false."""

from __future__ import annotations

import pytest

from tests.jobs.verify.rules.case_runs import case_of, decided

STATEMENTS = [
    ("`yaml.safe_load('1')` returns `1`.", "A"),
    ("`yaml.safe_load('1')` returns `'1'`.", "B"),
    ("True or false: `yaml.safe_load('yes')` is `True`.", "A"),
    ("`yaml.safe_load('a: b: c')` raises a `YAMLError`. True or false?", "A"),
    ("`yaml.safe_load('a: 1')` does not raise a `YAMLError`.", "A"),
    # A condition, a further claim, a reason, and what is only named are not understood.
    ("`yaml.safe_load('1')` returns `'1'` in strict mode.", "?AB"),
    ("`yaml.safe_load('1')` returns `1` and logs it.", "?AB"),
    ("`yaml.safe_load('1')` returns `1`, because plain scalars are integers.", "?AB"),
    ("`yaml.safe_load` returns `None`.", "?AB"),
    ("`yaml.safe_load()` returns `None`.", "?AB"),
]


@pytest.mark.parametrize(("asked", "found"), STATEMENTS)
def test_a_statement_is_true_or_false(asked: str, found: str) -> None:
    assert decided(case_of(asked, "True", "False")) == found


OPTIONS = (
    "`yaml.safe_load('1')` returns `1`.",
    "`yaml.safe_load('[1]')` returns `(1,)`.",
    "`yaml.safe_load('')` is `None`.",
    "`yaml.safe_load` is fast.",
)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("Which statement is true?", "AC?D"),
        ("Which of the following statements is NOT true?", "B?D"),
        ("Which statement is false?", "B?D"),
        ("Which statement is true in YAML 1.2?", "?ABCD"),
    ],
)
def test_each_statement_runs_its_own_code(asked: str, found: str) -> None:
    assert decided(case_of(asked, *OPTIONS)) == found
