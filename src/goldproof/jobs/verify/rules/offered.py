"""Recognise membership questions: which names can be imported from, are defined in, or offered by a module or class.

`Which of these can NOT be imported from X?`, `Which of the following is offered by X?`, `... a class that X defines?`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.corpus.libraries import KnownName
from goldproof.jobs.verify.rules.targets import subject_meanings

if TYPE_CHECKING:
    from goldproof.jobs.verify.rules.rule import Reading

_WHERE = (
    r"\b(?:imported|exported|importable|accessible)\s+(?:directly\s+)?(?:from|by)|\b(?:offered|provided|exposed|defined)\s+(?:by|in)"
    r"|\b(?:available|present|contained|included)\s+in|\bexists?\s+in"
)
_BEFORE = r"\s+(?:the\s+)?(?:[\w-]+\s+){0,2}?(?:package\s+|module\s+|class\s+)?"
_AFTER = r"(?:\s+(?:package|module|class|library|namespace))?\s*\?"
_HAS = r"(?:actually\s+|really\s+)?(?:defines|has|offers|provides|exports|exposes|contains|includes)"
_OF_THEM = re.compile(
    r"\bwhich(?:\s+one)?(?:\s+of)?(?:\s+(?:the|these|those))?(?:\s+(?:following|options|ones|names|identifiers|constants|symbols|objects))*"
    r"\s+(?:can|cannot|can't|is|are|isn't|aren't|may|exists?)\b",
    re.IGNORECASE,
)
_NOUN = re.compile(
    r"\b(?:which|what)\b[^`?]*?\b(class|exception|function|method|module|submodule|subpackage|attribute|name|member)(?:s|es)?\b",
    re.IGNORECASE,
)
_WHATS = {"class": "class", "exception": "exception", "function": "function"}


def asks_what_is_offered(reading: Reading) -> bool:
    """Return whether the question asks, without a noun, which of the options a module or class offers."""
    return _OF_THEM.search(reading.asked.text) is not None and bool(offering(reading))


def offering(reading: Reading) -> tuple[KnownName, ...]:
    """Return the module or class from which the options can be imported, or that offers them; none where not said."""
    asked = reading.asked
    said = [one for one in asked.subjects if _is_where(asked.text, one)]
    if len(said) != 1 or (asked.kind == "import" and asked.code):
        return ()
    if said[0] in reading.index.import_names:
        return (KnownName(path=said[0], defined=said[0], kind="module"),)
    names = subject_meanings(said[0], reading.index)
    kinds = {"module"} if asked.kind == "import" else {"module", "class"}
    return names if len(names) == 1 and names[0].kind in kinds else ()


def _is_where(text: str, subject: str) -> bool:
    return re.search(rf"(?:{_WHERE}){_BEFORE}`{re.escape(subject)}`{_AFTER}", text, re.IGNORECASE) is not None


def had_by_the_library(reading: Reading) -> bool:
    """Return whether the question ends in what the library itself has: `... a class that click defines?`."""
    roots = "|".join(re.escape(root) for root in reading.index.import_names)
    return (
        re.search(rf"\bthat\s+(?:the\s+)?`?(?:{roots}|library|package)`?\s+{_HAS}\s*\?$", reading.asked.text)
        is not None
    )


def asked_what(text: str) -> str | None:
    """Return what kind of thing the options must be, where the question says so: class, exception or function."""
    found = _NOUN.search(text)
    return None if found is None else _WHATS.get(found[1].lower())
