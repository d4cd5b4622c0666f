"""Options after a spec: `folder:docs/#size=1200,overlap=100`, `llm:google:gemini-3-pro-preview#votes=3`.

A `#` begins options only where all that follows has the form name=value,name=value; else it belongs to what stands
before it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from goldproof.core.errors import InputError, UnknownNameError

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


def check_options(options: Mapping[str, str], known: Iterable[str], *, of: str) -> None:
    """Refuse options that there are not. of: whose they are, such as `folder:` or `the llm judge`."""
    names = tuple(known)
    for name in options:
        if name not in names:
            raise UnknownNameError(f"option of {of}", name, names, advice="" if names else "it has no options.")
