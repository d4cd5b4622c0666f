"""Verdict on a question with options.

key       others                       verdict
refuted   one holds                    incorrect: that one is the answer
refuted   several hold                 incorrect: names them
refuted   none holds                   incorrect: no option holds, or none is shown to
holds     another holds too            ambiguous: names them
holds     some open, none holds        unproven: names the open ones
holds     all refuted                  valid
open      several hold                 ambiguous: names them
open      one holds                    unproven, with a remark: the key was not refuted
open      none holds                   unproven

Others are looked at without what a derived option that holds covers: with `All of the above` its parts hold too. A key
that is such a part is not the answer: ambiguous.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.jobs.verify.finding import OptionFinding, Remark, Verdict
from goldproof.jobs.verify.verdicts.derived import answers, derivations, derive
from goldproof.jobs.verify.verdicts.exact_types import prefer_exact
from goldproof.jobs.verify.verdicts.only_accepted import lift_only_accepted
from goldproof.jobs.verify.verdicts.options import find_option

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.io.cases import Case
    from goldproof.jobs.verify.proof import Tried
    from goldproof.jobs.verify.verdicts.derived import Derivation


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict, with why and what to do. options: as they were found, in order."""

    verdict: Verdict
    reason: str
    fix: str = ""
    options: tuple[OptionFinding, ...] = ()
    remarks: tuple[Remark, ...] = ()


def judge_choices(case: Case, tries: Sequence[Tried]) -> Judged:
    """Return the verdict that the options give."""
    derived = derivations(case)
    options, remarks = _found(case, tries, derived)
    decided = _decide(case.key, options, answers=answers(options, derived))
    said = (*remarks, *_above_and_below(derived), *decided.remarks)
    return Judged(decided.verdict, decided.reason, decided.fix, options, said)


def _found(
    case: Case, tries: Sequence[Tried], derived: Mapping[str, Derivation]
) -> tuple[tuple[OptionFinding, ...], tuple[Remark, ...]]:
    own = [
        find_option(letter, text, tries=[one for one in tries if one.proof.option == letter])
        for letter, text in case.options.items()
    ]
    none_offered = any(said.how == "none" for said in derived.values())
    lifted = lift_only_accepted(own, derived=derived.keys(), none_offered=none_offered)
    as_seen = derive(lifted, derived)
    # Who offers `Both A and B` means what holds by subclassing too.
    if any(one.status == "holds" and one.derived and derived[one.letter].how != "none" for one in as_seen):
        return as_seen, ()
    exact, remarks = prefer_exact(lifted)
    return derive(exact, derived), remarks


def _decide(key: str | None, options: Sequence[OptionFinding], *, answers: Sequence[str]) -> Judged:
    by_letter = {one.letter: one for one in options}
    found = by_letter.get(key) if key is not None else None
    others = tuple(letter for letter in answers if letter != key)
    if found is None:
        return Judged("unproven", "the case names no right option.")
    if found.status == "refuted":
        return _incorrect(found, [by_letter[one] for one in others], options)
    if len(others) + (found.status == "holds") > 1:
        return _ambiguous(found, [by_letter[one] for one in others])
    opened = [one for one in options if one.status == "open"]
    if opened:
        return _unproven(found, opened, others=[by_letter[one] for one in others])
    rest = "is the one that covers all that hold" if found.derived else "holds and every other option is refuted"
    return Judged("valid", f"{found.letter} {rest}: {found.reason}")


def _incorrect(key: OptionFinding, others: Sequence[OptionFinding], options: Sequence[OptionFinding]) -> Judged:
    held = f"the key {key.letter} is refuted: {key.reason}"
    if not others:
        all_refuted = all(one.status == "refuted" for one in options)
        left = "No option holds." if all_refuted else "None of the others is shown to hold."
        return Judged("incorrect", f"{held} {left}", f"reword {key.letter}, or offer an option that holds.")
    named = _letters(others)
    hold = "holds" if len(others) == 1 else "hold"
    fix = f"change the key to {_letters(others, word='or')}, or reword {key.letter}."
    return Judged("incorrect", f"{held} {named} {hold}: {others[0].reason}", fix)


def _ambiguous(key: OptionFinding, others: Sequence[OptionFinding]) -> Judged:
    if key.status == "holds":
        covering = next((one for one in others if key.letter in one.derived), None)
        reason = f"{_letters([key, *others])} hold, expected only {key.letter}. {others[0].letter}: {others[0].reason}"
        if covering is not None:
            return Judged(
                "ambiguous", reason, f"change the key to {covering.letter}, which says that {key.letter} holds too."
            )
        return Judged("ambiguous", reason, f"reword {_letters(others)}: only {key.letter} should hold.")
    reason = f"{_letters(others)} hold, and the key {key.letter} is open. {others[0].letter}: {others[0].reason}"
    return Judged("ambiguous", reason, f"reword all but one of {_letters(others)}, and look at the key {key.letter}.")


def _unproven(key: OptionFinding, opened: Sequence[OptionFinding], *, others: Sequence[OptionFinding]) -> Judged:
    is_open = f"{_letters(opened)} {'is' if len(opened) == 1 else 'are'} open. {opened[0].letter}: {opened[0].reason}"
    if key.status == "holds":
        return Judged("unproven", f"the key {key.letter} holds, but {is_open}")
    if not others:
        return Judged("unproven", is_open)
    other = others[0]
    remark = Remark(
        "another holds",
        f"{other.letter} holds while the key {key.letter} is open; if the question has one answer, the key is wrong. "
        f"{other.letter}: {other.reason}",
        options=(other.letter, key.letter),
    )
    return Judged("unproven", f"{is_open} {other.letter} holds.", remarks=(remark,))


def _above_and_below(derived: Mapping[str, Derivation]) -> tuple[Remark, ...]:
    return tuple(
        Remark("position", f"{letter} speaks of the options above, and some stand below it.", options=(letter,))
        for letter, said in derived.items()
        if said.below
    )


def _letters(options: Sequence[OptionFinding], *, word: str = "and") -> str:
    names = [one.letter for one in options]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"
