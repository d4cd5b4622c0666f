"""Parse the keywords that an option names, and their callable where it says so.

`max_calls`, `max_calls=5`, `Config(max_calls=5)`, "Set `max_calls` on the config", "Pass `max_calls=5` to `Config`".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from goldproof.jobs.verify.rules.mentions import Mention, mentions
from goldproof.jobs.verify.rules.phrases import PARAMETER, denies, only_these
from goldproof.jobs.verify.rules.resolving import is_camel

# Words that stand around the name of a keyword without saying anything else about it.
_PLAIN = frozenset(
    ("the", "a", "an", "use", "using", "by", "via", "with", "set", "setting", "pass", "passing", "add", "adding",
     "specify", "specifying", "provide", "providing", "parameter", "argument", "keyword", "kwarg", "field", "option",
     "attribute", "property", "constructor", "class", "config", "configuration", "to", "of", "on", "in", "for", "as",
     "from", "its", "it", "object", "instance", "when", "creating", "call", "value", "name", "list", "through")
)  # fmt: skip
# What else a keyword may belong to: then the subject of the question is not whom it is said of.
_OTHERS = re.compile(
    r"\b(?:decorators?|plugins?|environment|variables?|headers?|files?|tools?|sessions?|state|methods?|functions?|models?|"
    r"modules?|dict(?:ionary)?|commands?|flags?|runners?|clients?|requests?|response)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NamedKeywords:
    """Keywords that an option names. callee: their callable, if it says so, else empty. plain: it says nothing more.

    dotted: it is `X.y`, a keyword of X only where the question asks for one: else it may be any member.
    """

    names: tuple[str, ...]
    callee: str
    plain: bool
    dotted: bool = False


def named_keywords(option: str) -> NamedKeywords | None:
    """Return the keywords that an option names, or None where it names none, or not plainly."""
    found = mentions(option)
    if not found:
        return None
    if found[0].whole:
        return _of_code(found)
    return None if denies(option) else _of_prose(option, found)


def _of_code(found: tuple[Mention, ...]) -> NamedKeywords | None:
    first = found[0]
    if first.kind == "keyword":
        return NamedKeywords(tuple(one.name for one in found), callee="", plain=True)
    if first.kind == "call" and first.keywords:
        return NamedKeywords(first.keywords, callee=first.name, plain=True)
    owner, _, last = first.name.rpartition(".")
    if first.kind != "name" or is_camel(last):
        return None
    return NamedKeywords((last,), callee=owner, plain=True, dotted=bool(owner))


def _of_prose(option: str, found: tuple[Mention, ...]) -> NamedKeywords | None:
    calls = [one for one in found if one.kind == "call" and one.keywords and one.quoted]
    named = [one for one in found if one.quoted and _is_keyword(option, one)]
    if calls:
        return None if len(calls) > 1 or named else NamedKeywords(calls[0].keywords, callee=calls[0].name, plain=False)
    others = [one for one in found if one not in named and _is_callee(option, one)]
    if not named or len(others) > 1 or (not others and _OTHERS.search(option)):
        return None
    plain = only_these(option, _PLAIN) and len(found) == len(named) + len(others)
    return NamedKeywords(tuple(one.name for one in named), callee=others[0].name if others else "", plain=plain)


def _is_keyword(option: str, one: Mention) -> bool:
    """Return whether a span is said to be a keyword: `a=1`, "the `a` parameter", "set `a` ..."."""
    if one.kind == "keyword":
        return True
    if one.kind != "name" or "." in one.name or is_camel(one.name):
        return False
    before, after = option[: one.start], option[one.end :]
    return bool(
        re.match(rf"`\s+{PARAMETER}\b", after, re.IGNORECASE)
        or re.search(rf"\b{PARAMETER}(?:\s+(?:called|named))?\s+`$", before, re.IGNORECASE)
        or re.search(r"(?:^|[.,;]\s+|\bby\s+)(?:set(?:ting)?|use|using)\s+(?:the\s+)?`$", before, re.IGNORECASE)
    )


def _is_callee(option: str, one: Mention) -> bool:
    """Return whether a span is said to be what takes the keyword: "to `X`", "in the `X` constructor"."""
    if one.kind not in {"name", "call"}:
        return False
    before = option[: one.start]
    return (
        re.search(r"\b(?:to|in|on|of|for|creating|calling)\s+(?:the\s+|an?\s+)?`$", before, re.IGNORECASE) is not None
    )
