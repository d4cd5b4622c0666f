"""Where a function passes its `**kwargs` on, read from its source: what takes them in the end may name the keyword."""

from __future__ import annotations

import ast
from inspect import Parameter, getsource, signature, unwrap
from textwrap import dedent
from typing import TYPE_CHECKING

from .known_words import is_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .texts import Foreign

_DEEPEST = 4


def passed_on(function: Foreign, keyword: str, depth: int = _DEEPEST) -> tuple[str, str]:
    """Return an outcome (accepted, rejected, unclear) and why, of a function that takes any keyword."""
    name = _any_name(function)
    targets = None if name is None or depth == 0 else _targets(function, name)
    if not targets:
        return _unknown(function, keyword)
    outcomes = [_outcome(one, keyword, depth) for one in targets]
    for outcome, why in outcomes:
        if outcome == "accepted":
            return outcome, why
    if all(outcome == "rejected" for outcome, _ in outcomes):
        return outcomes[0]
    return _unknown(function, keyword)


def _unknown(function: Foreign, keyword: str) -> tuple[str, str]:
    if is_known(keyword, function):
        return "unclear", "it takes any keyword, and is not called"
    return "swallowed", "it takes any keyword, and no code that is imported knows this one"


def _outcome(target: Foreign, keyword: str, depth: int) -> tuple[str, str]:
    called = getattr(target, "__qualname__", "something")
    try:
        parameters = signature(target).parameters
    except (TypeError, ValueError):
        return "unclear", ""
    one = parameters.get(keyword)
    if one is not None and one.kind in {Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY}:
        return "accepted", f"passed on to {called}, which names it"
    if any(each.kind is Parameter.VAR_KEYWORD for each in parameters.values()):
        return passed_on(target, keyword, depth - 1)
    return "rejected", f"passed on to {called}, which does not take it"


def _any_name(function: Foreign) -> str | None:
    try:
        found = [one for one in signature(function).parameters.values() if one.kind is Parameter.VAR_KEYWORD]
    except (TypeError, ValueError):
        return None
    return found[0].name if found else None


def _targets(function: Foreign, name: str) -> list[Foreign] | None:
    """Return the functions that are called with `**name`; None where the name is used in another way too."""
    whole: Foreign = getattr(function, "__func__", function)
    inner: Foreign = unwrap(whole)
    try:
        tree = ast.parse(dedent(getsource(inner)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _stars(node, name)]
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name]
    found = [_resolve(call.func, inner.__globals__) for call in calls]
    return found if len(uses) == len(calls) and all(one is not None for one in found) else None


def _stars(call: ast.Call, name: str) -> bool:
    stars: Iterator[ast.expr] = (one.value for one in call.keywords if one.arg is None)
    return any(isinstance(one, ast.Name) and one.id == name for one in stars)


def _resolve(node: ast.expr, space: dict[str, Foreign]) -> Foreign:
    """Return what a name or a dotted name is bound to in the globals of a function; None for anything else."""
    if isinstance(node, ast.Name):
        return space.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _resolve(node.value, space)
        return None if owner is None else getattr(owner, node.attr, None)
    return None
