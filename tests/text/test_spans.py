"""A quote is found where a reader would find it, and its place in the text is exact."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.text.spans import Span, find_words

FOUND = [
    ("The   Quick\nfox", "so the quick fox ran", "the quick fox"),
    ('don\'t say "no"', "Don\u2019t say \u201cno\u201d!", "Don\u2019t say \u201cno\u201d"),
    ("say ''no''", 'say "no"', 'say "no"'),
    ("1990-1995", "from 1990\u20131995 on", "1990\u20131995"),
    ("well - known", "a well-known fact", "well-known"),
    ("limit, or default", "this limit , or default on", "limit , or default"),
    ("co-operate", "they co\u00ad-operate", "co\u00ad-operate"),
    ("cooperate", "they co\u00adoperate", "co\u00adoperate"),
    ("and so on...", "and so on\u2026", "and so on\u2026"),
    ("RULE 1.1A", "see Rule 1.1a", "Rule 1.1a"),
    ("$ 1,452.4", "was $1,452.4 in", "$1,452.4"),
    ("Mélanie WATT", "by Mélanie Watt", "Mélanie Watt"),
    ("M\u00e9lanie", "by Me\u0301lanie Watt", "Me\u0301lanie"),
]


@pytest.mark.parametrize(("quote", "text", "found"), FOUND, ids=[row[0] for row in FOUND])
def test_spelling_of_blanks_quotes_dashes_and_case_may_differ(quote: str, text: str, found: str) -> None:
    span = find_words(quote, text)
    assert span is not None
    assert text[span.start : span.end] == found


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("", "text"), (" \n", "text"), ("fox quick", "quick fox"), ("quickfox", "quick fox"), ("quick fox", "quickfox"),
        ("1,452", "1 , 452"), ("word", ""), ("a b", "a. b"),
    ],
)  # fmt: skip
def test_other_words_or_another_order_are_not_the_quote(quote: str, text: str) -> None:
    assert find_words(quote, text) is None


@pytest.mark.parametrize(
    ("quote", "text", "start"),
    [
        ("art", "start of art", 9),
        ("art", "start", None),
        ("get_proxy", "get_proxy_url and get_proxy()", 18),
        ("proxy", "get_proxy", None),
        ("533", "1,533 and 533.2 and 533, then", 20),
        ("Art", "start of art", 9),
        ("US", "start thus; us", 12),
    ],
)
def test_whole_words_do_not_begin_or_end_inside_a_word_or_number(quote: str, text: str, start: int | None) -> None:
    span = find_words(quote, text, whole_words=True)
    assert (span.start if span else None) == start


def test_case_counts_on_request() -> None:
    assert find_words("US", "between us", same_case=True) is None
    assert find_words("the  US", "in the US", same_case=True) == Span(3, 9)


def test_the_place_to_the_letter_is_preferred() -> None:
    assert find_words("Fox", "a fox, a Fox") == Span(9, 12)


TEXTS = st.text(st.sampled_from("aAbZ1.,'\"\u2019-\u2013 \n\u00e9\u00ad_()"), max_size=40)


@given(TEXTS, st.integers(0, 40), st.integers(0, 40))
def test_every_piece_of_a_text_is_found_in_it_as_it_stands(text: str, start: int, end: int) -> None:
    quote = text[start:end]
    if not quote.strip():
        assert find_words(quote, text) is None
        return
    span = find_words(quote, text)
    assert span is not None
    assert text[span.start : span.end] == quote.strip()


@given(TEXTS)
def test_what_differs_in_case_and_blanks_only_is_found(text: str) -> None:
    words = text.replace("\u00ad", "").split()
    quote = "  ".join(words).swapcase()
    assert (find_words(quote, " ".join(words)) is None) == (not words)


@given(st.text(), st.text())
def test_a_span_lies_in_the_text(quote: str, text: str) -> None:
    span = find_words(quote, text, whole_words=True)
    assert span is None or 0 <= span.start < span.end <= len(text)


def test_a_quote_of_thousands_of_words_is_looked_for_to_the_letter_only() -> None:
    words = "alpha beta , " * 600
    assert find_words(words, f"Here: {words}.") is not None
    assert find_words(words.upper(), f"Here: {words}.") is None
