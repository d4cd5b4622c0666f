"""Checks of a callable's parameters: accepts, default, required, has_parameter, signature, flag."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from goldproof.jobs.verify.checks.check import said
from goldproof.jobs.verify.checks.names import there
from goldproof.jobs.verify.checks.observation import map_in, maps_in, text_in, texts_in
from goldproof.jobs.verify.checks.seen import short
from goldproof.jobs.verify.checks.values import same_literal
from goldproof.jobs.verify.proof import Compared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.verify.checks.observation import Observation
    from goldproof.jobs.verify.proof import Expectation

_ACCEPTS = {"accepted": True, "rejected": False, "swallowed": False}


def accepts(_: Expectation, observation: Observation) -> Compared:
    """The keyword is taken and reads back. Swallowed is not accepted."""
    return said(observation, holds=_ACCEPTS.get(text_in(observation, "outcome")))


def default(expect: Expectation, observation: Observation) -> Compared:
    """A parameter or field has a default, and it is a literal."""
    one = _one(expect, observation)
    if one is None:
        return _absent(expect, observation)
    wanted, name = text_in(expect, "literal"), text_in(expect, "of")
    shown = text_in(one, "default") or text_in(one, "default_repr")
    line = short(
        f"{text_in(observation, 'path')}: {name} " + ("is required" if is_required(one) else f"defaults to {shown}")
    )
    if is_required(one):
        return Compared(holds=False, seen=line)
    if not text_in(one, "default"):
        loosely = wanted.strip() == shown.strip()
        return Compared(loosely or None, line, exact=False)
    return Compared(same_literal(wanted, text_in(one, "default")), line)


def required(expect: Expectation, observation: Observation) -> Compared:
    """A parameter or field must be given."""
    one = _one(expect, observation)
    if one is None:
        return _absent(expect, observation)
    name = text_in(expect, "of")
    state = "is required" if is_required(one) else "is optional"
    return Compared(is_required(one), short(f"{text_in(observation, 'path')}: {name} {state}"))


def has_parameter(expect: Expectation, observation: Observation) -> Compared:
    """It has a parameter or field of a name. One that takes anything (`**kwargs` alone) says nothing."""
    name = text_in(expect, "name")
    if not there(observation):
        return said(observation, holds=there(observation))
    if find_parameter(name, observation) is not None:
        return said(observation, holds=True)
    kinds = {text_in(one, "kind") for one in maps_in(observation, "parameters")}
    unsure = text_in(observation, "signature") == "" or (bool(kinds) and kinds <= {"var keyword", "var positional"})
    return said(observation, holds=None if unsure else False)


def signature(expect: Expectation, observation: Observation) -> Compared:
    """Its signature is a text; annotations count only where the text has them."""
    if not there(observation):
        return said(observation, holds=there(observation))
    wanted, shown = _parsed(text_in(expect, "text")), _parsed(text_in(observation, "signature"))
    if wanted is None or shown is None or not text_in(observation, "signature"):
        return said(observation, holds=None)
    whole = ast.dump(wanted) == ast.dump(shown)
    bare = not _annotated(wanted) and ast.dump(wanted) == ast.dump(_without(shown))
    return said(observation, holds=whole or bare, exact=whole)


def flag(expect: Expectation, observation: Observation) -> Compared:
    """The command has an option. Only what its help, printed without an error, does not list is not there."""
    options, wanted = texts_in(observation, "options"), text_in(expect, "option").partition("=")[0].strip()
    if wanted in options:
        return said(observation, holds=True)
    helped = text_in(observation, "outcome") == "returned" or observation.get("code") == 0
    return said(observation, holds=False if helped and options else None)


def _one(expect: Expectation, observation: Observation) -> Mapping[str, object] | None:
    return find_parameter(text_in(expect, "of"), observation)


def find_parameter(name: str, observation: Observation) -> Mapping[str, object] | None:
    """Return what is said of a field or parameter. Fields go first: the signature of a model may hide defaults."""
    field = map_in(observation, "fields").get(name)
    if isinstance(field, dict):
        return field
    return next((one for one in maps_in(observation, "parameters") if text_in(one, "name") == name), None)


def parameter_names(observation: Observation) -> list[str]:
    """Return the names of its fields and parameters, without `*args` and `**kwargs`."""
    fields = [name for name, one in map_in(observation, "fields").items() if isinstance(one, dict)]
    parameters = maps_in(observation, "parameters")
    named = [text_in(one, "name") for one in parameters if not text_in(one, "kind").startswith("var ")]
    return [name for name in dict.fromkeys([*fields, *named]) if name]


def _absent(expect: Expectation, observation: Observation) -> Compared:
    if not there(observation):
        return said(observation, holds=there(observation))
    path, name = text_in(observation, "path"), text_in(expect, "of")
    known = bool(text_in(observation, "signature") or map_in(observation, "fields"))
    # What goes through `**kwargs` has its default elsewhere.
    unsure = not known or any(text_in(one, "kind") == "var keyword" for one in maps_in(observation, "parameters"))
    line = short(f"{path} has no parameter or field {name!r}{' of its own' if known and unsure else ''}")
    return Compared(None if unsure else False, line)


def is_required(one: Mapping[str, object]) -> bool:
    """Return whether a parameter or field must be given."""
    return one.get("required") is True


def _parsed(text: str) -> ast.arguments | None:
    """Return the parameters of a signature such as `(a, b=1) -> int`."""
    text = text.strip()
    try:
        tree = ast.parse(f"def f{text if text.startswith('(') else f'({text})'}: pass")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    first = tree.body[0]
    return first.args if isinstance(first, ast.FunctionDef) and len(tree.body) == 1 else None


def _arguments(parsed: ast.arguments) -> list[ast.arg]:
    more = [one for one in (parsed.vararg, parsed.kwarg) if one is not None]
    return [*parsed.posonlyargs, *parsed.args, *parsed.kwonlyargs, *more]


def _annotated(parsed: ast.arguments) -> bool:
    return any(one.annotation is not None for one in _arguments(parsed))


def _without(parsed: ast.arguments) -> ast.arguments:
    for one in _arguments(parsed):
        one.annotation = None
    return parsed
