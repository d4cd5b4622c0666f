"""Rule for existence: look up the class, function, method, attribute or module that an option names.

Of whom an option's name is a member, the question must say (`which method of X`, `imported from X`); else a class or
function is looked for anywhere in the library, and a whole path where it leads. Found, it confirms only where existence
is what is asked (and, where a class or exception is asked for, that it is one); not found, it refutes. Attributes of a
class may exist on instances only: one that the sources do not know is refuted where the class is a record.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.jobs.verify.rules.claims import Claim, anywhere_proof, existence_proof, value_proof
from goldproof.jobs.verify.rules.mentions import Mention, mentions
from goldproof.jobs.verify.rules.offered import asked_what, asks_what_is_offered, had_by_the_library, offering
from goldproof.jobs.verify.rules.options import own_options
from goldproof.jobs.verify.rules.phrases import ATTRIBUTE, MEMBER, NESTED, asks_existence, asks_for, may_be_negated
from goldproof.jobs.verify.rules.resolving import (
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
from goldproof.jobs.verify.rules.targets import Targets, owners_in, targets_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.jobs.verify.proof import Expectation, Power, Proof
    from goldproof.jobs.verify.rules.rule import Reading

_WORDS = frozenset(
    ("yes", "no", "all", "none", "both", "neither", "either", "always", "never", "nothing", "everything", "maybe",
     "error", "exception", "any", "some", "it", "this", "that", "agent", "model", "tool", "session", "list",
     "string", "object")
)  # fmt: skip
_OF_TYPES = ("mro", "register")  # every class answers to them, through its own type
_TOP = r"(?:class(?:es)?|exceptions?|functions?|decorators?)"
_PARTS = r"(?:services?|plugins?|tools?|agents?|components?|types?|loaders?|models?|validators?)"
_ANY = rf"(?:{MEMBER}|{ATTRIBUTE}|{NESTED}|{_PARTS}|exists?|available)"
# What is called a function may be any object that can be called: such names are left alone.
_KINDS: dict[str, Expectation] = {
    "class": {"check": "what", "is": "class"},
    "exception": {"check": "inherits", "from": "BaseException"},
}


class NamesRule:
    """Questions about which name exists."""

    name = "exists"

    def propose(self, reading: Reading) -> Iterator[Proof]:
        """Yield a proof for each option that is, or should be, a name of the library."""
        asked = reading.asked
        exists = (asks_existence(asked.text) and not asked.meaning) or had_by_the_library(reading)
        if not _asks(reading) or (asked.negated and not exists):
            return
        owners = _owners(reading)
        for letter, text in own_options(reading.case).items():
            named = _named(text)
            if named is None:
                continue
            if paths := _paths(reading, named, owners=owners):
                decides = exists and (_is_said(paths, owners) or _is_whole(named, reading))
                yield from self._looked_up(reading, letter, paths=paths, decides=decides)
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
        what = _asked_kind(paths, reading) if decides else None
        if what is None:
            yield existence_proof(claim, paths, known=_known(paths[0], reading))
        elif len(paths) == 1 and what in _KINDS:
            article = "an" if what == "exception" else "a"
            made = replace(claim, says=f"`{paths[0]}` is {'not ' if negated else ''}{article} {what}.")
            yield value_proof(made, paths[0], expect=_KINDS[what])


def _asked_kind(paths: tuple[str, ...], reading: Reading) -> str | None:
    """Return what a path that is known must be, where the question asks for more than that it is there."""
    what = asked_what(reading.asked.text)
    kinds = {one.kind for path in paths for one in reading.index.find(path)}
    if what is None or not kinds or any(_is_of_class(path, reading) for path in paths):
        return None
    return None if kinds == {what} else what


def _is_of_class(path: str, reading: Reading) -> bool:
    return any(one.kind == "class" for one in reading.index.find(path.rpartition(".")[0]))


def _is_whole(named: Mention, reading: Reading) -> bool:
    """Return whether an option is a whole path, and the question does not say where else it must be."""
    return under_library(named.name, reading.index) and not reading.asked.subjects


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
    if "attribute" in kinds and any(_is_of_class(path, reading) for path in paths):
        return "refutes" if reading.asked.negated else "confirms"
    return "decides"


def _asks(reading: Reading) -> bool:
    """Return whether the options are names: the question asks for a class, method or the like, not about one."""
    asked = reading.asked
    owners = owners_in(reading, kinds=("class", "module"))
    if asked.kind == "inherits" and not asked.subjects:
        return asked.meaning and not asked.negated and asks_for(asked.text, NESTED)
    if asked.kind not in {"exists", "code", "other", "import"} or (may_be_negated(asked.text) and not asked.negated):
        return False
    if asked.kind == "import":
        return bool(offering(reading))
    if asks_what_is_offered(reading):
        return True
    return asks_for(asked.text, _ANY, subjects=owners)


def _owners(reading: Reading) -> Targets:
    """Return the classes and modules whose members the question asks for; none where it does not say so."""
    if names := offering(reading):
        return Targets(names, said=True)
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
    kinds = {one.kind for one in owners.names}
    if "." in named.name:
        return _below(named.name, owners) if kinds == {"module"} else _member_paths(named.name, reading)
    if kinds == {"module"}:
        if named.name in sys.stdlib_module_names:
            return ()  # what a module imports for itself is there too
        return tuple(f"{path}.{named.name}" for path in owners.paths)
    if is_camel(named.name):
        known = meanings(named.name, index)
        return places(known) if all(one.kind == "class" for one in known) else ()
    if kinds != {"class"}:
        return ()
    if not all(_can_be_refuted(path, named, reading) for path in owners.paths):
        return ()
    return tuple(f"{path}.{named.name}" for path in owners.paths)


def _below(name: str, owners: Targets) -> tuple[str, ...]:
    """Return where `fields.Url` would be, for the module `marshmallow.fields`."""
    head, _, last = name.rpartition(".")
    fits = all(path == head or path.endswith(f".{head}") for path in owners.paths)
    return tuple(f"{path}.{last}" for path in owners.paths) if fits else ()


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
