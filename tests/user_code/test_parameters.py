"""A function of the user's is given what it takes: by usual names, by place, or not at all; the rest is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from goldproof.errors import InputError
from goldproof.user_code.parameters import SEARCH, Bound, Form, Taken, bind_parameters

if TYPE_CHECKING:
    from collections.abc import Callable

NOW = Taken(("now",), by_any_name=False)
FORM = Form(SEARCH.first, {**SEARCH.others, "now": NOW}, SEARCH.written)


def bound(function: Callable[..., Any]) -> Bound:
    return bind_parameters(function, FORM, where="mine")


def given(*args: object, **named: object) -> tuple[tuple[object, ...], dict[str, object]]:
    return args, named


@pytest.mark.parametrize(
    ("function", "taken"),
    [
        (lambda query, k: ..., {"query": "", "k": "k"}),  # noqa: ARG005
        (lambda text, top_k=5: ..., {"query": "", "k": "top_k"}),  # noqa: ARG005
        (lambda text, how_many: ..., {"query": "", "k": "how_many"}),  # noqa: ARG005
        (lambda text, how_many, /: ..., {"query": "", "k": ""}),  # noqa: ARG005
        (lambda text, weight=0.5: ..., {"query": ""}),  # noqa: ARG005
        (lambda k, query: ..., {"query": "query", "k": "k"}),  # noqa: ARG005
        (lambda *, query, limit: ..., {"query": "query", "k": "limit"}),  # noqa: ARG005
        (lambda text, filters, how_many: ..., {"query": "", "k": "how_many", "filters": "filters"}),  # noqa: ARG005
        (lambda text, now=None: ..., {"query": "", "now": "now"}),  # noqa: ARG005
        (lambda *args: ..., {"query": "", "k": ""}),  # noqa: ARG005
        (lambda text, **named: ..., {"query": "", "k": "k", "filters": "filters"}),  # noqa: ARG005
        (given, {"query": "", "k": "", "filters": "filters"}),
        (dict.get, {"query": "", "k": ""}),  # written in C, and tells nothing that could be read
    ],
)
def test_what_a_function_takes_is_read_from_its_signature(function: Callable[..., Any], taken: dict[str, str]) -> None:
    assert bound(function).taken == taken


def test_none_is_passed_only_where_it_must_be() -> None:
    strict = bound(lambda query, k, filters, now: (query, k, filters, now))
    assert strict(query="q", k=3, filters=None, now=None) == ("q", 3, None, None)
    assert bound(given)(query="q", k=3, filters=None, now=7) == (("q", 3), {})
    assert bound(given)(query="q", k=3, filters={"a": 1}, now=7) == (("q", 3), {"filters": {"a": 1}})


def by_user(query: str, user: str) -> None:
    """Take something else in the place of k."""


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda: ..., r"^mine\(\) takes no query; expected search\(query, k, filters=None\)\.$"),
        (lambda *, index: ..., r"^mine\(\*, index\) takes no query"),  # noqa: ARG005
        (by_user, "^mine requires 'user', which is not known here; expected search"),
        (lambda query, *, user: ..., "^mine requires 'user'"),  # noqa: ARG005
        (lambda *args, user: ..., "^mine requires 'user'"),  # noqa: ARG005
    ],
)
def test_what_cannot_be_called_is_refused_in_one_sentence(function: Callable[..., Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        bound(function)
