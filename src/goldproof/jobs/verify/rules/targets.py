"""Find the callables, classes and modules that a question's options belong to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.verify.rules.phrases import says_of
from goldproof.jobs.verify.rules.resolving import CALLABLE, MOST, instance_meanings, is_camel, meanings

if TYPE_CHECKING:
    from goldproof.corpus.libraries import KnownName, NameIndex
    from goldproof.jobs.verify.rules.rule import Reading

_FUNCTION = re.compile(r"(?:functions?|methods?|callbacks?|decorators?|hooks?|coroutines?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Targets:
    """Names of the library. said: the question says in plain words that its options belong to them."""

    names: tuple[KnownName, ...]
    said: bool

    @property
    def paths(self) -> tuple[str, ...]:
        """Their paths."""
        return tuple(one.path for one in self.names)


NOBODY = Targets((), said=False)


def subject_meanings(subject: str, index: NameIndex) -> tuple[KnownName, ...]:
    """Return what a subject of a question may mean: a name of the library, or of an instance spelt after its class."""
    name = subject.strip("`@ ").partition("(")[0]
    return meanings(name, index) or instance_meanings(name, index)


def owners_in(reading: Reading, *, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Return the subjects that may have what is asked for.

    Beside another, a bare name in lower case (`the indent parameter of X`) is what is had, whatever it may mean.
    """
    found = {one: subject_meanings(one, reading.index) for one in reading.asked.subjects}
    owners = [one for one, names in found.items() if names and all(known.kind in kinds for known in names)]
    plain = [one for one in owners if "." in one or not one.islower()]
    return tuple(plain or owners)


def targets_of(reading: Reading, *, nouns: str, kinds: tuple[str, ...] = CALLABLE) -> Targets:
    """Return the owners of the options: whose nouns the question says they are, else every subject of these kinds.

    Nobody where the one that is said, or a function that is named, cannot be found: another must not stand in for it.
    """
    text, subjects = reading.asked.text, reading.asked.subjects
    found = {one: _of_kinds(_in_context(one, reading), kinds) for one in subjects}
    said = [one for one in subjects if says_of(text, one, nouns=nouns)]
    lost = [one for one in subjects if not found[one] and _FUNCTION.search(_after(text, one))]
    if any(not found[one] for one in said) or (lost and not said):
        return NOBODY
    chosen = said if len(said) == 1 else [one for one in subjects if found[one]]
    names = {known.path: known for one in chosen for known in found[one]}
    if not names or len(names) > MOST:
        return NOBODY
    return Targets(tuple(names.values()), said=len(said) == 1)


def _in_context(subject: str, reading: Reading) -> tuple[KnownName, ...]:
    """Return what a subject may mean; a bare function name is first looked for in the classes that stand beside it."""
    name = subject.strip("`@ ").partition("(")[0]
    if "." not in name and name.islower():
        beside = [one for one in reading.asked.subjects if is_camel(one.rpartition(".")[2])]
        found = tuple(known for one in beside for known in meanings(f"{one}.{name}", reading.index))
        if found and all(known.kind == "method" for known in found):
            return found
    return subject_meanings(subject, reading.index)


def _after(text: str, subject: str) -> str:
    found = re.search(rf"(?<![\w.]){re.escape(subject)}(?![\w.])(?:\(\))?`?\s*", text)
    return text[found.end() : found.end() + 30] if found else ""


def _of_kinds(names: tuple[KnownName, ...], kinds: tuple[str, ...]) -> tuple[KnownName, ...]:
    # One meaning of another kind, and nobody knows which is meant.
    return names if names and all(one.kind in kinds for one in names) else ()
