"""Rule for awaitability: a coroutine function, an asynchronous generator, or a plain function.

Asked of one thing, with answers in words or yes and no; or which of the options is one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from goldproof.jobs.verify.rules.claims import Claim, value_proof
from goldproof.jobs.verify.rules.mentions import mentions
from goldproof.jobs.verify.rules.options import own_options
from goldproof.jobs.verify.rules.phrases import MEMBER, may_be_negated, says_of
from goldproof.jobs.verify.rules.resolving import is_camel, meanings
from goldproof.jobs.verify.rules.targets import subject_meanings
from goldproof.jobs.verify.rules.yes_or_no import yes_or_no

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldproof.jobs.verify.proof import Proof
    from goldproof.jobs.verify.rules.rule import Reading

_FORMS = (
    ("async generator", re.compile(r"\basync(?:hronous)?[ -](?:generators?|iterators?|for)\b", re.IGNORECASE)),
    ("plain", re.compile(
        r"\bsynchronous(?:ly)?\b|\bsync\b|\b(?:regular|plain|normal|ordinary)\s+(?:\w+\s+)?(?:function|method)s?\b"
        r"|\bwithout await",
        re.IGNORECASE)),
    ("coroutine", re.compile(r"\bcoroutines?(?:\s+functions?)?\b|\bawait(?:ed|able|ing)?\b", re.IGNORECASE)),
    ("async", re.compile(r"\basync(?:hronous(?:ly)?)?\b", re.IGNORECASE)),
)  # fmt: skip
_DENIED = re.compile(
    r"\b(?:not|n't|never|without\s+being|no\s+need)\s+(?:(?:an?|be|need(?:\s+to)?|have\s+to|to|be|being)\s+)*"
    r"(?:async\w*(?:\s+generator)?|awaited|await|coroutine|synchronous)\b",
    re.IGNORECASE,
)
_KIND_OF = re.compile(
    r"^what\s+(?:kind|type|sort)\s+of\s+(?:function|method|callable)\s+is\s+`[^`]+`\s*\?$", re.IGNORECASE
)
_KIND = re.compile(
    r"(?:it\s+is\s+)?(?:an?\s+)?(?P<kind>(?:async\w*\s+generator|generator|coroutine|(?:regular|plain|normal|ordinary|synchronous))"
    r"(?:\s+(?:function|method))?)(?:,?\s+(?:that|which)\s+yields\s+\w+)?(?P<more>\s.*)?\.?",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[a-z]+", re.IGNORECASE)
# What options may say around the form without adding a claim of their own.
_AROUND = frozenset(
    ("a", "an", "the", "it", "is", "yes", "no", "function", "method", "must", "be", "needs", "need", "to", "should",
     "with", "async", "asynchronous", "synchronous", "coroutine", "generator", "regular", "plain", "normal", "ordinary",
     "awaited", "await", "you", "python", "def", "sync", "and", "requires", "not", "awaitable", "for", "that", "has",
     "have", "can", "so", "therefore", "thus", "does", "just", "called", "directly", "one", "defined", "as")
)  # fmt: skip


class AsyncRule:
    """Questions about what must be awaited."""

    name = "async"

    def propose(self, reading: Reading) -> Iterator[Proof]:
        """Yield a proof for each option that says whether something is asynchronous."""
        if _KIND_OF.search(reading.asked.text):
            yield from self._kinds(reading)
        if reading.asked.kind != "async" or (may_be_negated(reading.asked.text) and not reading.asked.negated):
            return
        whom = _whom(reading)
        for letter, text in own_options(reading.case).items():
            said = _of_one(text, whom, reading=reading) if whom else _of_option(text, reading)
            if said is not None:
                path, form, holds = said
                yield self._proof(letter, path, form=form, negated=reading.asked.negated == holds)

    def _kinds(self, reading: Reading) -> Iterator[Proof]:
        """Yield a proof for each option that says which kind of function one is; with more words it can only refute."""
        path = _whom(reading)
        for letter, text in own_options(reading.case).items():
            found = _KIND.fullmatch(text.strip())
            if not path or found is None:
                continue
            stated = _stated(found["kind"])
            # A generator is synchronous, and more.
            proof = self._proof(letter, path, form=stated[0] if stated else "plain", negated=False)
            yield replace(proof, power="refutes") if found["more"] or stated is None else proof

    def _proof(self, letter: str, path: str, *, form: str, negated: bool) -> Proof:
        what = {"plain": "synchronous", "async": "asynchronous"}.get(
            form, f"an {form}" if form[0] == "a" else f"a {form}"
        )
        says = f"`{path}` is {'not ' if negated else ''}{what}."
        claim = Claim(option=letter, rule=self.name, says=says, power="decides", negated=negated)
        return value_proof(claim, path, expect={"check": "async", "is": form})


def form_of(text: str) -> str | None:
    """Return which form a text speaks of; None where of none, or of several."""
    found = _forms_in(text)
    return found[0] if len(found) == 1 else None


def _forms_in(text: str) -> list[str]:
    found: list[str] = []
    for form, pattern in _FORMS:
        if pattern.search(text) and not (form == "async" and found):
            found.append(form)
        text = pattern.sub(" ", text)
    return found


def _stated(option: str) -> tuple[str, bool] | None:
    """Return the one form that an option speaks of, and whether it says that it is so: `it need not be awaited`."""
    denied = [form_of(one[0]) for one in _DENIED.finditer(option)]
    named = _forms_in(_DENIED.sub(" ", option))
    if len(named) == 1 and all(one is not None and (one == "plain") != (named[0] == "plain") for one in denied):
        return named[0], True
    return (denied[0], False) if len(denied) == 1 and denied[0] is not None and not named else None


def _whom(reading: Reading) -> str:
    """Return the one function that the question is about."""
    found = [
        one.path
        for subject in reading.asked.subjects
        for one in subject_meanings(subject, reading.index)
        if one.kind in {"function", "method"}
    ]
    return found[0] if len(set(found)) == 1 else ""


def _of_one(option: str, path: str, *, reading: Reading) -> tuple[str, str, bool] | None:
    if not _adds_nothing(option):
        return None
    answer, stated = yes_or_no(option), _stated(option)
    if answer is None:
        return None if stated is None else (path, *stated)
    asked = form_of(reading.asked.text)
    if asked is None or (stated is None and _forms_in(option)):
        return None
    said = (asked, answer) if stated is None else _answered(asked, stated, answer=answer)
    return None if said is None else (path, *said)


def _answered(asked: str, stated: tuple[str, bool], *, answer: bool) -> tuple[str, bool] | None:
    """Return what a yes or no with a reason says; None where the reason does not fit: `Yes, it is a plain function`."""
    form, holds = stated
    if form == asked or (form == "async" and asked == "coroutine" and holds == answer):
        return (asked, answer) if holds == answer else None
    if not holds:
        return None
    if asked == "async":
        return (form, True) if answer == (form != "plain") else None
    return (form, True) if not answer and (form != "async" or asked == "plain") else None


def _adds_nothing(option: str) -> bool:
    plain = re.sub(r"`[^`]*`", " ", option)
    return {word.lower() for word in _WORDS.findall(plain)} <= _AROUND


def _of_option(option: str, reading: Reading) -> tuple[str, str, bool] | None:
    """Return the function that an option names, where the question asks which one is asynchronous."""
    form, found = form_of(reading.asked.text), mentions(option)
    if form is None or len(found) != 1 or not found[0].whole or found[0].keywords:
        return None
    path = _member_path(found[0].name, reading)
    return None if path is None else (path, form, True)


def _member_path(name: str, reading: Reading) -> str | None:
    index, asked = reading.index, reading.asked
    owners = [one for one in asked.subjects if says_of(asked.text, one, nouns=MEMBER)]
    names = [name] if "." in name or not owners else [f"{one}.{name}" for one in owners]
    found = [one for full in names for one in meanings(full, index) if one.kind in {"function", "method"}]
    return found[0].path if len(found) == 1 and not is_camel(name) else None


RULE = AsyncRule()
