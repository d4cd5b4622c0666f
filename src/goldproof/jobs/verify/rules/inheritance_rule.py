"""Rule for inheritance, read from a class's bases and its method resolution order.

Asked of the class (`Which class does X inherit from?`: the options are bases), of the base (`Which of these inherits
from X?`: the options are classes of the library), of both (`Is X a subclass of Y?`), or claimed by an option.
`Directly` means one of its bases.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.verify.rules.claims import Claim, value_proofs
from goldproof.jobs.verify.rules.mentions import mentions
from goldproof.jobs.verify.rules.options import own_options
from goldproof.jobs.verify.rules.phrases import may_be_negated
from goldproof.jobs.verify.rules.resolving import is_camel, meanings
from goldproof.jobs.verify.rules.yes_or_no import yes_or_no

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.corpus.libraries import NameIndex
    from goldproof.jobs.verify.proof import Expectation, Power, Proof
    from goldproof.jobs.verify.rules.rule import Reading

_NAME = r"`([A-Za-z_][\w.]*)`(?:\s+class)?"
_THE = r"(?:the\s+|an?\s+)?(?:class\s+)?"
_FROM = (
    r"(?:(?:directly\s+|indirectly\s+)?(?:inherits?|derives?|derived|inheriting)\s+(?:directly\s+)?from|extends?|"
    r"(?:is\s+|are\s+|be\s+)?(?:an?\s+)?(?:direct\s+|immediate\s+)?(?:subclass(?:es)?|child(?:\s+class)?|descendants?)\s+of|subclass(?:es)?)"
)
_BOTH = re.compile(rf"^(?:is|does|do|are)\s+{_THE}{_NAME}\s+(?:\w+\s+)?{_FROM}\s+{_THE}{_NAME}\s*\?", re.IGNORECASE)
_BASES_OF = (
    re.compile(rf"\b(?:which|what)\b[^`]*?\b(?:does|do|is)\s+{_THE}{_NAME}\s+(?:\w+\s+)?{_FROM}\s*\?", re.IGNORECASE),
    re.compile(rf"\b(?:base|parent|super)\s?-?class(?:es)?\s+(?:of|for)\s+{_THE}{_NAME}", re.IGNORECASE),
    re.compile(rf"{_NAME}\s+(?:\w+\s+)?{_FROM}\s+(?:which|what)\b", re.IGNORECASE),
    re.compile(rf"{_NAME}(?:'s|\u2019s)\s+(?:\w+\s+)?(?:base|parent|super)\s?-?class", re.IGNORECASE),
)
_CHILDREN_OF = re.compile(rf"\b(?:which|what)\b[^`]*?\b(?:not\s+)?{_FROM}\s+{_THE}{_NAME}\s*\?", re.IGNORECASE)
_CLAIM = re.compile(rf"^{_THE}{_NAME}\s+(?:\w+\s+)?{_FROM}\s+{_THE}{_NAME}\.?$", re.IGNORECASE)
_ISSUBCLASS = re.compile(r"^`?issubclass\(([A-Za-z_][\w.]*),\s*([A-Za-z_][\w.]*)\)`?\.?$")
_DIRECT = re.compile(r"\b(?:direct(?:ly)?|immediate(?:ly)?)\b(?<!indirectly)", re.IGNORECASE)


class InheritanceRule:
    """Questions about inheritance."""

    name = "inheritance"

    def propose(self, reading: Reading) -> Iterator[Proof]:
        """Yield a proof for each option that says what inherits from what."""
        asked = reading.asked
        if "inherits" not in asked.kinds and not any(_claimed(text) for text in reading.case.options.values()):
            return
        if may_be_negated(asked.text) and not asked.negated:
            return
        direct = _DIRECT.search(asked.text) is not None
        for letter, text in own_options(reading.case).items():
            said = _said(text, reading)
            children = () if said is None else class_paths(said[0], reading.index)
            base = None if said is None else base_name(said[1], reading.index)
            if said is not None and children and base is not None:
                yield from self._proofs(letter, (children, base), reading=reading, holds=said[2], direct=direct)

    def _proofs(
        self, letter: str, pair: tuple[tuple[str, ...], str], *, reading: Reading, holds: bool, direct: bool
    ) -> list[Proof]:
        children, base = pair
        expect: Expectation = {"check": "inherits", "from": base}
        if direct:
            expect["direct"] = True
        negated = reading.asked.negated == holds
        verb = "does not inherit" if negated else "inherits"
        whom = " and ".join(f"`{child}`" for child in children)
        says = f"{whom} {verb}{' directly' if direct else ''} from `{base}`."
        power: Power = "decides" if "inherits" in reading.asked.kinds else "refutes"
        claim = Claim(option=letter, rule=self.name, says=says, power=power, negated=negated)
        return value_proofs(claim, children, expect=expect)


def class_paths(name: str, index: NameIndex) -> tuple[str, ...]:
    """Return the paths of the classes of the library that a name may mean; none where it may be something else."""
    found = meanings(name, index)
    return tuple(one.path for one in found) if all(one.kind == "class" for one in found) else ()


def _said(option: str, reading: Reading) -> tuple[str, str, bool] | None:
    """Return the class, its base, and whether the option says that it is so."""
    if claimed := _claimed(option):
        return (*claimed, True)
    text = reading.asked.text
    if both := _BOTH.search(text):
        answer = yes_or_no(option)
        return None if answer is None else (both[1], both[2], answer)
    named = _named(option)
    if named is None:
        return None
    for pattern in _BASES_OF:
        if found := pattern.search(text):
            return found[1], named, True
    base = _CHILDREN_OF.search(text)
    return None if base is None else (named, base[1], True)


def _claimed(option: str) -> tuple[str, str] | None:
    found = _CLAIM.match(option.strip()) or _ISSUBCLASS.match(option.strip())
    return None if found is None else (found[1], found[2])


def _named(option: str) -> str | None:
    """Return the class that an option is."""
    found = mentions(option)
    one = found[0] if len(found) == 1 and found[0].whole and found[0].kind == "name" else None
    if one is None or not (
        is_camel(one.name.rpartition(".")[2]) or one.name in {"object", "dict", "list", "str", "tuple"}
    ):
        return None
    return one.name


def base_name(name: str, index: NameIndex) -> str | None:
    """Return how a base is called in the comparison: by its path where it is of the library, else as written.

    None where several classes of the library are called so, or something else is.
    """
    found = meanings(name, index)
    if not found:
        return None if index.find(name) else name
    return found[0].path if len(found) == 1 and found[0].kind == "class" else None


RULE = InheritanceRule()
