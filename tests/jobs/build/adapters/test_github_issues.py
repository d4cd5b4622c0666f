"""What is said in issues and comments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.jobs.build.adapters.github_issues import clean, has_substance, question_text, sentences

TWELVE_WORDS = "The parser keeps the last line in its buffer until you close it."


def test_cleaning_takes_out_quotations_commands_and_template_comments() -> None:
    text = "<!-- fill\nin -->\r\n> quoted\r\n/close\r\n/assign @ada\r\nSaid.\r\n"
    assert clean(text) == "Said."


def test_cleaning_keeps_code_as_it_is() -> None:
    text = "Do:\n```\n> not quoted\n/usr/bin/run\n\n\n\n<!-- kept -->\n```"
    assert clean(text) == text


def test_sentences_leave_out_what_is_no_prose() -> None:
    around = "### Title\n- [x] searched\n| a | b |\n![shot](x.png)\n**Version:**\n{}\n```\nNo code. At all.\n```"
    text = around.format("One is this. Two is\nthat?")
    assert sentences(text) == ["One is this.", "Two is that?"]


def test_only_a_label_is_cut_from_a_line() -> None:
    assert sentences("**Steps:** open it.\n\n**Never** use **this** one.") == [
        "open it.",
        "**Never** use **this** one.",
    ]


@pytest.mark.parametrize(
    ("title", "body", "question"),
    [
        ("How do I read it?", "Any words.", "How do I read it?"),
        ("How to read it from a stream", "", "How to read it from a stream"),
        ("[Question] Can it be read?", "", "Can it be read?"),
        ("BUG: why is it read twice", "", "why is it read twice"),
        ("Reading fails", "It says so. Why is that? Who knows?", "Reading fails. Why is that?"),
        ("Reading fails.", "I read a file and get an error.", "Reading fails. I read a file and get an error."),
        ("Reading fails", "Reading fails on Mondays.", "Reading fails on Mondays."),
        ("Reading fails", "```\nonly code?\n```", ""),
        (
            "Reading fails",
            "OS: Linux 6\n\nhttps://example.org/a/b/c\n\nOh no.\n\nIt stops half way.",
            "Reading fails. It stops half way.",
        ),
        (
            "Reading fails",
            "**What happened**: it stops half way.\n\n**What you *expected*?**\n",
            "Reading fails. it stops half way.",
        ),
        (
            "Reading fails",
            "Is this a BUG REPORT or a request?\n\nIt stops half way. Why?",
            "Reading fails. It stops half way.",
        ),
        ("Reading fails", "", ""),
        ("What's new", "", ""),
        ("", "Why is that?", ""),
    ],
)
def test_the_question_is_the_title_or_the_title_with_what_the_body_asks_or_says(
    title: str, body: str, question: str
) -> None:
    assert question_text(title, body) == question


@pytest.mark.parametrize(
    ("text", "enough"),
    [
        (TWELVE_WORDS, True),
        ("Use this:\n```python\nx()\n```", True),
        ("Use this.", False),
        ("```python\nx()\n```", False),
        ("Could you tell us which version you use and on which system it runs?", False),
        (f"{TWELVE_WORDS} Does that help? Or not?", False),
        (f"{TWELVE_WORDS} Then it is written. Does that help?", True),
        ("Duplicate of #12, please follow the discussion that is going on over there.", False),
        ("Thanks for the report, we will look into it as soon as possible.", False),
        (f"Thanks for the report. {TWELVE_WORDS} {TWELVE_WORDS}", True),
        ("", False),
    ],
)
def test_an_answer_says_something(text: str, enough: bool) -> None:
    assert has_substance(text) is enough


@given(st.text(st.sampled_from("a.?!> /`#-\n\r<[]*| ")), st.text(st.sampled_from("ab?. \n`>#")))
def test_any_text_is_taken_without_an_error(title: str, body: str) -> None:
    assert clean(clean(body)) == clean(body)
    assert isinstance(has_substance(body), bool)
    assert "\n" not in question_text(title, body)
