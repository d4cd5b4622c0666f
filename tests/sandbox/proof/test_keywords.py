"""A keyword is really given: accepted, rejected, swallowed and unclear are told apart."""

from __future__ import annotations

from typing import Any

import pytest

from goldproof.sandbox.inside.proof.keywords import keyword_seen

LIBRARY = "tests.sandbox.proof.sample_library"
IMPOSSIBLE = "goldproof_no_such_name"


def _seen(name: str, keyword: str, **known: object) -> dict[str, Any]:
    return keyword_seen(f"{LIBRARY}.{name}", keyword, **known)


@pytest.mark.parametrize(
    ("name", "keyword", "outcome", "how"),
    [
        ("Strict", "count", "accepted", "constructed"),
        ("Strict", "tags", "accepted", "constructed"),
        ("Strict", IMPOSSIBLE, "rejected", "constructed"),
        ("Loose", "count", "accepted", "constructed"),
        ("Loose", IMPOSSIBLE, "swallowed", "constructed"),
        ("Nested", "extra", "accepted", "constructed"),
        ("Nested", "hook", "accepted", "constructed"),
        ("Nested", "inner", "accepted", "constructed"),
        ("Paired", "interval", "accepted", "constructed"),
        ("Plain", "size", "accepted", "constructed"),
        ("Plain", "name", "accepted", "constructed"),
        ("Plain", IMPOSSIBLE, "rejected", "constructed"),
        ("Swallows", "known", "accepted", "constructed"),
        ("Swallows", IMPOSSIBLE, "swallowed", "constructed"),
        ("Keeps", "whatever", "accepted", "constructed"),
        ("Point", "y", "accepted", "constructed"),
        ("Point", IMPOSSIBLE, "rejected", "constructed"),
        ("Pair", "right", "accepted", "constructed"),
        ("Options", "verbose", "accepted", "bound"),
        ("Options", IMPOSSIBLE, "rejected", "bound"),
        ("inner", "scale", "accepted", "bound"),
        ("inner", IMPOSSIBLE, "rejected", "bound"),
        ("outer", "scale", "accepted", "bound"),
        ("outer", IMPOSSIBLE, "rejected", "bound"),
        ("anything", "secret_option", "unclear", "bound"),
        ("Plain.act", "times", "accepted", "bound"),
        ("Plain.act", "self", "rejected", "bound"),
    ],
)
def test_keywords(name: str, keyword: str, outcome: str, how: str) -> None:
    seen = _seen(name, keyword)
    assert (seen["outcome"], seen["how"]) == (outcome, how), seen


def test_a_word_that_no_code_knows_means_nothing_to_a_function_that_takes_anything() -> None:
    # Turned around here: this file is code that is imported, too.
    assert _seen("anything", "fo_draehnu_tarak"[::-1])["outcome"] == "swallowed"


def test_the_exception_of_a_rejected_keyword_is_kept() -> None:
    error = _seen("Strict", IMPOSSIBLE)["exception"]
    assert error["type"] == "ValidationError"
    assert "Extra inputs are not permitted" in error["message"]


def test_a_default_that_equals_the_value_is_no_sign_that_it_was_taken() -> None:
    # Loose.count is 1 by default; given through a name that is swallowed it must not read back as 1 either.
    assert _seen("Loose", IMPOSSIBLE, **{IMPOSSIBLE: 1})["outcome"] == "swallowed"


def test_given_values_are_used() -> None:
    seen = _seen("Strict", "title", count=3, title="given")
    assert (seen["outcome"], seen["tried"]) == ("accepted", ["'given'"])


def test_a_path_that_does_not_exist_is_unclear_and_says_why() -> None:
    seen = _seen("Nope", "x")
    assert (seen["outcome"], seen["why"]) == ("unclear", f"no 'Nope' in the module {LIBRARY}")


def test_what_else_had_to_be_given_is_listed() -> None:
    seen = _seen("Plain", "size")
    assert seen["required"] == ["name", "colour"]
    assert seen["parameters"] == ["name", "colour", "size"]


@pytest.mark.parametrize(
    ("path", "keyword", "outcome"),
    [
        ("yaml.dump", "sort_keys", "accepted"),
        ("yaml.dump", IMPOSSIBLE, "rejected"),
        ("pydantic.Field", "alias", "accepted"),
        ("httpx.Client", "timeout", "accepted"),
        ("httpx.Client", "retries", "rejected"),
        ("json.JSONEncoder", "indent", "accepted"),
        ("pydantic.ConfigDict", "extras", "rejected"),
    ],
)
def test_keywords_of_real_libraries(path: str, keyword: str, outcome: str) -> None:
    assert keyword_seen(path, keyword)["outcome"] == outcome
