"""Observing a call: `observe("sum", sum, [1, 2])`, or a value: `observe("total", total)`."""

from __future__ import annotations

from .attempts import attempt
from .texts import Foreign, cut


def call_seen(given: frozenset[str], arguments: tuple[Foreign, ...], named: dict[str, Foreign]) -> dict[str, object]:
    """Call what is given and return what became of it: a name, then what to call, then its arguments.

    What cannot be called is itself the value. given: files that are the given code.
    """
    if len(arguments) < 2 or type(arguments[0]) is not str:
        raise TypeError('observe takes a name and what to call, as in observe("sum", sum, [1, 2])')
    name, what, rest = arguments[0], arguments[1], arguments[2:]
    if not callable(what) and not rest and not named:
        seen = attempt(lambda: what, given=given)
    else:
        seen = attempt(lambda: what(*rest, **named), given=given)
    return {"kind": "call", "name": cut(name, 200), **seen}
