"""`goldproof validate` on what mining reads and writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import goldproof
from goldproof.jobs.validate import validate_file
from goldproof.records.entities import Document, Question

if TYPE_CHECKING:
    from pathlib import Path

CASES = """\
benchmarks:
  - {id: a, question: Which?, options: {A: one, B: two}, correct_answer: A}
  - {id: b, question: Which?, options: {A: one, B: two}, correct_answer: Z}
"""


def test_a_broken_case_is_a_finding_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "cases.yaml").write_text(CASES)
    found = validate_file(tmp_path / "cases.yaml")
    assert found.kind == "cases"
    assert found.counts == {"cases": 1, "multiple_choice": 1}
    (finding,) = found.findings
    assert finding.line == 3
    assert "'cases:b'" in finding.problem or "'b'" in finding.problem


def test_rulings_are_well_formed_though_some_have_no_grade(tmp_path: Path) -> None:
    question = Question("q", "What colour is it?", answer="red", metadata={"answer_parts": ["red", "blue"]})
    documents = [Document("a", "red"), Document("b", "blue"), Document("c", "green")]
    goldproof.mine([question], corpus=documents, kernels=True).save(tmp_path / "out")
    found = validate_file(tmp_path / "out" / "judgments.jsonl")
    assert (found.kind, found.ok) == ("rulings", True)
    assert found.counts["on_single_documents"] == 3
    assert found.counts["rulings"] > 3


def test_a_ruling_with_an_unknown_label_is_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "judgments.jsonl"
    path.write_text(
        '{"query_id": "q", "documents": ["d"], "label": "yes", "judge": "answer"}\n'
        '{"query_id": "q", "documents": ["d"], "label": "perhaps", "judge": "answer"}\n'
        '{"query_id": "q", "documents": "d", "label": "no", "judge": "answer"}\n'
    )
    found = validate_file(path)
    assert [finding.line for finding in found.findings] == [2, 3]
    assert "'perhaps'" in found.findings[0].problem
    assert "expected a list" in found.findings[1].problem
