"""Expectations and observations that hypothesis draws: of the documented form, and of none."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from goldproof.jobs.verify.checks.catalogue import CHECKS, CHOICES
from tests.jobs.verify.checks.observed import ABSENT, BROKEN, FUNCTION, INVALID, MODEL, named, printed, raised, returned

JSON = st.recursive(
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


SINGLE: st.SearchStrategy[dict[str, Any]] = st.sampled_from(sorted(CHECKS)).flatmap(_one)
EXPECTATIONS: st.SearchStrategy[dict[str, Any]] = st.recursive(
    SINGLE,
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
MUTATED = st.tuples(st.sampled_from(_REAL), st.dictionaries(_KEYS, JSON, max_size=2)).map(
    lambda pair: {**pair[0], **pair[1]}
)


_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=4,
)
_TEXTS = st.text(max_size=6) | st.sampled_from(["a", "b", "ValueError", "a\nb ", "a long text that was cut ..."])
_CLASSES = st.sampled_from([
    ["builtins.ValueError", "builtins.Exception", "builtins.BaseException", "builtins.object"],
    ["builtins.KeyError", "builtins.LookupError", "builtins.Exception", "builtins.object"],
    ["pydantic_core._pydantic_core.ValidationError", "builtins.ValueError", "builtins.Exception", "builtins.object"],
    ["lib.make.<locals>.BufferError", "builtins.ZeroDivisionError", "builtins.Exception", "builtins.object"],
])  # fmt: skip


def _value(value: object) -> dict[str, Any]:
    kind = type(value).__name__
    return {"type": kind, "mro": [f"builtins.{kind}", "builtins.object"], "repr": repr(value), "str": str(value),
            "literal": repr(value)}  # fmt: skip


_OPAQUE = {"type": "Thing", "mro": ["lib.Thing", "builtins.object"], "repr": "<lib.Thing object at 0x...>",
           "str": "<lib.Thing object at 0x...>", "literal": None}  # fmt: skip
_VALUES = _PLAIN.map(_value) | st.just(_OPAQUE)
_WARNED = st.lists(
    st.fixed_dictionaries({"category": st.sampled_from(["UserWarning", "BytesWarning", "a"]), "message": _TEXTS}),
    max_size=2,
)
_LOGGED = st.lists(
    st.fixed_dictionaries({"logger": st.just("lib"), "level": st.sampled_from(["INFO", "ERROR"]), "message": _TEXTS}),
    max_size=2,
)


def _ended(outcome: str, *, kind: str, **seen: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    error = {"type": seen["mro"][0].rpartition(".")[2], "qualified": seen["mro"][0], "mro": seen["mro"],
             "message": seen["message"], "line": 1, "in_proof": False}  # fmt: skip
    return {
        "kind": kind, "name": "x", "outcome": outcome, "stdout": seen["stdout"], "stderr": "", "logs": seen["logs"],
        "warnings": seen["warnings"], "value": seen["value"] if outcome == "returned" else None,
        **({"exception": error} if outcome == "raised" else {}),
        **({"code": seen["code"]} if outcome == "exited" else {}),
        **({"argv": ["lib"], "options": seen["options"]} if kind == "command" else {}),
    }  # fmt: skip


RUNS = st.builds(
    _ended,
    st.sampled_from(["returned", "raised", "exited"]),
    kind=st.sampled_from(["call", "code", "import", "command"]),
    value=_VALUES, mro=_CLASSES, message=_TEXTS, stdout=_TEXTS, logs=_LOGGED, warnings=_WARNED,
    code=st.integers(0, 2), options=st.lists(st.sampled_from(["--port", "-h", "a"]), max_size=2, unique=True),
)  # fmt: skip


def _function(names: dict[str, str | None], *, is_async: str) -> dict[str, Any]:
    """A function with parameters. names: name -> its default; None where it is required."""
    required = [name for name, default in names.items() if default is None]
    optional = [f"{name}={default}" for name, default in names.items() if default is not None]
    parameters = [
        {"name": name, "kind": "positional or keyword", "required": default is None, "default": default}
        for name, default in names.items()
    ]
    shown = f"({', '.join([*required, *optional])})"
    return named("lib.f", what="function", signature=shown, parameters=parameters, **{"async": is_async})


_FUNCTIONS = st.builds(
    _function,
    st.dictionaries(st.sampled_from(["a", "b", "n", "t"]), st.none() | _LITERALS, max_size=3),
    is_async=st.sampled_from(["coroutine", "async generator", "generator", "plain"]),
)
_CLASSES_NAMED = _CLASSES.map(lambda mro: named("lib.C", mro=mro, bases=mro[1:2], signature="()", **{"async": "plain"}))
_ATTRIBUTES = _VALUES.map(lambda value: named("lib.LIMIT", what="attribute", value=value, **{"async": None}))
_GROUPS = st.dictionaries(st.sampled_from(["a", "b", "n"]), st.none() | st.integers(0, 1), max_size=3)
_OTHERS: list[dict[str, Any]] = [
    ABSENT, BROKEN, MODEL, FUNCTION, {"kind": "anywhere", "name": "x", "found": ["lib.x"], "searched": 3, "failed": []},
    {"kind": "anywhere", "name": "x", "found": [], "searched": 3, "failed": []},
    *({"kind": "keyword", "path": "lib.f", "keyword": "a", "outcome": one} for one in ("accepted", "rejected")),
]  # fmt: skip
DOCUMENTED: st.SearchStrategy[dict[str, Any]] = (
    RUNS
    | _FUNCTIONS
    | _CLASSES_NAMED
    | _ATTRIBUTES
    | _GROUPS.map(lambda groups: {"kind": "same", "groups": groups})
    | st.sampled_from(_OTHERS)
)
