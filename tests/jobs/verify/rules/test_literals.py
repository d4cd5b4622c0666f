"""The value, or the type, that an option's text stands for."""

from __future__ import annotations

import pytest

from goldproof.jobs.verify.rules.literals import bare_text, read_literal, read_type


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("3", "3"),
        ("`3`", "3"),
        ("3.", "3"),
        ("3.5", "3.5"),
        ("-1", "-1"),
        ("True", "True"),
        ("true", "True"),
        ("`None`", "None"),
        ("None.", "None"),
        ("`{'a': 1}`", "{'a': 1}"),
        ("{'a': 1}", "{'a': 1}"),
        ("`[1, 2]`.", "[1, 2]"),
        ("(1,)", "(1,)"),
        ("'a'", "'a'"),
        ('`"a b"`', "'a b'"),
        ("```python\n[1, 2]\n```", "[1, 2]"),
        ("The value 3", "3"),
        ("The integer `3`.", "3"),
        ("The string `'abc'`", "'abc'"),
        ("It returns `None`.", "None"),
        ("It evaluates to 3", "3"),
        ("An empty list", "[]"),
        ("an empty dictionary", "{}"),
        ("It returns an empty string.", "''"),
        ("An empty set", "set()"),
        ("`set()`", "set()"),
        ("b'x'", "b'x'"),
    ],
)
def test_a_value_is_read(text: str, source: str) -> None:
    found = read_literal(text)
    assert found is not None
    assert found.source == source


@pytest.mark.parametrize(
    "text",
    [
        "",
        "abc",
        "a list of two strings",
        "`Decimal('1')`",
        "`x`",
        "NONE",
        "...",
        "`...`",
        "3 items",
        "A dict",
        "1 and 2",
    ],
)
def test_what_is_no_value_is_none(text: str) -> None:
    assert read_literal(text) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("`dict`", "dict"),
        ("A `dict`", "dict"),
        ("a dictionary.", "dict"),
        ("An instance of `SafeLoader`", "SafeLoader"),
        ("A `yaml.SafeLoader` object", "yaml.SafeLoader"),
        ("string", "str"),
        ("<class 'int'>", "int"),
        ("It returns a list", "list"),
        ("NoneType", "NoneType"),
        ("An integer", "int"),
    ],
)
def test_a_type_is_read(text: str, name: str) -> None:
    assert read_type(text) == name


@pytest.mark.parametrize("text", ["a list of strings", "the loader", "3", "`[1]`", "", "it depends", "`safe_load`"])
def test_what_is_no_type_is_none(text: str) -> None:
    assert read_type(text) is None


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("`a b`", "a b"),
        ('"a"', "a"),
        ("'it's'", "'it's'"),
        ("```\n1\n2\n```", "1\n2"),
        (" a ", "a"),
        ("\u201ca\u201d", "a"),
    ],
)
def test_marks_around_a_text_are_dropped(text: str, bare: str) -> None:
    assert bare_text(text) == bare
