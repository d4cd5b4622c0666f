"""What an option takes for granted."""

from __future__ import annotations

import pytest

from karat.jobs.verify.rules.prose_rule import RULE
from tests.jobs.verify.rules.proving import prover

QUESTION = "How do you keep the order of keys?"


def _refuted(option: str, question: str = QUESTION, code: str = "") -> bool:
    return any(one.standing == "refuted" for one in prover("PyYAML").tried(RULE, question, option, code=code))


@pytest.mark.parametrize(
    "option",
    [
        "Call `yaml.dump(data, keep_order=True)`",
        "Pass `keep_order=True` to `yaml.dump_all`.",
        "Use `yaml.ordered_dump(data)`",
        "Use the `OrderedDumper` class",
        "Call `SafeDumper.keep_order()` first.",
        "Start with `from yaml import ordered_dump`, then go on.",
        "Use yaml.ordered.dump for it.",
        "As a list to the `keep` parameter of `yaml.dump_all`.",
    ],
)
def test_what_is_not_there_refutes(option: str) -> None:
    assert _refuted(option)


@pytest.mark.parametrize(
    "option",
    [
        "Call `yaml.dump(data, sort_keys=False)`",
        "Pass `sort_keys=False` to `yaml.dump`.",
        "Use the `SafeDumper` class",
        "Use an `OrderedDict` with it",
        "`yaml.dump(data, keep_order=True)` raises a `TypeError`",
        "`yaml.ordered_dump` does not exist",
        "Write your own `OrderedDumper`",
        "Use `MyDumper`",
        "Use `keep_order` somewhere",
        "Keep them in order.",
    ],
)
def test_what_is_there_or_denied_does_not(option: str) -> None:
    assert not _refuted(option)


def test_nothing_is_confirmed() -> None:
    tried = prover("PyYAML").tried(RULE, QUESTION, "Pass `sort_keys=False` to `yaml.dump`.")
    assert [one.standing for one in tried] == ["supported"] * 2


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("Which of these does NOT keep the order?", ""),
        ("What does this code raise?", "import yaml"),
        (QUESTION, "class OrderedDumper: ..."),
    ],
)
def test_not_where_the_question_is_negated_about_code_or_has_the_name_itself(question: str, code: str) -> None:
    assert prover("PyYAML").proofs(RULE, question, "Use the `OrderedDumper` class", code=code) == []
