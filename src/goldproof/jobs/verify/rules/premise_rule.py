"""Rule for premises: the classes, functions and modules that a question names exist, and take what it says.

Only names in backquotes, or dotted below the library's own name. Not what the code defines, builtins and the standard
library, placeholders (`MyAgent`), the reader's own (`your X`, `a custom class X`); and nothing where the question asks
whether it exists, or says itself that it does not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.verify.rules.claims import Claim, anywhere_proof, existence_proof, keyword_proof
from goldproof.jobs.verify.rules.code_names import defined_names
from goldproof.jobs.verify.rules.code_text import parsed
from goldproof.jobs.verify.rules.mentions import Mention, mentions
from goldproof.jobs.verify.rules.phrases import ATTRIBUTE, MEMBER, PARAMETER
from goldproof.jobs.verify.rules.resolving import (
    CALLABLE,
    a_known_class,
    a_known_member,
    fields_of,
    is_camel,
    is_part_of_a_name,
    is_placeholder,
    is_python,
    makes_up_attributes,
    meanings,
    places,
    under_library,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.corpus.libraries import KnownName, NameIndex
    from goldproof.jobs.verify.proof import Proof
    from goldproof.jobs.verify.rules.rule import Reading

_OWN = re.compile(
    r"\b(?:your|my|own|custom|user-?defined|called|named|following|hypothetical|imaginary|new|defines?|defining|subclass(?:es|ing)?|suppose|"
    r"another|third-party|local|create|creates|write|implement)\s+(?:[\w-]+\s+){0,3}[\"'`]*$",
    re.IGNORECASE,
)
_ABSENT = r"invalid|undefined|removed|deprecated|unknown|missing|available"
_NOT_THERE = re.compile(
    r"\b(?:exist|exists|existing|non-?existent|not\s+(?:a\s+)?(?:valid|defined|available|found|recogni[sz]ed|imported|part|supported)|"
    rf"{_ABSENT}|no\s+longer|does\s+not|doesn't|is\s+there|there\s+is\s+no|rename[ds]?|"
    r"NameError|ImportError|AttributeError|ModuleNotFoundError)\b",
    re.IGNORECASE,
)
# `unknown fields`, `missing values`: said of what the reader puts in, where no name follows.
_OF_INPUT = re.compile(
    rf"(?<![\w`])(?:{_ABSENT})\s+(?:fields|keys|values|items|inputs?|data|arguments|attributes|elements|entries|tags|"
    r"properties|columns|rows|characters|strings|numbers|types|lines|documents|records|options)\b(?![^.?`]{0,40}`)",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"\b(?:value|string|literal|text|key|word|returns|return|prints|output|equal\s+to|set\s+to|as)\s+`$", re.IGNORECASE
)


class PremiseRule:
    """Premises of a question."""

    name = "premise"

    def propose(self, reading: Reading) -> Iterator[Proof]:
        """Yield a proof for each name that the question takes for granted."""
        asked = reading.asked
        if _NOT_THERE.search(_OF_INPUT.sub(" ", asked.text)) or asked.kind in {"import", "flag"}:
            return
        own = _own_names(reading)
        seen: set[str] = set()
        for one in mentions(asked.text):
            if one.name in seen or one.name.partition(".")[0] in own or not _counts(asked.text, one):
                continue
            seen.add(one.name)
            yield from self._named(one, reading)
        if not asked.negated:
            yield from self._parameters(reading, own)

    def _named(self, one: Mention, reading: Reading) -> Iterator[Proof]:
        index = reading.index
        paths = _paths(one, index)
        if paths:
            says = f"{' or '.join(f'`{path}`' for path in paths)} exists."
            known = a_known_member(paths[0].rpartition(".")[0] or paths[0], index)
            yield existence_proof(self._claim(says), paths, known=known)
        elif is_camel(one.name) and not index.find(one.name) and _is_invented(one.name, index):
            says = f"The library has something called `{one.name}`."
            yield anywhere_proof(self._claim(says), one.name, known=a_known_class(index), roots=index.import_names)

    def _parameters(self, reading: Reading, own: frozenset[str]) -> Iterator[Proof]:
        """Yield a proof for each parameter or member that the question says is there: "the `x` parameter of `F`"."""
        index = reading.index
        for name, whom in said_of(reading.asked.text, PARAMETER):
            found = meanings(whom, index) if whom.partition(".")[0] not in own else ()
            if found and all(one.kind in CALLABLE for one in found):
                paths = tuple(one.path for one in found)
                says = f"{' or '.join(f'`{path}`' for path in paths)} has the parameter `{name}`."
                yield keyword_proof(self._claim(says), paths, keywords=(name,))
        for nouns in (MEMBER, ATTRIBUTE):
            for name, whom in said_of(reading.asked.text, nouns):
                found = meanings(whom, index) if whom.partition(".")[0] not in own else ()
                if found and all(_must_have(one, name, index=index, method=nouns == MEMBER) for one in found):
                    yield self._member(tuple(f"{one.path}.{name}" for one in found), index)

    def _member(self, paths: tuple[str, ...], index: NameIndex) -> Proof:
        says = f"{' or '.join(f'`{path}`' for path in paths)} exists."
        return existence_proof(self._claim(says), paths, known=a_known_member(paths[0].rpartition(".")[0], index))

    def _claim(self, says: str) -> Claim:
        return Claim(option="premise", rule=self.name, says=says, power="decides")


def _own_names(reading: Reading) -> frozenset[str]:
    """Return what the code of the question binds, without what it imports from the library."""
    tree = parsed(reading.asked.code) if reading.asked.code else None
    if tree is None:
        return frozenset(re.findall(r"\b[A-Za-z_]\w*\b", reading.asked.code))
    return frozenset(defined_names(tree)) - frozenset(name for name in defined_names(tree) if reading.index.find(name))


def _counts(text: str, one: Mention) -> bool:
    if one.kind not in {"name", "call", "import"} or is_python(one.name):
        return False
    before = text[: one.start]
    return not _OWN.search(before[-80:]) and not _VALUE.search(before[-40:])


def _paths(one: Mention, index: NameIndex) -> tuple[str, ...]:
    """Return the paths that a mention takes for granted: below the library's name, or a member of a known class."""
    if under_library(one.name, index):
        return (one.name,) if "." in one.name and one.name not in index.import_names else ()
    head, _, last = one.name.rpartition(".")
    known = meanings(one.name, index)
    if known and (is_camel(one.name) or head):
        return () if any(found.kind == "attribute" for found in known) else places(known)
    if not head or not one.quoted or not is_camel(head.rpartition(".")[2]):
        return ()
    owners = meanings(head, index)
    # A name that is written without brackets may be an attribute of instances.
    if one.kind != "call" or any(found.kind != "class" or not _is_plain(found.path, index) for found in owners):
        return ()
    return tuple(f"{found.path}.{last}" for found in owners)


def _is_plain(path: str, index: NameIndex) -> bool:
    return bool(index.members(path)) and not makes_up_attributes(path, index)


def _is_invented(name: str, index: NameIndex) -> bool:
    return not is_placeholder(name) and not is_part_of_a_name(name, index)


def _must_have(owner: KnownName, name: str, *, index: NameIndex, method: bool) -> bool:
    """Return whether a class that lacks a member shows that the question is wrong about it."""
    if owner.kind != "class" or index.find(f"{owner.path}.{name}") or not _is_plain(owner.path, index):
        return False
    return method or bool(fields_of(owner.path, index))


def said_of(text: str, nouns: str) -> list[tuple[str, str]]:
    """Return a member that a text claims, and its owner: "the `x` parameter of `F`", "`F`'s `x` parameter"."""
    name, whom = r"`([a-z_]\w*)(?:\(\))?`", r"`([A-Za-z_][\w.]*)(?:\(\))?`"
    of = r"\s+(?:of|in|to|on|for)\s+(?:the\s+|an?\s+)?"
    after = rf"\bthe\s+{name}\s+{nouns}{of}{whom}"
    before = rf"\bthe\s+{nouns}\s+{name}{of}{whom}"
    owned = rf"{whom}(?:'s|\u2019s)\s+{name}\s+{nouns}\b"
    found = [(one[1], one[2]) for pattern in (after, before) for one in re.finditer(pattern, text, re.IGNORECASE)]
    found += [(one[2], one[1]) for one in re.finditer(owned, text, re.IGNORECASE)]
    return list(dict.fromkeys(found))


RULE = PremiseRule()
