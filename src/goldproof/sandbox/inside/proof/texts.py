"""Text of objects that nobody trusts: `repr` and `str` may raise, lie or be endless. Caught, and cut.

Addresses in memory, and where packages are installed, are blotted out, so that the same observation is the same text.
"""

from __future__ import annotations

from re import compile as _pattern
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Foreign = Any  # an object of the library or the script: nothing is known of it
LONGEST = 2_000
LONGEST_OUTPUT = 200_000
_ADDRESS = _pattern(r"\b0x[0-9a-fA-F]{6,}\b")
_INSTALLED = _pattern(r"/[^\s'\"()<>]*/(?=(?:site|dist)-packages/)")


def cut(text: str, longest: int = LONGEST) -> str:
    """Return the text, at most so long."""
    return text if len(text) <= longest else text[:longest] + " ..."


def text_of(value: object, how: Callable[[object], str] = repr) -> str:
    """Return `repr` (or `str`) of a value; what went wrong where it has none."""
    try:
        found = how(value)
        if type(found) is not str:
            found = str.__str__(found)  # a subclass of str may override everything
    except BaseException as error:  # noqa: BLE001 - foreign code, whatever it raises
        return f"<no text: {type(error).__name__}>"
    return clean(found)


def clean(text: str, longest: int = LONGEST) -> str:
    """Return the text cut, without addresses, and without what cannot be encoded."""
    text = _INSTALLED.sub("", _ADDRESS.sub("0x...", cut(text, longest)))
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
