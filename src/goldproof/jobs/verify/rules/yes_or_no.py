"""Parse options that answer a question with yes or no."""

from __future__ import annotations

import re

_YES = re.compile(r"\W*(?:yes|true|correct|it (?:is|does))\b", re.IGNORECASE)
_NO = re.compile(
    r"\W*(?:no|false|incorrect|it (?:is not|isn't|does not|doesn't))\b(?! (?:error|output|exception))", re.IGNORECASE
)
# What follows may take the answer back, or say more than the question asked.
_MORE = re.compile(
    r"\b(?:but|only|unless|except|although|depends?|if|when|sometimes|partially|however)\b", re.IGNORECASE
)


def yes_or_no(option: str) -> bool | None:
    """Return what an option answers; None where it is neither a yes nor a no, or not a plain one."""
    if _MORE.search(option):
        return None
    if _NO.match(option):
        return False
    return True if _YES.match(option) else None


def is_bare_answer(option: str) -> bool:
    """Return whether an option is a yes or no and nothing more."""
    return re.fullmatch(r"\W*(?:yes|no|true|false)\W*", option, re.IGNORECASE) is not None
