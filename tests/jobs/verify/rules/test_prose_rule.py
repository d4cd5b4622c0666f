"""What an option takes for granted."""

from __future__ import annotations

import pytest

from goldproof.jobs.verify.rules.prose_rule import RULE
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


@pytest.mark.parametrize(
    ("question", "option", "refuted"),
    [
        # A path is a member, and no keyword of what stands before the dot.
        ("Which of these methods comes first?", "`yaml.SafeLoader.get_data`", False),
        ("Which of these is the fastest?", "`yaml.dump_all`", False),
        ("Which of them comes from the representer?", "`yaml.SafeDumper.represent_data`", False),
        ("Which of them comes from the representer?", "`yaml.SafeDumper.represent_tree`", True),
        ("Which of these is the fastest?", "`yaml.dump_fast`", True),
    ],
)
def test_a_path_is_looked_up_as_a_member(question: str, option: str, refuted: bool) -> None:
    assert _refuted(option, question) is refuted


@pytest.mark.parametrize(
    ("question", "option", "refuted"),
    [
        ("What is the type of the object that `yaml.compose('a')` returns?", "`yaml.TreeNode`", True),
        ("Which exception does `yaml.safe_load('[')` raise?", "`yaml.errors.TreeError`", True),
        ("What is the type of the object that `yaml.compose('a')` returns?", "`yaml.ScalarNode`", False),
        ("Which exception does `yaml.safe_load('[')` raise?", "`yaml.errors.ParserError`", False),  # known elsewhere
        ("What does `yaml.safe_load('a')` return?", "`TreeNode`", False),  # perhaps of somebody else
        ("What does `yaml.safe_load('a')` return?", "A `yaml.TreeNode`, which does not exist", False),
        ("Which of these types does `yaml.compose('a')` NOT return?", "`yaml.TreeNode`", False),
    ],
)
def test_a_type_of_the_library_that_nothing_is_called_is_refuted(question: str, option: str, refuted: bool) -> None:
    assert _refuted(option, question) is refuted
