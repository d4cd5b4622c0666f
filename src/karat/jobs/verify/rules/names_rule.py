"""A class, function, method, attribute or module exists: options that name one are looked up where the question says.

Of whom an option's name is a member, the question must say (`which method of X`); else a class or function is looked
for anywhere in the library. Found, it confirms only where existence is what is asked; not found, it refutes. Attributes
of a class may exist on instances only: one that the sources do not know is refuted where the class is a record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.jobs.verify.rules.claims import Claim, anywhere_proof, existence_proof
from karat.jobs.verify.rules.mentions import Mention, mentions
from karat.jobs.verify.rules.options import own_options
from karat.jobs.verify.rules.phrases import ATTRIBUTE, MEMBER, NESTED, asks_existence, asks_for, may_be_negated
from karat.jobs.verify.rules.resolving import (
    a_known_class,
    a_known_member,
    fields_of,
    is_camel,
    is_python,
    makes_up_attributes,
    meanings,
    places,
    under_library,
)
from karat.jobs.verify.rules.targets import Targets, owners_in, targets_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from karat.jobs.verify.proof import Power, Proof
    from karat.jobs.verify.rules.rule import Reading

_WORDS = frozenset(
    ("yes", "no", "all", "none", "both", "neither", "either", "always", "never", "nothing", "everything", "maybe",
     "error", "exception", "any", "some", "it", "this", "that", "agent", "model", "tool", "session", "list",
     "string", "object")
)  # fmt: skip
_OF_TYPES = ("mro", "register")  # every class answers to them, through its own type
_TOP = r"(?:class(?:es)?|exceptions?|functions?|decorators?)"
_PARTS = r"(?:services?|plugins?|tools?|agents?|components?|types?|loaders?|models?|validators?)"
_ANY = rf"(?:{MEMBER}|{ATTRIBUTE}|{NESTED}|{_PARTS}|exists?|available)"


class NamesRule:
    """Which name exists."""

    name = "exists"

    def propose(self, reading: Reading) -> Iterator[Proof]:
        """Yield a proof for each option that is a name of the library, or ought to be."""
        asked = reading.asked
        exists = asks_existence(asked.text) and not asked.meaning
        if not _asks(reading) or (asked.negated and not exists):
            return
        owners = _owners(reading)
        for letter, text in own_options(reading.case).items():
            named = _named(text)
            if named is None:
                continue
            if paths := _paths(reading, named, owners=owners):
                yield from self._looked_up(reading, letter, paths=paths, decides=exists and _is_said(paths, owners))
            elif not asked.negated and _may_be_anywhere(reading, named):
                claim = Claim(option=letter, rule=self.name, says=f"The library has something called `{named.name}`.")
                yield anywhere_proof(
                    claim, named.name, known=a_known_class(reading.index), roots=reading.index.import_names
                )

    def _looked_up(self, reading: Reading, letter: str, *, paths: tuple[str, ...], decides: bool) -> Iterator[Proof]:
        negated = reading.asked.negated
        power = _power(paths, reading, decides=decides)
        if power is None:
            return
        verb = "does not exist" if negated else "exists"
        says = f"{' or '.join(f'`{path}`' for path in paths)} {verb}."
        claim = Claim(option=letter, rule=self.name, says=says, power=power, negated=negated)
        yield existence_proof(claim, paths, known=_known(paths[0], reading))


def _is_said(paths: tuple[str, ...], owners: Targets) -> bool:
    """Return whether the question says that it is there, and not elsewhere, that the name must be."""
    return owners.said and all(path.rpartition(".")[0] in owners.paths for path in paths)


def _power(paths: tuple[str, ...], reading: Reading, *, decides: bool) -> Power | None:
    """Return what looking a name up may do.

    An attribute that the sources have may be set on instances only: it is not refuted where the class lacks it.
    """
    kinds = {one.kind for path in paths for one in reading.index.find(path)}
    if not decides:
        return None if "attribute" in kinds or reading.asked.negated else "refutes"
    if "attribute" in kinds:
        return "refutes" if reading.asked.negated else "confirms"
    return "decides"


def _asks(reading: Reading) -> bool:
    """Return whether the options are names: the question asks for a class, method or the like, not about one."""
    asked = reading.asked
    owners = owners_in(reading, kinds=("class", "module"))
    if asked.kind == "inherits" and not asked.subjects:
        return asked.meaning and not asked.negated and asks_for(asked.text, NESTED)
    if asked.kind not in {"exists", "code", "other"} or (may_be_negated(asked.text) and not asked.negated):
        return False
    return asks_for(asked.text, _ANY, subjects=owners)


def _owners(reading: Reading) -> Targets:
    """Return the classes and modules whose members the question asks for; none where it does not say so."""
    found = targets_of(reading, nouns=rf"(?:{MEMBER}|{ATTRIBUTE}|{NESTED})", kinds=("class", "module"))
    return found if found.said else Targets((), said=False)


def _named(option: str) -> Mention | None:
    """Return the one name that an option is."""
    found = mentions(option)
    one = found[0] if len(found) == 1 else None
    if one is None or not one.whole or one.kind not in {"name", "call", "decorator"} or one.keywords:
        return None
    return None if one.name.lower() in _WORDS and not one.quoted else one


def _paths(reading: Reading, named: Mention, *, owners: Targets) -> tuple[str, ...]:
    index = reading.index
    if under_library(named.name, index):
        return (named.name,)
    if "." in named.name:
        return _member_paths(named.name, reading)
    kinds = {one.kind for one in owners.names}
    if kinds == {"module"}:
        return tuple(f"{path}.{named.name}" for path in owners.paths)
    if is_camel(named.name):
        known = meanings(named.name, index)
        return places(known) if all(one.kind == "class" for one in known) else ()
    if kinds != {"class"}:
        return ()
    if not all(_can_be_refuted(path, named, reading) for path in owners.paths):
        return ()
    return tuple(f"{path}.{named.name}" for path in owners.paths)


def _member_paths(name: str, reading: Reading) -> tuple[str, ...]:
    """Return where `Class.member` would be, for a class that is known."""
    head, _, last = name.rpartition(".")
    owners = meanings(head, reading.index)
    if not owners or not is_camel(head.rpartition(".")[2]) or any(one.kind != "class" for one in owners):
        return ()
    named = Mention(kind="name", name=last, text=last, start=0)
    paths = [one.path for one in owners]
    return (
        tuple(f"{path}.{last}" for path in paths)
        if all(_can_be_refuted(path, named, reading) for path in paths)
        else ()
    )


def _can_be_refuted(path: str, named: Mention, reading: Reading) -> bool:
    """Return whether a class that lacks a name shows that its instances lack it too."""
    index = reading.index
    if named.name.startswith("__") or named.name in _OF_TYPES:
        return False
    if index.find(f"{path}.{named.name}"):
        return True
    if makes_up_attributes(path, index):
        return False
    speaks_of_methods = named.kind == "call" or asks_for(
        reading.asked.text, MEMBER, subjects=owners_in(reading, kinds=("class",))
    )
    return bool(index.members(path)) and (speaks_of_methods or bool(fields_of(path, index)))


def _may_be_anywhere(reading: Reading, named: Mention) -> bool:
    """Return whether a bare name is one that a module of the library would have to hold."""
    name = named.name
    if "." in name or is_python(name) or reading.index.find(name):
        return False
    if is_camel(name):
        return asks_for(reading.asked.text, rf"(?:{_TOP}|{NESTED}|{_PARTS})")
    return asks_for(reading.asked.text, _TOP)


def _known(path: str, reading: Reading) -> str:
    return a_known_member(path.rpartition(".")[0], reading.index)


RULE = NamesRule()
