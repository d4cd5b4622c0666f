"""The author drafts cloze questions and judges them by the prompt alone."""

from __future__ import annotations

from goldproof.concurrency import run_in_loop
from goldproof.jobs.ask.prompts import draft_ask
from goldproof.jobs.ask.records import Passage, Place
from goldproof.judge import LlmJudge, answered_without_context
from goldproof.llm import Access, open_model
from goldproof.llm.function_model import whole_prompt
from goldproof.records.entities import Document, Question
from goldproof.testing import Author

BOAT = Document("boat", "The anchor weighs forty kilograms.\nIts crimson sail was mended\nin autumn.")
CLOZE = "Which word is missing in 'The anchor weighs forty [...].'?"


def place(*asked: str) -> Place:
    return Place((Passage(BOAT, 0, len(BOAT.text)),), "all", asked=asked)


def test_it_asks_for_the_longest_word_of_the_first_sentence_that_was_not_asked_about() -> None:
    first = Author()(whole_prompt(draft_ask(place())))
    assert first == {"quote": "The anchor weighs forty kilograms.", "question": CLOZE, "answer": "kilograms"}
    second = Author()(whole_prompt(draft_ask(place(CLOZE))))
    assert second["quote"] == "Its crimson sail was mended\nin autumn."
    assert second["question"] == "Which word is missing in 'Its [...] sail was mended in autumn.'?"
    third = Author()(whole_prompt(draft_ask(place(CLOZE, second["question"]))))
    assert third == {"quote": "", "question": "", "answer": ""}


def test_it_says_yes_where_the_documents_hold_the_sentence() -> None:
    judge = LlmJudge([open_model(Author(), Access(keep=False))])
    question = Question("q", CLOZE, "kilograms")
    assert run_in_loop(judge.judge(question, (BOAT,))).label == "yes"
    assert run_in_loop(judge.judge(question, (Document("other", "The anchor is iron."),))).label == "no"


def test_it_knows_nothing_without_documents_unless_told() -> None:
    question = Question("q", CLOZE, "kilograms")
    for author, answered in ((Author(), False), (Author(knows={"anchor": "kilograms"}), True)):
        found = run_in_loop(answered_without_context(question, open_model(author, Access(keep=False))))
        assert found.answered is answered
