"""The whole audit with an agent: rules leave options open, a scripted model proves them, replay needs no model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import goldproof
from goldproof.errors import BudgetSpentError
from goldproof.llm.access import Access, using_access
from goldproof.llm.prices import Price

if TYPE_CHECKING:
    from pathlib import Path

QUIZ = """
benchmarks:
  - id: merge
    question: How does the loader treat the second of two equal keys in one mapping?
    options:
      A: "The second value wins, as in `yaml.safe_load('a: 1, a: 2')` style documents"
      B: It refuses such a document
    correct_answer: A
    explanation: SECRET-EXPLANATION
"""
SCRIPT = """
import yaml
from goldproof_proof import observe

SUBJECT = "a: 1\\na: 2"
observe("loaded", yaml.safe_load, SUBJECT)
"""


class Scripted:
    """A model that proves A, then B, then finishes; it keeps what it was asked."""

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> dict[str, object]:
        self.prompts.append(prompt)
        steps: tuple[dict[str, object], ...] = (
            {
                "action": "prove",
                "option": "A",
                "script": SCRIPT,
                "expect": json.dumps({"check": "returns", "literal": "{'a': 2}"}),
                "control": "'a: 2\\na: 1'",
                "believe": "right",
            },
            {
                "action": "prove",
                "option": "B",
                "script": SCRIPT,
                "expect": json.dumps({"check": "raises"}),
                "control": "'a: [1'",
                "believe": "wrong",
            },
            {"action": "finish", "selected_answer": "B", "proof_summary": "prose that decides nothing"},
        )
        return steps[min(len(self.prompts), len(steps)) - 1]


@pytest.fixture
def quiz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))
    path = tmp_path / "quiz.yaml"
    path.write_text(QUIZ)
    return path


def test_what_rules_leave_open_is_decided_by_what_the_agents_scripts_observe(quiz: Path, tmp_path: Path) -> None:
    assert [one.verdict for one in goldproof.verify(quiz, against="PyYAML").findings] == ["unproven"]
    model = Scripted()
    result = goldproof.verify(quiz, against="PyYAML", prover="agent", model=model)
    (finding,) = result.findings
    assert (finding.verdict, finding.holds) == ("valid", ("A",)), finding.reason
    assert finding.notes is not None
    assert finding.notes.selected_answer == "B"  # what it says, not what it proved
    assert not any("SECRET-EXPLANATION" in prompt or "correct" in prompt for prompt in model.prompts)
    result.save(tmp_path / "audit")
    again = goldproof.replay(tmp_path / "audit", against="PyYAML")
    assert again.drift == ()
    assert again.audit.findings[0].verdict == "valid"


def test_the_same_audit_asks_no_model_again(quiz: Path) -> None:
    first = Scripted()
    goldproof.verify(quiz, against="PyYAML", prover="agent", model=first)
    asked = len(first.prompts)
    assert asked == 3
    first.prompts.clear()
    second = goldproof.verify(quiz, against="PyYAML", prover="agent", model=first)
    assert [one.verdict for one in second.findings] == ["valid"]


def test_a_budget_that_is_spent_ends_the_audit_with_nothing_written(quiz: Path, tmp_path: Path) -> None:
    model = "http://127.0.0.1:9/v1#model=none"
    with using_access(Access(price=Price(1, 1))), pytest.raises(BudgetSpentError):
        goldproof.verify(quiz, against="PyYAML", prover="agent", model=model, max_cost=0.0)
    assert not (tmp_path / "audit").exists()
