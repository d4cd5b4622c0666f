"""Observing a keyword: is it really taken.

A class is constructed, with stand-ins for whatever else it needs. `accepted`: no error, and the value reads back, or
the keyword is a parameter by name. `rejected`: the error is about this keyword. `swallowed`: no error, and the value is
nowhere to be found. `unclear`: it fails for another reason, whatever is tried. Functions are not called, for they have
effects: the keyword is bound to a parameter; one that only `**kwargs` would take is followed to where it is passed on.
"""

from __future__ import annotations

from dataclasses import dataclass
from inspect import Parameter, Signature

from .capture import capturing
from .construction import argument_sets, companion, errors_of, required_of, values_for
from .exceptions import describe_exception
from .forwarding import passed_on
from .literals import literal_of
from .lookup import Missing, look_up
from .reading_back import reads_back
from .signatures import signature_of
from .texts import Foreign, cut, text_of

_COMPANIONS = 5
_NAMED = {Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY}
_ABOUT = (
    "unexpected",
    "invalid keyword",
    "unknown",
    "extra",
    "no field",
    "not permitted",
    "not a valid",
    "no parameter",
)


@dataclass
class _Tries:
    """What came of the values that were tried so far."""

    outcome: str = "unclear"
    read_back: bool | None = None
    error: BaseException | None = None
    tried: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Made:
    """An instance made with the keyword, or the error; and one made without it, or None."""

    instance: Foreign = None
    error: BaseException | None = None
    plain: Foreign = None


def keyword_seen(path: str, keyword: str, /, **known: Foreign) -> dict[str, object]:
    """Try a keyword of a class or function. known: values of other arguments, or of the keyword itself."""
    if type(path) is not str or type(keyword) is not str:
        raise TypeError("observe_keyword takes a dotted path and a keyword, both as text")
    with capturing():
        said = _said(path, keyword, known)
    empty: dict[str, object] = {"outcome": "unclear", "how": None, "why": None, "tried": [], "read_back": None}
    empty.update(exception=None, parameters=[], required=[])
    name = cut(f"{path}({keyword}=)", 200)
    return {"kind": "keyword", "name": name, "path": cut(path, 200), "keyword": cut(keyword, 200), **empty, **said}


def _said(path: str, keyword: str, known: dict[str, Foreign]) -> dict[str, object]:
    found = look_up(path)
    if isinstance(found, Missing):
        return {"why": found.why}
    whole = signature_of(found)
    if isinstance(found.value, type) and not hasattr(found.value, "__required_keys__"):
        return _constructed(found.value, whole, keyword, known)
    if isinstance(found.value, type):  # a typed dict takes anything when it runs
        keys = list(found.value.__annotations__)
        return {"outcome": "accepted" if keyword in keys else "rejected", "how": "bound", "parameters": keys}
    return _bound(found.value, whole, keyword)


def _bound(function: Foreign, whole: Signature | None, keyword: str) -> dict[str, object]:
    if whole is None:
        return {"why": "its signature cannot be read" if callable(function) else "it cannot be called"}
    said: dict[str, object] = {"how": "bound", "parameters": list(whole.parameters), "required": _needed(whole)}
    if _is_named(whole, keyword):
        return {**said, "outcome": "accepted"}
    if not _takes_any(whole):
        return {**said, "outcome": "rejected"}
    outcome, why = passed_on(function, keyword)
    return {**said, "outcome": outcome, "why": why}


def _constructed(kind: Foreign, whole: Signature | None, keyword: str, known: dict[str, Foreign]) -> dict[str, object]:
    declared = whole is not None and _is_named(whole, keyword)
    tries = _tries(kind, keyword, known, declared=declared)
    said: dict[str, object] = {
        "how": "constructed",
        "tried": list(tries.tried),
        "read_back": tries.read_back,
        "outcome": tries.outcome,
        "exception": None if tries.error is None else describe_exception(tries.error, frozenset()),
        "parameters": [] if whole is None else list(whole.parameters),
        "required": [name for name in required_of(kind) if name != keyword],
    }
    if tries.outcome == "unclear" and declared:
        return {
            **said,
            "outcome": "accepted",
            "how": "bound",
            "why": "it could not be constructed, but names the parameter",
        }
    if tries.outcome == "swallowed" and declared:
        return {**said, "outcome": "accepted", "why": "the parameter is named; its value is kept elsewhere"}
    return said


def _tries(kind: Foreign, keyword: str, known: dict[str, Foreign], *, declared: bool) -> _Tries:
    """Try values until one is taken, or the keyword itself is refused."""
    others = {name: value for name, value in known.items() if name != keyword}
    values = [known[keyword]] if keyword in known else values_for(kind, keyword)
    tries = _Tries()
    for value in values:
        made = _made(kind, keyword, value, others)
        tries.tried += (cut(literal_of(value) or text_of(value), 200),)
        if made.error is not None:
            tries.error = tries.error or made.error
            if _about_keyword(made.error, keyword, works_without=made.plain is not None, declared=declared):
                tries.error = made.error
                tries.outcome = "rejected"
                return tries
            continue
        tries.read_back = reads_back(made.instance, keyword, value, made.plain)
        tries.outcome = "accepted" if tries.read_back else "swallowed"
        if tries.read_back:
            tries.error = None
            return tries
    tries.error = None if tries.outcome == "swallowed" else tries.error
    return tries


def _made(kind: Foreign, keyword: str, value: Foreign, others: dict[str, Foreign]) -> _Made:
    """Make an instance with the keyword, and one without it."""
    made = _Made(error=TypeError("nothing was tried"))
    for stand_ins in argument_sets(kind, {**others, keyword: value}):
        arguments = {**stand_ins, **others}
        for _ in range(_COMPANIONS):
            made = _once(kind, {**arguments, keyword: value}, without=arguments)
            if made.error is None or made.plain is not None:
                return made
            more = companion(kind, made.error, {**arguments, keyword: value})
            if not more:
                break
            arguments = {**arguments, **more}
    return made


def _once(kind: Foreign, arguments: dict[str, Foreign], *, without: dict[str, Foreign]) -> _Made:
    plain = _plain(kind, without)
    try:
        return _Made(kind(**arguments), plain=plain)
    except Exception as raised:  # noqa: BLE001 - foreign constructors may do anything
        return _Made(error=raised, plain=plain)


def _plain(kind: Foreign, arguments: dict[str, Foreign]) -> Foreign:
    try:
        return kind(**arguments)
    except Exception:  # noqa: BLE001 - foreign constructors may do anything
        return None


def _about_keyword(error: BaseException, keyword: str, *, works_without: bool, declared: bool) -> bool:
    """Whether an error says that there is no such keyword."""
    for one in errors_of(error):
        if str(one.get("type")) in {"extra_forbidden", "value_error.extra", "unexpected_keyword_argument"}:
            return tuple(one.get("loc", ()))[:1] == (keyword,)
    if declared or errors_of(error):
        return False
    message = text_of(error, str)
    if isinstance(error, TypeError) and "takes no" in message and ("argument" in message):
        return True
    named = f"'{keyword}'" in message or f'"{keyword}"' in message or f"`{keyword}`" in message
    said = any(word in message.lower() for word in _ABOUT)
    return named and (said or works_without)


def _is_named(whole: Signature, keyword: str) -> bool:
    one = whole.parameters.get(keyword)
    return one is not None and one.kind in _NAMED


def _takes_any(whole: Signature) -> bool:
    return any(one.kind is Parameter.VAR_KEYWORD for one in whole.parameters.values())


def _needed(whole: Signature) -> list[str]:
    many = {Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD}
    return [one.name for one in whole.parameters.values() if one.default is Parameter.empty and one.kind not in many]
