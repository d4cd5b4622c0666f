"""Report, files and frame of drafted questions, compared whole."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import goldproof
from goldproof.records.entities import Document
from goldproof.testing import Author

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENTS = (
    Document("anchor", "The anchor of the Batavia weighs forty kilograms."),
    Document("sail", "In autumn the crew of the Batavia mended the mainsail."),
    Document("note", "This paper describes the galley stove."),
    Document("blank", ""),
)
# First round: two sentences are asked about and kept, the note's refers to itself; second round: each document has one
# sentence only, so there is nothing left to ask, and no third round. With the pair: 3 + 3 + 1 drafts.
REPORT = """\
# Drafted questions

Drafted 3 of 4 questions from 2 of 4 documents (1 needs two documents); 4 drafts were dropped: 3 without anything to \
ask about, 1 not self-contained.

### What became of the drafts

| draft | one document | two documents | all |
| --- | ---: | ---: | ---: |
| kept | 2 | 1 | 3 |
| without anything to ask about | 3 | 0 | 3 |
| not self-contained | 1 | 0 | 1 |
| all | 6 | 1 | 7 |

### Strata

| stratum | documents | drafts | questions |
| --- | ---: | ---: | ---: |
| long | 1 | 2 | 1 |
| medium | 1 | 3 | 2 |
| short | 1 | 2 | 0 |

## Notes

- 1 question short: the corpus has no more to ask about (at most 5 drafts per passage of 8,000 characters).
- Documents are drawn in proportion from 3 strata by length (short below 49 characters, long from 54).
- The model that drafts also checks; another one (--judge llm:MODEL) is the stricter check.
- 1 document has no text (blank).
- These are drafts: `goldproof mine --cases questions.jsonl` finds every document that answers them, and makes them \
ground truth. Read a sample first.

"""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDPROOF_HOME", str(tmp_path / "home"))


def drafted() -> goldproof.AskingResult:
    return goldproof.draft_questions(DOCUMENTS, model=Author(), n=4, multi=0.3)


def test_the_report_has_conclusion_outcomes_strata_and_notes(tmp_path: Path) -> None:
    report = (drafted().save(tmp_path / "out") / "report.md").read_text()
    head, _, questions = report.partition("## The first 3 questions")
    assert head == REPORT
    assert "**mainsail** (sail)" in questions


def test_dropped_drafts_are_listed_with_their_reason(tmp_path: Path) -> None:
    folder = drafted().save(tmp_path / "out")
    records: list[dict[str, Any]] = [json.loads(line) for line in (folder / "dropped.jsonl").read_text().splitlines()]
    assert [record["reason"] for record in records].count("without anything to ask about") == 3
    (refers,) = [record for record in records if record["reason"] == "not self-contained"]
    assert refers == {
        "question": "Which word is missing in 'This paper [...] the galley stove.'?",
        "answer": "describes",
        "documents": ["note"],
        "reason": "not self-contained",
        "detail": "it says 'This paper'.",
    }


def test_the_card_has_models_prompts_seed_and_counts_and_no_price() -> None:
    card = drafted().card()
    assert card.settings["prompts"] == ["ask-one-1", "ask-two-1", "ask-support-1", "no-context-2"]
    assert card.settings["judge"] == "llm:author judge-yes-1"
    assert card.counts == {
        "questions": 3,
        "missing": 1,
        "drafts": 7,
        "two_documents": 1,
        "without_anything_to_ask_about": 3,
        "not_self-contained": 1,
    }


def test_the_frame_has_a_row_for_every_draft() -> None:
    result = drafted()
    frame = result.to_frame()
    assert frame.columns == ["query_id", "question", "answer", "documents", "stratum", "outcome", "detail"]
    assert frame.height == len(result.drafts)
    assert set(frame.filter(frame["outcome"] == "kept")["query_id"]) == {question.id for question in result.questions}
