from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goldproof.text.spans import _fold, _one_blank, find_quote, unwrapped

WORDS = st.text(
    st.characters() | st.sampled_from("aZ \n\t.,'\"\u201c\u2014\u00df\ufb01\u0130\u00e9\u0301\u00ad\u2026"),
    max_size=60,
)


@st.composite
def slices(draw: st.DrawFn) -> tuple[str, str]:
    text = draw(WORDS)
    start = draw(st.integers(0, len(text)))
    return text, text[start : draw(st.integers(start, len(text)))]


def normal(quote: str) -> str:
    """The form in which quotes are compared, blanks beside punctuation apart."""
    return _one_blank(_fold(unwrapped(quote)))


def mangled(quote: str, blank: str) -> str:
    """Other blanks, and each letter in its other case where that is one letter that leads back."""
    swapped = [c.swapcase() if c.swapcase().casefold() == c.casefold() else c for c in quote]
    return "".join(blank if character.isspace() else character for character in swapped)


@given(slices(), st.sampled_from([" ", "\n", "\t \n", "\u00a0", "\r\n"]))
@example(("\u00df s", "s"), " ")
@example(("a\u0301a", "a"), " ")
@example(("3, 5", ", 5"), "\n")
@example(("\u2026a", "a"), " ")
@example(("x\u1fefy", "\u1fefy"), " ")
def test_any_slice_is_found_with_other_blanks_and_case_and_its_place_is_the_same_quote(
    slice_of: tuple[str, str], blank: str
) -> None:
    text, piece = slice_of
    quote = mangled(piece, blank)
    span = find_quote(quote, text)
    if not any(map(str.isalnum, unwrapped(quote))):
        assert span is None
        return
    assert span is not None
    assert normal(text[span.start : span.end]) == normal(quote)


@given(WORDS, WORDS)
def test_what_is_found_is_the_quote_but_for_blanks_beside_punctuation(quote: str, text: str) -> None:
    span = find_quote(quote, text)
    if span is not None:
        found = text[span.start : span.end]
        assert normal(found).replace(" ", "") == normal(quote).replace(" ", "")
        assert any(map(str.isalnum, found))


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("hello   World", "x Hello\nworld y", "Hello\nworld"),
        ('"Hello world..."', "x Hello\nworld y", "Hello\nworld"),
        ("[...] hello world [\u2026]", "x Hello world y", "Hello world"),
        ("\u2018it\u2019s \u2014 fine\u2019", "It's - fine.", "It's - fine"),
        ("STRASSE", "die Stra\u00dfe hier", "Stra\u00dfe"),
        ("definition", "the de\ufb01nition is", "de\ufb01nition"),
        ("caf\u00e9", "a cafe\u0301 b", "cafe\u0301"),
        ("cafe\u0301", "a caf\u00e9 b", "caf\u00e9"),
        ("coop", "the co\u00adop", "co\u00adop"),
        ("limit, or", "the limit , or more", "limit , or"),
        ("a=b", "so a = b here", "a = b"),
        ("wait... what", "Wait\u2026 what?", "Wait\u2026 what"),
        ("\u6771\u4eac\u306f", "\u9996\u90fd\u306e\u6771\u4eac\u306f\u5927", "\u6771\u4eac\u306f"),
        (
            "\u03a3\u038a\u03a3\u03a5\u03a6\u039f\u03a3",
            "\u03c3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2",
            "\u03c3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2",
        ),
        ("the end", "The end. the end", "the end"),
        (
            "\u9996\u90fd\u306f\u6771\u4eac",
            "\u9996\u90fd\u306f\n\u6771\u4eac\u3067\u3059",
            "\u9996\u90fd\u306f\n\u6771\u4eac",
        ),
    ],
)
def test_these_are_the_same_quote(quote: str, text: str, found: str) -> None:
    span = find_quote(quote, text)
    assert span is not None
    assert text[span.start : span.end] == found


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("", "anything"),
        ("  ", "a  b"),
        ("...", "a ... b"),
        ("\u2014", "a \u2014 b"),
        ("cafe", "a caf\u00e9 b"),
        ("1,000", "is 1 , 000"),
        ("3.5", "version 3. 5 parts"),
        ("a c", "a b c"),
        ("a ... c", "a b c"),
        ("hello world", "helloworld"),
        ("s", "\u00df"),
    ],
)
def test_these_are_not(quote: str, text: str) -> None:
    assert find_quote(quote, text) is None


def test_of_several_places_one_to_the_letter_is_preferred_and_else_the_first() -> None:
    assert find_quote("an end", "An End, an end") == (8, 14)
    assert find_quote("AN END", "An End, an end") == (0, 6)


def test_a_text_full_of_half_matches_is_given_up_in_the_end() -> None:
    # Every place begins or ends within a sharp s: 2 letters each, an odd number is wanted.
    assert find_quote("s" * 501, "\u00df" * 100_000) is None
