"""Rule for code spans in any option: a missing name or a refused keyword refutes it; nothing is confirmed.

Looked at: calls with keywords, names below the library's own name, `Class.method`, imports, classes that nothing has.
Not where the option speaks of something that is not there, fails, or is the reader's own, nor in negated questions.
Where a type or an exception is asked for: only options that are a path of the library, ending as nothing is called.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from goldproof.jobs.verify.rules.claims import Claim, anywhere_proof, existence_proof, keyword_proof
from goldproof.jobs.verify.rules.code_names import defined_names
from goldproof.jobs.verify.rules.code_text import parsed
from goldproof.jobs.verify.rules.keyword_options import named_keywords
from goldproof.jobs.verify.rules.mentions import Mention, mentions
from goldproof.jobs.verify.rules.options import own_options
from goldproof.jobs.verify.rules.phrases import denies
from goldproof.jobs.verify.rules.resolving import (
    CALLABLE,
    a_known_class,
    a_known_member,
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

    from goldproof.corpus.libraries import NameIndex
    from goldproof.jobs.verify.proof import Proof
    from goldproof.jobs.verify.rules.rule import Reading

# What options say of names that need not exist for the option to hold.
_CODE_IS_ASKED = {"raises", "outcome", "prints", "returns", "code", "import"}
_TYPES_ARE_ASKED = {"raises", "returns"}


class ProseRule:
    """Premises of an option."""

    name = "prose"

    def propose(self, reading: Reading) -> Iterator[Proof]:
        """Yield proofs that can only refute."""
        if not reading.asked.negated and reading.asked.kind in _TYPES_ARE_ASKED:
            yield from self._types(reading)
        if reading.asked.negated or reading.asked.kind in _CODE_IS_ASKED:
            return
        own = _own_names(reading)
        for letter, text in own_options(reading.case).items():
            if not denies(text):
                yield from self._of_option(letter, text, reading=reading, own=own)

    def _types(self, reading: Reading) -> Iterator[Proof]:
        """Yield proofs for options that are a type which the library would have to have."""
        index = reading.index
        for letter, text in own_options(reading.case).items():
            for one in mentions(text):
                last = one.name.rpartition(".")[2]
                is_type = one.whole and one.quoted and one.kind == "name" and is_camel(last)
                if is_type and under_library(one.name, index) and not index.find(last):
                    proof = self._of_mention(letter, one, index=index)
                    yield from () if proof is None else (proof,)

    def _of_option(self, letter: str, text: str, *, reading: Reading, own: frozenset[str]) -> Iterator[Proof]:
        seen: set[str] = set()
        for one in mentions(text):
            proof = None if one.name.partition(".")[0] in own else self._of_mention(letter, one, index=reading.index)
            if proof is not None and proof.says not in seen:
                seen.add(proof.says)
                yield proof
        named = named_keywords(text)
        if named is None or not named.callee or named.dotted:
            return
        if named.callee.partition(".")[0] not in own:
            proof = self._taken(letter, named.callee, keywords=named.names, index=reading.index)
            if proof is not None and proof.says not in seen:
                yield proof

    def _of_mention(self, letter: str, one: Mention, *, index: NameIndex) -> Proof | None:
        if one.kind == "call" and one.keywords and (meanings(one.name, index)):
            return self._taken(letter, one.name, keywords=one.keywords, index=index)
        paths = _paths(one, index)
        if paths:
            says = f"{' or '.join(f'`{path}`' for path in paths)} exists."
            claim = Claim(option=letter, rule=self.name, says=says)
            known = a_known_member(paths[0].rpartition(".")[0], index)
            return existence_proof(claim, paths, known=known)
        if one.kind in {"name", "call"} and one.quoted and not one.whole and _is_invented(one.name, index):
            claim = Claim(option=letter, rule=self.name, says=f"The library has something called `{one.name}`.")
            return anywhere_proof(claim, one.name, known=a_known_class(index), roots=index.import_names)
        return None

    def _taken(self, letter: str, callee: str, *, keywords: tuple[str, ...], index: NameIndex) -> Proof | None:
        found = meanings(callee, index)
        if not found or not keywords or any(one.kind not in CALLABLE for one in found):
            return None
        paths = tuple(one.path for one in found)
        listed = ", ".join(f"`{name}`" for name in keywords)
        says = f"{' or '.join(f'`{path}`' for path in paths)} takes {listed}."
        return keyword_proof(Claim(option=letter, rule=self.name, says=says), paths, keywords=keywords)


def _own_names(reading: Reading) -> frozenset[str]:
    """Return the names that the code of the question binds: in options they mean what the code made them."""
    code = reading.asked.code
    tree = parsed(code) if code else None
    if tree is None:
        return frozenset(re.findall(r"[A-Za-z_]\w*", code))
    return frozenset(name for name in defined_names(tree) if not reading.index.find(name))


def _is_invented(name: str, index: NameIndex) -> bool:
    if not is_camel(name) or index.find(name) or is_python(name):
        return False
    return not is_placeholder(name) and not is_part_of_a_name(name, index)


def _paths(one: Mention, index: NameIndex) -> tuple[str, ...]:
    """Return where a mention ought to be; none where the sources know it, or where looking shows nothing."""
    if one.kind == "keyword" or is_python(one.name) or "." not in one.name or one.name in index.import_names:
        return ()
    if under_library(one.name, index):
        return (one.name,)
    head, _, last = one.name.rpartition(".")
    if not one.quoted and not one.whole:
        return ()
    if known := meanings(one.name, index):
        return () if any(found.kind == "attribute" for found in known) else places(known)
    owners = meanings(head, index) if is_camel(head.rpartition(".")[2]) else ()
    if not owners or any(found.kind != "class" or not index.members(found.path) for found in owners):
        return ()
    # Without brackets it may be an attribute of instances.
    if one.kind != "call" or any(makes_up_attributes(found.path, index) for found in owners):
        return ()
    return tuple(f"{found.path}.{last}" for found in owners)


RULE = ProseRule()
