"""Top: the smaller of its own k and the request's."""

from __future__ import annotations

from typing import Any

import pytest

from goldproof.errors import InputError
from goldproof.retrieve.stages.cutoff import Top
from tests.retrieve.given import Given, ask, documents_of, names

SCORES = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}


@pytest.mark.parametrize(("own", "asked", "expected"), [(2, 10, ["a", "b"]), (5, 1, ["a"]), (9, 9, ["a", "b", "c"])])
def test_the_smaller_k_counts_and_the_source_is_asked_for_it(own: int, asked: int, expected: list[str]) -> None:
    documents, source = documents_of("a", "b", "c"), Given(SCORES)
    top = Top(source, own)
    top.index(documents)
    assert names(top.find(ask(k=asked)), documents) == expected
    assert source.asked[0].k == min(own, asked)


@pytest.mark.parametrize("k", [0, -1, 2.5, True, "5"])
def test_k_is_a_whole_number_of_at_least_1(k: object) -> None:
    wrong: Any = k
    with pytest.raises(InputError, match="top: k is"):
        Top(Given(SCORES), wrong)
