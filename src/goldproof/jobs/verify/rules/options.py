"""Options of a case that make a claim of their own, without those derived from others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from goldproof.io.cases import Case

_LONGEST: Final = 200  # characters
_DERIVED: Final = re.compile(
    r"(?:none|all|neither|both|any|some|either)(?: of)?(?: the| these| them)?(?: (?:above|options?|following|others?"
    r"|answers?|listed|mentioned|choices|given))*"
    r"|(?:both |either |neither |only |all of )?\(?[A-H]\)?(?:\s*(?:,|and|or|nor|&|/)\s*\(?[A-H]\)?)+(?: (?:are"
    r"|is) (?:correct|true|valid|right))?"
    r"|more than one of the above|cannot be determined|it depends|depends on .*|not enough information|i don'?t know",
    re.IGNORECASE,
)


def own_options(case: Case) -> dict[str, str]:
    """Return letter -> text of the options that make a claim of their own."""
    return {letter: text for letter, text in case.options.items() if not is_derived(text)}


def is_derived(text: str) -> bool:
    """Say whether an option follows from others (`None of the above`, `Both A and B`), or claims nothing."""
    bare = " ".join(text.split()).strip(" .`")
    return len(bare) < _LONGEST and bare not in {"None", "Any", "All"} and _DERIVED.fullmatch(bare) is not None


def has_none_of_them(case: Case) -> bool:
    """Say whether an option says that no other holds."""
    return any(
        re.match(r"(?:none|neither)(?: of)?(?: the| these)", text.strip(), re.IGNORECASE)
        for text in case.options.values()
    )
