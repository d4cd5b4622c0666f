"""Find exception names in a text: built-in ones, names like `ValidationError`, names said to be raised.

Libraries have exceptions that are not called so (`click.BadParameter`, `InvalidVersion`). Such a name is that of an
exception where the text says that it is raised or thrown; what is caught, returned or named beside it is not.
"""

from __future__ import annotations

import builtins
import re
from typing import Final

_BUILT_IN: Final = {
    name: value
    for name, value in sorted(vars(builtins).items())
    if isinstance(value, type) and issubclass(value, BaseException)
}
_ODD_NAMES: Final = tuple(name for name in _BUILT_IN if not name.endswith(("Error", "Exception", "Warning")))
NAME: Final = re.compile(
    r"(?<![\w.])(?:[A-Za-z_]\w*\.)*(?:[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt)|Exception|Warning|"
    + "|".join(_ODD_NAMES)
    + r")(?!\w)(?!\.\w)"
)
_CLASS = r"(?:[A-Za-z_]\w*\.)*[A-Z]\w*[a-z]\w*"  # written as classes are, perhaps with where it is
# In backquotes any such name; without them one of two words, or a dotted one: `Nothing is raised` names nothing.
_SHOWN = rf"(?:`{_CLASS}`|(?:(?:[A-Za-z_]\w*\.)+[A-Z]\w*[a-z]\w*|[A-Z][a-z0-9]+[A-Z]\w*)(?![\w(]|\.\w))"
_RAISED: Final = re.compile(
    rf"(?<!\w)(?i:(?:rais(?:es?|ed|ing)|throw(?:s|n|ing)?|fail(?:s|ed)? with|crash(?:es|ed)? with)\s+"
    rf"(?:an?\s+|the\s+)?(?:exception\s+|error\s+)?)(?P<after>{_SHOWN})"
    rf"|(?<![\w.`])(?P<before>{_SHOWN})(?:\s+(?:exceptions?|errors?))?\s+"
    rf"(?:is|are|will be|would be|gets|being)\s+(?:then\s+|always\s+)?(?:raised|thrown)(?!\w)",
)
_NAMES_ONE: Final = re.compile(rf"(?i:(?:an?|the)\s+)?(?P<name>{_SHOWN})(?:\s+(?:exception|error))?")
_LONGEST: Final = 3_000  # characters at the end of a text in which it is looked for what is raised
_VALUES: Final = frozenset({"None", "True", "False", "Nothing", "Ellipsis"})
_NOT_TYPES: Final = frozenset({"Error", "Errors", "Warning"})


def exception_names(text: str) -> tuple[str, ...]:
    """Return the names of exceptions in a text, in order, each once; an `Error` alone names none."""
    return tuple(dict.fromkeys(name for name in NAME.findall(text) if name not in _NOT_TYPES))


def raised_names(text: str) -> tuple[str, ...]:
    """Return the names of exceptions in a text, and the other names of classes that it says are raised, in order."""
    said = [(found["after"] or found["before"]).strip("`") for found in _RAISED.finditer(text[-_LONGEST:])]
    return tuple(dict.fromkeys((*exception_names(text), *(name for name in said if name not in _VALUES))))


def only_name(text: str) -> str:
    """Return the name that a text consists of where it is written as classes are: `click.BadParameter`; else empty."""
    found = _NAMES_ONE.fullmatch(" ".join(text.split()).rstrip(". "))
    name = found["name"].strip("`") if found else ""
    return "" if name in _VALUES else name


def built_in_kin(name: str) -> tuple[str, ...]:
    """Return a built-in exception with all that it inherits from, by name; of others only the name itself."""
    kind = _BUILT_IN.get(name.rpartition(".")[2])
    return (name,) if kind is None else tuple(one.__name__ for one in kind.__mro__ if one is not object)


def is_built_in(name: str) -> bool:
    """Say whether a name is that of a built-in exception."""
    return name in _BUILT_IN
