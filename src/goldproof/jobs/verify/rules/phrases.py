"""Parse the words around names: what a question says its options are, whose they are, and what a text denies.

Read by position: the nearest words to the left and right of a name in backquotes. What is not said in one of these ways
counts as not said.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MEMBER = r"(?:(?:class|static|instance|public|abstract|async|built-?in)\s+)?(?:methods?|members?|functions?)"
ATTRIBUTE = r"(?:(?:public|instance|class)\s+)?(?:attributes?|propert(?:y|ies)|fields?)"
PARAMETER = (
    r"(?:(?:constructor|keyword|named|init|initiali[sz]ation|configuration|config|optional|required|valid)[ -]+)*"
    r"(?:parameters?|arguments?|kwargs?|keywords?|fields?|options?|settings?|args?)"
)
NESTED = r"(?:sub-?modules?|sub-?packages?|class(?:es)?|functions?|exceptions?|names?|decorators?|objects?)"
_OF = r"\s+(?:\w+\s+){0,3}?(?:of|on|in|from|by|to|for|does|is|are|that|inside|within|exported\s+(?:by|from))\s+"
_ARTICLE = r"(?:(?:the|a|an|this|its|your|each|python's)\s+)?"
_TAIL = r"(?:\([^`)]*\))?(?![\w(])`?"
_DENIES = re.compile(
    r"\b(?:not|no|never|without|neither|nor|cannot|can't|doesn't|isn't|don't|won't|wasn't|non-?existent|nonexistent|"
    r"unsupported|invalid|deprecated|removed|missing|undefined|unknown|unrecogni[sz]ed|unexpected|raises?|raised|fails?|error|"
    r"errors|rejects?|rejected|ignored|instead|forbidden|wrong|incorrect|rather|avoid|hypothetical|custom|own|your|my|"
    r"subclass|define|defining|create\s+a|implement|named|called|write|writing|renamed|older|previously|formerly|legacy)\b"
    r"|\w*Error\b|\w*Exception\b",
    re.IGNORECASE,
)
_EXISTENCE = re.compile(
    r"\b(?:valid|accepted|supported|available|recogni[sz]ed|legal|real|actual|defined|exported|exposed|existing|offered|importable)\b"
    r"|\bexists?\b|\b(?:does|do)\b[^.?]*\b(?:have|provide|offer|define|expose|export|accept|take|support)\b"
    r"|\b(?:is|are)\s+(?:\W*not\W+)?(?:an?\s+|the\s+)?(?:\w+\s+){0,2}"
    r"(?:methods?|members?|functions?|attributes?|propert(?:y|ies)|fields?|parameters?|arguments?|class(?:es)?|sub-?modules?|names?)"
    r"\s+(?:\w+\s+){0,2}?(?:of|in|on|from|by|to)\b"
    r"|\b(?:is|are)\s+(?:\W*not\W+)?(?:a\s+)?part\s+of\b"
    r"|\bcan(?:\s*\W*not\W*|'t)?\s+be\s+(?:imported|passed|given|set|used\s+as\s+(?:an?\s+)?(?:keyword|argument|parameter))",
    re.IGNORECASE,
)
_PURPOSE = re.compile(
    r"\b(?:controls?|configures?|configuring|determines?|specif(?:y|ies)|sets|enables?|disables?|allows?|lets|limits?|prevents?|"
    r"governs?|defines\s+how|responsible|used\s+(?:to|for|when|by)|purpose|in\s+order\s+to|should|best|correct\s+way|how\s+(?:often|many|much|long)|"
    r"represents?|indicates?|holds|stores?|contains\s+the|returns?|converts?|parses?|loads?|turns?|triggers?|handles?|lets|"
    r"want\s+to|need\s+to|recommended|when\s+you|if\s+you|because|for\s+\w+ing)\b",
    re.IGNORECASE,
)
_ASKS_NOT = re.compile(
    r"\b(?:which|what)\b[^?]*(?:\b(?:not|never|except|cannot|without|lacks?|fails?|unsupported|invalid)\b|n't\b)",
    re.IGNORECASE,
)
_MAKING = r"calling|invoking|creating|initiali[sz]ing|instantiating|constructing"
_ABOUT = (
    r"purpose|effect|role|type|value|default|happens|behaviou?r|meaning|difference|signature|reason|error|exception"
)


def says_of(text: str, subject: str, *, nouns: str) -> bool:
    """Return whether a text speaks of the nouns of a subject: `method of X`, `X method`, `does X have`."""
    name = rf"(?<![\w.])`?@?{re.escape(subject)}{_TAIL}"
    whose = r"(?:(?:class|object|constructor|instance|function|method|module|package)(?:'s|\u2019s)?\s+)?"
    has = r"(?:have|provide|offer|define|expose|support|accept|take|export|contain|include|require|need)"
    which = r"(?:which|what)\s+(?:\w+\s+){0,3}?"
    patterns = (
        rf"\b{nouns}\b{_OF}(?:\w+\s+){{0,3}}?{_ARTICLE}{name}",
        rf"{name}(?:'s|\u2019s)?\s+{whose}{nouns}\b",
        rf"\b(?:does|do|will|can)\s+{_ARTICLE}{name}\s+(?:\w+\s+){{0,2}}?{has}\b",
        rf"\b(?:in|on|for|from|with|of|{_MAKING})\s+{_ARTICLE}(?:\w+\s+)?{name}[^`.?]{{0,30}}?,\s*{which}{nouns}\b",
    )
    return any(re.search(one, text, re.IGNORECASE) for one in patterns)


def asks_existence(text: str) -> bool:
    """Return whether what is asked is only what there is: valid, accepted, a member; not what it is good for."""
    words = re.sub(r"`[^`]*`", "it", text)
    return _EXISTENCE.search(words) is not None and _PURPOSE.search(words) is None


def may_be_negated(text: str) -> bool:
    """Return whether what is asked for may be what does not hold, in words that are not read for certain."""
    return _ASKS_NOT.search(re.sub(r"`[^`]*`", "it", text)) is not None


def asks_for(text: str, nouns: str, *, subjects: Iterable[str] = ()) -> bool:
    """Return whether a text asks for one of the nouns: `which method`, `what is the name of the class`.

    subjects: names that may stand between; another name there (`what is the x parameter for`) is not asked for.
    """
    for one in sorted(subjects, key=len, reverse=True):
        text = re.sub(rf"`?(?<![\w.]){re.escape(one)}(?:\([^`)]*\))?(?![\w(])`?", "it", text)
    between = rf"(?:(?!(?:{_ABOUT})\b)[\w'*:,-]+\s+){{0,9}}?"
    return re.search(rf"\b(?:which|what)(?:\s+|'s\s+){between}\**{nouns}\b", text, re.IGNORECASE) is not None


def denies(text: str) -> bool:
    """Return whether a text may speak of what is not there, fails, or is the reader's own."""
    return _DENIES.search(text) is not None


def only_these(text: str, allowed: Iterable[str]) -> bool:
    """Return whether the words of a text outside of backquotes are all among the allowed ones."""
    plain = re.sub(r"`[^`]*`", " ", text)
    return set(re.findall(r"[a-z']+", plain.lower())) <= set(allowed)
