"""A reply is read as the form; around one JSON object other text is tolerated; anything else has a complaint."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from goldproof.llm.conversation import (
    LONGEST_COMPLAINT,
    FormError,
    form_request,
    read_form,
    repair_request,
    schema_text,
)
from tests.llm.asking import Verdict

GOOD = '{"label": "yes", "quote": "a {brace} and a \\"quote\\""}'


class Inner(BaseModel):
    value: int


class Outer(BaseModel):
    inner: Inner
    grades: list[int] = Field(min_length=1)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"\n  {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"Here is my verdict:\n```json\n{GOOD}\n```\nI hope {{this}} helps!",
        f"<think>is {{it}} so? {{}}</think>{GOOD}",
        f'{{"label": "perhaps"}} No, rather: {GOOD}',
    ],
)
def test_one_object_is_found_whatever_stands_around_it(text: str) -> None:
    assert read_form(text, Verdict) == Verdict(label="yes", quote='a {brace} and a "quote"')


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("yes", "it is not a JSON object."),
        ('{"label": "yes", "quo', "it is not a JSON object."),
        ("[1, 2]", "it is not a JSON object."),
        ('{"label": "yes"}', "quote: Field required."),
        ('{"label": "maybe", "quote": "x"}', "label: Input should be 'yes' or 'no'."),
        (f"{GOOD} or {GOOD}", "it holds 2 JSON objects; expected one."),
        ("{" * 5000, "it is not a JSON object."),
        ('{"a":' * 100_000, "it is not a JSON object."),
    ],
)
def test_a_complaint_says_what_is_wrong(text: str, complaint: str) -> None:
    with pytest.raises(FormError) as caught:
        read_form(text, Verdict)
    assert str(caught.value) == complaint


def test_a_complaint_names_the_place_of_the_field() -> None:
    with pytest.raises(FormError, match=r"^inner\.value: Input should be a valid integer.*; grades: List should have"):
        read_form('{"inner": {"value": "x"}, "grades": []}', Outer)


def test_a_complaint_is_short_however_much_is_wrong() -> None:
    with pytest.raises(FormError, match=r"and 995 more") as caught:
        read_form(json.dumps({"inner": {"value": 1}, "grades": ["x"] * 1000}), Outer)
    assert len(str(caught.value)) <= LONGEST_COMPLAINT


def test_half_a_surrogate_pair_is_no_text() -> None:
    with pytest.raises(FormError, match="Invalid JSON"):
        read_form('{"label": "yes", "quote": "\\ud800"}', Verdict)


def test_what_a_model_is_told_holds_the_schema_and_the_complaint() -> None:
    assert schema_text(Verdict) in form_request(Verdict)
    assert '"enum":["yes","no"]' in schema_text(Verdict)
    assert "quote: Field required." in repair_request("quote: Field required.")


@given(st.sampled_from(["yes", "no"]), st.text(), st.text(alphabet=st.characters(exclude_characters="{}")))
def test_what_was_said_is_what_is_read(label: str, quote: str, around: str) -> None:
    said = json.dumps({"label": label, "quote": quote})
    assert read_form(f"{around}{said}{around}", Verdict).model_dump() == {"label": label, "quote": quote}


@given(st.text())
def test_no_text_does_anything_but_fit_or_not(text: str) -> None:
    with suppress(FormError):
        assert read_form(text, Verdict).model_dump().keys() == {"label", "quote"}
