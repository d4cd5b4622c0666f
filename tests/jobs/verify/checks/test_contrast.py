"""A claim's own observation, held against another claim of the same kind, must come out the other way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldproof.jobs.verify.checks.another import other_literal
from goldproof.jobs.verify.checks.catalogue import CHECKS
from goldproof.jobs.verify.checks.compare import compare
from goldproof.jobs.verify.checks.contrast import denies, matching, negation
from goldproof.jobs.verify.checks.literals import literal_key
from goldproof.jobs.verify.checks.wording import claim_words
from goldproof.jobs.verify.proof import Compared
from tests.jobs.verify.checks.drawn import DOCUMENTED, EXPECTATIONS, MUTATED, SINGLE
from tests.jobs.verify.checks.observed import ABSENT, FUNCTION, INVALID, MODEL, named, printed, raised, returned

EXISTENCE = {"accepts", "found", "somewhere"}
_HELP = {"kind": "command", "outcome": "exited", "code": 0, "options": ["--port", "-h"], "argv": ["adk"]}
_SAME = {"kind": "same", "groups": {"A": 0, "B": 0, "C": 1}}
_WARNED = returned("1", warnings=[{"category": "UserWarning", "message": "old"}])
_LOGGED = returned("1", logs=[{"level": "ERROR", "message": "slow"}])
_EXITED = {"kind": "code", "outcome": "exited", "code": 1}


def _expect(check: str, **fields: object) -> dict[str, Any]:
    return {"check": check, **{key.rstrip("_"): value for key, value in fields.items()}}


def _not(expect: dict[str, Any]) -> dict[str, Any]:
    return {"check": "not", "of": expect}


@pytest.mark.parametrize(
    ("expect", "observation", "other"),
    [
        (_expect("returns", literal="3"), returned("3"), _expect("returns", literal="4")),
        (_expect("returns", literal="True"), returned("True"), _expect("returns", literal="False")),
        (_expect("returns", literal="'a'"), returned("'a'"), _expect("returns", literal="'ax'")),
        (_expect("returns", literal="[]"), returned("[]"), _expect("returns", literal="[None]")),
        (_expect("returns_type", type="int"), returned("3"), _expect("returns_type", type="dict")),
        (_expect("returns_text", text="3"), returned("3"), _expect("returns_text", text="3 goldproof_no_such_name")),
        (_expect("works"), returned("3"), _expect("raises")),
        (_expect("raises", type="ValueError"), INVALID, _expect("raises", type="KeyError")),
        (
            _expect("raises", type="LookupError"),
            raised("builtins.KeyError", "builtins.LookupError"),
            _expect("raises", type="ZeroDivisionError"),
        ),
        (
            _expect("raises", message="error for"),
            INVALID,
            _expect("raises", message="error for", type="KeyError"),
        ),
        (_expect("prints", text="a"), printed("a\n"), _expect("prints", text="ax")),
        (
            _expect("prints", text="a", how="contains"),
            printed("ax"),
            _expect("prints", text="a goldproof_no_such_name", how="contains"),
        ),
        (
            _expect("prints", text="a", how="contains"),
            printed("a long text ..."),
            _expect("prints", text="goldproof_no_such_name", how="equals"),
        ),
        (_expect("warns"), _WARNED, _expect("warns", category="BytesWarning")),
        (_expect("logs", level="error"), _LOGGED, _expect("logs", level="error", text="goldproof_no_such_name")),
        (_expect("default", of="b", literal="1"), FUNCTION, _expect("default", of="b", literal="2")),
        (_expect("required", of="a"), FUNCTION, _expect("required", of="b")),
        (_expect("has_parameter", name="a"), FUNCTION, _expect("has_parameter", name="goldproof_no_such_name")),
        (_expect("inherits", from_="BaseModel"), MODEL, _expect("inherits", from_="dict")),
        (_expect("async", is_="coroutine"), FUNCTION, _expect("async", is_="plain")),
        (_expect("async", is_="plain"), MODEL, _expect("async", is_="async")),
        (_expect("what", is_="class"), MODEL, _expect("what", is_="module")),
        (_expect("flag", option="--port"), _HELP, _expect("flag", option="--goldproof_no_such_name")),
        (_expect("same", names=["A", "B"]), _SAME, _expect("same", names=["A", "C"])),
        (
            _expect("signature", text="(a, b=1, **more)"),
            FUNCTION,
            _expect("signature", text="(goldproof_no_such_name)"),
        ),
    ],
)
def test_what_a_claim_that_is_met_is_held_against(
    expect: dict[str, Any], observation: dict[str, Any], other: dict[str, Any]
) -> None:
    assert compare(expect, [observation]).holds is True
    assert negation(expect, [observation]) == other
    assert compare(other, [observation]).holds is False


@pytest.mark.parametrize(
    ("expect", "observation", "real"),
    [
        (_expect("returns", literal="4"), returned("3"), _expect("returns", literal="3")),
        (
            _expect("returns", literal="4"),
            returned(None, kind="object"),
            _expect("returns_type", type="builtins.object"),
        ),
        (_expect("returns", literal="4"), INVALID, _expect("raises", type=INVALID["exception"]["qualified"])),
        (_expect("returns", literal="4"), _EXITED, _expect("raises", type="SystemExit")),
        (_expect("returns_text", text="4"), returned("3"), _expect("returns_text", text="3")),
        (_expect("returns_type", type="str"), returned("3"), _expect("returns_type", type="builtins.int")),
        (_expect("works"), INVALID, _expect("raises", type=INVALID["exception"]["qualified"])),
        (_expect("works"), _EXITED, _expect("raises", type="SystemExit")),
        (_expect("raises", type="KeyError"), returned("3"), _expect("works")),
        (
            _expect("raises", type="ValueError", exactly=True),
            INVALID,
            _expect("raises", type=INVALID["exception"]["qualified"], exactly=True),
        ),
        (
            _expect("raises", type="ValueError", message="zzz"),
            raised("builtins.ValueError", message="a b"),
            _expect("raises", type="builtins.ValueError", message="a b"),
        ),
        (_expect("prints", text="b"), printed("a\n"), _expect("prints", text="a\n")),
        (_expect("warns", category="BytesWarning"), _WARNED, _expect("warns", category="UserWarning", text="old")),
        (_expect("warns"), returned("3"), _expect("works")),
        (_expect("logs", text="zzz"), _LOGGED, _expect("logs", text="slow")),
        (_expect("default", of="b", literal="2"), FUNCTION, _expect("default", of="b", literal="1")),
        (_expect("default", of="a", literal="2"), FUNCTION, _expect("required", of="a")),
        (_expect("default", of="zzz", literal="2"), MODEL, _expect("required", of="n")),
        (_expect("required", of="b"), FUNCTION, _expect("required", of="a")),
        (_expect("has_parameter", name="zzz"), FUNCTION, _expect("has_parameter", name="a")),
        (
            _expect("has_parameter", name="zzz"),
            named("lib.f", signature="()", parameters=[]),
            _expect("signature", text="()"),
        ),
        (_expect("inherits", from_="dict"), MODEL, _expect("inherits", from_="lib.base.Parent")),
        (_expect("async", is_="plain"), FUNCTION, _expect("async", is_="coroutine")),
        (_expect("what", is_="function"), MODEL, _expect("what", is_="class")),
        (_expect("flag", option="--por"), _HELP, _expect("flag", option="--port")),
        (_expect("same", names=["A", "C"]), _SAME, _expect("same", names=["A", "B"])),
        (
            _expect("signature", text="(a)"),
            FUNCTION,
            _expect("signature", text="(a, b: int = 1, **more)"),
        ),
    ],
)
def test_what_a_claim_that_is_not_met_is_held_against(
    expect: dict[str, Any], observation: dict[str, Any], real: dict[str, Any]
) -> None:
    assert compare(expect, [observation]).holds is False
    assert matching(expect, [observation]) == real
    assert compare(real, [observation]).holds is True


def test_a_denial_is_controlled_by_what_it_denies() -> None:
    three, four = _expect("returns", literal="3"), _expect("returns", literal="4")
    assert negation(_not(four), [returned("3")]) == _not(three)
    assert matching(_not(three), [returned("3")]) == _not(four)


def test_all_that_is_met_rests_on_each_part_and_any_on_those_that_are() -> None:
    works, three, five = _expect("works"), _expect("returns", literal="3"), _expect("returns", literal="5")
    each = negation(_expect("all", of=[works, three]), [returned("3")])
    assert each == _expect("any", of=[_expect("raises"), _expect("returns", literal="4")])
    assert negation(_expect("any", of=[five, three]), [returned("3")]) == _expect("returns", literal="4")


def test_all_that_is_not_met_rests_on_the_parts_that_are_not_and_any_on_each() -> None:
    works, four, text = _expect("works"), _expect("returns", literal="4"), _expect("returns_text", text="4")
    three = _expect("returns", literal="3")
    assert matching(_expect("all", of=[works, four]), [returned("3")]) == three
    both = _expect("all", of=[three, _expect("returns_text", text="3")])
    assert matching(_expect("any", of=[four, text]), [returned("3")]) == both


def test_the_observation_that_a_claim_picks_is_the_one_that_is_held_against_the_other() -> None:
    seen = [returned("1"), returned("2")]
    first = _expect("returns", literal="1", observation=0)
    assert negation(first, seen) == _expect("returns", literal="2", observation=0)
    outer = _expect("all", of=[_expect("returns", literal="9")], observation=0)
    assert matching(outer, seen) == _expect("returns", literal="1", observation=0)


@pytest.mark.parametrize(
    ("expect", "observation"),
    [
        (_expect("found"), MODEL),
        (_expect("accepts"), {"kind": "keyword", "outcome": "accepted"}),
        (_expect("somewhere"), {"kind": "anywhere", "found": ["lib.x"], "searched": 3}),
        (_expect("all", of=[_expect("found"), _expect("async", is_="plain")]), MODEL),
        (_not(_expect("default", of="t", literal="'x'")), ABSENT),
        (_expect("retruns"), returned("3")),
    ],
)
def test_what_exists_or_is_not_there_has_no_such_control(expect: dict[str, Any], observation: dict[str, Any]) -> None:
    assert negation(expect, [observation]) is None
    assert matching(_not(expect), [observation]) is None


def test_a_claim_is_the_denial_of_another_however_often_it_is_denied() -> None:
    works = _expect("works")
    assert denies(_not(works), works)
    assert denies(works, _not(works))
    assert denies(_not(_not(works)), _not(works))
    assert not denies(_expect("raises"), works)
    assert not denies(works, works)
    assert not denies(_not(_not(works)), works)


@given(st.sampled_from(["3", "-1", "True", "1e308", "1e999", "2j", "'x'", "b''", "None", "[]", "[1]", "()", "{}",
                        "{1}", "set()", "frozenset({1})", "'goldproof_no_such_name'"]))  # fmt: skip
def test_another_literal_is_another_value(text: str) -> None:
    assert literal_key(other_literal(text)) != literal_key(text)


@given(EXPECTATIONS, DOCUMENTED)
def test_of_a_claim_and_its_negation_never_both_hold(expect: dict[str, Any], observation: dict[str, Any]) -> None:
    if compare(expect, [observation]).holds is True and (other := negation(expect, [observation])) is not None:
        assert compare(other, [observation]).holds is not True


@given(EXPECTATIONS, DOCUMENTED)
def test_where_a_claim_does_not_hold_its_match_does(expect: dict[str, Any], observation: dict[str, Any]) -> None:
    if compare(expect, [observation]).holds is False and (real := matching(expect, [observation])) is not None:
        assert compare(real, [observation]).holds is True
        other = negation(real, [observation])
        assert other is None or compare(other, [observation]).holds is not True


@given(SINGLE, DOCUMENTED)
def test_every_claim_but_that_something_exists_has_a_control(
    expect: dict[str, Any], observation: dict[str, Any]
) -> None:
    holds = compare(expect, [observation]).holds
    missing = observation.get("found") is False or expect["check"] in EXISTENCE
    if holds is not None and not missing and expect["check"] != "same":
        assert (negation if holds else matching)(expect, [observation]) is not None


@given(EXPECTATIONS, DOCUMENTED | MUTATED, st.booleans())
def test_a_comparison_that_always_says_the_same_never_flips(
    expect: dict[str, Any], observation: dict[str, Any], always: bool
) -> None:
    stuck = {name: replace(one, hold=lambda *_: Compared(always, "")) for name, one in CHECKS.items()}
    with patch.dict(CHECKS, stuck):
        met = compare(expect, [observation]).holds
        other = None if met is None else (negation if met else matching)(expect, [observation])
        if other is not None:
            assert compare(other, [observation]).holds in {met, None}


@given(EXPECTATIONS, MUTATED)
def test_controls_of_any_observation_can_be_made_and_said(expect: dict[str, Any], observation: dict[str, Any]) -> None:
    for made in (negation(expect, [observation]), matching(expect, [observation])):
        if made is not None:
            assert compare(made, [observation]).holds in {True, False, None}
            assert 0 < len(claim_words(made)) <= 100


@pytest.mark.parametrize(
    ("expect", "words"),
    [
        (_expect("returns", literal="4"), "returns 4"),
        (_expect("raises", type="builtins.KeyError", message="a"), "raises KeyError with 'a'"),
        (_expect("raises"), "raises an exception"),
        (_expect("warns"), "warns"),
        (_expect("logs"), "logs ''"),
        (_expect("default", of="b", literal="1"), "b defaults to 1"),
        (_expect("same", names=["A", "B"]), "A and B are one object"),
        (
            _expect("any", of=[_expect("works"), _not(_expect("prints", text="a"))]),
            "works or not so that it prints 'a'",
        ),
    ],
)
def test_claims_in_words(expect: dict[str, Any], words: str) -> None:
    assert claim_words(expect) == words
