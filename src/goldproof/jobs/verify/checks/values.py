"""Checks of a returned value: returns, returns_text, returns_type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.verify.checks.check import said
from goldproof.jobs.verify.checks.literals import NoLiteralError, literal_key
from goldproof.jobs.verify.checks.observation import map_in, text_in, texts_in
from goldproof.jobs.verify.checks.types import position

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.jobs.verify.checks.observation import Observation
    from goldproof.jobs.verify.proof import Compared, Expectation

_CUT = " ..."
_PLAIN = frozenset(
    f"builtins.{one.__name__}" for one in (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset)
)


def returns(expect: Expectation, observation: Observation) -> Compared:
    """The value equals a literal, types and all."""
    value = map_in(observation, "value")
    if not value:
        return said(observation, holds=_nothing(observation))
    return said(observation, holds=_equal(text_in(expect, "literal"), value))


def _equal(wanted: str, value: Mapping[str, object]) -> bool | None:
    """Whether a value is a literal; None for what only looks like a plain value (an IntEnum, a numpy number)."""
    literal = value.get("literal")
    if not isinstance(literal, str):
        return None if _PLAIN.intersection(texts_in(value, "mro")) or text_in(value, "repr").endswith(wanted) else False
    return same_literal(wanted, literal)


def same_literal(wanted: str, literal: str) -> bool | None:
    """Return whether two texts are literals of the same value; None where one is no literal."""
    try:
        return literal_key(wanted) == literal_key(literal)
    except NoLiteralError:
        return None


def returns_text(expect: Expectation, observation: Observation) -> Compared:
    """The `str()` or the `repr()` of the value is a text."""
    value, wanted = map_in(observation, "value"), text_in(expect, "text").strip()
    if not value:
        return said(observation, holds=_nothing(observation))
    texts = [text_in(value, key).strip() for key in ("str", "repr")]
    held = wanted in texts
    cut = any(text.endswith(_CUT) for text in texts)
    return said(observation, holds=None if not held and cut else held)


def returns_type(expect: Expectation, observation: Observation) -> Compared:
    """The value is of a type, or of a subclass of it."""
    value = map_in(observation, "value")
    if not value:
        return said(observation, holds=_nothing(observation))
    wanted = text_in(expect, "type")
    place = position("NoneType" if wanted == "None" else wanted, texts_in(value, "mro"))
    return said(observation, holds=place is not None, exact=place == 0)


def _nothing(observation: Observation) -> bool | None:
    """Whether a claim about a value holds where there is none: not where it raised or exited."""
    return False if text_in(observation, "outcome") in {"raised", "exited"} else None
