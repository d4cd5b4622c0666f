"""A question that contradicts its snippet."""

from __future__ import annotations

import pytest

from goldproof.jobs.verify.rules.against_snippet import text_against_code
from goldproof.jobs.verify.rules.asked import Asked

CODE = "import yaml\ntry:\n    text = yaml.dump(data, indent=2)\nexcept KeyError:\n    pass\n"


def _kinds(text: str, code: str = CODE) -> list[tuple[str, bool]]:
    return [(one.kind, one.broken) for one in text_against_code(Asked(kinds=("other",), text=text, code=code))]


@pytest.mark.parametrize(
    "text",
    [
        "The code below calls `yaml.safe_load`. What is printed?",
        "This snippet uses `yaml.load()`. What happens?",
        "The code sets `indent=4`. What is printed?",
        "The code catches `ValueError`. What is printed?",
    ],
)
def test_what_the_snippet_does_not_have_is_a_contradiction(text: str) -> None:
    assert _kinds(text) == [("contradicts snippet", True)]


@pytest.mark.parametrize(
    "text",
    [
        "The code below calls `yaml.dump`. What is printed?",
        "The code sets `indent=2`. What is printed?",
        "The code sets `width=80`. What is printed?",  # perhaps by other means
        "The code catches `KeyError`. What is printed?",
        "What if the code calls `yaml.safe_load` instead?",
        "The code does not call `yaml.safe_load`. Why?",
        "What does `yaml.safe_load` return?",
        "The code uses `safe` mode. What is printed?",
    ],
)
def test_what_it_has_or_is_not_said_plainly_is_none(text: str) -> None:
    assert _kinds(text) == []


def test_code_that_cannot_be_read_or_hides_its_names_says_nothing() -> None:
    text = "The code calls `yaml.safe_load`. What is printed?"
    assert _kinds(text, "def (") == _kinds(text, "") == _kinds(text, "getattr(yaml, name)(x)") == []
