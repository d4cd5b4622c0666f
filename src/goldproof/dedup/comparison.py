"""Decide whether two results that share a key are the same document.

The steps, in order; the first that has an answer decides.

    identical    everything that matters is equal                                     same
    specific id  both have a complete id of one type: equal, or not                   same, different
    url          equal places and parameters (where the type says that URLs decide)   same
                 different places                                                     different
    type rule    a field of `different_if` differs                                    different
                 all fields of a set of `same_if` are equal                           same
    fields       a field differs (but not a snippet under an equal id)                different
                 enough fields agree                                                  same
    trusted key  nothing differs, too little agrees, but the generic ids are equal    same
    not enough   otherwise                                                            different

Fields are read by the rules under which the two are compared. A title is compared exactly where both types say so.
Different generic ids alone never make two results different. The answer does not depend on which comes first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goldproof.text.near_duplicates import jaccard, shingles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.dedup.items import ComparedItem
    from goldproof.dedup.rules import Enough, Names, Rules, TypeRules


class Verdict(NamedTuple):
    """The outcome of a comparison, the step that decided, and why."""

    same: bool
    step: str
    why: str


STEPS = ("identical", "specific id", "url", "type rule", "fields", "trusted key", "not enough")
_IDENTICAL = Verdict(True, "identical", "everything that matters is equal")  # noqa: FBT003
_EQUAL_URL = Verdict(True, "url", "equal URLs")  # noqa: FBT003
_OTHER_PLACE = Verdict(False, "url", "different host or path")  # noqa: FBT003
_TRUSTED_ID = Verdict(True, "trusted key", "equal ids, and nothing else that counts differs")  # noqa: FBT003


def decide(a: ComparedItem, b: ComparedItem, rules: Rules) -> Verdict:
    """Compare two results."""
    if a == b:
        return _IDENTICAL
    shared = a.rules
    if b.rules is not shared:
        shared = _shared_rules(a, b, rules)
        a, b = a.under(shared), b.under(shared)
    verdict = _by_specific_id(a, b, shared) if shared.ids else None
    if verdict is not None:
        return verdict
    if a.place is not None and b.place is not None:
        if a.place != b.place:
            return _OTHER_PLACE
        if a.params == b.params and a.rules.url_decides and b.rules.url_decides:
            return _EQUAL_URL
    return _by_type_rule(a, b, shared) or _by_fields(a, b, shared=shared, rules=rules)


def _shared_rules(a: ComparedItem, b: ComparedItem, rules: Rules) -> TypeRules:
    """Return the rules of the type that both have, or that the only typed one has."""
    if b.type is None:
        return a.rules
    return b.rules if a.type is None else rules.generic


def _by_specific_id(a: ComparedItem, b: ComparedItem, shared: TypeRules) -> Verdict | None:
    for names in shared.ids:
        pairs = _pairs(a, b, names)
        if all(None not in pair for pair in pairs):
            same = all(ours == theirs for ours, theirs in pairs)
            return Verdict(same, "specific id", f"{'equal' if same else 'different'} {' + '.join(names)}")
    return None


def _by_type_rule(a: ComparedItem, b: ComparedItem, shared: TypeRules) -> Verdict | None:
    for name in shared.different_if:
        ours, theirs = _pair(a, b, name)
        if ours is not None and theirs is not None and ours != theirs:
            return Verdict(False, "type rule", f"{shared.name}: different {name}")  # noqa: FBT003
    for names in shared.same_if:
        if all(ours is not None and ours == theirs for ours, theirs in _pairs(a, b, names)):
            return Verdict(True, "type rule", f"{shared.name}: equal {' + '.join(names)}")  # noqa: FBT003
    return None


def _by_fields(a: ComparedItem, b: ComparedItem, *, shared: TypeRules, rules: Rules) -> Verdict:
    equal_id = a.id is not None and a.id == b.id
    evidence = shared.evidence
    agreed: list[list[str]] = []
    for names in (evidence.strong, evidence.intermediate, evidence.weak):
        agreed.append([])
        for name in names:
            match = _compared(a, b, name=name, rules=rules)
            if match is False and not (name == "snippet" and equal_id and shared.snippet_varies):
                return Verdict(False, "fields", f"different {name}")  # noqa: FBT003
            if match and _counts(a, b, name=name, rules=rules):
                agreed[-1].append(name)
    partly = equal_id or _ids_agree_in_part(a, b, shared)
    listed = [name for names in agreed for name in names]
    if _suffices(agreed, evidence.with_id if partly else evidence.without_id):
        also = " under equal ids" if equal_id else " under ids that agree in part" if partly else ""
        return Verdict(True, "fields", f"equal {_enumerated(listed)}{also}")  # noqa: FBT003
    return _TRUSTED_ID if equal_id else _not_enough(listed)


def _not_enough(agreed: Sequence[str]) -> Verdict:
    why = f"only {_enumerated(agreed)} agree" if agreed else "nothing that counts agrees"
    if len(agreed) == 1:
        why = f"only the {agreed[0]} agrees"
    return Verdict(False, "not enough", why)  # noqa: FBT003


def _enumerated(names: Sequence[str]) -> str:
    return " and ".join([*filter(None, [", ".join(names[:-1])]), names[-1]])


def _compared(a: ComparedItem, b: ComparedItem, *, name: str, rules: Rules) -> bool | None:
    """Return whether a field agrees, None where not both have it."""
    ours, theirs = _pair(a, b, name)
    if ours is None or theirs is None:
        return None
    if name == "snippet" and rules.near_duplicates is not None and ours != theirs:
        return jaccard(shingles(str(ours)), shingles(str(theirs))) >= rules.near_duplicates
    return ours == theirs


def _counts(a: ComparedItem, b: ComparedItem, *, name: str, rules: Rules) -> bool:
    """Return whether an agreement counts: short snippets are alike by accident."""
    return name != "snippet" or min(len(str(a.value(name))), len(str(b.value(name)))) > rules.long_snippet


def _ids_agree_in_part(a: ComparedItem, b: ComparedItem, shared: TypeRules) -> bool:
    """Return whether both share at least one part of some id, and all shared parts agree."""
    for names in shared.ids:
        both = [pair for pair in _pairs(a, b, names) if None not in pair]
        if both and all(ours == theirs for ours, theirs in both):
            return True
    return False


def _suffices(agreed: Sequence[Sequence[str]], enough: Enough) -> bool:
    counts = zip(agreed, (enough.strong, enough.intermediate, enough.weak), strict=True)
    return any(len(names) >= needed for names, needed in counts)


def _pairs(a: ComparedItem, b: ComparedItem, names: Names) -> list[tuple[object, object]]:
    return [_pair(a, b, name) for name in names]


def _pair(a: ComparedItem, b: ComparedItem, name: str) -> tuple[object, object]:
    """Return the values of both results, as they are compared."""
    if name == "title" and a.written is not None and b.written is not None:
        return a.written, b.written
    return a.value(name), b.value(name)
