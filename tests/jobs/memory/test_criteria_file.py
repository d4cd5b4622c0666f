"""Files of rules: the bundled one, what a user's own file changes, and what is wrong with it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import yaml

from goldproof.errors import FileFormatError
from goldproof.io.scenarios.scenario import KINDS
from goldproof.jobs.memory.criteria import CRITERIA_FILE, default_rules, read_rules
from goldproof.metrics.memory.measures import NAMES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from goldproof.jobs.memory.criteria import Rules

    Written = Callable[[str], Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def write(text: str) -> Path:
        path = tmp_path / "mine.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_the_bundled_rules_are_the_stated_ones() -> None:
    assert default_rules().to_dict() == {
        "k": 5,
        "kinds": {
            "exact": ["Hit@1 = 1"],
            "semantic": ["recall > 0.9"],
            "temporal": ["precision > 0.85"],
            "cross_role": ["precision > 0.8"],
            "negative": ["false_surface = 0"],
            "follow_up": ["relevance_score >= 0.85"],
            "topic_switch": ["relevance_score >= 0.85"],
            "ocr": ["relevance_score >= 0.85"],
            "update": ["Hit@1 = 1"],
            "haystack": ["recall > 0.9"],
            "paraphrase": ["recall > 0.9"],
            "kernel": ["set_success = 1"],
        },
        "overall": ["relevance_score >= 0.85", "precision >= 0.8", "recall >= 0.9", "f1 >= 0.85", "pass_rate = 1"],
        "triggers": {"critical": ["relevance_score < 0.7"], "major": ["recall < 0.8", "unexpected_share > 0.2"]},
    }


def test_the_bundled_rules_name_every_kind_and_explain_every_measure() -> None:
    assert tuple(default_rules().kinds) == tuple(KINDS)
    explained = [line.split()[1] for line in CRITERIA_FILE.read_text(encoding="utf-8").splitlines() if "#   " in line]
    assert explained == list(NAMES)


def test_a_copy_of_the_bundled_file_changes_nothing(written: Written) -> None:
    assert read_rules(written(CRITERIA_FILE.read_text(encoding="utf-8"))) == default_rules()


@pytest.mark.parametrize(
    ("text", "key", "expected"),
    [
        ("k: 10", "k", 10),
        ("kinds: {exact: [Hit@1 = 1, precision >= 50%]}", "exact", ["Hit@1 = 1", "precision >= 0.5"]),
        ("kinds:\n  ocr: recall = 1", "ocr", ["recall = 1"]),
        ("kinds:\n  ocr:\n    - recall = 1\n    - f1 > 0.5\n", "ocr", ["recall = 1", "f1 > 0.5"]),
        ("overall: [unexpected_share <= 10%]", "overall", ["unexpected_share <= 0.1"]),
        ("overall: []", "overall", []),
        ("overall: pass_rate >= 0.9", "overall", ["pass_rate >= 0.9"]),
        ("triggers: {critical: [pass_rate < 50%]}", "critical", ["pass_rate < 0.5"]),
        ("triggers: {major: []}", "major", []),
    ],
)
def test_what_a_file_does_not_name_keeps_its_default(written: Written, text: str, key: str, expected: object) -> None:
    found, default = _flat(read_rules(written(text))), _flat(default_rules())
    assert found == {**default, key: expected}
    assert list(found) == list(default)


def _flat(rules: Rules) -> dict[str, object]:
    shown = rules.to_dict()
    kinds, triggers = shown.pop("kinds"), shown.pop("triggers")
    assert isinstance(kinds, dict)
    assert isinstance(triggers, dict)
    return {**shown, **kinds, **triggers}


def test_rules_of_a_card_are_a_file_of_rules(written: Written) -> None:
    rules = read_rules(written("{k: 2, kinds: {ocr: recall > 0.123456789}, overall: [], triggers: {critical: []}}"))
    assert read_rules(written(json.dumps(rules.to_dict()))) == rules
    assert read_rules(written(yaml.safe_dump(rules.to_dict(), sort_keys=False))) == rules


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("", None, "the file is empty."),
        ("# only a comment\n", None, "found nothing, expected keys such as k: and kinds:."),
        ("- recall > 0.9\n", 1, "found ['recall > 0.9'], expected keys such as k: and kinds:."),
        ("k: 5\nkind: {}\n", 2, "unknown key 'kind'; did you mean 'kinds'?"),
        ("scenarios: []\n", 1, "unknown key 'scenarios'; known: k, kinds, overall, triggers."),
        ("k: five\n", 1, "k is 'five', expected a whole number of at least 1."),
        ("k: 0\n", 1, "k is '0', expected a whole number of at least 1."),
        ("k: 5\nk: 6\n", 2, "key 'k' occurs twice."),
        ("k: 5\nkinds: [exact]\n", 2, "kinds is ['exact'], expected a mapping."),
        ("k: 5\nkinds:\n", 2, "kinds is nothing, expected a mapping."),
        ("kinds:\n  exakt: Hit@1 = 1\n", 2, "kinds: unknown kind of query 'exakt'; did you mean 'exact'?"),
        ("kinds:\n  exact: []\n", 2, "kinds: exact: no criterion, expected at least one"),
        ("kinds:\n  exact:\n", 2, "kinds: exact is nothing, expected criteria, such as [recall > 0.9"),
        ("kinds:\n  exact: {recall: 0.9}\n", 2, "kinds: exact is a mapping, expected criteria"),
        ("kinds:\n  exact: [recal > 0.9]\n", 2, "kinds: exact: unknown measure 'recal'; did you mean 'recall'? in the"),
        ("kinds:\n  exact: [recall > 90]\n", 2, "kinds: exact: criterion 'recall > 90': recall lies between 0 and 1"),
        ("kinds:\n  exact: [pass_rate = 1]\n", 2, "kinds: exact: unknown measure 'pass_rate'"),
        ("kinds:\n  exact: [[recall > 0.9]]\n", 2, "kinds: exact is [['recall > 0.9']], expected criteria"),
        ("kinds:\n  exact: [true]\n", 2, "kinds: exact is [True], expected criteria"),
        ("kinds:\n  exact: [recall = 1]\n  ocr: [recal = 1]\n", 3, "kinds: ocr: unknown measure 'recal'"),
        ("kinds:\n  exact: [recall = 1]\n\n  ocr:\n  - recal = 1\n", 5, "kinds: ocr: unknown measure 'recal'"),
        ("kinds:\n  ocr: [1]\n", 2, "kinds: ocr: criterion '1' cannot be read"),
        (f"overall: {'[' * 1300}{']' * 1300}\n", 1, "overall is [[[[[...]]]]], expected criteria"),
        ("overall:\n", 1, "overall is nothing, expected criteria"),
        ("overall: [recall]\n", 1, "overall: criterion 'recall' cannot be read; expected MEASURE > NUMBER"),
        ("overall: {recall: 0.9}\n", 1, "overall is a mapping, expected criteria"),
        ("overall: [passrate = 1]\n", 1, "overall: unknown measure 'passrate'; did you mean 'pass_rate'?"),
        ("triggers: [recall < 0.8]\n", 1, "triggers is ['recall < 0.8'], expected a mapping."),
        ("triggers:\n  minor: [f1 < 0.5]\n", 2, "triggers: unknown level 'minor'; did you mean 'major'?"),
        ("triggers:\n  major: [f1 < nan]\n", 2, "triggers: major: criterion 'f1 < nan': 'nan' is not a number"),
        ("kinds: {exact: [recall > 0.9}\n", 1, "is not YAML"),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_what_to_do(
    written: Written, text: str, line: int | None, problem: str
) -> None:
    with pytest.raises(FileFormatError) as caught:
        read_rules(written(text))
    assert caught.value.line == line
    assert caught.value.problem.startswith(problem)
    assert "mine.yaml" in str(caught.value)
    assert len(str(caught.value).splitlines()) <= 2


def test_the_hint_names_the_command_that_shows_one(written: Written) -> None:
    with pytest.raises(FileFormatError, match=r"\n  Run 'goldproof memory criteria' to see a whole file of rules\.$"):
        read_rules(written("k: 0"))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"none\.yaml"):
        read_rules(tmp_path / "none.yaml")
