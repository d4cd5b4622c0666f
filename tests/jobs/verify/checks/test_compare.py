"""What each check holds of, does not hold of, and says nothing about."""

from __future__ import annotations

from typing import Any

import pytest

from goldproof.jobs.verify.checks.compare import compare
from tests.jobs.verify.checks.observed import (
    ABSENT,
    BROKEN,
    CLOSED,
    FUNCTION,
    INVALID,
    MODEL,
    named,
    printed,
    raised,
    returned,
)

Row = tuple[dict[str, Any], dict[str, Any], bool | None]


def _expect(check: str, **fields: object) -> dict[str, Any]:
    return {"check": check, **{key.rstrip("_"): value for key, value in fields.items()}}


_OUTCOMES: list[Row] = [
    (_expect("works"), returned("3"), True),
    (_expect("works"), INVALID, False),
    (_expect("works"), {"kind": "code", "outcome": "exited", "code": 0}, True),
    (_expect("works"), {"kind": "code", "outcome": "exited", "code": 1}, False),
    (_expect("works"), {"kind": "code", "outcome": "exited", "code": False}, False),
    (_expect("works"), {"kind": "command", "outcome": "missing"}, None),
    (_expect("raises"), INVALID, True),
    (_expect("raises"), returned("3"), False),
    (_expect("raises", type="ValueError"), INVALID, True),
    (_expect("raises", type="builtins.ValueError"), INVALID, True),
    (_expect("raises", type="ValueError", exactly=True), INVALID, False),
    (_expect("raises", type="pydantic.ValidationError", exactly=True), INVALID, True),
    (_expect("raises", type="pydantic_core.ValidationError"), INVALID, True),
    (_expect("raises", type="marshmallow.ValidationError"), INVALID, False),
    (_expect("raises", type="KeyError"), INVALID, False),
    (_expect("raises", type="json.JSONDecodeError"), raised("json.decoder.JSONDecodeError"), True),
    (_expect("raises", type="requests.ConnectionError"), raised("builtins.ConnectionError"), False),
    (_expect("raises", message="error  for A x"), INVALID, True),
    (_expect("raises", message="no such text"), INVALID, False),
    (_expect("raises", message="no such text"), raised("builtins.ValueError", message="cut ..."), None),
    (_expect("raises", type="SystemExit"), {"kind": "code", "outcome": "exited", "code": 1}, True),
    (_expect("raises"), {"kind": "code", "outcome": "exited", "code": 1}, False),
    (_expect("prints", text="a\nb"), printed("a  \nb\n"), True),
    (_expect("prints", text="a"), printed("a\nb\n"), False),
    (_expect("prints", text="a", how="contains"), printed("a\nb\n"), True),
    (_expect("prints", text="c", how="contains"), printed("a\nb\n"), False),
    (_expect("prints", text=""), printed(""), True),
    (_expect("prints", text="a long text"), printed("a long text that was ..."), False),
    (_expect("prints", text="a long text that was cut"), printed("a long text that was ..."), None),
    (_expect("prints", text="zzz", how="contains"), printed("a long text that was ..."), None),
    (_expect("warns"), returned("1", warnings=[{"category": "UserWarning", "message": "old api"}]), True),
    (_expect("warns", category="DeprecationWarning"), returned("1", warnings=[{"category": "UserWarning"}]), False),
    (_expect("warns", text="old"), returned("1", warnings=[{"category": "UserWarning", "message": "old api"}]), True),
    (_expect("warns"), returned("1"), False),
    (_expect("logs", text="slow"), returned("1", logs=[{"level": "WARNING", "message": "too slow"}]), True),
    (_expect("logs", level="error"), returned("1", logs=[{"level": "WARNING", "message": "too slow"}]), False),
]

_VALUES: list[Row] = [
    (_expect("returns", literal="3"), returned("3"), True),
    (_expect("returns", literal="True"), returned("1"), False),
    (_expect("returns", literal="1.0"), returned("1"), False),
    (_expect("returns", literal="(1, 2)"), returned("[1, 2]"), False),
    (_expect("returns", literal="{'b': 2, 'a': 1}"), returned("{'a': 1, 'b': 2}"), True),
    (_expect("returns", literal="{2, 1}"), returned("{1, 2}"), True),
    (_expect("returns", literal="frozenset({1})"), returned("frozenset({1})"), True),
    (_expect("returns", literal="[True]"), returned("[1]"), False),
    (_expect("returns", literal='"a"'), returned("'a'"), True),
    (_expect("returns", literal="3"), INVALID, False),
    (_expect("returns", literal="3"), returned(None, kind="int"), None),
    (_expect("returns", literal="3"), returned(None, kind="object"), False),
    (_expect("returns", literal="5"), named("lib.LIMIT", what="attribute", value=returned("5")["value"]), True),
    (_expect("returns_text", text="3"), returned("3"), True),
    (_expect("returns_text", text="4"), returned("3"), False),
    (_expect("returns_text", text="3"), INVALID, False),
    (_expect("returns_type", type="int"), returned("3"), True),
    (_expect("returns_type", type="object"), returned("3"), True),
    (_expect("returns_type", type="list[int]"), returned("[]", kind="list"), True),
    (_expect("returns_type", type="None"), returned("None", kind="NoneType"), True),
    (_expect("returns_type", type="str"), returned("3"), False),
]

_NAMES: list[Row] = [
    (_expect("found"), MODEL, True),
    (_expect("found"), ABSENT, False),
    (_expect("found"), BROKEN, None),
    (_expect("what", is_="class"), MODEL, True),
    (_expect("what", is_="function"), MODEL, False),
    (_expect("what", is_="class"), ABSENT, False),
    (_expect("inherits", from_="BaseModel"), MODEL, True),
    (_expect("inherits", from_="pydantic.BaseModel"), MODEL, True),
    (_expect("inherits", from_="BaseModel", direct=True), MODEL, False),
    (_expect("inherits", from_="lib.Parent", direct=True), MODEL, True),
    (_expect("inherits", from_="Model"), MODEL, False),
    (_expect("inherits", from_="dict"), MODEL, False),
    (_expect("inherits", from_="dict"), FUNCTION, None),
    (_expect("async", is_="coroutine"), FUNCTION, True),
    (_expect("async", is_="async"), FUNCTION, True),
    (_expect("async", is_="plain"), FUNCTION, False),
    (_expect("async", is_="plain"), MODEL, True),
    (_expect("async", is_="plain"), named("lib.X", **{"async": None}), None),
    (_expect("same", names=["A", "B"]), {"kind": "same", "groups": {"A": 0, "B": 0, "C": 1, "D": None}}, True),
    (_expect("same", names=["A", "C"]), {"kind": "same", "groups": {"A": 0, "B": 0, "C": 1, "D": None}}, False),
    (_expect("same", names=["A", "D"]), {"kind": "same", "groups": {"A": 0, "B": 0, "C": 1, "D": None}}, None),
    (_expect("somewhere"), {"kind": "anywhere", "found": ["lib.x"], "searched": 3}, True),
    (_expect("somewhere"), {"kind": "anywhere", "found": [], "searched": 3}, False),
    (_expect("somewhere"), {"kind": "anywhere", "found": [], "failed": ["lib.y"]}, None),
    (_expect("somewhere"), {"kind": "anywhere", "found": ["lib.x"], "failed": ["lib.y"]}, True),
]

_HELP = {"kind": "command", "outcome": "exited", "code": 0, "options": ["--port", "-h"], "argv": ["adk"]}
_PARAMETERS: list[Row] = [
    (_expect("accepts"), {"kind": "keyword", "outcome": "accepted"}, True),
    (_expect("accepts"), {"kind": "keyword", "outcome": "rejected"}, False),
    (_expect("accepts"), {"kind": "keyword", "outcome": "swallowed"}, False),
    (_expect("accepts"), {"kind": "keyword", "outcome": "unclear"}, None),
    (_expect("default", of="b", literal="1"), FUNCTION, True),
    (_expect("default", of="b", literal="2"), FUNCTION, False),
    (_expect("default", of="a", literal="2"), FUNCTION, False),
    (_expect("default", of="c", literal="2"), FUNCTION, None),
    (_expect("default", of="zzz", literal="2"), FUNCTION, None),  # it may go through `**more`
    (_expect("default", of="zzz", literal="2"), CLOSED, False),
    (_expect("required", of="zzz"), FUNCTION, None),
    (_expect("required", of="zzz"), CLOSED, False),
    (_expect("default", of="t", literal="'x'"), MODEL, True),
    (_expect("default", of="t", literal="'x'"), ABSENT, False),
    (_expect("default", of="t", literal="'x'"), BROKEN, None),
    (_expect("required", of="n"), MODEL, True),
    (_expect("required", of="t"), MODEL, False),
    (_expect("required", of="a"), FUNCTION, True),
    (_expect("has_parameter", name="b"), FUNCTION, True),
    (_expect("has_parameter", name="zzz"), FUNCTION, False),
    (_expect("has_parameter", name="n"), MODEL, True),
    (
        _expect("has_parameter", name="z"),
        named("f", signature="(*a, **k)", parameters=[{"name": "k", "kind": "var keyword"}]),
        None,
    ),
    (_expect("signature", text="(a, b: int = 1, **more)"), FUNCTION, True),
    (_expect("signature", text="(a, b=1, **more)"), FUNCTION, True),
    (_expect("signature", text="a, b=1, **more"), FUNCTION, True),
    (_expect("signature", text="(a, b=2, **more)"), FUNCTION, False),
    (_expect("signature", text="(a, b: str = 1, **more)"), FUNCTION, False),
    (_expect("signature", text="not a signature ("), FUNCTION, None),
    (_expect("signature", text="()"), named("lib.X", signature=None), None),
    (_expect("flag", option="--port"), _HELP, True),
    (_expect("flag", option="--por"), _HELP, False),
    (_expect("flag", option="--port"), {"kind": "command", "outcome": "raised", "options": []}, None),
    (_expect("flag", option="--port"), {"kind": "command", "outcome": "missing", "options": []}, None),
]

_COMBINED: list[Row] = [
    (_expect("not", of=_expect("works")), INVALID, True),
    (_expect("not", of=_expect("works")), returned("3"), False),
    (_expect("not", of=_expect("found")), BROKEN, None),
    (_expect("all", of=[_expect("works"), _expect("returns", literal="3")]), returned("3"), True),
    (_expect("all", of=[_expect("works"), _expect("returns", literal="4")]), returned("3"), False),
    (_expect("all", of=[_expect("works"), _expect("found")]), returned("3"), None),
    (_expect("all", of=[_expect("raises"), _expect("found")]), returned("3"), False),
    (_expect("any", of=[_expect("works"), _expect("found")]), returned("3"), True),
    (_expect("any", of=[_expect("raises"), _expect("found")]), returned("3"), None),
    (_expect("any", of=[_expect("raises"), _expect("returns", literal="4")]), returned("3"), False),
]


@pytest.mark.parametrize(("expect", "observation", "holds"), _OUTCOMES + _VALUES + _NAMES + _PARAMETERS + _COMBINED)
def test_checks(expect: dict[str, Any], observation: dict[str, Any], holds: bool | None) -> None:
    assert compare(expect, [observation]).holds is holds


@pytest.mark.parametrize(
    ("expect", "observation", "exact"),
    [
        (_expect("raises", type="ValidationError"), INVALID, True),
        (_expect("raises", type="ValueError"), INVALID, False),
        (_expect("inherits", from_="Parent"), MODEL, True),
        (_expect("inherits", from_="BaseModel"), MODEL, False),
        (_expect("returns_type", type="object"), returned("3"), False),
        (_expect("signature", text="(a, b=1, **more)"), FUNCTION, False),
        (
            _expect("any", of=[_expect("raises", type="ValueError"), _expect("raises", type="ValidationError")]),
            INVALID,
            True,
        ),
        (
            _expect("all", of=[_expect("raises", type="ValueError"), _expect("raises", type="ValidationError")]),
            INVALID,
            False,
        ),
    ],
)
def test_what_holds_only_by_subclassing_or_loosely_is_not_exact(
    expect: dict[str, Any], observation: dict[str, Any], exact: bool
) -> None:
    compared = compare(expect, [observation])
    assert (compared.holds, compared.exact) == (True, exact)


def test_the_last_observation_is_meant_unless_one_is_picked() -> None:
    seen = [returned("1"), returned("2")]
    assert compare(_expect("returns", literal="2"), seen).holds is True
    assert compare(_expect("returns", literal="1", observation=0), seen).holds is True
    assert compare(_expect("not", of=_expect("returns", literal="1"), observation=0), seen).holds is False
    assert (
        compare(
            _expect("all", of=[_expect("returns", literal="1", observation=0), _expect("returns", literal="2")]), seen
        ).holds
        is True
    )


@pytest.mark.parametrize(
    ("expect", "seen", "why"),
    [
        (_expect("works"), [], "nothing was observed"),
        (_expect("works", observation=3), [returned("1")], "there is no observation 3; 1 were made"),
        (_expect("found"), [returned("1")], "'found' says nothing about an observation of kind 'call'; returned 1"),
        (_expect("works"), ["text"], "observation -1 is not an object"),
    ],
)
def test_what_cannot_be_compared_says_why(expect: dict[str, Any], seen: list[Any], why: str) -> None:
    compared = compare(expect, seen)
    assert (compared.holds, compared.seen) == (None, why)


@pytest.mark.parametrize(
    ("observation", "expect", "line"),
    [
        (INVALID, _expect("works"), "raised ValidationError: 1 validation error for A x"),
        (returned("3"), _expect("works"), "returned 3"),
        (printed("a\nb\n"), _expect("works"), "printed 'a\\nb'"),
        (ABSENT, _expect("found"), "lib.nope was not found: no 'nope' in the module lib"),
        (MODEL, _expect("found"), "lib.Model is a class (*, n: int)"),
        ({"kind": "import", "outcome": "returned"}, _expect("works"), "imported"),
        (
            {"kind": "keyword", "path": "lib.C", "keyword": "k", "outcome": "swallowed"},
            _expect("accepts"),
            "lib.C(k=...) was swallowed",
        ),
        (FUNCTION, _expect("default", of="b", literal="1"), "lib.f: b defaults to 1"),
        (FUNCTION, _expect("async", is_="plain"), "lib.f is a coroutine function"),
    ],
)
def test_what_was_seen_is_one_short_line(observation: dict[str, Any], expect: dict[str, Any], line: str) -> None:
    assert compare(expect, [observation]).seen == line


def test_a_long_message_is_cut() -> None:
    assert len(compare(_expect("works"), [raised("builtins.ValueError", message="x " * 500)]).seen) == 160
