"""Options after a corpus spec: `folder:docs/#size=1200,overlap=100`.

A `#` begins options only where all that follows has the form name=value,name=value; else it belongs to the path.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from karat.core.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_OPTIONS = re.compile(r"[A-Za-z_]\w*=[^,#]*(?:,[A-Za-z_]\w*=[^,#]*)*")


class Spec(NamedTuple):
    """A spec without its options, and the options by name."""

    rest: str
    options: Mapping[str, str]


def split_options(spec: str) -> Spec:
    """Cut the options off a spec; an option is given once."""
    rest, mark, fragment = spec.rpartition("#")
    if not mark or not _OPTIONS.fullmatch(fragment):
        return Spec(spec, {})
    options: dict[str, str] = {}
    for part in fragment.split(","):
        name, _, value = part.partition("=")
        if name in options:
            raise InputError(f"{spec}: option {name!r} is given twice; keep one.")
        options[name] = value.strip()
    return Spec(rest, options)


def check_options(options: Mapping[str, str], known: Iterable[str], *, kind: str) -> None:
    """Refuse options that a kind of corpus does not have."""
    names = tuple(known)
    for name in options:
        if name not in names:
            raise UnknownNameError(
                f"option of {kind}:", name, names, advice="" if names else "this kind of corpus has no options."
            )


def whole_number(options: Mapping[str, str], name: str, default: int) -> int:
    """Return an option that is a whole number, not negative."""
    value = options.get(name)
    if value is None:
        return default
    if not (value.isascii() and value.isdigit()):
        raise InputError(f"{name}={value}: expected a whole number, such as {name}={default}.")
    return int(value)
