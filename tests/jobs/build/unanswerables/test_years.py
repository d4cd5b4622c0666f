"""What is a year, what moves with it, and which numbers stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.jobs.build.unanswerables.years import shifted, states_amounts, year_mentions


@pytest.mark.parametrize(
    ("question", "delta", "moved"),
    [
        ("What was revenue in 2018 and 2019?", -5, "What was revenue in 2013 and 2014?"),
        ("What was revenue in FY 2018?", -3, "What was revenue in FY 2015?"),
        ("What was revenue in FY18 and F19?", -3, "What was revenue in FY15 and F16?"),
        ("What was revenue at FY2018?", 2, "What was revenue at FY2020?"),
        ("Who won the 2018-19 season?", -4, "Who won the 2014-15 season?"),
        ("Who won in 2018/19?", -4, "Who won in 2014/15?"),
        ("Who led from 1999-00 on?", -4, "Who led from 1995-96 on?"),
        ("Who led from 1945-1949?", 6, "Who led from 1951-1955?"),
        ("What was popular in the 1950s?", 20, "What was popular in the 1970s?"),
        ("What was due from Jun-2018 to Aug-2019?", -4, "What was due from Jun-2014 to Aug-2015?"),
        # the last day of a month stays the last, also in February
        ("What was due on December 31, 2019?", -5, "What was due on December 31, 2014?"),
        ("What was due on February 28, 2019?", -3, "What was due on February 29, 2016?"),
        ("What was due on 29 February 2016?", 3, "What was due on 28 February 2019?"),
        # 27 September 2008 is a Saturday; in 2011 that day is a Tuesday, the nearest Saturday is the 24th
        ("What was due on September 27, 2008?", 3, "What was due on September 24, 2011?"),
    ],
)
def test_every_year_moves_by_the_same_distance(question: str, delta: int, moved: str) -> None:
    assert shifted(question, delta) == moved


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote the sonata BWV 1033?",
        "How many of the 2,019 shares vested?",
        "What was $2018 spent on?",
        "Who counted 2018.5 units?",
        "What does ASU 2016-02 say?",
        "Who sold 2000 shares?",
        "What is item 20181?",
        "What is model X2018?",
    ],
)
def test_other_numbers_are_no_years(question: str) -> None:
    assert year_mentions(question) == ()


@pytest.mark.parametrize(
    "question",
    [
        "When did sales exceed $5,000 million?",
        "When did it grow by 4.5%?",
        "Which of the 50 restaurants bought in 2017 were sold?",
        "When was net income 24,193?",
        "Why did usage grow by 721 GWh in 2010?",
    ],
)
def test_a_question_that_quotes_figures_is_known(question: str) -> None:
    assert states_amounts(question)


@pytest.mark.parametrize(
    "question",
    [
        "What was revenue on December 31, 2019?",
        "What does Form 10-K of 2018 say?",
        "What were Level 3 assets in Q4 2018?",
    ],
)
def test_dates_forms_and_levels_are_no_figures(question: str) -> None:
    assert not states_amounts(question)


@given(years=st.lists(st.integers(1900, 2010), min_size=1, max_size=4), delta=st.integers(-9, 9))
def test_order_and_distances_of_plain_years_stay(years: list[int], delta: int) -> None:
    question = "What was revenue in " + " and in ".join(map(str, years)) + "?"
    moved = year_mentions(shifted(question, delta))
    assert [mention.year for mention in moved] == [year + delta for year in years]


@given(text=st.text(alphabet="abc 0129-/,.$%?FYs", max_size=40), delta=st.integers(-9, 9))
def test_any_text_can_be_moved_there_and_back(text: str, delta: int) -> None:
    there = shifted(text, delta)
    assert len(year_mentions(there)) <= len(year_mentions(text)) + 1
    assert shifted(text, 0) == text
