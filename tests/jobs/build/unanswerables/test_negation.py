"""The opposite of what the source tells, asked as people ask."""

from __future__ import annotations

import pytest

from karat.jobs.build.unanswerables import negation
from tests.jobs.build.unanswerables.pool import report, sample


@pytest.mark.parametrize(
    ("question", "answer", "negated"),
    [
        ("When did the war end?", "1945", "Why didn't the war end?"),
        ("How does Flask handle cookies?", "It signs them.", "Why doesn't Flask handle cookies?"),
        ("Why does the adapter call its parent?", "To chain.", "Why doesn't the adapter call its parent?"),
        ("In what year did the town join the union?", "1845", "Why didn't the town join the union?"),
        ("When was the clock built in the town?", "1410", "Why wasn't the clock built in the town?"),
        ("Who is the spouse of the director of Low Tide?", "Ada", "Why did the director of Low Tide never marry?"),
        ("Who was the first president of Orle?", "Ada", "Why has Orle never had a president?"),
        ("What is the name of the airport in the town?", "OR", "Why is there no airport in the town?"),
        ("How many stores are in the town?", "12", "Why are there no stores in the town?"),
        ("How many times was Tom Hale selected for the team?", "3", "Why was Tom Hale never selected for the team?"),
        ("Are Medici and Senet both board games?", "yes", "Why aren't Medici and Senet both board games?"),
        ("What is included in service costs?", "rent", "What is excluded from service costs?"),
        ("What does interest expense include?", "fees", "What does interest expense exclude?"),
        ("Why did sales increase in 2019?", "prices", "Why did sales not increase in 2019?"),
        ("What was the reason for the increase in debt?", "loans", "What prevented an increase in debt?"),
        ("Which factors are considered for the rate?", "age", "Which factors are not considered for the rate?"),
        (
            "What was the percentage change in sales from 2018 to 2019?",
            "0.05",
            "Why was there no change in sales from 2018 to 2019?",
        ),
        (
            "What was the net increase in millions of debt between 2018 and 2019, in millions?",
            "5",
            "Why was there no increase in debt between 2018 and 2019?",
        ),
    ],
)
def test_forms_that_people_use(question: str, answer: str, negated: str) -> None:
    assert [one.question for one in negation.propose(sample(question, answer=answer))] == [negated]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who wrote the book?", "Ada"),
        ("When was the singer born?", "1950"),
        ("When was the company founded?", "1950"),
        ("Why didn't the war end?", "money"),
        ("What is excluded from sales?", "tax"),
        ("When did the war end", "1945"),
        ("How does it do that, and what does that cost? Why?", "much"),
        ("How does the parser read files, and what does it return?", "text"),
        ("Why does it wait instead of failing?", "safety"),
        ("Are Medici and Senet both board games?", "no"),
        ("When did sales exceed $500 million?", "2019"),
    ],
)
def test_what_fits_no_form_gives_nothing(question: str, answer: str) -> None:
    assert list(negation.propose(sample(question, answer=answer))) == []


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was the change in sales from 2018 to 2019?", "0"),
        ("What was the change in the tax rate from 2018 to 2019?", "0.0%"),
        ("What was the increase in sales from 2018 to 2019?", "-5"),
        ("What was the increase in sales from 2018 to 2019?", "(5)"),
        ("How many stores are in the town?", "none"),
    ],
)
def test_a_premise_that_holds_is_no_false_one(question: str, answer: str) -> None:
    assert list(negation.propose(sample(question, answer=answer))) == []


def test_only_the_questions_subject_can_have_reported_nothing() -> None:
    theirs = report("What was the net income of Quartz Oil in 2019?", company="Quartz Oil")
    assert [one.question for one in negation.propose(theirs)] == ["Why did Quartz Oil report no net income in 2019?"]
    item = report("What was the depreciation of Buildings in 2019?", company="Quartz Oil")
    assert list(negation.propose(item)) == []


def test_a_document_that_answers_would_say_the_negation_and_name_the_subject() -> None:
    one = next(
        negation.propose(report("What was the change in sales of Quartz Oil from 2018 to 2019?", company="Quartz Oil"))
    )
    said, subject = one.joined
    assert "unchanged" in said
    assert subject == ("quartz oil",)
    assert one.others == ("sales", "2018", "2019")
