"""The same question about another time."""

from __future__ import annotations

import pytest

from goldproof.jobs.build.unanswerables import temporal_shift
from goldproof.jobs.build.unanswerables.years import year_mentions
from tests.jobs.build.unanswerables.pool import report, sample, substitutes


def _questions(question: str, doc_type: str = "table", text: str = "In 2018 and 2019.") -> list[str]:
    one = sample(question, passages=[("", text)], doc_type=doc_type)
    return [found.question for found in temporal_shift.propose(one, substitutes=substitutes(), seed=1)]


@pytest.mark.parametrize(
    "question",
    [
        "What was the revenue in 2018?",
        "What was the change in revenue from 2018 to 2019?",
        "What was the average revenue for the years 2017, 2018 and 2019?",
        "In 2019, what share of revenue came from services?",
        "What was revenue in the third quarter of fiscal 2018?",
        "What was revenue for the year ended December 31, 2019, as reported in the 2019 annual report?",
    ],
)
def test_all_years_move_together_and_stay_in_the_pools_time(question: str) -> None:
    own = [mention.year for mention in year_mentions(question)]
    made = _questions(question)
    assert made
    for other in made:
        years = [mention.year for mention in year_mentions(other)]
        assert len({new - old for new, old in zip(years, own, strict=True)}) == 1
        assert not set(years) & set(own)
        # the pool asks of 2018 and 2019: nothing later is plausible
        assert max(years) <= 2019


@pytest.mark.parametrize(
    "question",
    [
        "What was the revenue last year?",
        "Which film is a 2001 comedy by the same director?",
        "Who is the singer born in 1952 in Kingston?",
        "Who signed the Act of 1869?",
        "Who led the protests of 1989?",
        "Who sang on the album (1979)?",
        "What was granted under the 2014 Equity Plan?",
        "What are the notes due 2018 worth?",
        "What was the goodwill of the acquisition of Kestrel in 2018?",
        "What changed in 2018 under IFRS 16?",
        "What share of the $107 million was paid in 2018?",
        "Which chains were founded in the 1950s?",
        "What was the decline in price between its peak on July 3, 2008 and December 19, 2008?",
        "Who was in the scandal of the duo in 2008?",
        "What is the native language of the person who broke the law in 1930?",
    ],
)
def test_a_year_that_only_describes_is_left_alone(question: str) -> None:
    assert _questions(question) == []


def test_a_census_moves_by_tens_of_years() -> None:
    made = _questions("At the 2011 census, how many people lived in Orle?", "clean_text", "Orle, 1961 to 2011.")
    assert made
    assert all(year_mentions(question)[0].year % 10 == 1 for question in made)


def test_games_move_by_fours() -> None:
    made = _questions("Who hosted the 2012 Summer Olympics?", "clean_text", "Games of 1960 and 2012.")
    assert made
    assert all(year_mentions(question)[0].year % 4 == 0 for question in made)


def test_no_time_before_the_subject_existed() -> None:
    one = sample("What was the revenue in 2012?", metadata={"company_founded": "2004"})
    made = [found.question for found in temporal_shift.propose(one, substitutes=substitutes(), seed=1)]
    assert made
    assert all(year_mentions(question)[0].year >= 2009 for question in made)


def test_the_year_of_the_report_need_not_be_in_a_document_that_answers() -> None:
    one = report("What was the revenue of Quartz Oil in 2018, as reported in the 2019 report?", company="Quartz Oil")
    found = next(temporal_shift.propose(one, substitutes=substitutes(), seed=1))
    first = year_mentions(found.question)[0].year
    assert found.joined == ((str(first),), ("quartz oil",))
    assert found.details == {"substituted": "2018, 2019", "substitute": f"{first}, {first + 1}"}
