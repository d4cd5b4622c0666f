"""An expectation that cannot be compared is refused with what is wrong; one that can has a contradiction."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.jobs.verify.checks import check_expectation, compare, negation, seen_line
from karat.jobs.verify.checks.catalogue import CHECKS, CHOICES
from tests.jobs.verify.checks.observed import ABSENT, FUNCTION, INVALID, MODEL, printed, raised, returned


@pytest.mark.parametrize(
    ("expect", "wrong"),
    [
        ({"check": "works"}, ""),
        ({"check": "any", "of": [{"check": "works"}]}, ""),
        ({"check": "retruns", "literal": "3"}, "no check is called 'retruns'; did you mean returns or"),
        ({"check": "zzz"}, "no check is called 'zzz'; known: accepts, all, any,"),
        ({"check": "returns"}, "check 'returns' needs 'literal'"),
        ({"check": "returns", "literal": 3}, "'literal' of check 'returns' is a str; found '3'"),
        ({"check": "returns", "literal": "foo()"}, "'foo()' is not a Python literal"),
        ({"check": "returns", "literal": "3", "value": 3}, "check 'returns' has no field 'value'; it takes literal"),
        (
            {"check": "prints", "text": "a", "how": "like"},
            "'how' of check 'prints' is one of equals, contains; found 'like'",
        ),
        ({"check": "works", "observation": "last"}, "\"observation\" is the number of one, from 0; found 'last'"),
        ({"check": "works", "observation": True}, '"observation" is the number of one, from 0; found True'),
        ({"check": "not", "of": "works"}, 'an expectation is an object with "check"'),
        ({"check": "all", "of": []}, "'all' needs \"of\", a list of at least one expectation"),
        (
            {"check": "any", "of": [{"check": "works"}, {"check": "wroks"}]},
            "no check is called 'wroks'; did you mean works",
        ),
        ([], 'an expectation is an object with "check"'),
    ],
)
def test_what_is_wrong_with_an_expectation(expect: object, wrong: str) -> None:
    found = check_expectation(expect)  # type: ignore[arg-type]
    assert found.startswith(wrong) if wrong else found == ""


def test_an_expectation_that_is_nested_without_end_is_refused() -> None:
    expect: dict[str, Any] = {"check": "works"}
    for _ in range(50):
        expect = {"check": "not", "of": expect}
    assert "nested" in check_expectation(expect)
    assert compare(expect, [returned("3")]).holds is None


@pytest.mark.parametrize("check", ["accepts", "found", "somewhere"])
def test_claims_about_existence_have_no_negation(check: str) -> None:
    assert negation({"check": check}) is None
    assert negation({"check": "not", "of": {"check": check}}) is None


def test_a_wrong_expectation_has_no_negation() -> None:
    assert negation({"check": "retruns"}) is None


@pytest.mark.parametrize(
    ("expect", "other"),
    [
        ({"check": "returns", "literal": "3"}, {"check": "returns", "literal": "'karat_no_such_name'"}),
        ({"check": "returns", "literal": "'karat_no_such_name'"}, {"check": "returns", "literal": "None"}),
        ({"check": "raises", "type": "ValueError"}, {"check": "raises", "type": "karat_no_such_name"}),
        ({"check": "works"}, {"check": "not", "of": {"check": "works"}}),
        ({"check": "prints", "text": "a"}, {"check": "prints", "text": "a\nkarat_no_such_name"}),
    ],
)
def test_negations(expect: dict[str, Any], other: dict[str, Any]) -> None:
    assert negation(expect) == other


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_LITERALS = st.sampled_from(["3", "True", "1", "1.0", "[1]", "(1,)", "'x'", "None", "{}", "set()"])
_WORDS = st.sampled_from(
    ["ValueError", "ValidationError", "a", "b", "n", "t", "lib.f", "", "(a, b=1, **more)", "coroutine"]
)
_KEYS = st.sampled_from(
    ["kind", "outcome", "value", "exception", "stdout", "logs", "warnings", "found", "what", "mro", "bases"]
)


def _field(check: str, key: str, kind: type) -> st.SearchStrategy[Any]:
    if (check, key) in CHOICES:
        return st.sampled_from(CHOICES[check, key])
    if key == "literal":
        return _LITERALS
    return {bool: st.booleans(), list: st.lists(_WORDS, max_size=2)}.get(kind, _WORDS)


def _one(check: str) -> st.SearchStrategy[dict[str, Any]]:
    needs = {key: _field(check, key, kind) for key, kind in CHECKS[check].needs.items()}
    takes = {key: _field(check, key, kind) for key, kind in CHECKS[check].takes.items()}
    return st.fixed_dictionaries({"check": st.just(check), **needs}, optional=takes)


_SINGLE = st.sampled_from(sorted(CHECKS)).flatmap(_one)
_EXPECTATIONS = st.recursive(
    _SINGLE,
    lambda inner: (
        st.fixed_dictionaries({"check": st.just("not"), "of": inner})
        | st.fixed_dictionaries(
            {"check": st.sampled_from(["all", "any"]), "of": st.lists(inner, min_size=1, max_size=3)}
        )
    ),
    max_leaves=4,
)
_REAL: list[dict[str, Any]] = [
    returned("3"), returned("1"), returned("True"), returned(None), returned("[1]", kind="list"), printed("a\n"),
    printed("ValueError"), INVALID, raised("builtins.ValueError", message="a"), MODEL, FUNCTION, ABSENT,
]  # fmt: skip
_MUTATED = st.tuples(st.sampled_from(_REAL), st.dictionaries(_KEYS, _JSON, max_size=2)).map(
    lambda pair: {**pair[0], **pair[1]}
)


@given(_EXPECTATIONS, _MUTATED)
def test_a_negation_never_holds_together_with_the_original(expect: dict[str, Any], observation: dict[str, Any]) -> None:
    other = negation(expect)
    if other is not None and compare(expect, [observation]).holds:
        assert compare(other, [observation]).holds is False


@given(_JSON | _EXPECTATIONS, st.lists(_JSON | _MUTATED, max_size=3))
def test_comparing_never_raises(expect: object, observations: list[Any]) -> None:
    compared = compare(expect, observations)  # type: ignore[arg-type]
    assert compared.holds in {True, False, None}
    assert "\n" not in compared.seen


@given(_MUTATED)
def test_a_line_can_be_made_of_any_observation(observation: dict[str, Any]) -> None:
    assert 0 < len(seen_line(observation)) <= 160
