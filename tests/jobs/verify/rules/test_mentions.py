"""What a text mentions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.jobs.verify.rules.mentions import mentions


def _short(text: str) -> list[str]:
    return [f"{one.kind} {one.name}{list(one.keywords) if one.keywords else ''}" for one in mentions(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("max_iterations", ["name max_iterations"]),
        ("`max_iterations`.", ["name max_iterations"]),
        ("execute()", ["call execute"]),
        ("types.Part", ["name types.Part"]),
        ("Config(a=1, b='x')", ["call Config['a', 'b']"]),
        ("f(x, inner=[g(y=1)])", ["call f['inner']", "call g['y']"]),
        ("await runner.run(x=1)", ["call runner.run['x']"]),
        ("a='json', b=Model", ["keyword a['a']", "keyword b['b']"]),
        ("from yaml import load, dump", ["import yaml.load", "import yaml.dump"]),
        ("import yaml.loader", ["import yaml.loader"]),
        ("`@tool(x=1)`", ["decorator tool['x']"]),
        ("Set `auto=True` in the `Runner` constructor.", ["keyword auto['auto']", "name Runner"]),
        ("Call yaml.dump(data, indent=2), e.g. on config.yaml.", ["call yaml.dump['indent']"]),
        ("See google.adk.agents for it.", ["name google.adk.agents"]),
        ("Use ``yaml.load`` here", ["name yaml.load"]),
        ("```python\nyaml.load(x)\n```\nWhat of `dump`?", ["name dump"]),
    ],
)
def test_what_is_mentioned(text: str, expected: list[str]) -> None:
    assert _short(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "None of the above", "5", "'text'", "It waits for all of them.", "See https://a.org/b.c/d",
     "async def f(x):", "`x: int = 5`", "a == b", "i.e. nothing", "`` ` ``", "None", "True"],
)  # fmt: skip
def test_what_is_no_mention(text: str) -> None:
    assert _short(text) == []


def test_the_values_of_keywords_are_kept_as_source() -> None:
    (one,) = mentions("Use `Config(a=[1,2], b=None)` here")
    assert (one.values, one.positional, one.whole, one.quoted) == (("[1, 2]", "None"), 0, False, True)


@given(st.text(alphabet="`ab.()=1, @\n'\"\\", max_size=40))
def test_no_text_breaks_it_and_places_are_in_the_text(text: str) -> None:
    for one in mentions(text):
        assert text[one.start : one.end] == one.text
