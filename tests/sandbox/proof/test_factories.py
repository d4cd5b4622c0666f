"""Defaults that a function makes."""

from __future__ import annotations

import itertools
from dataclasses import field, make_dataclass
from typing import TYPE_CHECKING

import pytest

from goldproof.sandbox.inside.proof.fields import fields_of

if TYPE_CHECKING:
    from collections.abc import Callable

COUNT = itertools.count()


def named() -> int:
    return 5


@pytest.mark.parametrize(
    ("factory", "default"),
    [
        (list, "[]"),
        (dict, "{}"),
        (lambda: 500, "500"),
        (lambda: ["a", 1], "['a', 1]"),
        (lambda: next(COUNT), None),  # another one each time
        (lambda: object(), None),  # noqa: PLW0108 - no plain value
        (lambda: 1 / 0, None),
        (named, None),  # a function may do anything: it is not called
    ],
)
def test_what_a_lambda_makes_is_the_default_where_it_is_plain_and_the_same_twice(
    factory: Callable[[], object], default: str | None
) -> None:
    kind = make_dataclass("Kind", [("made", object, field(default_factory=factory))])
    found = fields_of(kind)["made"]
    assert (found["required"], found["default"]) == (False, default)
