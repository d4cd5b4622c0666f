"""Yes/no questions about running code: `Will this work?`, `Is this definition valid?`, `Does this fail?`"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from goldproof.jobs.verify.rules.outcomes import Outcome, Outcomes

if TYPE_CHECKING:
    from goldproof.jobs.verify.rules.asked import Asked

_ASKS: Final = re.compile(
    r"(?:.*[.:]\s+)?(?:is|are|will|would|does|do|can)\s(?:.*\s)?(?:(?P<works>valid|work|works|run|succeed|execute"
    r"|complete|compile)"
    r"|(?P<fails>fail|crash|invalid|raise an? (?:error|exception)))(?:\s.*)?\?",
    re.IGNORECASE,
)
_ANSWER: Final = re.compile(
    r"(?P<yes>yes|true)|(?P<no>no|false)(?! (?:error|exception|output|warning)s?)", re.IGNORECASE
)
_CLAIMS_NOTHING: Final = re.compile(
    r"[\s,.;:]*(?:it (?:is|does|will|works|runs)(?: not)?(?: valid| work| run| fail)?)?[\s.]*", re.IGNORECASE
)


def read_answer(text: str, asked: Asked) -> Outcomes | None:
    """Return what `Yes` or `No` says about running the code; None where question or option are of another form."""
    question, answer = _ASKS.fullmatch(asked.text), _ANSWER.match(text.strip())
    after = text.strip()[answer.end() :] if answer else ""
    if not question or not answer or (after and after[0] not in " ,.;:"):
        return None
    works = bool(question["works"]) is bool(answer["yes"])
    rest = "" if _CLAIMS_NOTHING.fullmatch(after) else after.strip(" ,.;:")
    return Outcomes((Outcome("works") if works else Outcome("raises"),), rest)
