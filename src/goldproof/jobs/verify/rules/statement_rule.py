"""Rule for statements about names of the library: whether one is true, or which of several is.

`True or false: X and Y are the same class.`, `Which statement about X is wrong?` with options such as `It is a subclass
of Y.`, and sentences that options end: `X is` with `a subclass of Y`. A statement must be read whole: whom it inherits
from, that two names are one object, that it is a coroutine function. What says more than that is left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from goldproof.jobs.verify.rules.claims import Claim, existence_proof, value_proofs
from goldproof.jobs.verify.rules.inheritance_rule import base_name, class_paths
from goldproof.jobs.verify.rules.object_claims import same_proof
from goldproof.jobs.verify.rules.options import own_options
from goldproof.jobs.verify.rules.resolving import a_known_member, is_python, meanings, under_library
from goldproof.jobs.verify.rules.yes_or_no import is_bare_answer, yes_or_no

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.corpus.libraries import NameIndex
    from goldproof.jobs.verify.proof import Expectation, Power, Proof
    from goldproof.jobs.verify.rules.rule import Reading

Form = Literal["inherits", "same", "same or inherits", "coroutine", "async generator", "there"]
_NAME = (
    r"(?:the\s+)?(?:built-?in\s+)?(?:class(?:es)?\s+|exception\s+|function\s+|method\s+)?`([A-Za-z_][\w.]*)(?:\(\))?`"
)
_ONE = r"(?:the\s+(?:very\s+|exact\s+)?same|one\s+and\s+the\s+same|one)\s+(?:class|object|function|type|thing)"
_NOT = r"(?P<no>(?:\s+not|n't)?)"
_ALIAS = r"(?:(?:simply|just|merely|only)\s+)?(?:another\s+name|an\s+alias|a\s+synonym)\s+(?:for|of)"
_BOTH = rf"(?:[;,]\s+(?:both|they)\s+(?:refer\s+to|are|name)\s+{_ONE})?"
_AWAITED = r"(?:,?\s+and\s+(?:therefore\s+|so\s+|thus\s+|hence\s+)?(?:has\s+to|must|needs\s+to)\s+be\s+awaited)?"
_FUNCTION = r"(?:\s+(?:function|method))?"
_WORDS: tuple[tuple[Form, str], ...] = (
    ("inherits", rf"{_NAME}\s+is{_NOT}\s+an?\s+(?:direct\s+)?(?:subclass|child\s+class|descendant)\s+of\s+{_NAME}"),
    ("inherits", rf"{_NAME}\s+(?:directly\s+)?(?:inherits|derives|is\s+derived)\s+from\s+{_NAME}(?P<no>)"),
    ("inherits", rf"{_NAME}\s+does{_NOT}\s+(?:inherit|derive)\s+from\s+{_NAME}"),
    ("same", rf"{_NAME}\s+and\s+{_NAME}\s+(?:are|refer\s+to|name|denote|point\s+to){_NOT}\s+{_ONE}"),
    ("same", rf"{_NAME}\s+is{_NOT}\s+{_ALIAS}\s+{_NAME}{_BOTH}"),
    ("same or inherits", rf"{_NAME}\s+is{_NOT}\s+{_NAME}\s+itself\s+or\s+a\s+subclass\s+of\s+it"),
    ("coroutine", rf"{_NAME}\s+is{_NOT}\s+a\s+coroutine{_FUNCTION}{_AWAITED}"),
    ("async generator", rf"{_NAME}\s+is{_NOT}\s+an\s+async(?:hronous)?\s+generator{_FUNCTION}"),
    ("there", rf"{_NAME}\s+is(?P<no>\s+not|n't)\s+(?:available|defined|provided)(?:,\s+(?P<more>.*))?"),
)
_FORMS = tuple((form, re.compile(words, re.IGNORECASE)) for form, words in _WORDS)
_DIRECT = re.compile(r"\bdirect(?:ly)?\b", re.IGNORECASE)
_TRUE_OR_FALSE = re.compile(
    r"^(?:true\s+or\s+false|right\s+or\s+wrong)\s*[?:.,-]+\s*(?:in\s+[^`,?]{1,40},\s+)?(?P<said>[^?]*`[^?]*?)[.?]?$"
    r"|^(?P<before>[^?.]*`[^?]*?)[.,]\s+true\s+or\s+false\s*\?$",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"^which(?:\s+of\s+(?:the\s+following|these))?\s+(?:\w+\s+)?(?:statement|claim)s?\s+(?:about|on|regarding|concerning)\s+"
    r"(?P<whom>`[A-Za-z_][\w.]*(?:\(\))?`)\s+(?:is|are|holds?)\s*(?:not\s+)?(?:true|correct|right|accurate|wrong|false|incorrect|untrue)?\s*\?$",
    re.IGNORECASE,
)
_BEGUN = re.compile(
    r"^(?P<begun>`[A-Za-z_][\w.]*(?:\(\))?`\s+(?:is(?:\s+an?\s+(?:direct\s+)?subclass\s+of)?|(?:derives|inherits)\s+from))"
    r"\s*(?:\.{2,3}|\u2026|:|_+)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement about one name, or about two. holds: False where it says that it is not so.

    more: it goes on, so that what was read can refute it, but not confirm.
    """

    form: Form
    one: str
    other: str = ""
    holds: bool = True
    direct: bool = False
    more: bool = False


def read_statement(text: str) -> Statement | None:
    """Return what a sentence says; None where it says something else, or more."""
    bare = " ".join(text.split()).strip().rstrip(".")
    for form, pattern in _FORMS:
        if found := pattern.fullmatch(bare):
            # The groups without a name are the names; of the others it matters only whether they are there.
            names = [one for place, one in enumerate(found.groups(), 1) if place not in pattern.groupindex.values()]
            return Statement(
                form,
                names[0],
                names[1] if len(names) > 1 else "",
                holds=not found["no"],
                direct=_DIRECT.search(bare) is not None,
                more="more" in pattern.groupindex and bool(found["more"]),
            )
    return None


class StatementRule:
    """Questions about which statement is true."""

    name = "statement"

    def propose(self, reading: Reading) -> Iterator[Proof]:
        """Yield proofs for options that make a statement, or call one true or false."""
        for letter, text in own_options(reading.case).items():
            said = _stated(text, reading)
            if said is not None:
                yield from self._proofs(letter, said, index=reading.index)

    def _proofs(self, letter: str, said: Statement, *, index: NameIndex) -> Iterator[Proof]:
        power: Power = "refutes" if said.more else "decides"
        claim = Claim(option=letter, rule=self.name, says=_says(said), power=power, negated=not said.holds)
        if said.form in {"coroutine", "async generator"}:
            paths = tuple(one.path for one in meanings(said.one, index) if one.kind in {"function", "method"})
            if paths and len(paths) == len(meanings(said.one, index)):
                yield from value_proofs(claim, paths, expect={"check": "async", "is": said.form})
        elif said.form == "there":
            if under_library(said.one, index) and "." in said.one:
                known = a_known_member(said.one.rpartition(".")[0], index)
                yield existence_proof(claim, (said.one,), known=known)
        elif said.form == "inherits":
            yield from _inheritance(claim, said, index=index)
        else:
            one, other = _path(said.one, index), _path(said.other, index)
            if one and other:
                below = said.form == "same or inherits"
                yield same_proof(claim, one, other, root=index.import_names[0], or_below=below)


def _inheritance(claim: Claim, said: Statement, *, index: NameIndex) -> Iterator[Proof]:
    """Yield that a class inherits from another. Of two names for one class nobody knows what is meant by it."""
    base, children, other = base_name(said.other, index), class_paths(said.one, index), _path(said.other, index)
    if base is None or not children:
        return
    expect: Expectation = {"check": "inherits", "from": base}
    # Denied twice: a base that stands further up is no less one, so that no other option goes before.
    far: Expectation = {"check": "not", "of": {"check": "not", "of": expect}}
    if said.direct or not other or len(children) > 1:
        yield from value_proofs(claim, children, expect={**expect, "direct": True} if said.direct else far)
        return
    strict: Power = "refutes" if claim.negated else "confirms"
    loose: Power = "confirms" if claim.negated else "refutes"
    yield from value_proofs(replace(claim, power=strict), children, expect=far)
    yield same_proof(replace(claim, power=loose), children[0], other, root=index.import_names[0], or_below=True)


def _stated(option: str, reading: Reading) -> Statement | None:
    """Return what an option states: by itself, by ending the sentence, or by calling that of the question true."""
    text, negated = reading.asked.text, reading.asked.negated
    if found := _TRUE_OR_FALSE.match(text):
        said = read_statement(found["said"] or found["before"])
        answer = yes_or_no(option) if is_bare_answer(option) else None
        return None if said is None or said.more or answer is None else replace(said, holds=said.holds == answer)
    which, begun = _WHICH.match(text), _BEGUN.match(text)
    if which is not None:
        option = re.sub(r"(?i)^it(?=\s)", which["whom"], option.strip())
    elif begun is not None and not negated:
        option = f"{begun['begun']} {option.strip()}"
    else:
        return None
    said = read_statement(option)
    return None if said is None or (said.more and negated) else replace(said, holds=said.holds != negated)


def _path(name: str, index: NameIndex) -> str:
    """Return the one path that a name means: of the library, or of Python itself."""
    found = meanings(name, index)
    if found:
        return found[0].path if len(found) == 1 else ""
    return name if under_library(name, index) or (is_python(name) and not index.find(name)) else ""


def _says(said: Statement) -> str:
    no = "" if said.holds else "not "
    if said.form == "inherits":
        verb = "inherits" if said.holds else "does not inherit"
        return f"`{said.one}` {verb}{' directly' if said.direct else ''} from `{said.other}`."
    if said.form == "there":
        return f"`{said.one}` {'exists' if said.holds else 'does not exist'}."
    if said.form == "same":
        return f"`{said.one}` and `{said.other}` are {no}the same object."
    if said.form == "same or inherits":
        return f"`{said.one}` is {no}`{said.other}` or inherits from it."
    return f"`{said.one}` is {no}{'a coroutine' if said.form == 'coroutine' else 'an async generator'} function."


RULE = StatementRule()
