"""A way to ask and its negation: what a form is, and how the first that fits is found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from goldproof.jobs.build.unanswerables.proposal import Group


@dataclass(frozen=True, slots=True)
class Negated:
    """A negated question.

    said: the phrases by which a source would speak of it; empty: a "not" before one of its words. owner: who must be
    the question's subject, for the form to fit. counts: whether the answer must be a number other than 0, since
    a premise that holds is no false one; rises: and above 0.
    """

    question: str
    said: Group = ()
    owner: str = ""
    counts: bool = False
    rises: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """One way to ask, and its negated way. A form that fits wins over those after it."""

    asked: re.Pattern[str]
    turn: Callable[[re.Match[str]], Negated | None]


def negated_by(forms: tuple[Form, ...], question: str) -> Negated | None:
    """Return the negation by the first form that fits; None where none does."""
    matches = ((form, form.asked.match(question)) for form in forms)
    return next((turned for form, match in matches if match and (turned := form.turn(match))), None)


def form(pattern: str, turn: Callable[[re.Match[str]], Negated | None]) -> Form:
    """Return the form that a pattern describes."""
    return Form(re.compile(pattern), turn)
