"""Rule for default values of a parameter or field: read from the signature, or the fields, of its owner.

Where options are members of an enumeration, the value is held against the member itself: of a class what a new instance
really has, of a function what stands in its signature.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.verify.rules.claims import Claim, value_proof
from goldproof.jobs.verify.rules.literals import read_literal
from goldproof.jobs.verify.rules.mentions import mentions
from goldproof.jobs.verify.rules.object_claims import member_proof
from goldproof.jobs.verify.rules.options import own_options
from goldproof.jobs.verify.rules.phrases import may_be_negated
from goldproof.jobs.verify.rules.resolving import CALLABLE, is_camel, meanings
from goldproof.jobs.verify.rules.targets import subject_meanings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.corpus.libraries import NameIndex
    from goldproof.jobs.verify.proof import Expectation, Proof
    from goldproof.jobs.verify.rules.rule import Reading

_REQUIRED = re.compile(
    r"\b(?:no default|required|mandatory|must be (?:given|provided|passed|specified|set)|without a default)\b"
    r"|\bnot have a default\b",
    re.IGNORECASE,
)
_VALUE = re.compile(r"\b(?:default|defaults)\b", re.IGNORECASE)
_PARAMETER = re.compile(r"[A-Za-z_]\w*")
# The question asks for something else that has to do with defaults.
_OTHER = re.compile(
    r"\b(?:default (?:behaviou?r|implementation|factory)|type of|why|how (?:do|can|would)|which (?:class|method))\b",
    re.IGNORECASE,
)


class DefaultRule:
    """Questions about the default of a parameter or field."""

    name = "default"

    def propose(self, reading: Reading) -> Iterator[Proof]:
        """Yield a proof for each option that is a value, or says that there is none."""
        asked = reading.asked
        about = asked_default(asked.text, asked.spans, index=reading.index)
        if asked.kind != "default" or about is None or _OTHER.search(asked.text):
            return
        if may_be_negated(asked.text) and not asked.negated:
            return
        path, parameter = about
        for letter, text in own_options(reading.case).items():
            expect = _expected(text, parameter)
            if expect is None:
                yield from self._member(letter, text, about=about, reading=reading)
                continue
            is_so = "has no default" if expect["check"] == "required" else f"is {expect['literal']} by default"
            says = f"{'It is not so that ' if asked.negated else ''}`{parameter}` of `{path}` {is_so}."
            claim = Claim(option=letter, rule=self.name, says=says, power="decides", negated=asked.negated)
            yield value_proof(claim, path, expect=expect)

    def _member(self, letter: str, text: str, *, about: tuple[str, str], reading: Reading) -> Iterator[Proof]:
        """Yield a proof for an option that is a member of an enumeration: `Mode.FAST`."""
        path, parameter = about
        member = _member_of(text, reading.index)
        if member is None:
            return
        denied = reading.asked.negated
        says = f"{'It is not so that ' if denied else ''}`{parameter}` of `{path}` is `{member}` by default."
        claim = Claim(option=letter, rule=self.name, says=says, power="decides", negated=denied)
        yield member_proof(claim, path, parameter=parameter, member=member)


def asked_default(text: str, spans: tuple[str, ...], *, index: NameIndex) -> tuple[str, str] | None:
    """Return whose default is asked for, and of which parameter; None where that is not plain."""
    if not _VALUE.search(text):
        return None
    pairs = {pair for span in spans for pair in _dotted(span, index)}
    pairs |= {pair for one in spans for other in spans if one != other for pair in _pairs(text, one, other, index)}
    return next(iter(pairs)) if len(pairs) == 1 else None


def _dotted(span: str, index: NameIndex) -> Iterator[tuple[str, str]]:
    """`RunConfig.max_calls`, where `RunConfig` is a class."""
    owner, _, last = span.strip().rpartition(".")
    found = subject_meanings(owner, index) if owner and _PARAMETER.fullmatch(last) else ()
    known = subject_meanings(span, index)
    if len(found) == 1 and found[0].kind == "class" and all(one.kind == "field" for one in known):
        yield found[0].path, last


def _pairs(text: str, parameter: str, whom: str, index: NameIndex) -> Iterator[tuple[str, str]]:
    found = subject_meanings(whom, index) if _PARAMETER.fullmatch(parameter) else ()
    if len(found) != 1 or found[0].kind not in CALLABLE:
        return
    one, other = rf"`{re.escape(parameter)}`", rf"`{re.escape(whom)}`"
    of = rf"{one}[^`]*?\b(?:of|in|on|for|to|by|from|calling|creating|using)\s+(?:the\s+|an?\s+)?{other}"
    owned = rf"{other}(?:'s|\u2019s)\s[^`]*{one}"
    beside = rf"{other}[^`]*{one}"
    is_parameter = found[0].kind == "class" or not subject_meanings(parameter, index)
    if re.search(of, text) or re.search(owned, text) or (is_parameter and re.search(beside, text)):
        yield found[0].path, parameter


def _expected(option: str, parameter: str) -> Expectation | None:
    value = read_literal(option)
    if value is not None:
        return {"check": "default", "of": parameter, "literal": value.source}
    return {"check": "required", "of": parameter} if _REQUIRED.search(option) and "`" not in option else None


def _member_of(option: str, index: NameIndex) -> str | None:
    """Return the path that an option is, where it would be a member of a class of the library."""
    found = mentions(option)
    one = found[0] if len(found) == 1 and found[0].whole and found[0].kind == "name" else None
    owner, _, last = one.name.rpartition(".") if one is not None else ("", "", "")
    known = meanings(owner, index) if owner and is_camel(owner.rpartition(".")[2]) else ()
    return f"{known[0].path}.{last}" if len(known) == 1 and known[0].kind == "class" else None


RULE = DefaultRule()
