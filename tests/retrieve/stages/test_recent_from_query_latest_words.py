"""Which queries ask for the latest, and for how many, in natural sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.retrieve.stages.recent_from_query import Latest, latest_wanted


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("Recent arguments about safety", None),
        ("What has the opponent recently said about costs?", None),
        ("What have I eaten lately?", None),
        ("What is the latest on the budget?", None),
        ("the newest ticket about login", None),
        ("What is the most recent price of the flat?", None),
        ("What did you say just now?", None),
        ("What's new with the garden?", None),
        ("What is new on the budget?", None),
        ("your last argument about costs", None),
        ("What did the opponent say last?", None),
        ("What did the opponent say last about costs?", None),
        ("When did I last mention my knee?", None),
        ("What was the last thing that I asked for?", None),
        ("the last few messages about the tent", None),
        ("your last two arguments", 2),
        ("the last 3 turns on costs", 3),
        ("latest three claims", 3),
        ("the two most recent orders", 2),
        ("most recent 4 orders", 4),
        ("the 2 latest invoices", 2),
        ("the last couple of messages", 2),
        ("my three last messages", 3),
        ("Recently, what were the last two orders?", 2),
    ],
)
def test_a_query_asks_for_the_latest(query: str, count: int | None) -> None:
    assert latest_wanted(query, current=False) == Latest(count)


@pytest.mark.parametrize(
    "query",
    [
        "What did I do last year?",
        "Where was I last night?",
        "costs over the last two years",
        "costs in the last 3 months",
        "the last couple of days",
        "the last few weeks",
        "At last, what did she say?",
        "What is my last name?",
        "How long did the battery last?",
        "Does the paint last?",
        "a last-minute flight",
        "the last resort",
        "the last four digits of my card",
        "What did he say about recent studies?",
        "the weather in recent years",
        "the recently opened bridge",
        "everlasting light bulbs",
        "What was said first?",
        "previous arguments about safety",
        'Who said "the latest fashion"?',
        "",
    ],
)
def test_a_query_does_not(query: str) -> None:
    assert latest_wanted(query) is None


@pytest.mark.parametrize(
    "query",
    [
        "What is my current address?",
        "Where do I currently work?",
        "Where do I live now?",
        "Where do I live now, and since when?",
        "Which phone am I using right now at work?",
        "What am I reading these days?",
        "What is the plan at the moment?",
    ],
)
def test_what_holds_now_is_the_latest_unless_said(query: str) -> None:
    assert latest_wanted(query) == Latest()
    assert latest_wanted(query, current=False) is None


@pytest.mark.parametrize(
    "query",
    [
        "Now tell me about costs",
        "What do I do now that it rains?",
        "What had been said until now?",
        "the electric current in the wire",
        "How strong is the current?",
        "the number of my current account",
        "ocean currents",
    ],
)
def test_now_and_current_have_other_meanings(query: str) -> None:
    assert latest_wanted(query) is None


@given(st.text(max_size=40), st.sampled_from(["last", "latest", "recent", "now", "current", "what's"]))
def test_any_text_can_be_read_and_a_number_is_at_least_1(text: str, word: str) -> None:
    for query in (text, f"{text} {word}", f"{word} {text}"):
        found = latest_wanted(query)
        assert found is None or found.count is None or found.count >= 1
