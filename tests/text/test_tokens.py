from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.text.tokens import REMEMBERED, Tokeniser, tokens, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Plain words, ONCE.", "plain words once"),
        ("HTTPServer LlmAgent", "httpserver http server llmagent llm agent"),
        ("parseHTML2Text", "parsehtml2text parse html 2 text"),
        ("max_tokens MAX_TOKENS", "max_tokens max tokens max_tokens max tokens"),
        ("google.adk.agents.LlmAgent", "google.adk.agents.llmagent google adk agents llmagent llm agent"),
        ("src/text/words.py", "src/text/words.py src text words.py words py"),
        (r"C:\temp\a_b", r"c temp\a_b temp a_b a b"),
        ("std::vector", "std::vector std vector"),
        ("high-speed", "high-speed high speed"),
        ("__init__ _private ___", "__init__ init _private private"),
        ("utf8 sha256 int8", "utf8 utf 8 sha256 sha 256 int8 int 8"),
        ("v1.2.0 1.2.0 3.14", "v1.2.0 1.2.0 1.2.0 3.14"),
        ("python3.11 3.x", "python3.11 python 3.11 3.x 3 x"),
        ("h2o x1 T5", "h2o x1 t5"),
        ("APIs URLs", "apis urls"),
        ("2024-01-05", "2024-01-05 2024 01 05"),
        ("1,234.5 1,234,567 1,2 1,2345", "1234.5 1234567 1 2 1 2345"),
        ("agent.Agent", "agent.agent agent"),
        ("don't DON'T user's LlmAgent's", "don't don't user llmagent llm agent"),
        ("l'avion f'text' O\u2019Brien\u2019s don\u2019t", "l avion f text o brien don't"),
        ("C++ c# F# i++ C++11", "c++ c# f# i c 11"),
        ("End.Next sentence. Last one...", "end.next end next sentence last one"),
        ("日本語text ภาษ ที่", "日 本 語 text ภ า ษ ที่"),
        ("हिन्दी cafe\u0301 ﬁne", "हिन्दी café fine"),
        ("ÉcoleNormale straße", "écolenormale école normale strasse"),
        ("", ""),
        (" -- ... _ !", ""),
    ],
)
def test_an_identifier_gives_itself_and_its_parts_and_a_word_gives_itself(text: str, expected: str) -> None:
    assert tokens(text) == expected.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("LlmAgent max_tokens a.b", "llmagent max tokens a b"),
        ("v1.2.0 3.14 1,234.5 sha256", "v1 2 0 3.14 1234.5 sha256"),
        ("don't user's high-speed C++", "don't user high speed c++"),
        ("日本 हिन्दी École", "日 本 हिन्दी école"),
    ],
)
def test_plain_words_are_never_split_further(text: str, expected: str) -> None:
    assert tokens(text, "words") == expected.split()


def test_scripts_without_blanks_are_those_of_the_words_module() -> None:
    # Every letter of the basic plane: two of an unspaced script are two words, of any other one.
    for code in range(0x0E00, 0xFB00):
        pair = chr(code) * 2
        if pair.isalpha() and normalize("NFKC", pair) == pair == pair.casefold():
            assert (len(tokens(pair, "words")) == 2) == (len(words(pair)) == 2), hex(code)


def test_a_tokeniser_that_forgets_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    assert REMEMBERED > 100_000
    monkeypatch.setattr("goldproof.text.tokens.REMEMBERED", 1)
    tokeniser = Tokeniser()
    assert [tokeniser.tokens(text) for text in ("a.b c", "a.b d", "a.b")] == [
        ["a.b", "a", "b", "c"],
        ["a.b", "a", "b", "d"],
        ["a.b", "a", "b"],
    ]


@given(st.text(max_size=60))
def test_any_text_gives_folded_tokens_each_with_a_letter_or_digit(text: str) -> None:
    for kind in ("code", "words"):
        for token in tokens(text, kind):
            assert any(c.isalnum() for c in token)
            assert token == token.casefold()
            assert not any(c.isspace() for c in token)


@given(
    st.lists(st.sampled_from(["http", "llm", "agent", "parse", "tree", "node"]), min_size=2, max_size=4, unique=True)
)
def test_every_spelling_of_a_name_has_its_words(parts: list[str]) -> None:
    camel = "".join(part.capitalize() for part in parts)
    for spelling in (
        camel,
        "_".join(parts),
        "-".join(parts),
        ".".join(parts),
        "/".join(parts),
        "_".join(parts).upper(),
    ):
        found = tokens(spelling)
        assert found == [spelling.casefold(), *parts]


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=60))
def test_ascii_text_has_the_same_tokens_as_beside_other_text(text: str) -> None:
    # One letter that is not ASCII sends the text through the general pattern.
    for kind in ("code", "words"):
        assert [*tokens(text, kind), "é"] == tokens(f"{text} é", kind)
