"""Words of models and of other people's code, made fit for files and terminals.

Reasons, and what is missing: control characters but line break and tab, and halves of surrogate pairs, become U+FFFD;
of more than 2,000 characters the beginning is kept, with an ellipsis. Quotes and evidence must stand in the documents
as they are: only halves of surrogate pairs, which UTF-8 has no form for, are replaced.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from goldproof.core.wording import shortened

if TYPE_CHECKING:
    from goldproof.judge.ruling import Ruling

LONGEST: Final = 2000
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_REPLACED: Final = "\ufffd"


def tidy(text: str) -> str:
    """Return a reason as it may be shown and kept."""
    # Only the beginning is looked at: a line break may be two characters, so twice as much is enough.
    begin = text[: 2 * LONGEST + 2].replace("\r\n", "\n")
    return shortened(_CONTROLS.sub(_REPLACED, without_surrogates(begin)), longest=LONGEST)


def without_surrogates(text: str) -> str:
    """Return a text that UTF-8 can hold; two halves that belong together become the character that they mean."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def tidied(ruling: Ruling) -> Ruling:
    """Return a ruling of which all words are tidy."""
    return replace(
        ruling,
        evidence=tuple(replace(each, text=without_surrogates(each.text)) for each in ruling.evidence),
        missing=tidy(ruling.missing),
        reason=tidy(ruling.reason),
        votes=tuple(
            replace(each, quotes=tuple(map(without_surrogates, each.quotes)), reason=tidy(each.reason))
            for each in ruling.votes
        ),
    )
