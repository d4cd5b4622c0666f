"""Options derived from other options: `All of the above`, `Both A and B`, `Neither A nor B`.

all      `All of the above`, `All of these`          holds where all the others hold
none     `None of the above`, `Neither A nor B`      holds where none of them holds; what follows after a
                                                     stop (`None of the above; it is ...`) is not looked at
both     `Both A and B`, `A, B and C`, `A or B`      holds where each of them holds (to offer `A or B` is to
                                                     call both right)
only     `A and C only`, `Only A and C`              like both, and none of the others holds

One that is refuted among them decides, else one that is open leaves it open. `The above` are the options before it;
where options stand below it as well, all of the others are meant. A single letter that is also a name in the code of
the question is no reference.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.io.cases import Case
    from goldproof.jobs.verify.finding import OptionFinding, Status

How = Literal["all", "none", "both", "only"]

_END = r"(?:\s+(?:are|is)\s+(?:all\s+)?(?:correct|true|valid|right|acceptable)|\s+(?:hold|work|apply|applie)s?)?"
_OTHERS = (
    r"(?:the\s+)?(?:above|these|those|them|others?|options?|answers?|listed)(?:\s+(?:options?|answers?|choices?))?"
)
_ALL = re.compile(rf"(?:all|each|every one)\s+(?:of\s+)?{_OTHERS}{_END}", re.IGNORECASE)
_NONE = re.compile(rf"(?:none|no|neither)\s+(?:of\s+)?{_OTHERS}{_END}", re.IGNORECASE)
# `None of the above; the name is taken from the function.`: where no other holds, it is the only answer that is left.
_NONE_AND_WHY = re.compile(
    r"none\s+of\s+(?:the\s+above|these|the\s+others?)(?:\s+(?:options?|answers?))?"
    r"(?:\s*[;:\u2014]\s+|,\s+(?:as|since|because|for)\s+|\s+[-\u2013]\s+|\.\s+)(?!.*\b(?:except|but|only|unless|(?-i:[A-H]))\b).+",
    re.IGNORECASE,
)
_LETTER = r"[(\[`'\"]?([A-Z]|\d{1,2})[)\]`'\"]?"
_LIST = (
    rf"(?:options?\s+|answers?\s+)?{_LETTER}(?:\s*,\s*{_LETTER})*\s*,?\s*(?:and|or|nor|&|\+)\s*(?:option\s+)?{_LETTER}"
)
_SEVERAL = re.compile(
    rf"(?P<how>both|either|neither|only)?\s*(?P<list>{_LIST})(?P<only>\s*,?\s*only)?{_END}", re.IGNORECASE
)
_LETTERS = re.compile(r"(?<!\w)([A-Z]|\d{1,2})(?!\w)")


@dataclass(frozen=True, slots=True)
class Derivation:
    """A claim of an option about others. letters: those; rest: the ones that must not hold (`only`).

    below: it speaks of what is above, and options stand below it.
    """

    how: How
    letters: tuple[str, ...]
    rest: tuple[str, ...] = ()
    below: bool = False


def derivations(case: Case) -> dict[str, Derivation]:
    """Return, for the options that speak of others, what they say; in the order of the options."""
    about_all = {letter: how for letter, text in case.options.items() if (how := _about_all(text))}
    several = {letter: said for letter in case.options if (said := _several(letter, case)) and letter not in about_all}
    own = tuple(letter for letter in case.options if letter not in about_all and letter not in several)
    found = {
        letter: Derivation(how, own, below=_options_below(letter, case, own))
        for letter, how in about_all.items()
        if own
    }
    for letter, (how, named) in several.items():
        rest = tuple(one for one in own if one not in named) if how == "only" else ()
        found[letter] = Derivation(how, named, rest)
    return {letter: found[letter] for letter in case.options if letter in found}


def _about_all(text: str) -> How | None:
    plain = _plain(text)
    if _ALL.fullmatch(plain):
        return "all"
    if _NONE_AND_WHY.fullmatch(plain):
        return "none"
    return "none" if _NONE.fullmatch(plain) else None


def _several(letter: str, case: Case) -> tuple[How, tuple[str, ...]] | None:
    """Return what an option says about some others that it names by letter."""
    match = _SEVERAL.fullmatch(_plain(case.options[letter]))
    if not match:
        return None
    named = tuple(dict.fromkeys(_LETTERS.findall(match["list"])))
    known = all(one in case.options and one != letter for one in named)
    if len(named) < 2 or not known or any(_is_a_name(one, case) for one in named):
        return None
    how = (match["how"] or "").lower()
    if how == "neither":
        return "none", named
    return ("only" if how == "only" or match["only"] else "both"), named


def _is_a_name(letter: str, case: Case) -> bool:
    code = case.snippet.text if case.snippet else ""
    quoted = " ".join(re.findall(r"`([^`]*)`", case.asked or case.question.text))
    return letter.isalpha() and re.search(rf"\b{letter}\b", f"{code}\n{quoted}") is not None


def _options_below(letter: str, case: Case, own: tuple[str, ...]) -> bool:
    order = list(case.options)
    return "above" in case.options[letter].lower() and any(order.index(one) > order.index(letter) for one in own)


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(".! ")


def derive(options: Sequence[OptionFinding], derived: Mapping[str, Derivation]) -> tuple[OptionFinding, ...]:
    """Return the options, the status of derived ones computed from the others; own proofs of theirs decide nothing."""
    statuses: dict[str, Status] = {one.letter: one.status for one in options if one.letter not in derived}
    waiting = dict(derived)
    while ready := [one for one, said in waiting.items() if _letters(said) <= statuses.keys()]:
        statuses |= {letter: _status(waiting.pop(letter), statuses) for letter in ready}
    statuses |= dict.fromkeys(waiting, "open")  # they speak of each other
    return tuple(_derived(one, derived[one.letter], statuses) if one.letter in derived else one for one in options)


def _letters(said: Derivation) -> set[str]:
    return {*said.letters, *said.rest}


def _status(said: Derivation, statuses: Mapping[str, Status]) -> Status:
    wanted: Status = "refuted" if said.how == "none" else "holds"
    unwanted: Status = "holds" if said.how == "none" else "refuted"
    found = [statuses[one] for one in said.letters]
    rest = [statuses[one] for one in said.rest]
    if unwanted in found or "holds" in rest:
        return "refuted"
    return "holds" if all(one == wanted for one in found) and all(one == "refuted" for one in rest) else "open"


def _derived(option: OptionFinding, said: Derivation, statuses: Mapping[str, Status]) -> OptionFinding:
    named = (*said.letters, *said.rest)
    words = ", ".join(f"{one} {_WORDS[statuses[one]]}" for one in named)
    return replace(option, status=statuses[option.letter], reason=f"follows from the others: {words}.", derived=named)


_WORDS: dict[Status, str] = {"holds": "holds", "refuted": "is refuted", "open": "is open"}


def answers(options: Sequence[OptionFinding], derived: Mapping[str, Derivation]) -> tuple[str, ...]:
    """Return the letters that answer the question: those that hold, without what a derived one that holds covers.

    With `All of the above` its parts hold too, but it is the answer. Of two derived ones the one that covers more goes
    before; the same cover leaves both.
    """
    holding = [one.letter for one in options if one.status == "holds"]
    covers = {letter: frozenset(derived[letter].letters) for letter in holding if letter in derived}
    return tuple(letter for letter in holding if not any(_covered(letter, by, covers) for by in covers))


def _covered(letter: str, by: str, covers: Mapping[str, frozenset[str]]) -> bool:
    if letter == by:
        return False
    return letter in covers[by] or (letter in covers and covers[letter] < covers[by])
