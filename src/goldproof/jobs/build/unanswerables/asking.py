"""Is the original a question that somebody would ask? What reads badly before it is changed reads worse after.

It asks from its start ("Who ...", "In which year ...", "As of May 1, what ...") or tells somebody to answer ("Explain
..."): not a statement with a hole ("X, released in which year, is a book"). A question about passages is not tangled:
at most one clause hangs on it, and no chain of three possessions ("the place of birth of the author of the song").
"""

from __future__ import annotations

import re

_WORDS = "what|which|who|whom|whose|when|where|why|how"
_VERBS = "is|are|was|were|do|does|did|has|have|had|can|could|should|would|will"
_ORDERS = "explain|describe|name|list|give|identify|tell|calculate|find|show|compute|determine|state"
_STARTS = re.compile(rf"\W*(?:{_WORDS}|{_VERBS}|{_ORDERS})\b", re.IGNORECASE)
_LEADS = re.compile(
    rf"(?:in|on|at|for|from|by|to|as|during|of|within|under|with|about|based|according|considering|given|if|after|"
    rf"before|between|among|through|over|since|until)\b(?:[^?]*,)?\s(?:[a-z]+ )?(?:{_WORDS}|{_VERBS})\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(rf"(?<=\w )(?:that|{_WORDS})\b")
_OF = re.compile(r"\bof\b|['\u2019]s\b")
_MOST_OF = 2
_PARTICIPLE = re.compile(r"(?<!\w)(?!during|something|anything|nothing)[a-z]{3,}ing\b")
_BROKEN = re.compile(r"\bis [A-Z]\w+ of the\b|\bwas he \w+ of\b|\b([a-z]+) \1\b|^To which\b.*\bto\?$")


def asks(question: str) -> bool:
    """Whether the sentence asks from its start."""
    return bool(_STARTS.match(question) or _LEADS.match(question))


def tangled(question: str) -> bool:
    """Whether clauses and possessions are nested so deep that nobody would say it."""
    if len(_PARTICIPLE.findall(question)) > 1:
        return True
    clauses = len(_CLAUSE.findall(_without_lead(question)))
    return clauses > 1 or clauses + len(_OF.findall(question)) > _MOST_OF + 1 or bool(_BROKEN.search(question))


def _without_lead(question: str) -> str:
    """The question word itself is no clause, also where a preposition stands before it."""
    return re.sub(rf"^\W*(?:[A-Z]\w+ )?(?:[^,?]*, )?(?:{_WORDS})\b", "", question, count=1, flags=re.IGNORECASE)
