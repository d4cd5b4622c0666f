"""`report.md`: what a reader is told to check, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.jobs.mine.discovery import Discovery
from goldproof.jobs.mine.report import FALSELY, conclusion_of, discovery_table, first_tables, report_text
from tests.jobs.mine.mined_examples import example

if TYPE_CHECKING:
    from pathlib import Path


def test_the_share_that_is_called_unanswerable_wrongly_is_the_one_measured(repo: Path) -> None:
    page = (repo / "docs" / "concepts" / "mining-quality.md").read_text(encoding="utf-8")
    musique = page.partition("\n## MuSiQue\n")[2]
    claimed = musique.partition("### What is claimed")[2]
    row = next(line for line in claimed.splitlines() if line.startswith("| 4 best hits | yes |"))
    assert f"| {FALSELY} of 100: " in row
    assert f"With the gold judge {FALSELY}% of MuSiQue's questions" in report_text(example())


def test_questions_called_unanswerable_stand_under_their_own_heading_with_the_reason() -> None:
    section = report_text(example()).partition("## Unanswerable here: check these\n")[2].partition("\n## ")[0]
    assert "- `s:none`: all of the corpus was judged\n" in section
    assert "s:unknown" not in section


def test_what_agents_came_to_is_counted_over_the_questions_they_were_sent_for() -> None:
    mined = example()
    ends = (
        Discovery("answered", candidates=("pkg.Queue",), cited=("pkg.Queue",), unread=("a", "b")),
        Discovery("answered", unread=("c",), reason="the answer rests on nothing that was inspected"),
        Discovery("out of steps"),
        None,
    )
    sent = replace(mined, questions=tuple(replace(q, discovery=d) for q, d in zip(mined.questions, ends, strict=True)))
    table = discovery_table(sent)
    assert table.rows == (("answered", "2"), ("out of steps", "1"), ("failed", "0"))
    assert table.notes == (
        "Of the answers 1 rest on nothing that was read; 3 names were cited but never read. Neither makes a candidate.",
    )
    assert "### Discovery by an agent" in report_text(sent)
    assert "### Discovery by an agent" not in report_text(mined)


def test_the_conclusion_says_what_is_known_of_every_question() -> None:
    # size by a document, both by two together; none has one judged document; unknown has no ruling that counts
    assert conclusion_of(example()) == (
        "By the judge `llm:teacher#v1`, 2 of 4 questions have a document, or several together, that answer them; 1 has "
        "none among 1 judged document; 1 could not be judged."
    )
    size, both, _, unknown = example().questions
    assert conclusion_of(replace(example(), questions=(size, replace(size, question=both.question)))) == (
        "By the judge `llm:teacher#v1`, all 2 questions have a document that answers them."
    )
    assert conclusion_of(replace(example(), questions=(unknown,))) == (
        "The question is not labelled: no ruling of the judge `llm:teacher#v1` counts."
    )
    assert conclusion_of(replace(example(), questions=())) == "No question is done."


def test_the_first_screen_has_two_small_tables_and_the_rest_in_notes() -> None:
    questions, sources = first_tables(example())
    assert questions.rows == (("answerable", "2"), ("unanswerable here", "1"), ("no answer found", "1"))
    assert sources.title == "Candidates by source"
    # 11 candidates of 4 questions: 5 - 11 / 4 = 2.25 documents a question were no candidates; 1 of 3 random ones counts
    assert questions.notes == (
        "3 candidates have no ruling that counts (1 of them): failed, timeout.",
        "2 of 2 documents that the cases name as gold were confirmed.",
        "2 questions have a kernel, 1 of them more than one.",
        "1 of 2 questions were answered without any document; they measure nothing about retrieval.",
        (
            "About 2.2 documents per question were never judged; about 0.8 (at most 2.2) of them are expected to be "
            "relevant."
        ),
        "Models: 12 calls, $0.2500; 3 answers were kept already.",
    )
