"""Values become plain data by their exact types; what they say of themselves is caught and cut."""

from __future__ import annotations

import ast
import enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.sandbox.inside.proof.literals import literal_of
from goldproof.sandbox.inside.proof.values import describe

_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(_PLAIN)
def test_a_literal_reads_back_as_the_same_value_of_the_same_type(value: object) -> None:
    text = literal_of(value)
    assert text is not None
    assert repr(ast.literal_eval(text)) == repr(value)


@pytest.mark.parametrize(
    ("value", "literal"),
    [
        ({3, 1, 2}, "{1, 2, 3}"),
        (set(), "set()"),
        (frozenset({"b", "a"}), "frozenset({'a', 'b'})"),
        ((1,), "(1,)"),
        (float("inf"), "1e999"),
        (float("nan"), None),
        (True, "True"),
        (object(), None),
        ([object()], None),
    ],
)
def test_literals_of_what_has_one_and_of_what_has_none(value: object, literal: str | None) -> None:
    assert literal_of(value) == literal


def test_a_value_that_contains_itself_has_no_literal() -> None:
    loop: list[object] = []
    loop.append(loop)
    assert literal_of(loop) is None


def test_subclasses_of_plain_types_have_no_literal() -> None:
    class Liar(int):
        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 1

        def __repr__(self) -> str:
            return "3"

    class Level(enum.IntEnum):
        LOW = 1

    assert literal_of(Liar(7)) is None
    assert literal_of([Liar(7)]) is None
    assert literal_of(Level.LOW) is None
    assert describe(Liar(7))["type"] == "Liar"


class _Hostile:
    __class__ = property(lambda _: int)

    def __repr__(self) -> str:
        raise SystemExit("no")

    def __str__(self) -> str:
        return "x" * 10_000


def test_an_object_that_lies_about_its_class_and_has_no_repr_is_described_by_its_real_type() -> None:
    seen = describe(_Hostile())
    assert seen["type"] == "_Hostile"
    assert seen["repr"] == "<no text: SystemExit>"
    assert seen["str"] == "x" * 2_000 + " ..."
    assert seen["literal"] is None


def test_a_class_that_calls_itself_a_builtin_is_not_taken_for_one() -> None:
    fake: Any = type("ValueError", (Exception,), {"__module__": "builtins"})
    assert describe(fake())["qualified"] == "not_builtins.ValueError"
    assert describe(ValueError())["qualified"] == "builtins.ValueError"


def test_addresses_and_the_place_of_installation_are_blotted_out() -> None:
    class Shown:
        def __repr__(self) -> str:
            return "<f at 0x7f0123456789> in /opt/venv/lib/python3.11/site-packages/yaml/__init__.py"

    assert describe(Shown())["repr"] == "<f at 0x...> in site-packages/yaml/__init__.py"


def test_text_that_cannot_be_encoded_is_escaped() -> None:
    assert describe("\udce4")["str"] == "\\udce4"
