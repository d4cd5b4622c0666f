"""What a client asked is read whatever it sent, and known again by its content."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, TypeAdapter

from goldproof.testing.request import BadBodyError, Request, read_request
from goldproof.testing.script import filled
from goldproof.testing.steps import Json, reply_to

ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
# Bodies that are nearly right: known names hold anything, at any depth.
NAMES = st.sampled_from(
    [
        "type",
        "role",
        "content",
        "text",
        "function",
        "name",
        "parameters",
        "allowed_tools",
        "tools",
        "mode",
        "schema",
        "json_schema",
        "format",
        "arguments",
        "output",
        "tool_calls",
        "required",
        "properties",
    ]
)
WORDS = st.sampled_from(["function", "message", "user", "system", "allowed_tools", "required", "json_schema", "x"])
NEARLY: st.SearchStrategy[Any] = st.recursive(
    ANYTHING | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)
FIELDS = ["messages", "input", "tools", "tool_choice", "response_format", "text", "instructions", "stream"]


def read(body: object, api: Any = "chat") -> Request:  # noqa: ANN401
    return read_request(json.dumps(body).encode(), api=api, path="/v1/x", headers={})


@given(st.fixed_dictionaries({"model": st.just("m")}, optional=dict.fromkeys(FIELDS, NEARLY)), st.booleans())
def test_any_body_is_read_or_refused(fields: dict[str, Any], chat: bool) -> None:
    good = {"messages": [{"role": "user", "content": "?"}]} if chat else {"input": "?"}
    for body in (fields, {**fields, **good}):
        try:
            request = read(body, "chat" if chat else "responses")
        except BadBodyError:
            continue
        # However odd the rest is, what was understood can be answered.
        assert request.characters >= len(request.prompt)
        assert reply_to(Json({"a": 1}), request).text == '{"a": 1}'


@pytest.mark.parametrize(
    "choice",
    [
        {"type": "function", "function": 5},
        {"type": "function"},
        {"type": "allowed_tools", "allowed_tools": 5},
        {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [{"name": "f"}]}},
        {"type": "allowed_tools", "mode": "required"},
        {"type": "allowed_tools", "mode": "required", "tools": [{"name": "other"}]},
        5,
        "none",
    ],
)
def test_a_choice_that_forces_nothing_forces_nothing(choice: object) -> None:
    tools = [{"type": "function", "name": "f"}, {"type": "web_search"}]
    request = read({"model": "m", "input": "?", "tools": tools, "tool_choice": choice}, "responses")
    assert ([tool.name for tool in request.tools], request.forced_tools) == (["f"], ())


@given(st.text(), st.text())
def test_the_content_tells_questions_apart(one: str, other: str) -> None:
    def content(text: str, **more: object) -> str:
        return read({"model": "m", "messages": [{"role": "user", "content": text}], **more}).content

    assert (content(one) == content(other)) == (one == other)
    assert content(one) == content(one, stream=True, user="me", stream_options={"include_usage": True})
    assert content(one) != content(one, temperature=0.7)


def test_the_order_of_fields_is_no_content_and_the_endpoint_is() -> None:
    first = read({"model": "m", "messages": [{"role": "user", "content": "?"}], "n": 1})
    second = read({"n": 1, "messages": [{"content": "?", "role": "user"}], "model": "m"})
    assert first.content == second.content
    same: dict[str, object] = {"model": "m", "input": "?", "messages": [{"role": "user", "content": "?"}]}
    assert read(same, "chat").content != read(same, "responses").content


class Inner(BaseModel):
    name: str = Field(max_length=3)
    count: int = Field(ge=2)
    inside: Inner | None


class Outer(BaseModel):
    several: list[Inner] = Field(min_length=2)
    either: bool | str
    table: dict[str, int]
    spare: int = 0


@pytest.mark.parametrize("form", [Inner, Outer])
def test_a_filled_form_is_of_the_form(form: type[BaseModel]) -> None:
    value = filled(form.model_json_schema(), "text that is long")
    TypeAdapter(form).validate_python(value)
    assert "spare" not in value


def test_a_form_without_end_is_cut() -> None:
    endless = {
        "$ref": "#",
        "$defs": {"A": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "required": ["a"]}},
    }
    assert filled(endless, "?") is None
    assert isinstance(filled({**endless, "$ref": "#/$defs/A"}, "?"), dict)
