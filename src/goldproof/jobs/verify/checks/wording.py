"""Describe an expectation in a few words for reports: `returns 4`, `raises KeyError`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.verify.checks.observation import text_in, texts_in
from goldproof.jobs.verify.checks.seen import short

if TYPE_CHECKING:
    from goldproof.jobs.verify.proof import Expectation

_LONGEST = 100
_WORDS = {
    "accepts": "is accepted",
    "async": "is {is}",
    "default": "{of} defaults to {literal}",
    "flag": "has {option}",
    "found": "is there",
    "has_parameter": "has the parameter {name}",
    "inherits": "inherits from {from}",
    "logs": "logs {text!r}",
    "prints": "prints {text!r}",
    "required": "{of} is required",
    "returns": "returns {literal}",
    "returns_text": "returns {text!r}",
    "returns_type": "returns a {type}",
    "signature": "has the signature {text}",
    "somewhere": "is somewhere",
    "what": "is a {is}",
    "works": "works",
}


def claim_words(expect: Expectation) -> str:
    """Return an expectation in one short line."""
    return short(_said(expect), _LONGEST)


def checks_of(expect: Expectation) -> frozenset[str]:
    """Return the names of the checks that an expectation consists of."""
    parts = expect.get("of")
    if isinstance(parts, dict):
        return checks_of(parts)
    if isinstance(parts, list):
        return frozenset().union(*(checks_of(one) for one in parts))
    return frozenset({str(expect["check"])})


def _said(expect: Expectation) -> str:
    check, parts = str(expect["check"]), expect.get("of")
    if isinstance(parts, dict):
        return f"not so that it {_said(parts)}"
    if isinstance(parts, list):
        return (" and " if check == "all" else " or ").join(_said(one) for one in parts)
    if check in {"raises", "warns"}:
        return _named(expect, check)
    if check == "same":
        return f"{' and '.join(texts_in(expect, 'names'))} are one object"
    return _WORDS[check].format_map({"text": "", **expect})


def _named(expect: Expectation, check: str) -> str:
    name, text = text_in(expect, "type") or text_in(expect, "category"), text_in(expect, "message")
    shown = name.removeprefix("builtins.") or ("an exception" if check == "raises" else "")
    return f"{check} {shown}".rstrip() + (f" with {text!r}" if text else "")
