"""What reads as a question before it is changed."""

from __future__ import annotations

import pytest

from goldproof.jobs.build.unanswerables.generation import is_tangled, reads_as_question


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote the book?",
        "who wrote the book",
        "In which year did sales rise?",
        "As of May 1, 2019, what was the debt?",
        "In the 2019 report, how many shops are listed?",
        "Explain why sales rose.",
        "Does the loader wait?",
        "If sales double, what is the profit?",
    ],
)
def test_a_question_asks_from_its_start(question: str) -> None:
    assert reads_as_question(question)


@pytest.mark.parametrize(
    "statement",
    [
        "Low Tide, released in which year, is a film",
        "The state where he lived has how many districts?",
        "Ada Green is from what town?",
        "Sales in 2019",
        "",
    ],
)
def test_a_statement_with_a_hole_does_not(statement: str) -> None:
    assert not reads_as_question(statement)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who was the first president of Orle?", False),
        ("Which is the river by the birthplace of the author of Low Tide?", False),
        ("Who leads the country where Orle is located?", False),
        ("In which country is the town where Ada was born?", False),
        ("Who ruled the country where the man who wrote Low Tide lived?", True),
        ("What is the end of the name of the place of birth of Ada?", True),
        ("When did the rule lasting the terror of the country making it start?", True),
        ("What district is Orle of the place?", True),
        ("To which country was the man brought to?", True),
        ("What is the the name?", True),
    ],
)
def test_clauses_possessions_and_slips_tangle_a_question(question: str, *, expected: bool) -> None:
    assert is_tangled(question) is expected
