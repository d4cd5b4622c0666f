"""Checks of a name: found, what, inherits, async, same, somewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.verify.checks.check import said
from goldproof.jobs.verify.checks.observation import map_in, text_in, texts_in
from goldproof.jobs.verify.checks.seen import short
from goldproof.jobs.verify.checks.types import position
from goldproof.jobs.verify.proof import Compared

if TYPE_CHECKING:
    from goldproof.jobs.verify.checks.observation import Observation
    from goldproof.jobs.verify.proof import Expectation


def there(observation: Observation) -> bool | None:
    """Return whether a name was found; None where looking failed for another reason than that it is not there."""
    found = observation.get("found")
    if not isinstance(found, bool):
        return None
    return None if not found and observation.get("failed") is True else found


def found(_: Expectation, observation: Observation) -> Compared:
    """The name is there."""
    return said(observation, holds=there(observation))


def what(expect: Expectation, observation: Observation) -> Compared:
    """The name is there and is a class, a function, and so on. A method is a function too, loosely."""
    wanted, is_ = text_in(expect, "is"), text_in(observation, "what")
    if not there(observation):
        return said(observation, holds=there(observation))
    loosely = {wanted, is_} in ({"function", "method"}, {"field", "attribute"}, {"property", "attribute"})
    return said(observation, holds=wanted == is_ or loosely, exact=wanted == is_)


def inherits(expect: Expectation, observation: Observation) -> Compared:
    """The class inherits from another; exact where that is among its own bases."""
    if not there(observation):
        return said(observation, holds=there(observation))
    mro, bases, wanted = texts_in(observation, "mro"), texts_in(observation, "bases"), text_in(expect, "from")
    if not mro:
        return said(observation, holds=None, why="not a class")
    direct = position(wanted, bases) is not None
    held = direct or (expect.get("direct") is not True and position(wanted, mro[1:]) is not None)
    line = short(f"{text_in(observation, 'path')} inherits from {', '.join(mro[1:]) or 'nothing'}")
    return Compared(held, line, exact=direct)


def is_async(expect: Expectation, observation: Observation) -> Compared:
    """It must be awaited (coroutine), iterated by `async for` (async generator), either (async), or neither (plain)."""
    if not there(observation):
        return said(observation, holds=there(observation))
    wanted, is_ = text_in(expect, "is"), text_in(observation, "async")
    if not is_:
        return said(observation, holds=None, why="it cannot be called")
    means = {"async": {"coroutine", "async generator"}, "plain": {"plain", "generator"}}.get(wanted, {wanted})
    article = "an" if is_.startswith("a") else "a"
    return Compared(is_ in means, short(f"{text_in(observation, 'path')} is {article} {is_} function"))


def same(expect: Expectation, observation: Observation) -> Compared:
    """Names, as the observation calls them, are one object."""
    groups = map_in(observation, "groups")
    numbers = [groups.get(name) for name in texts_in(expect, "names")]
    if not numbers or any(type(one) is not int for one in numbers):
        return said(observation, holds=None)
    return said(observation, holds=all(one == numbers[0] for one in numbers))


def somewhere(_: Expectation, observation: Observation) -> Compared:
    """The name exists anywhere under the packages. Not found says nothing where modules that hold it failed."""
    paths, failed = texts_in(observation, "found"), texts_in(observation, "failed")
    if not isinstance(observation.get("found"), list | tuple):
        return said(observation, holds=None)
    return said(observation, holds=None if failed and not paths else bool(paths))
