"""Counterclaims: claims of the same kind that an observation which meets the claim must not meet.

Another literal, another type, another text. Nothing in here asks a check whether it holds: what differs is chosen by
what the observation says, so that a check that holds of everything is found out. A claim that something exists has
none: it is controlled by another observation, on a name that cannot exist.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from goldproof.jobs.verify.checks.literals import NoLiteralError, literal_key
from goldproof.jobs.verify.checks.observation import map_in, maps_in, text_in, texts_in
from goldproof.jobs.verify.checks.parameters import find_parameter, is_required, parameter_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from goldproof.jobs.verify.checks.observation import Observation
    from goldproof.jobs.verify.proof import Expectation

_OTHER = "goldproof_no_such_name"
_ERRORS = ("KeyError", "ZeroDivisionError", "BufferError")
_TYPES = ("dict", "complex", "bytes")
_BASES = ("dict", "Exception", "Enum")
_WARNINGS = ("BytesWarning", "ImportWarning", "EncodingWarning")
_CUT = "..."  # how text that was cut ends
_ALIKE: dict[type, tuple[str, ...]] = {
    bool: ("True", "False"),
    list: ("[]", "[None]"),
    tuple: ("()", "(None,)"),
    dict: ("{}", "{None: None}"),
    set: ("set()", "{None}"),
    type(None): ("False",),
}


def another(expect: Expectation, observation: Observation) -> Expectation | None:
    """Return a claim that this observation, which meets `expect`, does not meet; None where there is no such form."""
    make = _ANOTHER.get(str(expect["check"]))
    return None if make is None else make(expect, observation)


def other_literal(text: str) -> str:
    """Return another literal, of the same type where that is easy."""
    key = literal_key(text)
    return next(one for one in (*_near(text), repr(_OTHER), "None") if _is_literal(one) and literal_key(one) != key)


def _near(text: str) -> Iterator[str]:
    try:
        value = ast.literal_eval(text.strip())
        yield from _ALIKE.get(type(value), ())
        if type(value) in {int, float, str}:
            yield repr(value + ("x" if isinstance(value, str) else 1))
    except ValueError:  # frozenset({1}), or a number of too many digits
        return


def _is_literal(text: str) -> bool:
    try:
        literal_key(text)
    except NoLiteralError:
        return False
    return True


def _unseen(observation: Observation) -> str:
    """Return a word that is nowhere in the observation."""
    seen, word = repr(observation), _OTHER
    while word in seen:
        word += "_"
    return word


def _not_among(names: Iterable[str], candidates: tuple[str, ...], observation: Observation) -> str:
    known = " ".join(names)
    return next((one for one in candidates if one not in known), _unseen(observation))


def _works(_: Expectation, __: Observation) -> Expectation:
    return {"check": "raises"}


def _raises(expect: Expectation, observation: Observation) -> Expectation:
    mro = texts_in(map_in(observation, "exception"), "mro")
    return {**expect, "type": _not_among(mro, _ERRORS, observation)}


def _prints(expect: Expectation, observation: Observation) -> Expectation:
    if text_in(observation, "stdout").rstrip().endswith(_CUT):  # who knows what else was printed
        return {"check": "prints", "text": _unseen(observation), "how": "equals"}
    more = f" {_unseen(observation)}" if expect.get("how") == "contains" else "x"
    return {**expect, "text": f"{str(expect['text']).rstrip()}{more}"}


def _warns(expect: Expectation, observation: Observation) -> Expectation:
    kept = [text_in(one, "category") for one in maps_in(observation, "warnings")]
    return {**expect, "category": _not_among(kept, _WARNINGS, observation)}


def _logs(expect: Expectation, observation: Observation) -> Expectation:
    return {**expect, "text": _unseen(observation)}


def _returns(expect: Expectation, _: Observation) -> Expectation:
    return {**expect, "literal": other_literal(str(expect["literal"]))}


def _returns_text(expect: Expectation, observation: Observation) -> Expectation:
    return {**expect, "text": f"{expect['text']} {_unseen(observation)}"}


def _returns_type(expect: Expectation, observation: Observation) -> Expectation:
    mro = texts_in(map_in(observation, "value"), "mro")
    return {**expect, "type": _not_among(mro, _TYPES, observation)}


def _what(expect: Expectation, _: Observation) -> Expectation:
    return {**expect, "is": "class" if expect["is"] == "module" else "module"}


def _inherits(expect: Expectation, observation: Observation) -> Expectation:
    known = [*texts_in(observation, "mro"), *texts_in(observation, "bases")]
    return {**expect, "from": _not_among(known, _BASES, observation)}


def _is_async(expect: Expectation, _: Observation) -> Expectation:
    return {**expect, "is": "async" if expect["is"] in {"plain", "generator"} else "plain"}


def _same(expect: Expectation, observation: Observation) -> Expectation | None:
    groups, names = map_in(observation, "groups"), texts_in(expect, "names")
    first = groups.get(names[0]) if names else None
    other = next((name for name, one in groups.items() if type(one) is int and one != first), None)
    return None if other is None else {**expect, "names": [names[0], other]}


def _default(expect: Expectation, observation: Observation) -> Expectation:
    one = find_parameter(str(expect["of"]), observation) or {}
    if not text_in(one, "default"):  # it holds by the words of its default alone
        return {"check": "required", "of": expect["of"]}
    return {**expect, "literal": other_literal(str(expect["literal"]))}


def _required(expect: Expectation, observation: Observation) -> Expectation:
    known: dict[str, Any] = {name: find_parameter(name, observation) for name in parameter_names(observation)}
    optional = next((name for name, one in known.items() if not is_required(one)), None)
    if optional is None:
        return {"check": "default", "of": expect["of"], "literal": "None"}
    return {**expect, "of": optional}


def _has_parameter(expect: Expectation, observation: Observation) -> Expectation:
    return {**expect, "name": _unseen(observation)}


def _signature(expect: Expectation, observation: Observation) -> Expectation:
    return {**expect, "text": f"({_unseen(observation)})"}


def _flag(expect: Expectation, observation: Observation) -> Expectation:
    return {**expect, "option": f"--{_unseen(observation)}"}


_ANOTHER: dict[str, Callable[[Expectation, Observation], Expectation | None]] = {
    "async": _is_async,
    "default": _default,
    "flag": _flag,
    "has_parameter": _has_parameter,
    "inherits": _inherits,
    "logs": _logs,
    "prints": _prints,
    "raises": _raises,
    "required": _required,
    "returns": _returns,
    "returns_text": _returns_text,
    "returns_type": _returns_type,
    "same": _same,
    "signature": _signature,
    "warns": _warns,
    "what": _what,
    "works": _works,
}
