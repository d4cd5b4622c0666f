r"""Variants of printed text: over several lines, or in one with commas, blanks or `\n` between.

A form that another option could also be meant by is dropped, so that no two options share one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_BETWEEN: Final = (
    re.compile(r",\s+"),
    re.compile(r"\s+/\s+"),
    re.compile(r";\s+"),
    re.compile(r"\s+then\s+"),
    re.compile(r" +"),
)


def text_forms(texts: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return letter -> the forms that a text may have when it is printed, the text itself first."""
    every = {letter: _forms(text) for letter, text in texts.items()}
    shared = {letter: {form for other, forms in every.items() if other != letter for form in forms} for letter in every}
    return {
        letter: (forms[0], *(form for form in forms[1:] if form not in shared[letter]))
        for letter, forms in every.items()
    }


def _forms(text: str) -> tuple[str, ...]:
    lines = text.replace("\\n", "\n")
    split = (
        [between.sub("\n", text.strip()) for between in _BETWEEN] if "\n" not in lines else [" ".join(lines.split())]
    )
    return tuple(dict.fromkeys((text, lines, *split)))
