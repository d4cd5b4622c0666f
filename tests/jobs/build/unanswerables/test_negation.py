"""The opposite of what the source tells, asked as people ask."""

from __future__ import annotations

import pytest

from goldproof.jobs.build.unanswerables import negation
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
        ("Is Senet a board game?", "yes", "Why isn't Senet a board game?"),
        ("What is included in service costs?", "rent", "What is excluded from service costs?"),
        ("What does interest expense include?", "fees", "What does interest expense exclude?"),
        ("Why did sales increase in 2019?", "prices", "Why did sales not increase in 2019?"),
        ("What was the reason for the increase in debt?", "loans", "What prevented an increase in debt?"),
        ("Which factors are considered for the rate?", "age", "Which factors are not considered for the rate?"),
        ("In which year was the amount of debt highest?", "2019", "Why was the amount of debt the same in all years?"),
        ("In which year was total debt larger?", "2019", "Why was the total debt the same in all years?"),
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
        ("Are Medici and Senet both board games?", "yes"),
        ("Is Senet a board game?", "no"),
        ("Which components are used in the table for the rate?", "age"),
        ("How does the class read keys to ensure order?", "It sorts."),
        ("What was the decline in prices from 2018 to 2019, driven by costs?", "5"),
        ("What was the change in revenue from customers?", "5"),
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


_CHANGES = {
    "Why was there no change in {} from 2018 to 2019?",
    "Why did {} not change from 2018 to 2019?",
    "Why did {} stay the same from 2018 to 2019?",
    "What kept {} unchanged from 2018 to 2019?",
    "Why did {} remain flat from 2018 to 2019?",
}


def _negated(question: str) -> str:
    (one,) = negation.propose(sample(question, answer="5"))
    return one.question


def test_a_change_is_denied_in_many_wordings_and_each_question_keeps_its_own() -> None:
    items = [f"item {letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    made = {item: _negated(f"What was the percentage change in {item} from 2018 to 2019?") for item in items}
    assert all(question in {pattern.format(item) for pattern in _CHANGES} for item, question in made.items())
    assert {question.replace(item, "{}") for item, question in made.items()} == _CHANGES
    assert made == {item: _negated(f"What was the percentage change in {item} from 2018 to 2019?") for item in items}


@pytest.mark.parametrize(
    ("question", "thing", "when"),
    [
        (
            "What was the increase in millions of debt between 2018 and 2019, in millions?",
            "debt",
            "between 2018 and 2019",
        ),
        (
            "What was the increase in revenue from customers from 2018 to 2019?",
            "revenue from customers",
            "from 2018 to",
        ),
        ("What was the increase in debt in 2019, as reported in the 2019 report?", "debt", "in 2019?"),
        ("What was the increase in shares for EPS from May 1, 2018 to 2019?", "shares for EPS", "from May 1, 2018 to"),
    ],
)
def test_the_time_and_not_another_preposition_parts_the_sentence_and_units_and_remarks_go(
    question: str, thing: str, when: str
) -> None:
    made = _negated(question)
    assert thing in made
    assert when in made
    assert made.index(thing) < made.index(when)
    assert "millions" not in made
    assert "report" not in made


def test_after_an_enumeration_no_verb_follows() -> None:
    for year in range(2001, 2012):
        made = _negated(f"What was the change in costs, net of tax from {year} to 2019?")
        assert made == f"Why was there no change in costs, net of tax from {year} to 2019?"


def test_a_company_that_reported_more_in_one_year_is_asked_why_all_years_are_the_same() -> None:
    one = report("In which year did Quartz Oil report a higher value for goodwill?", company="Quartz Oil")
    assert [found.question for found in negation.propose(one)] == [
        "Why did Quartz Oil report the same goodwill in all years?"
    ]
