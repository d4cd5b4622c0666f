from __future__ import annotations

from dataclasses import replace

import pytest

from goldproof.concurrency import run_in_loop
from goldproof.errors import ModelDownError
from goldproof.judge import WithoutContext, answered_without_context, read_prompt
from goldproof.judge.without_context import estimate_without_context
from goldproof.llm.model import Ask, Estimate, Reply
from goldproof.records.entities import Question
from tests.judge.scripted import QUESTION, in_turn, model, says

CHOICE = Question("q", "Capital of France?", answer="Paris", options=("Rome", "Paris", "Bern", "Oslo"))


def ask(question: Question, by: object, **more: int) -> WithoutContext:
    return run_in_loop(answered_without_context(question, by, **more))  # type: ignore[arg-type]


def knowing(prompt: str) -> dict[str, str]:
    """Knows the answer, and names its letter."""
    options = read_prompt(prompt).options
    return {"answer": "ABCD"[options.index("Paris")]}


def test_an_option_that_is_right_in_every_order_is_known_without_context() -> None:
    orders = []

    def listening(prompt: str) -> dict[str, str]:
        orders.append(read_prompt(prompt).options)
        return knowing(prompt)

    found = ask(CHOICE, model(listening))
    # (1/4)^3 = 0.015625
    assert (found.answered, found.asks, found.chance) == (True, 3, 0.015625)
    assert (
        found.reason
        == "right in 3 of 3 orders of the options (by chance 0.016 guessing anew, 0.25 guessing one option)"
    )
    assert len(set(orders)) == 3
    assert all(sorted(order) == sorted(CHOICE.options) for order in orders)
    assert len({order.index("Paris") for order in orders}) == 3


def test_a_lucky_letter_does_not_count() -> None:
    found = ask(CHOICE, says({"answer": "B"}))
    assert (found.answered, found.asks) == (False, 2)
    assert found.reason.startswith("try 2 of 3 named another option (")


def test_a_model_that_names_no_option_does_not_know() -> None:
    assert ask(CHOICE, says({"answer": ""})) == WithoutContext(
        answered=False, reason="try 1 of 3 named no option ('')", asks=1, chance=0.015625
    )


def test_there_are_no_more_orders_than_options() -> None:
    two = replace(CHOICE, options=("Rome", "Paris"))
    found = ask(two, model(knowing))
    assert (found.answered, found.asks, found.chance) == (True, 2, 0.25)
    assert ask(two, model(knowing), tries=1).chance == 0.5


@pytest.mark.parametrize("last", ["None of the above", "Both A and B", "Option A or later"])
def test_options_that_speak_of_each_other_keep_their_order(last: str) -> None:
    found = ask(replace(CHOICE, options=("Rome", "Paris", last)), model(knowing))
    assert (found.answered, found.asks, found.chance) == (True, 1, 1 / 3)


@pytest.mark.parametrize(
    ("known", "said", "answered"),
    [
        ("Paris", "It is Paris.", True),
        ("Paris, France", "Paris", False),
        ("an event stream", "stream", False),
        ("an event stream", "It is an event stream.", True),
        ("Paris", "Lyon", False),
        ("Paris", "", False),
        ("$533 million", "533,000,000 dollars", True),
        ("1817", "December 10, 1817", True),
        ("1817", "1818", False),
        ("yes", "Yes", None),
    ],
)
def test_free_text_is_compared_by_the_answer_rule(known: str, said: str, answered: bool | None) -> None:
    found = ask(replace(QUESTION, answer=known), says({"answer": said}))
    assert (found.answered, found.asks, found.chance) == (answered, 1, None)


@pytest.mark.parametrize(
    ("known", "said", "answered"),
    [
        ("Paris", "Paris or London", False),
        ("Paris", "Either Lyon, Marseille OR Paris.", False),
        ("Paris", "Paris, or Lutetia as it was called", True),  # an alias: both sides are the answer
        ("Paris", "It is Paris. London or Rome would be wrong.", True),
        ("Paris", "Rome or Milan?\nNo: Paris.", True),
        ("Paris", "Paris for the sailor", True),
        ("trick or treat", "trick or treat", True),
        ("1817", "1817 or 1818", False),
        ("Paris", "Rome or London", False),
    ],
)
def test_an_answer_among_alternatives_is_a_guess(known: str, said: str, answered: bool) -> None:
    question = replace(QUESTION, answer=known, metadata={"answer_aliases": ["Lutetia"]})
    assert ask(question, says({"answer": said})).answered is answered


def test_an_alias_counts() -> None:
    question = replace(QUESTION, answer="Paris", metadata={"answer_aliases": ["Lutetia"]})
    assert ask(question, says({"answer": "Lutetia"})).answered is True


def test_where_nothing_can_be_told_the_reason_is() -> None:
    assert ask(QUESTION, None) == WithoutContext(None, "no model")
    assert ask(replace(QUESTION, answer=None), says({})) == WithoutContext(None, "no known answer")
    assert ask(replace(CHOICE, answer="Lyon"), says({})).reason == "none of the options is the known answer"
    failed = ask(CHOICE, in_turn([{"answer": "Paris"}, RuntimeError("gone")]))
    assert (failed.answered, failed.asks) == (None, 2)
    assert "gone" in failed.reason


def test_the_model_is_shown_the_question_alone() -> None:
    seen = []

    def listening(prompt: str) -> dict[str, str]:
        seen.append(read_prompt(prompt))
        return {"answer": "x"}

    ask(QUESTION, model(listening))
    assert (seen[0].question, seen[0].options, seen[0].documents) == (QUESTION.text, (), ())


class Priced:
    key = "priced"

    async def answer(self, ask: Ask) -> Reply:  # noqa: ARG002
        raise ModelDownError("wrong key")

    def ask(self, prompt: str) -> str:
        return prompt

    def estimate(self, ask: Ask) -> Estimate:
        return Estimate(1, 0, 10, ask.expected_tokens, 0.5)


def test_an_estimate_counts_every_try_and_a_model_that_is_down_ends_the_run() -> None:
    assert estimate_without_context(CHOICE, Priced()) == Estimate(3, 0, 30, 240, 1.5)
    assert estimate_without_context(QUESTION, Priced()).calls == 1
    assert estimate_without_context(replace(QUESTION, answer=None), Priced()) == Estimate()
    assert estimate_without_context(QUESTION, None) == Estimate()
    with pytest.raises(ModelDownError):
        ask(CHOICE, Priced())
